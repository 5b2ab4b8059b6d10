"""A child that reads mutants: it says which one it begins with and what came of it, so that its end is explained.

The request has `subject`, `texts` and `megabytes`.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from ggtp.bench.attack.fuzz.subjects import SUBJECTS
from ggtp.bench.attack.fuzz.trial import attempt, bound_depth
from ggtp.processes.bounds import bound

MODULE = __name__ if __name__ != "__main__" else "ggtp.bench.attack.fuzz.child"


def serve() -> int:
    """Reads the request from the standard input, and writes outcomes to the standard output."""
    request: dict[str, Any] = json.load(sys.stdin)
    subject = SUBJECTS[request["subject"]]
    bound_depth()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a reader prints is no answer
    reader = subject.reader(os.environ)
    bound(memory_bytes=request["megabytes"] << 20)
    for number, text in enumerate(request["texts"]):
        _tell(answers, {"begin": number})
        outcome = attempt(reader, text, subject.seconds)
        _tell(answers, {"end": number, "shown": outcome.shown, "kind": outcome.kind, "what": outcome.what})
    return 0


def _tell(answers: Any, line: dict[str, object]) -> None:
    answers.write(json.dumps(line) + "\n")
    answers.flush()


if __name__ == "__main__":
    sys.exit(serve())
