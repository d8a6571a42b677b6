"""`Refused`, with which every command is turned down, and helpers that word its message.

They find the words that are close to what was typed, list words, and write numbers with a sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from affray.core.formatting.safe_text import to_one_line

MOST_LISTED = 8
"""The most possible words to list if none is similar."""
MOST_HEARD = 4
"""The most possible words to list for the ear."""
LIKE_ENOUGH = 0.3
"""The similarity, from 0 to 1, at which words are listed first if none is close."""


class Refused(Exception):  # noqa: N818
    """A command that is refused: one line says what was expected and what is close.

    Nothing has changed when it is raised. `candidates` are the words that were possible there, `at`
    is the index of the wrong or missing word after the command's first. The message ends with the
    command's `usage`, if any; `bare` is the part before it, and `heard` the same for the ear,
    without a list of many words. For a fault in a campaign's row it has the `row` and its `field`.
    """

    def __init__(
        self,
        message: str,
        candidates: Iterable[str] = (),
        at: int | None = None,
        usage: str = "",
        row: str = "",
        field: str = "",
        heard: str = "",
    ) -> None:
        self.bare = to_one_line(message)
        self.heard = to_one_line(heard) or self.bare
        message = f"{message} (usage: {usage})" if usage else message
        message = to_one_line(message)  # names and notes may hold line breaks, and worse
        super().__init__(message)
        self.message = message
        self.candidates = tuple(candidates)
        self.at = at
        self.usage = usage
        self.row = row
        self.field = field


class NotInFight(Refused, LookupError):  # noqa: N818
    """No combatant has this name. It is a LookupError as well, as a dict's KeyError is."""


class GameFault(Refused):
    """An error in the code of a game that somebody has installed."""


def place_of_error(error: BaseException) -> str:
    """Return where in a game's own files something was raised: ` (fighting.py, line 12)`; empty
    where it comes from none."""
    from traceback import extract_tb  # here, since hardly anything goes wrong so

    own = [frame for frame in extract_tb(error.__traceback__) if _is_of_a_game(frame.filename)]
    return f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""


NEEDED = {"aiohttp", "msgspec", "prompt_toolkit", "rich", "textual"}
"""The packages that affray needs, which are no games."""


def _is_of_a_game(file: str) -> bool:
    path = Path(file)
    is_pythons = path.is_relative_to(Path(re.__file__).parents[1])
    is_installed = not {"site-packages", "dist-packages"}.isdisjoint(path.parts)
    is_installed = is_installed and NEEDED.isdisjoint(path.parts)
    is_affrays = path.is_relative_to(Path(__file__).parents[2])
    return not (file.startswith("<") or is_affrays or (is_pythons and not is_installed))


def close_matches(word: str, choices: Iterable[str], cutoff: float = 0.6) -> list[str]:
    """Up to three of the choices that look like the word, the closest first, each once."""
    from difflib import get_close_matches  # here, since most commands are spelt right

    row = list(dict.fromkeys(choices))
    return get_close_matches(word.casefold(), row, n=3, cutoff=cutoff)


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """`; did you mean A or B?` for similar words, or empty."""
    near = close_matches(word, choices)
    return f"; did you mean {join_or(near)}?" if near else ""


def suggest_or_list(word: str, choices: Iterable[str]) -> str:
    """`; did you mean A?` for similar words, else `; there are A, B and C`."""
    row = list(choices)
    there = f"; there {'is' if len(row) == 1 else 'are'} {join_or(row, 'and')}" if row else ""
    return did_you_mean(word, row) or there


def few_of(word: str, choices: Iterable[str]) -> str:
    """Words of a command as a person lists them; of very many a handful, those like the word
    first, and where all are shown."""
    row = list(dict.fromkeys(choices))
    if len(row) <= MOST_LISTED:
        return join_or(row)
    like = close_matches(word, row, LIKE_ENOUGH)
    few = [*like, *(each for each in row if each not in like)][:MOST_LISTED]
    return f"{', '.join(few)} … ({len(row)} in all: tab lists them)"


def did_you_mean_or_list(word: str, choices: Iterable[str], otherwise: str = "") -> str:
    """`did you mean A?` for similar words, else `one of A, B or C`, or that there is none.
    `otherwise` is what the command takes besides these words: `a name in quotes`.
    """
    row = list(choices)
    near = close_matches(word, row)
    more = f", or {otherwise}" if otherwise else ""
    name = f"one of {few_of(word, row)}" if row else "there is none"
    return f"did you mean {join_or(near)}{more}?" if near else f"{name}{more}"


def join_or(words: Iterable[str], last: str = "or") -> str:
    """Words as a person lists them: `a, b or c`."""
    row = list(words)
    if len(row) < 2:
        return "".join(row)
    return f"{', '.join(row[:-1])} {last} {row[-1]}"


def format_number(number: int) -> str:
    """A number as people write it: a true minus before one below 0, no plus."""
    return str(number) if number >= 0 else format_signed(number)


def format_signed(number: int) -> str:
    """A bonus or penalty with its sign; a true minus, as wide as the plus."""
    return f"+{number}" if number >= 0 else f"−{-number}"
