"""What is asked of a campaign's rows everywhere: names that can be said, words that are known,
numbers within bounds.

Each raises Refused for the first that is wrong, with where that stands: `[effects.dazed] speed`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from affray.core.dice.notation import Dice, DiceError, parse_dice
from affray.core.language.refusal import Refused, close_or_all


def check_words(
    where: str, words: Iterable[str], known: Iterable[str], fault: str = "means nothing there"
) -> None:
    """Each word must be one that is known there; `fault` says what others are: "is no prompt"."""
    row = list(known)
    for word in words:
        if word not in row:
            raise Refused(f"{where}: {word!r} {fault}{close_or_all(word, row)}")


def check_all_known(where: str, words: Iterable[str], known: Collection[str]) -> None:
    """The same, told the other way round: "knows no 'fog'"."""
    wrong = next((word for word in words if word not in known), None)
    if wrong is not None:
        raise Refused(f"{where}: knows no {wrong!r}{close_or_all(wrong, known)}")


def check_dice(where: str, dice: str) -> Dice:
    """Dice must be written so that they can be rolled; gives them."""
    try:
        return parse_dice(dice)
    except DiceError as error:
        raise Refused(f"{where}: {error}") from None


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
