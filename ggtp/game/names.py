"""How a typed name is matched: exactly first, then without regard to case if that is unambiguous."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches


def match_name(text: str, names: Collection[str]) -> str | None:
    """The canonical spelling of `text` among `names`, or None where there is none or more than one."""
    if text in names:
        return text
    folded = text.casefold()
    found = [name for name in names if name.casefold() == folded]
    return found[0] if len(found) == 1 else None


def near_names(text: str, names: Iterable[str], most: int = 3) -> list[str]:
    """Names that look like `text`, the nearest first: what a person may have meant."""
    by_fold = {name.casefold(): name for name in names}
    # difflib is quadratic in the text's length; nobody mistypes a name of thousands of characters.
    typed = text.casefold()[:80]
    begun = [fold for fold in by_fold if len(typed) > 1 and fold.startswith(typed)]
    alike = get_close_matches(typed, by_fold, n=most, cutoff=0.7)
    return [by_fold[fold] for fold in dict.fromkeys((*begun, *alike))][:most]


def did_you_mean(text: str, names: Iterable[str]) -> str:
    """A question that follows a sentence, as ` Did you mean Depth?`; nothing where no name is near."""
    near = near_names(text, names, most=1)
    return f" Did you mean {near[0]}?" if near else ""
