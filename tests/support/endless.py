"""Rules that are read at once, and of which no compiler makes an end."""

from __future__ import annotations

# Ten steps that are easy, and then more states than any memory holds.
ENDLESS = "(role a) (legal a go) (<= terminal (true end)) (goal a 0) (init (step 0))" + " ".join(
    [f"(<= (next (step {n + 1})) (true (step {n})))" for n in range(10)] + [f"(n {n})" for n in range(300)]
) + "(<= (next (p ?a ?b ?c ?d)) (n ?a) (n ?b) (n ?c) (n ?d) (true (step 10)) (does a go))"  # fmt: skip
