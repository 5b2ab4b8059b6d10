from __future__ import annotations

from ggtp.referee.views import SeatStatus, Status
from ggtp.ui.prompt.style import STYLE
from ggtp.ui.prompt.toolbar import toolbar


def test_every_style_of_the_toolbar_is_defined() -> None:
    seats = (SeatStatus("A", "M", thinking=1), SeatStatus("B", "M", gone=True), SeatStatus("C", "M", to_move=True))
    pieces = toolbar(Status("over", "R", (*seats, SeatStatus("D", "M")), held=True, node=1), 999, busy="set_rule")
    used = {style.removeprefix("class:") for style, _ in pieces if style}
    assert used <= {name for names, _ in STYLE.style_rules for name in names.split()}
