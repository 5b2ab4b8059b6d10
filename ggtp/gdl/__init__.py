"""Game Description Language: any game from the text of its rules.

A small compiler, one pass a module: `reader` (text → s-expressions), `parse` (→ rules),
`validate` (all faults), `normalise` (→ plain clauses), `stratify`, `demand` and `split` (→ clauses
that are easier to evaluate, with the same meaning), `interpret` (plays them, slowly and
plainly: the judge of everything faster), `traces` (checks a player against recorded games).
"""
