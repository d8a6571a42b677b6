"""Find the combatants that a word of a command names, one or several.

A word names one by id, name or number, or by anything that fits only one: the beginning of a name
(`gho`), a word of it or its beginning (`ogre` is Toll Ogre), and these with the number at the end
of a name (`g2` is Bog Ghoul 2, `hound-1` is Rime Hound 1). Accents may be left out: `zoe` is Zoë,
unless somebody is called Zoe. Commas separate several; each part may be a side (`foes`), `all`, a
range of numbers (`2-4`) or the name of a group (`crockling`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

from affray.core.engine import turn_order
from affray.core.engine.state import Combatant, Encounter, Side
from affray.core.formatting.safe_text import hyphenate
from affray.core.late_pattern import late_pattern
from affray.core.parser.errors import MOST_HEARD, NotInFight, Refused, close_matches, join_or
from affray.core.parser.spelling import fold, is_accented

SIDES: tuple[Side, ...] = ("party", "foes", "others")
"""The sides that can be named whole; they don't depend on who acts."""
ALL = "all"
"""The word for everybody of those sides; hazards of the world are named one by one."""
FOR_SEVERAL = (*SIDES, ALL)
_PARTS = late_pattern(r"\d+|[^\W\d]+")
"""The words and numbers of a name, or of typed text."""
_NUMBER = late_pattern(r"\d{1,18}")
MOST_OF_NAME = 5
"""The most words of a name that is typed without quotes."""
Spelling = Callable[[str], str]
"""How names are spelt to be compared: with their accents, or without."""
_IN_A_ROW = late_pattern(r"(\d{1,6})[-–](\d{1,6})$")


def resolve(state: Encounter, word: str) -> Combatant:
    """Return the one combatant that a word names.

    Raises NotInFight with similar names, or Refused with everybody the word could mean.
    """
    meant = _meant(state, word)
    if len(meant) == 1:
        return meant[0]
    ids = [c.id for c in state.combatants]
    if meant:
        raise Refused(f"{word!r} could be {join_or(c.id for c in meant)}", ids)
    if _NUMBER.fullmatch(word):
        _require_number(state.by_number(), int(word))
        raise NotInFight(f"no combatant has number {int(word)} now")
    if _says_several(word):
        raise Refused(f"expected just one combatant, found {word!r}", ids)
    near = _close_ids(state, word)
    if near:
        raise NotInFight(f"nobody here is called {word!r}; did you mean {join_or(near)}?", ids)
    hint = f"; there are {join_or(ids[:8], 'and')}" if ids else ""
    message = f"nobody here is called {word!r}"
    heard = f"{message}; order tells who is here" if len(ids) > MOST_HEARD else ""
    raise NotInFight(f"{message}{hint}", ids, heard=heard)


def words_of_name(state: Encounter, words: Sequence[str]) -> int:
    """The number of words that name one combatant together, as `Ghoul 1` is heard; else 1.

    The first alone must mean several, unless the others are the rest of a name and no number.
    """
    begun = fold(" ".join(words[:2]))
    names = {name for each in state.combatants if (name := fold(each.name)).startswith(begun)}
    if not names or is_for_several(state, words[0]):
        return 1
    is_one = is_called(state, words[0])
    for count in range(min(MOST_OF_NAME, len(words)), 1, -1):
        if fold(" ".join(words[:count])) in names and not (is_one and words[count - 1].isdecimal()):
            return count
    return 1


def is_called(state: Encounter, word: str) -> bool:
    """True if a word names one combatant."""
    return len(_meant(state, word)) == 1


def _meant(state: Encounter, word: str) -> list[Combatant]:
    """The combatants with that id, name or number; else all whose names start with it."""
    found = _exact_matches(state, word)
    is_number = bool(_NUMBER.fullmatch(word))
    if not found and is_number and (numbered := state.by_number().get(int(word))):
        found = [numbered]
    if found:
        return found
    if not hyphenate(word) or is_number or _says_several(word):
        return []
    return _namesakes(state, word) or called_like(word, state.combatants)


def _namesakes(state: Encounter, word: str) -> list[Combatant]:
    """The combatants whose whole name is this word, accents aside."""
    wanted = fold(hyphenate(word))
    return [c for c in state.combatants if fold(hyphenate(c.name)) == wanted]


def called_like(word: str, among: Iterable[Combatant]) -> list[Combatant]:
    """Return those whose id or name begins with a word; else those whose names contain its parts.

    Words of a name need only begin with the parts, in their order; numbers must be equal. Accents
    may be left out; a typed one finds only names spelt with it. Of two names that differ only in
    accents, the word in full means the one with its spelling.
    """
    row = list(among)
    if is_accented(word) and (spelt := _called(word, row, str.casefold)):
        return spelt
    found = _called(word, row, fold)
    if len(found) > 1:
        own = [c for c in found if c.name.casefold() == word.casefold()]
        if len(own) == 1 and all(fold(c.name) == fold(word) for c in found):
            return own
    return found


def _called(word: str, row: Sequence[Combatant], spelt: Spelling) -> list[Combatant]:
    wanted, begun = spelt(word), spelt(hyphenate(word))
    found = [c for c in row if spelt(c.id).startswith(begun) or spelt(c.name).startswith(wanted)]
    return found or _with_parts(wanted, row, spelt)


def _with_parts(word: str, row: Iterable[Combatant], spelt: Spelling) -> list[Combatant]:
    parts = _PARTS.findall(word)
    return [c for c in row if parts and _has_parts(_PARTS.findall(spelt(c.name)), parts)]


def goes_on_with_digit(word: str, among: Iterable[Combatant]) -> bool:
    """True if a word with a further digit is the name of somebody."""
    letters, row = word.rstrip("0123456789"), list(among)
    begun = fold(hyphenate(letters))
    fit = [c for c in row if fold(c.id).startswith(begun)] + _with_parts(fold(letters), row, fold)
    return bool(fit) and any(called_like(word + digit, fit) for digit in "0123456789")


def _has_parts(name: Sequence[str], parts: Sequence[str]) -> bool:
    """True if a name's words begin with the parts, in their order; numbers must be equal."""
    words = iter(name)
    return all(
        any(word == part if part.isdecimal() else word.startswith(part) for word in words)
        for part in parts
    )


def _close_ids(state: Encounter, word: str) -> list[str]:
    """The ids of those whom a misspelt word may mean, each once."""
    called: dict[str, list[str]] = {}
    for combatant in state.combatants:
        name = fold(combatant.name)
        for each in (fold(combatant.id), name, *_PARTS.findall(name)):
            called.setdefault(each, []).append(combatant.id)
    near = [who for each in close_matches(fold(word), called) for who in called[each]]
    return list(dict.fromkeys(near))[:3]


def _exact_matches(state: Encounter, word: str) -> list[Combatant]:
    """The combatant with that very id; else all of that name, those with the same spelling
    first."""
    own = state.find(word)
    if own is not None:
        return [own]
    if spelt := [c for c in state.combatants if c.name == word]:
        return spelt
    name = hyphenate(word)
    return [c for c in state.combatants if name in (c.id, hyphenate(c.name))]


def is_taken(state: Encounter, word: str, but: Collection[Combatant] = ()) -> bool:
    """True if a word can't be a new group's name, because it already means somebody.

    Such a word is a side, `all`, a number, or the id or name of a combatant not in `but`.
    """
    found = _exact_matches(state, word) or _namesakes(state, word)
    others = [c for c in found if c not in but]
    return bool(others) or word.isdecimal() or _says_several(word)


def _require_number(row: Collection[int], number: int) -> None:
    """Raise NotInFight for a number that is out of range."""
    most = max(row, default=0)
    if not 1 <= number <= most:
        raise NotInFight(f"no combatant has number {number}: the list goes from 1 to {most}")


@lru_cache(maxsize=8)  # a line is read again with every key that is typed
def present_combatants(state: Encounter, but: str = "") -> tuple[Combatant, ...]:
    """The combatants still in the fight, in the order in which they act, without the one of id
    `but`."""
    return tuple(c for c in state.in_order() if not c.is_out and c.id != but)


def is_for_several(state: Encounter, word: str) -> bool:
    """True if a word is one for several: a side, `all`, numbers in a row, or a group's name."""
    return _says_several(word) or bool(turn_order.group_named(state, word))


def _says_several(word: str) -> bool:
    return word.casefold() in FOR_SEVERAL or _IN_A_ROW.match(word) is not None


def several_here(state: Encounter) -> list[str]:
    """The sides, and `all`, that somebody here belongs to, and the groups."""
    sides = [name for name in FOR_SEVERAL if any(is_on_side(c, name) for c in state.combatants)]
    return [*sides, *turn_order.group_tokens(state)]


def resolve_many(
    state: Encounter,
    word: str,
    among: Collection[Combatant] | None = None,
    again: bool = False,
) -> list[Combatant]:
    """Return everybody a word names: `ghoul-1,ghoul-2`, `foes,mira`, `2-4,7`.

    Args:
        among: the combatants that sides, `all`, ranges and groups may mean; by default everybody
            still in the fight. A single name always works, and comes before a side or group of that
            name.
        again: True if one named twice is returned twice.

    Raises:
        Refused: for a part that means nobody.
    """
    row = present_combatants(state) if among is None else among
    found = [c for part in word.split(",") if part.strip() for c in _part(state, part.strip(), row)]
    return found if again else list({c.id: c for c in found}.values())


def _part(state: Encounter, part: str, among: Collection[Combatant]) -> list[Combatant]:
    if not is_for_several(state, part) or _exact_matches(state, part):
        return [resolve(state, part)]
    found = _of_several(state, part.casefold(), among)
    if not found:
        raise Refused(f"nobody in {part!r} fits this command")
    return found


def _of_several(state: Encounter, word: str, among: Collection[Combatant]) -> list[Combatant]:
    """The members of a side or a group in turn order; those of numbers in the order given."""
    numbers = _IN_A_ROW.match(word)
    if numbers is None and word in FOR_SEVERAL:
        return [c for c in among if is_on_side(c, word)]
    if numbers is None:
        members = {
            c.id for c in turn_order.group_members(state, turn_order.group_named(state, word))
        }
        return [c for c in among if c.id in members]
    row = state.by_number()
    first, last = sorted(int(number) for number in numbers.groups())
    for number in (first, last):
        _require_number(row, number)
    ids = {c.id for c in among}
    return [row[n] for n in sorted(row) if first <= n <= last and row[n].id in ids]


def is_on_side(combatant: Combatant, word: str) -> bool:
    """True if somebody is on the side that a word names, or on any that `all` includes."""
    return combatant.side == word or (word == ALL and combatant.side in SIDES)
