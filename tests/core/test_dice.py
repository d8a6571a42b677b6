"""Dice, by Monsters & Magic (Chapter 1, Dice) and the notation that the command line adds to it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from math import inf
from statistics import mean

import msgspec
import pytest
from hypothesis import assume, given, strategies as st
from tests.fallen_dice import FallenDice

from affray.core import dice as d, dice_sources
from affray.core.dice import (
    Constant,
    Dice,
    DiceError,
    DicePool,
    DiceResult,
    KeepDrop,
    SeededDice,
    parse_dice,
    resize,
    roll,
    system_dice,
)


@st.composite
def pools(draw: st.DrawFn) -> DicePool:
    count = draw(st.integers(1, 12))
    rules = ["kh", "kl", "dh", "dl"] if count > 1 else ["kh", "kl"]
    rule = draw(st.sampled_from(["", *rules]))
    most = count - 1 if rule[:1] == "d" else count
    pick = KeepDrop(rule, draw(st.integers(1, most))) if rule else None
    sides = draw(st.integers(2, d.MAX_SIDES))
    rerolls = draw(st.just(0) | st.integers(1, sides - 1))
    explodes = pick is None and draw(st.booleans())
    return DicePool(count, sides, pick, draw(st.booleans()), rerolls, explodes)


flats = st.integers(-d.MAX_NUMBER, d.MAX_NUMBER).map(Constant)
expressions = st.lists(pools() | flats, min_size=1, max_size=6).map(lambda t: Dice(tuple(t)))


class LowDice:
    """A source whose dice always show 1."""

    def die(self, sides: int) -> int:
        return 1


class HighDice:
    """A source whose dice always show their highest face."""

    def die(self, sides: int) -> int:
        return sides


# --- notation -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("2d6+5", "2d6+5"),
        ("d6", "1d6"),
        ("1d12-2", "1d12-2"),
        ("d%", "1d100"),
        ("d100", "1d100"),
        ("4d6kh3", "4d6kh3"),
        ("4d6kl1", "4d6kl1"),
        ("4d6dl1", "4d6dl1"),
        ("4d6dh1", "4d6dh1"),
        ("2d20kh", "2d20kh1"),
        ("1d8+1d6+2", "1d8+1d6+2"),
        ("7", "7"),
        ("+3", "3"),
        ("-3", "-3"),
        ("-1d4+10", "-1d4+10"),
        ("1d6-0", "1d6+0"),
        ("  2d6  +  5 - 1 ", "2d6+5-1"),
        ("2D6KH1", "2d6kh1"),
        ("1d6−1", "1d6-1"),
        ("002d006", "2d6"),
        ("0" * 5000 + "7", "7"),
        ("1000d10000", "1000d10000"),
        ("500d4+499d6+d8+7", "500d4+499d6+1d8+7"),
        ("1000000", "1000000"),
        ("2d6!", "2d6!"),
        ("d6! + 3", "1d6!+3"),
        ("2d6r1", "2d6r1"),
        ("2d6r", "2d6r1"),
        ("2D10R2", "2d10r2"),
        ("2d6!r1", "2d6r1!"),
        ("4d6kh3r1", "4d6r1kh3"),
        ("4d6r1kh3", "4d6r1kh3"),
        ("100d6!", "100d6!"),
        ("500d6r1", "500d6r1"),
    ],
)
def test_notation_is_read_and_written_canonically(text: str, canonical: str) -> None:
    """Monsters & Magic, Dice Notation: dice, their number before the d, the modifier after."""
    assert str(parse_dice(text)) == canonical
    assert parse_dice(canonical) == parse_dice(text)


@given(expressions)
def test_the_canonical_notation_reads_back_the_same(dice: Dice) -> None:
    """Monsters & Magic, Dice Notation."""
    assert parse_dice(str(dice)) == dice
    assert parse_dice(str(dice).upper().replace("+", " + ").replace("-", " - ")) == dice


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("", 0, "dice such as 2d6"),
        ("   ", 3, "dice such as 2d6"),
        ("sword", 0, "dice such as 2d6"),
        ("2d", 2, "a number of sides from 2 to 10000, or %"),
        ("2dx", 2, "a number of sides from 2 to 10000, or %"),
        ("1d1", 2, "a number of sides from 2 to 10000"),
        ("1d10001", 2, "a number of sides from 2 to 10000"),
        ("0d6", 0, "a number of dice from 1 to 1000"),
        ("1001d6", 0, "a number of dice from 1 to 1000"),
        ("1+1001d6", 2, "a number of dice from 1 to 1000"),
        ("1000d6+1d6", 7, "no more than 1000 dice in one roll"),
        ("500d6kh1-501d4", 9, "no more than 1000 dice in one roll"),
        ("+".join(["1000d6"] * 100), 7, "no more than 1000 dice in one roll"),
        ("1000001", 0, "a number from 0 to 1000000"),
        ("9" * 5000, 0, "a number from 0 to 1000000"),
        ("9" * 5000 + "d6", 0, "a number of dice from 1 to 1000"),
        ("2d6+", 4, "dice such as 2d6"),
        ("2d6++1", 4, "dice such as 2d6"),
        ("2d6 5", 4, "the end, or plus or minus"),
        ("2 d6", 2, "the end, or plus or minus"),
        ("4d6k3", 3, "kh, kl, dh or dl"),
        ("4d6kh5", 5, "a number of dice to keep from 1 to 4"),
        ("4d6kh0", 5, "a number of dice to keep from 1 to 4"),
        ("4d6dl4", 5, "a number of dice to drop from 1 to 3"),
        ("1d6dl1", 3, "two dice or more to drop one from"),
        ("²d6", 0, "dice such as 2d6"),
        ("1d٣", 2, "a number of sides"),
        ("2d6\n+1", 3, "the end"),
        ("2d6!kh1", 4, "either ! or kh, kl, dh or dl, as dice that explode all count"),
        ("2d6kh1!", 6, "either ! or kh, kl, dh or dl, as dice that explode all count"),
        ("2d6r6", 4, "the highest number to reroll from 1 to 5"),
        ("2d6r0", 4, "the highest number to reroll from 1 to 5"),
        ("2d6r1r2", 5, "the end, or plus or minus"),
        ("2d6!!", 4, "the end, or plus or minus, or kh, kl, dh or dl, ! or r after dice"),
        ("101d6!", 5, "no more than 100 dice that may fall again in one roll"),
        ("60d6!+60d4!", 10, "no more than 100 dice that may fall again in one roll"),
        ("501d6r1", 5, "no more than 500 dice that may fall again in one roll"),
        ("7!", 1, "the end"),
        ("1d6\x1b[2J", 3, "the end"),
        ("+".join(["1"] * 101), 200, "no more than 100 terms"),
    ],
)
def test_what_cant_be_read_is_refused_with_the_place(text: str, at: int, expected: str) -> None:
    """Monsters & Magic, Dice Notation: anything else is refused in one line that says what and
    where."""
    with pytest.raises(DiceError) as caught:
        parse_dice(text)
    error = caught.value
    assert (error.text, error.at) == (text, at)
    assert expected in str(error)
    assert f"at character {at + 1} " in str(error)
    assert str(error).isprintable()
    assert len(str(error)) < 250


def test_a_refusal_shows_what_stood_there() -> None:
    """Monsters & Magic, Dice Notation."""
    with pytest.raises(DiceError) as caught:
        parse_dice("2d6+fire")
    assert str(caught.value) == (
        "expected dice such as 2d6, or a number at character 5 of '2d6+fire': found 'fire'"
    )
    with pytest.raises(DiceError, match=r"at character 3 of '2d': the text ends there"):
        parse_dice("2d")


@given(st.text() | st.text("0123456789dDkKhHlLrR!%+-− updown"))
def test_any_text_is_dice_or_a_dice_error(text: str) -> None:
    """Monsters & Magic, Dice Notation: no text gives anything else."""
    try:
        dice = parse_dice(text)
    except DiceError as error:
        assert 0 <= error.at <= len(text)
        assert str(error).isprintable()
    else:
        assert parse_dice(str(dice)) == dice


# --- what dice can show ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "minimum", "maximum", "average"),
    [
        ("2d6+5", 7, 17, 12),
        ("1d12-2", -1, 10, 4.5),
        ("d%", 1, 100, 50.5),
        ("7", 7, 7, 7),
        ("1d8-1d6", -5, 7, 1),
        ("4d6kh3", 3, 18, 12.244598765),
        ("2d20kh1", 1, 20, 13.825),
        ("2d20kl1", 1, 20, 7.175),
        ("-2d20kl1", -20, -1, -7.175),
        ("3d6kh3", 3, 18, 10.5),
        ("1d6r1", 1, 6, 47 / 12),
        ("2d6r2+1", 3, 13, 1 + 2 * 25 / 6),
        ("1d6!", 1, None, 4.2),
        ("10-1d6!", None, 9, 5.8),
        ("1d4r1!", 1, None, 46 / 11),
        ("1d2!", 1, None, 3),
    ],
)
def test_minimum_maximum_and_average(
    text: str, minimum: int | None, maximum: int | None, average: float
) -> None:
    """Monsters & Magic, Dice Notation: the modifier is added to, or subtracted from, what fell. Of
    dice that explode there is no highest total (docs/commands.md, Amounts)."""
    dice = parse_dice(text)
    assert (dice.minimum, dice.maximum) == (minimum, maximum)
    assert dice.average == pytest.approx(average, abs=1e-9)


@given(st.integers(1, 4), st.integers(2, 5), st.sampled_from(["kh", "kl", "dh", "dl"]), st.data())
def test_the_average_is_that_of_every_way_the_dice_can_fall(
    count: int, sides: int, rule: str, data: st.DataObject
) -> None:
    """Monsters & Magic, Dice Notation: checked against all rolls, one by one."""
    most = count - 1 if rule[0] == "d" else count
    assume(most)
    dice = parse_dice(f"{count}d{sides}{rule}{data.draw(st.integers(1, most))}")
    ways = product(range(1, sides + 1), repeat=count)
    totals = [roll(dice, FallenDice(faces)).total for faces in ways]
    assert dice.average == pytest.approx(mean(totals), abs=1e-9)
    assert (dice.minimum, dice.maximum) == (min(totals), max(totals))


@given(st.integers(1, 3), st.integers(2, 5), st.integers(0, 4), st.sampled_from(["", "kh", "dh"]))
def test_the_average_with_rerolls_is_that_of_every_way_the_dice_can_fall(
    count: int, sides: int, rerolls: int, rule: str
) -> None:
    """docs/commands.md, Amounts: each die has a face in reserve, for when the first is low."""
    assume(rerolls < sides and (count > 1 or not rule) and sides ** (2 * count) <= 1000)
    pick = KeepDrop(rule, 1) if rule else None
    dice = Dice((DicePool(count, sides, pick, rerolls=rerolls),))
    both = list(product(range(1, sides + 1), repeat=2))
    ways = product([pair if pair[0] <= rerolls else pair[:1] for pair in both], repeat=count)
    totals = [roll(dice, FallenDice([face for die in way for face in die])).total for way in ways]
    assert dice.average == pytest.approx(mean(totals), abs=1e-8)


@pytest.mark.parametrize("text", ["3d4!", "2d6r2!", "20d2!", "10d2r1!", "6d6r1kl2", "5d8r3dh2"])
def test_the_average_is_that_of_many_rolls(text: str) -> None:
    """docs/commands.md, Amounts: exploding has no end to count to, so it is rolled."""
    dice, source = parse_dice(text), SeededDice(11)
    totals = [roll(dice, source).total for _ in range(4000)]
    spread = (sum((total - dice.average) ** 2 for total in totals) / len(totals)) ** 0.5
    assert abs(mean(totals) - dice.average) < 4 * spread / len(totals) ** 0.5


@given(expressions)
def test_every_roll_lies_between_minimum_and_maximum(dice: Dice) -> None:
    """Monsters & Magic, Dice Notation."""
    least = -inf if dice.minimum is None else dice.minimum
    most = inf if dice.maximum is None else dice.maximum
    fallen = roll(dice, SeededDice(7))
    assert least <= fallen.total <= most
    assert fallen.total == sum(fallen.kept_dice) + fallen.modifier
    assert len(fallen.faces) >= sum(pool.count for pool in dice.pools)
    assert dice.is_rolled_on or len(fallen.faces) == sum(pool.count for pool in dice.pools)
    assert least <= dice.average <= most


class AlwaysExploding:
    """A source whose dice show their highest face, so many of them that an end must be set."""

    def die(self, sides: int) -> int:
        return sides


@pytest.mark.parametrize("text", ["1d2!", "100d6!", "3d6r5!+2d4!"])
def test_exploding_ends_where_a_roll_has_as_many_faces_as_it_may(text: str) -> None:
    """docs/commands.md, Amounts: at most 1,000 dice fall in one roll."""
    fallen = roll(parse_dice(text), AlwaysExploding())
    assert len(fallen.faces) <= d.MAX_DICE
    assert roll(parse_dice(text), FallenDice(fallen.faces)) == fallen


@pytest.mark.parametrize("high", [True, False])
@pytest.mark.parametrize("text", ["2d6!", "1d2!", "3d6r5", "2d6r2!"])
def test_a_die_of_a_preview_falls_once(text: str, high: bool) -> None:
    """docs/architecture.md, From a key to a line of the log: a preview asks for no die that a roll
    may not need, and ends."""
    dice = d.StubDice(high)
    roll(parse_dice(text), dice)
    assert len(dice.thrown) == sum(pool.count for pool in parse_dice(text).pools)


@given(expressions)
def test_each_face_is_known_as_that_of_its_die(dice: Dice) -> None:
    """docs/commands.md, Between fights and the log: amending takes the dice that fell."""
    thrown: list[int] = []

    class Noting:
        source = SeededDice(5)

        def die(self, sides: int) -> int:
            thrown.append(sides)
            return self.source.die(sides)

    fallen = roll(dice, Noting())
    assert d.sides_of(str(dice), fallen.faces) == thrown
    assert d.total_of(str(dice), fallen.faces) == sum(fallen.kept_dice)


# --- size -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1d6! up 1", "1d8!"),
        ("1d12r2+1 up 1", "2d6r2+1"),
        ("1d6 down 1", "1d4"),
        ("1d12 up 1", "2d6"),
        ("1d6 up 2", "1d10"),
        ("1d12 down 1", "1d10"),
        ("1d2 up 7", "3d4"),
        ("3d4 down 7", "1d2"),
        ("1d6 up 0", "1d6"),
        ("1d6 up", "1d8"),
        ("1D6 UP 1", "1d8"),
        ("1d12+3 up 1", "2d6+3"),
        ("1 + 1d12 - 3 up 2 ", "1+3d4-3"),
        ("10-1d6 up 1", "10-1d8"),
    ],
)
def test_dice_go_up_and_down_the_size_scale(text: str, canonical: str) -> None:
    """Monsters & Magic, Dice Notation: 1d6 decreased is 1d4, 1d12 increased is 2d6; modifiers
    stay."""
    assert str(parse_dice(text)) == canonical


def test_the_size_scale_is_that_of_the_rules() -> None:
    """Monsters & Magic, Dice Notation: a step is worth about 1 on average, and never less than a
    half."""
    assert d.SCALE == "1d2 1d4 1d6 1d8 1d10 1d12 2d6 3d4"
    averages = [parse_dice(size).average for size in d.SCALE.split()]
    assert all(0.5 <= after - before <= 1 for before, after in pairwise(averages))


@given(st.integers(0, 7), st.integers(0, 7), st.integers(-20, 20))
def test_resizing_back_gives_the_same_dice(start: int, end: int, modifier: int) -> None:
    """Monsters & Magic, Dice Notation."""
    dice = Dice((DicePool(*d.SIZES[start]), Constant(modifier)))
    resized = resize(dice, end - start)
    assert resized == Dice((DicePool(*d.SIZES[end]), Constant(modifier)))
    assert resize(resized, start - end) == dice


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("3d4 up 1", 4),
        ("1d2 down 1", 4),
        ("1d12+1 up 999999", 7),
        ("1d20 up 1", 5),
        ("5d6 down 1", 4),
        ("2d6kh1 up 1", 7),
        ("1d6+1d4 up 1", 8),
        ("7 up 1", 2),
        ("1d6r4 down 1", 6),
    ],
)
def test_leaving_the_size_scale_is_refused_and_names_it(text: str, at: int) -> None:
    """Monsters & Magic, Dice Notation."""
    with pytest.raises(DiceError) as caught:
        parse_dice(text)
    assert (caught.value.text, caught.value.at) == (text, at)
    assert d.SCALE in str(caught.value)


def test_resizing_without_a_text_names_the_steps() -> None:
    """Monsters & Magic, Dice Notation."""
    with pytest.raises(DiceError, match=rf"stay on the scale {d.SCALE}.*found 'up 2'"):
        resize(parse_dice("2d6"), 2)
    with pytest.raises(DiceError, match=r"'1d20 down 1'"):
        resize(parse_dice("1d20"), -1)


@pytest.mark.parametrize(
    ("text", "at"),
    [("1d6 up 1 + 2", 9), ("1d6 upper", 6), ("1d6 up -1", 7), ("1d6 up 1 up 1", 9)],
)
def test_nothing_follows_the_steps(text: str, at: int) -> None:
    """Monsters & Magic, Dice Notation: the steps stand last, since they are the whole roll's."""
    with pytest.raises(DiceError) as caught:
        parse_dice(text)
    assert caught.value.at == at


# --- the roll -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "faces", "kept", "modifier", "total", "shown"),
    [
        ("d20+2", (15,), (15,), 2, 17, "1d20+2 → [15] 17"),
        ("2d6+5", (3, 4), (3, 4), 5, 12, "2d6+5 → [3, 4] 12"),
        ("1d12-2", (1,), (1,), -2, -1, "1d12-2 → [1] -1"),
        ("4d6kh3", (5, 1, 3, 6), (5, 3, 6), 0, 14, "4d6kh3 → [5, (1), 3, 6] 14"),
        ("4d6dl1", (5, 1, 3, 6), (5, 3, 6), 0, 14, "4d6dl1 → [5, (1), 3, 6] 14"),
        ("4d6kl1", (5, 1, 3, 6), (1,), 0, 1, "4d6kl1 → [(5), 1, (3), (6)] 1"),
        ("4d6dh1", (5, 1, 3, 6), (5, 1, 3), 0, 9, "4d6dh1 → [5, 1, 3, (6)] 9"),
        ("2d20kh1", (9, 9), (9,), 0, 9, "2d20kh1 → [9, (9)] 9"),
        ("2d6kh1+1d6", (5, 3, 3), (5, 3), 0, 8, "2d6kh1+1d6 → [5, (3), 3] 8"),
        ("1d8-1d6+1", (5, 2), (5, -2), 1, 4, "1d8-1d6+1 → [5, -2] 4"),
        ("7", (), (), 7, 7, "7 → 7"),
        ("2d6!", (6, 6, 2, 4), (6, 6, 2, 4), 0, 18, "2d6! → [6+6+2, 4] 18"),
        ("2d6r1", (1, 4, 5), (4, 5), 0, 9, "2d6r1 → [(1)→4, 5] 9"),
        ("2d6r2", (2, 1, 2, 6), (1, 6), 0, 7, "2d6r2 → [(2)→1, (2)→6] 7"),
        ("1d6r1!+1", (1, 6, 1, 3), (6, 3), 1, 10, "1d6r1!+1 → [(1)→6+(1)→3] 10"),
        ("3d6r1kh2", (1, 2, 5, 3), (5, 3), 0, 8, "3d6r1kh2 → [((1)→2), 5, 3] 8"),
        ("10-1d4!", (4, 2), (-4, -2), 10, 4, "10-1d4! → [-4-2] 4"),
    ],
)
def test_a_roll_keeps_every_face_and_shows_how_it_adds_up(
    text: str,
    faces: tuple[int, ...],
    kept: tuple[int, ...],
    modifier: int,
    total: int,
    shown: str,
) -> None:
    """Monsters & Magic, Dice Notation: the dice first, then the modifier."""
    fallen = roll(parse_dice(text), FallenDice(faces))
    assert fallen == DiceResult(str(parse_dice(text)), faces, kept, modifier, total)
    assert str(fallen) == shown


@pytest.mark.parametrize("notation", ["nonsense", "3d6"])
def test_a_roll_that_was_edited_by_hand_is_still_shown(notation: str) -> None:
    """Design, The log on disk: what stands in a log can be read, whoever wrote it."""
    assert str(DiceResult(notation, (4, 2), (4,), 0, 4)) == f"{notation} → [4, 2] 4"


@given(expressions)
def test_dice_and_rolls_survive_being_written_down(dice: Dice) -> None:
    """Design, The log on disk: a roll read back is the roll that was written."""
    fallen = roll(dice, SeededDice(3))
    assert msgspec.convert(msgspec.to_builtins(dice), Dice) == dice
    assert msgspec.convert(msgspec.to_builtins(fallen), DiceResult) == fallen
    assert roll(dice, FallenDice(fallen.faces)) == fallen


@given(expressions)
def test_the_extremes_are_reached(dice: Dice) -> None:
    """Monsters & Magic, Dice Notation."""
    assume(not any(pool.negative for pool in dice.pools))
    assert roll(dice, LowDice()).total == dice.minimum
    assert dice.maximum is None or roll(dice, HighDice()).total == dice.maximum


# --- where faces come from ------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_faces_everywhere() -> None:
    """Design, The command line, `--seed`: these very faces, whatever the machine."""
    source, faces = SeededDice(2026), [3, 11, 4, 6, 12, 2, 5566]
    assert [source.die(sides) for sides in (20, 20, 6, 6, 100, 3, 10000)] == faces
    assert [SeededDice(5).die(20) for _ in range(3)] == [SeededDice(5).die(20)] * 3


@given(st.integers(), st.integers(2, d.MAX_SIDES))
def test_every_face_is_on_its_die(seed: int, sides: int) -> None:
    """Monsters & Magic, Dice Notation: a d6 is a die of six sides, a d20 one of twenty."""
    assert all(1 <= source.die(sides) <= sides for source in (SeededDice(seed), system_dice()))


def test_fresh_dice_differ() -> None:
    """Monsters & Magic, Dice: dice bring chance to the game."""
    first, second = system_dice(), system_dice()
    assert [first.die(10000) for _ in range(20)] != [second.die(10000) for _ in range(20)]


class Counting:
    """A generator that gives the fractions it was handed, one after the other."""

    def __init__(self, fractions: list[float]) -> None:
        self.fractions = iter(fractions)

    def random(self) -> float:
        return next(self.fractions)


def test_percentile_dice_are_tens_and_ones_with_two_zeros_as_100() -> None:
    """Monsters & Magic, Percentile Dice: every result from 1 to 100 comes of exactly one pair."""
    pairs = [(tens, ones) for tens in range(10) for ones in range(10)]
    fractions = [(face + 0.5) / 10 for pair in pairs for face in pair]
    source = dice_sources._RandomDice(Counting(fractions))  # type: ignore[arg-type]
    fallen = [source.die(100) for _ in pairs]
    assert fallen == [10 * tens + ones or 100 for tens, ones in pairs]
    assert sorted(fallen) == list(range(1, 101))


@pytest.mark.parametrize("sides", [3, 5, 7])
def test_odd_dice_are_twice_the_sides_halved_and_rounded_up(sides: int) -> None:
    """Monsters & Magic, Odd Dice Faces: a d3 is a d6 divided by two, rounded up."""
    fractions = [(face + 0.5) / (2 * sides) for face in range(2 * sides)]
    source = dice_sources._RandomDice(Counting(fractions))  # type: ignore[arg-type]
    fallen = [source.die(sides) for _ in fractions]
    assert fallen == [(face + 1) // 2 for face in range(1, 2 * sides + 1)]
    assert set(Counter(fallen).values()) == {2}


def test_the_halved_face_is_the_one_that_is_recorded() -> None:
    """Monsters & Magic, Odd Dice Faces."""
    fallen = roll(parse_dice("20d3"), SeededDice(1))
    assert set(fallen.faces) == {1, 2, 3}
    assert roll(parse_dice("20d3"), FallenDice(fallen.faces)) == fallen


def test_fallen_dice_are_handed_out_in_order() -> None:
    """Design, Three kinds of thing: an event carries the dice that fell."""
    source = FallenDice([15, 3])
    assert (source.left, source.die(20), source.die(6), source.left) == (2, 15, 3, 0)


@pytest.mark.parametrize(
    ("faces", "good", "sides", "message"),
    [
        ([15, 3], 2, 6, "expected one more face, from 1 to 6, for a d6 at character 5 of '15 3'"),
        ([], 0, 6, "expected one more face, from 1 to 6, for a d6 at character 1 of ''"),
        ([7], 0, 6, "expected a face from 1 to 6 for a d6 at character 1 of '7': found '7'"),
        ([15, 0], 1, 6, "expected a face from 1 to 6 for a d6 at character 4 of '15 0': found '0'"),
    ],
)
def test_fallen_dice_that_cant_be_are_refused(
    faces: list[int], good: int, sides: int, message: str
) -> None:
    """Design, Three kinds of thing: dice that did not fall are never made up."""
    source = FallenDice(faces)
    for _ in range(good):
        source.die(20)
    with pytest.raises(DiceError) as caught:
        source.die(sides)
    assert str(caught.value).startswith(message)
    assert source.left == len(faces) - good


@pytest.mark.parametrize(
    ("written", "notation"),
    [
        ("2d6! + 1", "2d6!+1"),
        ("(1d8r1)", "1d8r1"),
        ("d6r2!-1", "1d6r2!-1"),
        ("2d6x", ""),
        ("0d4+1", "1"),
    ],
)
def test_dice_of_other_programs_keep_what_falls_again(written: str, notation: str) -> None:
    """docs/import.md: `!` and `r1` behind dice stay there."""
    assert d.to_notation(written) == notation


@pytest.mark.parametrize(
    ("text", "faces", "spoken"),
    [
        ("2d6!", (6, 2, 4), "2d6 exploding: 6 plus 2, 4, total 12"),
        ("2d6r1", (1, 4, 5), "2d6 rerolling 1: 1 rerolled to 4, 5, total 9"),
        ("1d8r2+1", (2, 4), "1d8 rerolling 1 to 2 plus 1: 2 rerolled to 4, total 5"),
    ],
)
def test_dice_that_fall_again_are_read_aloud(
    text: str, faces: tuple[int, ...], spoken: str
) -> None:
    """docs/read-aloud.md."""
    assert roll(parse_dice(text), FallenDice(faces)).spoken == spoken
