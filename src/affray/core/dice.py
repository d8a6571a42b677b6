"""Dice: their notation, the numbers on them, and how they fall.

Notation: `2d6+5`, `d6`, `1d12-2`, `d%`, `4d6kh3` (keep the highest 3; `kl` the lowest, `dh` and
`dl` drop instead), `2d6!` (a die that shows its highest is rolled again and added, as often as it
does), `2d6r2` (a die that shows 2 or less is rolled once more, and that counts), several terms
`1d8+1d6+2`, plain numbers, and `1d6 up 2` for dice made larger.

Nothing here is random by itself: the caller passes in a `DiceSource`, so that the same command with
the same faces always gives the same events.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Literal, NoReturn, cast

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice_falls import (
    DieFalls,
    chances_to_reach,
    fall,
    mean_of_highest,
    mean_of_one,
)
from affray.core.dice_sources import (
    DiceError as DiceError,
    DiceSource as DiceSource,
    DieInput as DieInput,
    Forced as Forced,
    LyingDice as LyingDice,
    RecordedDice as RecordedDice,
    RecordedDie as RecordedDie,
    SeededDice as SeededDice,
    StubDice as StubDice,
    Whose as Whose,
    dice_of as dice_of,
    is_stub,
    seeded_dice as seeded_dice,
    system_dice as system_dice,
)
from affray.core.late_pattern import late_pattern

MAX_DICE = 1_000
"""The most dice of one roll, all terms together: the log has each face."""
ROOM_REROLLED, ROOM_EXPLODING = 2, 10
"""The number of dice for which one that may be rerolled, or that explodes, counts."""
MAX_SIDES = 10_000
MAX_NUMBER = 1_000_000
MAX_TERMS = 100

SIZES: tuple[tuple[int, int], ...] = (
    (1, 2),
    (1, 4),
    (1, 6),
    (1, 8),
    (1, 10),
    (1, 12),
    (2, 6),
    (3, 4),
)
"""The dice, as (count, sides), from the smallest to the largest: Monsters & Magic, Dice
Notation."""

SCALE = " ".join(f"{count}d{sides}" for count, sides in SIZES)


# --- what is rolled -------------------------------------------------------------------------------


Rule = Literal["kh", "kl", "dh", "dl"]


class KeepDrop(Struct, frozen=True):
    """The dice of a pool that count: `k`eep or `d`rop the `h`ighest or the `l`owest `count`."""

    rule: Rule
    count: int

    def __str__(self) -> str:
        return f"{self.rule}{self.count}"

    def keeps(self, dice: int) -> int:
        """The number of dice that count, of so many."""
        return self.count if self.rule[0] == "k" else dice - self.count

    @property
    def keeps_high(self) -> bool:
        """True if the dice that count are the highest ones."""
        return self.rule in ("kh", "dl")


class DicePool(Struct, frozen=True, tag="pool"):
    """`count` dice of `sides` sides, added or, when `negative`, subtracted.

    pick      the dice that count; None for all
    rerolls   a die that shows so much or less is rolled once more, and that counts; 0 for none
    explodes  True if a die that shows its highest is rolled again and added, as often as it does
    """

    count: int
    sides: int
    pick: KeepDrop | None = None
    negative: bool = False
    rerolls: int = 0
    explodes: bool = False

    def __str__(self) -> str:
        rerolls = f"r{self.rerolls}" if self.rerolls else ""
        bang = "!" if self.explodes else ""
        return f"{self.count}d{self.sides}{rerolls}{bang}{self.pick or ''}"

    @property
    def spoken(self) -> str:
        """The dice in words: `the higher of 2d8`, `2d6 exploding`."""
        dice = f"{self.count}d{self.sides}"
        if self.rerolls:
            dice += f" rerolling {'1' if self.rerolls == 1 else f'1 to {self.rerolls}'}"
        if self.explodes:
            dice += " exploding"
        if self.pick is None:
            return dice
        ends = ("lower", "higher") if self.count == 2 else ("lowest", "highest")
        many = f"{self.kept_count} " if self.kept_count > 1 else ""
        return f"the {ends[self.pick.keeps_high]} {many}of {dice}"

    @property
    def faces_each(self) -> int:
        """The most faces of a die that doesn't explode."""
        return 2 if self.rerolls else 1

    @property
    def kept_count(self) -> int:
        """The number of dice that count."""
        return self.pick.keeps(self.count) if self.pick else self.count

    @property
    def average(self) -> float:
        """The mean of the dice that count, before the sign."""
        mean = self.count * mean_of_one(self.sides, self.rerolls, self.explodes)
        if self.pick is None or self.kept_count == self.count:
            return mean
        kept_count, reached = self.kept_count, chances_to_reach(self.sides, self.rerolls)
        if self.pick.keeps_high:
            return round(mean_of_highest(kept_count, self.count, reached), 9)
        return round(mean - mean_of_highest(self.count - kept_count, self.count, reached), 9)

    def fall(self, die: Callable[[int], int], room: int) -> DieFalls:
        """Throw one die of the pool: `die` gives a face of so many sides, and `room` faces may fall
        by exploding."""
        return fall(lambda: die(self.sides), self.sides, self.rerolls, self.explodes, room)

    def counts(self, totals: Sequence[int]) -> list[bool]:
        """True for each die that counts, by their results; of equal ones the first counts first."""
        if self.pick is None:
            return [True] * len(totals)
        sign = -1 if self.pick.keeps_high else 1
        ranked = sorted(range(len(totals)), key=lambda index: sign * totals[index])
        kept_indexes = set(ranked[: self.kept_count])
        return [index in kept_indexes for index in range(len(totals))]


class Constant(Struct, frozen=True, tag="flat"):
    """A plain number, with its sign."""

    value: int

    def __str__(self) -> str:
        return str(abs(self.value))

    @property
    def spoken(self) -> str:
        """The number in words."""
        return str(self)

    @property
    def negative(self) -> bool:
        """True if the number is subtracted."""
        return self.value < 0


class Dice(Struct, frozen=True):
    """Dice to roll: terms that are added up. `str` gives the canonical notation."""

    terms: tuple[DicePool | Constant, ...]

    def __str__(self) -> str:
        signed = "".join(f"{'-' if term.negative else '+'}{term}" for term in self.terms)
        return signed.removeprefix("+")

    @property
    def spoken(self) -> str:
        """The dice in words: `1d8 plus 2`."""
        text = ""
        for term in self.terms:
            sign = "minus " if term.negative else "plus " if text else ""
            text += f"{' ' if text else ''}{sign}{term.spoken}"
        return text

    @property
    def pools(self) -> tuple[DicePool, ...]:
        """The terms that are dice, in order."""
        return tuple(term for term in self.terms if isinstance(term, DicePool))

    @property
    def modifier(self) -> int:
        """The sum of the plain numbers."""
        return sum(term.value for term in self.terms if isinstance(term, Constant))

    @property
    def is_rolled_on(self) -> bool:
        """True if one of the dice may fall more than once."""
        return any(pool.rerolls or pool.explodes for pool in self.pools)

    @property
    def minimum(self) -> int | None:
        """The least that can fall; None if there is none, as exploding dice are subtracted."""
        if any(pool.explodes and pool.negative for pool in self.pools):
            return None
        least = (-p.kept_count * p.sides if p.negative else p.kept_count for p in self.pools)
        return self.modifier + sum(least)

    @property
    def maximum(self) -> int | None:
        """The most that can fall; None if there is none, as dice explode."""
        explodes = any(pool.explodes and not pool.negative for pool in self.pools)
        return None if explodes else self.highest

    @property
    def highest(self) -> int:
        """The sum with each die at its highest, a subtracted one at its lowest, and none rolled on:
        the most that can fall of dice that don't explode."""
        most = (-p.kept_count if p.negative else p.kept_count * p.sides for p in self.pools)
        return self.modifier + sum(most)

    @property
    def average(self) -> float:
        """The mean of all rolls, dropped dice taken into account."""
        means = (-p.average if p.negative else p.average for p in self.pools)
        return round(self.modifier + sum(means), 9)


# --- notation -------------------------------------------------------------------------------------

_FLAGS = re.ASCII | re.IGNORECASE
_SPACE = late_pattern(r"[ \t]*")
_NUMBER = late_pattern(r"[0-9]+")
_SIGN = late_pattern(r"[+\-−]")
_D = late_pattern(r"d", _FLAGS)
_PERCENT = late_pattern(r"%")
_PICK = late_pattern(r"[kd][hl]", _FLAGS)
_REROLLS = late_pattern(r"r", _FLAGS)
_EXPLODES = late_pattern(r"!")
_STEP = late_pattern(r"up|down", _FLAGS)


class _Reader:
    """Reads one notation from left to right; `at` is its position."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.room = MAX_DICE

    def fail(self, expected: str, at: int | None = None) -> NoReturn:
        raise DiceError(expected, self.text, self.at if at is None else at)

    def take(self, pattern: re.Pattern[str]) -> str:
        """The lower-cased text that matches here, stepping past it; empty when none does."""
        match = pattern.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match.group().lower()

    def number(self, least: int, most: int, what: str) -> int | None:
        """A number between the bounds, or None if there is no number here."""
        start = self.at
        digits = self.take(_NUMBER)
        if not digits:
            return None
        # Counted before they are read: int() refuses thousands of digits with its own error.
        significant = digits.lstrip("0") or "0"
        if len(significant) > len(str(most)) or not least <= int(significant) <= most:
            self.fail(f"{what} from {least} to {most}", start)
        return int(significant)

    def dice(self) -> Dice:
        self.take(_SPACE)
        terms = [self.term(self.take(_SIGN))]
        while sign := self.sign():
            if len(terms) == MAX_TERMS:
                self.fail(f"no more than {MAX_TERMS} terms")
            terms.append(self.term(sign))
        dice = self.resized(Dice(tuple(terms)))
        if self.at < len(self.text):
            modifiers = ", or kh, kl, dh or dl, ! or r after dice, or up or down"
            has_dice = any(isinstance(term, DicePool) for term in terms)
            self.fail(f"the end, or plus or minus{modifiers if has_dice else ''}")
        return dice

    def sign(self) -> str:
        self.take(_SPACE)
        return self.take(_SIGN)

    def term(self, sign: str) -> DicePool | Constant:
        self.take(_SPACE)
        start, negative = self.at, sign not in ("", "+")
        # Only what follows shows if this is a number of dice, and so how large it may be.
        digits = self.take(_NUMBER)
        if not self.take(_D):
            if not digits:
                self.fail("dice such as 2d6, or a number")
            self.at = start
            value = self.number(0, MAX_NUMBER, "a number") or 0
            return Constant(-value if negative else value)
        behind_d, self.at = self.at, start
        count = (self.number(1, MAX_DICE, "a number of dice") if digits else 1) or 1
        if count > self.room:
            self.fail(f"no more than {MAX_DICE} dice in one roll", start)
        self.at, self.room = behind_d, self.room - count
        return self.pool(count, negative)

    def pool(self, count: int, negative: bool) -> DicePool:
        what = "a number of sides"
        sides = 100 if self.take(_PERCENT) else self.number(2, MAX_SIDES, what)
        if sides is None:
            self.fail(f"{what} from 2 to {MAX_SIDES}, or %")
        pick, rerolls, explodes = None, 0, False
        while True:  # each once, in any order
            at = self.at
            if not explodes and self.take(_EXPLODES):
                explodes = True
                self.make_room(count, ROOM_EXPLODING, at)
            elif not rerolls and self.take(_REROLLS):
                rerolls = self.number(1, sides - 1, "the highest number to reroll") or 1
                self.make_room(count, ROOM_REROLLED, at)
            elif pick is None and (letters := self.take(_PICK)):
                pick = self.pick(letters, count)
            else:
                return DicePool(count, sides, pick, negative, rerolls, explodes)
            if explodes and pick is not None:
                self.fail("either ! or kh, kl, dh or dl, as dice that explode all count", at)

    def make_room(self, count: int, each: int, at: int) -> None:
        """Count each die as several, since it may fall more than once."""
        self.room -= count * (each - 1)
        if self.room < 0:
            self.fail(f"no more than {MAX_DICE // each} dice that may fall again in one roll", at)

    def pick(self, letters: str, count: int) -> KeepDrop:
        # At least one die is kept, in either form.
        most, what = count, "a number of dice to keep"
        if letters[0] == "d":
            most, what = count - 1, "a number of dice to drop"
            if not most:
                self.fail("two dice or more to drop one from", self.at - 2)
        number = self.number(1, most, what)
        return KeepDrop(cast(Rule, letters), 1 if number is None else number)

    def resized(self, dice: Dice) -> Dice:
        start = self.at
        way = self.take(_STEP)
        if not way:
            return dice
        self.take(_SPACE)
        steps = self.number(0, MAX_NUMBER, "a number of steps")
        steps = 1 if steps is None else steps
        self.take(_SPACE)
        try:
            return resize(dice, steps if way == "up" else -steps)
        except DiceError as error:
            self.fail(error.expected, start)


@lru_cache(maxsize=256)  # a sheet's own are asked for in every attack
def parse_dice(text: str) -> Dice:
    """The dice that a notation names, `1d6 up 2` already made larger.

    Raises `DiceError`, which says what it expected and where.
    """
    return _Reader(text).dice()


USUAL_DICE = "1d20"
"""The dice of a check in a game that names no others."""


@lru_cache(maxsize=256)  # for every check
def dice_sides(dice: str) -> tuple[int, ...]:
    """The sides of each die of a notation: `1d8+2d6` is (8, 6, 6). Raises DiceError for none."""
    return tuple(pool.sides for pool in parse_dice(dice).pools for _ in range(pool.count))


def name_of_dice(dice: str) -> str:
    """The name of dice in a sentence: `d8` of one, `2d6` of several."""
    return dice.removeprefix("1") if len(dice_sides(dice)) == 1 else dice


def resize(dice: Dice, steps: int) -> Dice:
    """The dice so many steps larger, or smaller when `steps` is negative; modifiers stay.

    The scale is `SIZES` (Monsters & Magic, Dice Notation). Raises `DiceError` when there isn't
    exactly one term of dice, when that isn't a size on the scale, or when the scale ends before the
    steps do.
    """
    way = f"{'down' if steps < 0 else 'up'} {abs(steps)}"
    text = f"{dice} {way}"
    pools = dice.pools
    if len(pools) != 1 or (pools[0].count, pools[0].sides) not in SIZES or pools[0].pick:
        raise DiceError(f"dice of one size on the scale {SCALE} to go {way}", text, 0)
    pool = pools[0]
    place = SIZES.index((pool.count, pool.sides)) + steps
    if not 0 <= place < len(SIZES):
        raise DiceError(f"to stay on the scale {SCALE}", text, len(str(dice)) + 1)
    count, sides = SIZES[place]
    if pool.rerolls >= sides:
        most = f"more than the {pool.rerolls} that is rerolled, on the scale {SCALE}"
        raise DiceError(f"a die that shows {most}", text, len(str(dice)) + 1)
    larger = replace(pool, count=count, sides=sides)
    return Dice(tuple(larger if term is pool else term for term in dice.terms))


# --- the roll -------------------------------------------------------------------------------------


class DiceResult(Struct, frozen=True):
    """Dice that fell: `total` is the sum of `kept_dice` and `modifier`.

    `faces` are all faces in the order in which they fell. `kept_dice` are those that count, in the
    same order, those of a subtracted term with a minus sign. `modifier` is the sum of the plain
    numbers.
    """

    dice: str
    faces: tuple[int, ...]
    kept_dice: tuple[int, ...]
    modifier: int
    total: int

    def __str__(self) -> str:
        if not self.faces:
            return f"{self.dice} → {self.total}"
        return f"{self.dice} → [{', '.join(shown_faces(self.dice, self.faces))}] {self.total}"

    @property
    def spoken(self) -> str:
        """The result in words: `the highest 3 of 4d6: 1, 6, 5, 2, total 13`."""
        faces = "".join(f"{face}, " for face in spoken_faces(self.dice, self.faces))
        total = f"total {'minus ' if self.total < 0 else ''}{abs(self.total)}"
        return f"{parse_dice(self.dice).spoken}: {faces}{total}"


def roll(dice: Dice, source: DiceSource) -> DiceResult:
    """Roll the dice with the faces that the source gives, term by term from the left, and each die
    to its end before the next."""
    falls, modifier = _throw(_once(dice) if is_stub(source) else dice, source.die), dice.modifier
    faces = tuple(face for _, own in falls for die in own for face in die.faces)
    kept_dice = tuple(_counting(falls))
    return DiceResult(str(dice), faces, kept_dice, modifier, sum(kept_dice) + modifier)


def _once(dice: Dice) -> Dice:
    """The dice with none rolled on, for a preview."""
    if not dice.is_rolled_on:
        return dice
    plain = (
        replace(term, rerolls=0, explodes=False) if isinstance(term, DicePool) else term
        for term in dice.terms
    )
    return Dice(tuple(plain))


_Falls = list[tuple[DicePool, list[DieFalls]]]
"""Each pool with its dice as they fell."""


def _throw(dice: Dice, die: Callable[[int], int]) -> _Falls:
    """Throw each pool's dice; none explodes if that could give more than `MAX_DICE` faces."""
    rolls: _Falls = []
    room = MAX_DICE - sum(pool.count * pool.faces_each for pool in dice.pools)
    for pool in dice.pools:
        own: list[DieFalls] = []
        for _ in range(pool.count):
            own.append(pool.fall(die, room))
            room -= pool.faces_each * (len(own[-1].falls) - 1)
        rolls.append((pool, own))
    return rolls


def _counting(falls: _Falls) -> Iterable[int]:
    """The faces that count, those of a subtracted pool with a minus sign."""
    for pool, own in falls:
        for die, counts in zip(own, pool.counts([sum(die.counted) for die in own]), strict=True):
            yield from (-face if pool.negative else face for face in die.counted if counts)


class _LackingError(Exception):
    """Fewer faces than the dice of their notation have."""


def _deal(dice: Dice, faces: Iterable[int]) -> tuple[_Falls, list[int]]:
    """Each pool with the faces that are its own, and the sides of each face. Raises _LackingError
    for too few faces."""
    left, sides = iter(faces), list[int]()

    def die(of: int) -> int:
        face = next(left, None)
        if face is None:
            raise _LackingError(sides)
        sides.append(of)
        return face

    return _throw(dice, die), sides


def _deal_or_none(dice: str, faces: Sequence[int]) -> _Falls | None:
    """Each pool with its dice as they fell; None for a roll of a log that was edited by hand."""
    try:
        falls, sides = _deal(parse_dice(dice), faces)
    except (DiceError, _LackingError):
        return None
    return falls if len(sides) == len(faces) else None


def sides_of(dice: str, faces: Sequence[int]) -> list[int]:
    """The sides of the die that showed each face; none for nonsense, which a log edited by hand may
    hold."""
    try:
        return _deal(parse_dice(dice), faces)[1]
    except DiceError:
        return []
    except _LackingError as error:
        return list(error.args[0])


def total_of(dice: str, faces: Sequence[int]) -> int:
    """The sum of dice that show such faces, without plain numbers; of all faces, if these dice
    can't fall so."""
    falls = _deal_or_none(dice, faces)
    return sum(faces) if falls is None else sum(_counting(falls))


def shown_faces(dice: str, faces: Sequence[int], drops: bool = True) -> list[str]:
    """The faces in writing, a text for each die: `6+2` of one that exploded, `(1)→4` of one rolled
    again, a subtracted one with a minus and, with `drops`, a dropped one in parentheses.

    A roll from a log edited by hand is shown as it is.
    """
    falls = _deal_or_none(dice, faces)
    if falls is None:
        return [str(face) for face in faces]
    shown: list[str] = []
    for pool, own in falls:
        for die, counts in zip(own, pool.counts([sum(die.counted) for die in own]), strict=True):
            text = f"-{str(die).replace('+', '-')}" if pool.negative and drops else str(die)
            shown.append(text if counts or not drops else f"({die})")
    return shown


def spoken_faces(dice: str, faces: Sequence[int]) -> list[str]:
    """The faces for the ear, a text for each die: `6 plus 2`, `1 rerolled to 4`."""
    falls = _deal_or_none(dice, faces)
    if falls is None:
        return [str(face) for face in faces]
    return [die.spoken for _, own in falls for die in own]


# -------------------------------------------------------------------------------------------------
# Dice as people write them: `1d4 + -1`, `1d4+(-1)`, `(d6)`, `2d6−1`.

_SIGNS = r"[+\-−–]"
WRITTEN = (
    rf"(?:\b\d{{1,3}}|\b)d\d{{1,4}}"
    rf"(?:\s*{_SIGNS}\s*(?:\(\s*{_SIGNS}\s*\d{{1,4}}\s*\)|{_SIGNS}?\s*\d{{1,4}}(?![d\d])))?"
)
"""The pattern that finds dice in a text; `to_notation` reads them."""
_SIGNED = re.compile(r"(^|[+-])\(([+-]?\d{1,5})\)")
_TERM = re.compile(r"([+-]*)(?:(\d{0,3})d(\d{1,4})((?:r\d{1,4}|!)*)|(\d{1,5}))")


@lru_cache(512)
def to_notation(text: str) -> str:
    """Dice as somebody wrote them, in our notation: `1d4 + -1` is `1d4-1`, `(d6)` is `1d6`.

    Plain numbers are added up after the dice; a die with one side is a number, and no dice (`0d4`)
    are nothing. Empty for what is neither dice nor a number. `!` and `r1` behind dice stay there.
    """
    plain = "".join(text.split()).translate(_MINUS).casefold()
    if plain.startswith("(") and plain.find(")") == len(plain) - 1:
        plain = plain[1:-1]
    plain = _SIGNED.sub(r"\1\2", plain) if "(" in plain else plain
    dice, flat, at = "", 0, 0
    while at < len(plain):
        found = _TERM.match(plain, at)
        if found is None or (at and not found[1]):
            return ""
        at = found.end()
        sign = -1 if found[1].count("-") % 2 else 1
        if found[3] is None or int(found[3]) == 1:
            flat += sign * int(found[5] or found[2] or 1)
        elif int(found[2] or 1):
            dice += f"{'-' if sign < 0 else '+'}{found[2] or 1}d{found[3]}{found[4]}"
    dice = dice.removeprefix("+")
    if not plain:
        return ""
    return f"{dice}{flat:+d}" if dice and flat else dice or str(flat)


_MINUS = str.maketrans({"−": "-", "–": "-"})


# -------------------------------------------------------------------------------------------------
# `roll_text` rolls dice, or a chance: `30%` gives `30 % → [25] it happens`.

_CHANCE = late_pattern(r"\s*([0-9]{1,3})\s*%\s*", re.ASCII)
ALWAYS = 100


def roll_text(text: str, source: DiceSource, spoken: bool = False) -> str:
    """Roll dice or a percentage, and describe the result, written or for the ear. A chance comes
    true if d% shows no more. Raises DiceError for anything else. Monsters & Magic, What are Dice
    Used For, Percentage Chances.
    """
    chance = _CHANCE.fullmatch(text)
    if chance is None:
        result = roll(parse_dice(text), source)
        return result.spoken if spoken else str(result)
    of_a_hundred = int(chance[1])
    if of_a_hundred > ALWAYS:
        raise DiceError(f"a chance of 0 to {ALWAYS} %", text, chance.start(1))
    face = source.die(ALWAYS)
    happens = "it happens" if face <= of_a_hundred else "it doesn't happen"
    shown = f": {face}," if spoken else f" → [{face}]"
    return f"{of_a_hundred} %{shown} {happens}"
