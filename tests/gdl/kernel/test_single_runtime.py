"""The functions around a game's code for given states; what they answer is tested with `kernel.single`."""

from __future__ import annotations

from support.lanes import KEPT

from ggtp.gdl.kernel.single_runtime import PLAN, state_runtime_text
from ggtp.native.machine import Effort, compile_text


def test_every_function_is_there() -> None:
    library = compile_text(state_runtime_text(), Effort.PASSES, KEPT)
    for name in ("look", "move", "look_many", "move_many", "table"):
        assert library.address(name)
    assert len(set(PLAN)) == len(PLAN)
