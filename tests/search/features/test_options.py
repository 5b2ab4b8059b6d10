"""The options about features, as numbers."""

from __future__ import annotations

from ggtp.search.features.guide import Use
from ggtp.search.features.options import OPTIONS, FeatureSettings, options


def test_what_holds_where_nobody_says_anything() -> None:
    assert FeatureSettings.read({option.name: option.default for option in OPTIONS}) == FeatureSettings()
    on = FeatureSettings.read({option.name: option.default for option in options(on=True)})
    assert on == FeatureSettings(on=True)


def test_what_they_are_in_the_paper_and_what_was_measured() -> None:
    plain = {option.name: option.default for option in OPTIONS}
    assert (plain["FeatureOpponent"], plain["FeatureOwn"], plain["FeatureTau"], plain["FeatureScale"]) == (
        "50", "60", "50", "100",
    )  # fmt: skip
    settings = FeatureSettings.read(plain)
    assert (settings.opponent, settings.own, settings.tau, settings.scale) == (0.5, 0.6, 0.5, 100.0)
    assert (settings.seconds, settings.most, settings.period, settings.trial) == (5.0, 2000, None, True)
    use = Use()
    assert (use.opponent, use.own, use.tau, use.scale, use.most) == (0.5, 0.6, 0.5, 100.0, 2000)


def test_units() -> None:
    values = {option.name: option.default for option in OPTIONS}
    values |= {"FeatureTime": "250", "FeatureTau": "25", "FeatureOwn": "90", "FeatureOpponent": "0"}
    values |= {"FeatureCount": "7", "FeatureTrial": "off", "Features": "on"}
    values |= {"FeatureScale": "10", "FeaturePeriod": "3", "FeatureWorth": "off"}
    assert FeatureSettings.read(values) == FeatureSettings(True, 0.25, 7, 0.25, 0.9, 0.0, False, 10.0, 3, False)
