"""What is asked of a campaign's rows everywhere: names that can be said, words that are known,
numbers within bounds.

Each raises Refused for the first that is wrong, with where that stands: `[effects.dazed] speed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from affray.core.language.refusal import Refused, close_or_all


def check_words(where: str, words: Iterable[str], known: Iterable[str]) -> None:
    """Each word must be one that the game knows there."""
    row = list(known)
    for word in words:
        if word not in row:
            raise Refused(f"{where}: {word!r} means nothing there{close_or_all(word, row)}")


def check_name(where: str, name: str, by: str = "command") -> None:
    """A name must be one word as a command, or a sheet, can say it: `glaive`, `short-sword`."""
    if name != name.casefold() or not name.replace("-", "").isalnum():
        raise Refused(f"{where}: no {by} could name it; write it in small letters")


def check_bounds(where: str, number: int, low: int, high: int) -> None:
    """A number must lie between two others, or be one of them."""
    if not low <= number <= high:
        raise Refused(f"{where}: must be from {low} to {high}, not {number}")


def check_amounts(where: str, amounts: Mapping[str, int], least: int) -> None:
    """Each amount of a track must be at least so many, and at most 99."""
    for track, amount in amounts.items():
        if not least <= amount <= 99:
            raise Refused(f"{where}: {track} must be from {least} to 99, not {amount}")
