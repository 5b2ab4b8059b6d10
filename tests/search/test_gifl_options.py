"""The options about features, as numbers."""

from __future__ import annotations

from ggtp.search.gifl_options import OPTIONS, FeatureSettings, options


def test_what_holds_where_nobody_says_anything() -> None:
    assert FeatureSettings.read({option.name: option.default for option in OPTIONS}) == FeatureSettings()
    on = FeatureSettings.read({option.name: option.default for option in options(on=True)})
    assert on == FeatureSettings(on=True)


def test_units() -> None:
    values = {option.name: option.default for option in OPTIONS}
    values |= {"FeatureTime": "250", "FeatureTau": "25", "FeatureOwn": "90", "FeatureOpponent": "0"}
    values |= {"FeatureCount": "7", "FeatureTrial": "off", "Features": "on"}
    values |= {"FeatureScale": "10", "FeaturePeriod": "3", "FeatureWorth": "off"}
    assert FeatureSettings.read(values) == FeatureSettings(True, 0.25, 7, 0.25, 0.9, 0.0, False, 10.0, 3, False)
