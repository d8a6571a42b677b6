"""What commands of every game say alike: dice, amounts, a type of damage, until when."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from affray.core.dice.notation import DiceError, parse_dice, roll
from affray.core.heart import timing
from affray.core.heart.events import Rolled
from affray.core.heart.state import Combatant, Duration, Edge, Encounter
from affray.core.language.refusal import Refused, close_to, listed
from affray.core.language.who import standing
from affray.core.language.words import Words, is_count

if TYPE_CHECKING:
    from affray.core.heart.decide import Context
    from affray.core.rules.ruleset import Ruleset

BEHIND_NUMBERS = ("text", "hidden", "group", "wave")
"""What `add` reads behind a creature's own numbers: where a ruleset stops reading them."""
_ENDS = {
    "removed": Duration("removed"),
    "freed": Duration(says="freed"),
    "rest": Duration("rest"),
    "fight": Duration("fight"),
    "used": Duration("use"),
}
"""The ends of every game that one word says."""


def read_amount(ctx: Context, words: Words, what: str = "damage", who: str = "") -> int:
    """Read an amount of something: a number as it fell, or dice for the program to roll."""
    if words.has_number():
        return words.number(f"the {what}", 0)
    wanted = f"the {what} (a number, or dice such as 2d6+1)"
    word = words.next(wanted)
    words.back()
    if not words.has_dice():
        raise words.refuse(f"expected {wanted}, found {word!r}")
    fell = roll(parse_dice(words.next(what)), ctx.dice)
    ctx.emit(Rolled(who, fell.dice, fell.faces, fell.total, for_=what))
    return max(0, fell.total)


def read_faces(words: Words, rolls: int = 1) -> list[tuple[int, ...]]:
    """Read the d20s behind `natural`, as they lie, of so many rolls.

    `natural 4,15` is both dice of one roll's advantage or disadvantage, and one die each of
    several rolls. `natural 4,15 natural 9`, one `natural` for each roll, has one die or two each.
    Raises Refused for more or fewer.
    """
    rows = [_faces(words)]
    while words.peek() == "natural":
        words.next("natural")
        rows.append(_faces(words))
    if rolls > 1 and len(rows) == 1:
        rows = [(face,) for face in rows[0]]
    if len(rows) != rolls:
        words.back()
        whole = "one roll, and so one `natural` of one die or two"
        if rolls > 1:
            whole = f"{rolls} rolls, one die each such as 15,7 or one `natural` for each"
        raise words.refuse(f"expected {whole}, found {len(rows)}")
    for row in rows:
        _refuse_three(words, row)
    return rows


def read_one_roll(words: Words) -> tuple[int, ...]:
    """The same for one roll of several, whatever stands behind it: one die, or two."""
    faces = _faces(words)
    _refuse_three(words, faces)
    return faces


def _refuse_three(words: Words, faces: Sequence[int]) -> None:
    if len(faces) > 2:
        words.back()
        raise words.refuse(
            "expected d20s as they lie, 1 to 20, no more than two for one roll: 4,15"
        )


def _faces(words: Words) -> tuple[int, ...]:
    return read_lying(words, "the d20 as it lies, from 1 to 20 (two dice: 4,15)", 20)


def read_lying(words: Words, what: str, sides: int, count: int = 0) -> tuple[int, ...]:
    """Read dice of so many sides as they lie, with commas between: `6,2,5,4`.

    Raises Refused for other faces and, where there is a `count`, for more or fewer.
    """
    parts = words.next(what).split(",")
    fits = all(is_count(part) and 1 <= int(part) <= sides for part in parts)
    if not fits or (count and len(parts) != count):
        words.back()
        raise words.refuse(f"expected {what}, found {words.upcoming!r}")
    return tuple(map(int, parts))


def refuse_two_dice(faces: Sequence[int], hint: str = "") -> None:
    """Raises Refused for two dice of a roll on which there is no advantage or disadvantage."""
    if len(faces) > 1:
        both = ",".join(map(str, faces))
        raise Refused(
            f"`natural {both}` is both dice of an advantage or disadvantage, and there is neither: "
            f"say the one die that counts{hint}"
        )


def read_dice(words: Words, what: str) -> str:
    """Read dice, such as `2d6+1`, and give them as they are written."""
    try:
        return str(parse_dice(words.next(f"{what} (dice such as 2d6+1)")))
    except DiceError as error:
        raise Refused(str(error)) from None


def read_sides(words: Words, what: str, known: Collection[int] = ()) -> int:
    """Read a die by the number of its sides, `d6` or `6`; 0 for none. Where some are `known`, any
    other is refused."""
    word = words.next(what).casefold()
    sides = word.removeprefix("d")
    is_die = sides.isdecimal() and len(sides) <= 3
    if not is_die or (known and int(sides) not in known):
        words.back()
        such = listed([f"d{each}" for each in known if each]) or "a die such as d6"
        raise words.refuse(f"expected {what} ({such}), found {word!r}")
    return int(sides)


def read_half(
    words: Words, targets: Sequence[Combatant], more: Sequence[str], how: str
) -> set[str]:
    """Read who of several takes half, behind `half`; with nobody named it is all of them.

    `more` are the words that may stand behind it; `how` is what they take: `half`, `double`.
    """
    if words.done or words.peek() in more:
        words.offered.extend(c.id for c in targets if words.done and len(targets) > 1)
        return {c.id for c in targets}
    people = words.combatants(f"who takes {how}", targets)
    strangers = [c for c in people if c not in targets]
    if strangers:
        raise Refused(f"{names(strangers)} can't take {how}: not among those who are damaged")
    return {c.id for c in people}


def names(people: Iterable[Combatant]) -> str:
    """Their names in one: "Mira and Odo"."""
    return listed([c.name for c in people], "and")


def they(people: Collection[Combatant], one: str, several: str) -> str:
    """Their names with the verb for one or for several: "Mira takes", "Mira and Odo take"."""
    return f"{names(people)} {one if len(people) == 1 else several}"


def take_gm(words: Words) -> bool:
    """Read `gm`, where a track of the GM's may be meant, unless somebody is called so."""
    return not words.is_combatant() and bool(words.take("gm"))


def gm_tracks(ruleset: Ruleset, state: Encounter) -> list[str]:
    """The tracks that the GM, or the party as a whole, has or may have."""
    known = (name for name, rule in ruleset.tables.tracks.items() if rule.gm)
    return list(dict.fromkeys((*known, *ruleset.gm_tracks, *state.tracks)))


def read_gm_track(ctx: Context, words: Words) -> str:
    """Read a track of the GM's, behind `gm`. Raises Refused in a game that has none."""
    known = gm_tracks(ctx.ruleset, ctx.state)
    if not known:
        raise Refused(f"{ctx.ruleset.name} has no tracks of the GM's")
    return words.choice("a track of the GM's", known)


def refuse_dead(people: Iterable[Combatant]) -> None:
    """Raises Refused when some of them are dead, naming these."""
    dead = [who for who in people if who.life == "dead"]
    if dead:
        raise Refused(f"{they(dead, 'is', 'are')} dead")


def who_has(ctx: Context, effect: str, what: str, have: str) -> Combatant:
    """Whoever `by` says; else the only one in the fight and alive who has an effect of that name.

    `what` it is and what they `have` done are for the refusals.
    """
    if ctx.by:
        return ctx.state[ctx.by]
    found = [c for c in standing(ctx.state) if c.named(effect) is not None]
    if not found:
        raise Refused(f"nobody has {what}")
    if len(found) > 1:
        ids = [c.id for c in found]
        raise Refused(f"several have {have}: say `by` {listed(ids)}", ids)
    return found[0]


def read_type(words: Words, known: Callable[[], Iterable[str]], stop: Collection[str]) -> str:
    """Read a damage type, if one stands there: one of the `known`, or one of the table's own, in
    quotes. Raises Refused for any other word but those that may `stop` there, with what is close
    among both. `known` is asked only for what is needed of it.
    """
    if words.done:
        words.offers.append(known)
        return ""
    word = words.upcoming
    if words.peek() not in known():
        if not word.isalpha() or (words.peek() in stop and not word.quoted):
            return ""
        require_kind(words, "damage type", word, known(), stop)
    return str(words.next("a damage type")).casefold()


def read_kinds(words: Words, what: str, known: Iterable[str], others: bool = False) -> list[str]:
    """Read types of damage, or what else is resisted, with commas between: `fire,cold`; each once.

    They are `known`, or stand in quotes; where there are `others`, only a slip of one is refused.
    """
    row = list(dict.fromkeys(known))
    word = words.next(f"a {what}", row)
    found = [part.strip().casefold() for part in word.split(",") if part.strip()]
    words.back()
    if not found or any(part.isdecimal() for part in found):
        raise words.refuse(f"expected a {what}, found {word!r}", row)
    for part in found if not word.quoted else ():
        if not others or close_to(part, row, 0.75):
            require_kind(words, what, part, row)
    words.next(f"a {what}")
    return list(dict.fromkeys(found))


def require_kind(
    words: Words, what: str, word: str, known: Iterable[str], stop: Collection[str] = ()
) -> None:
    """Raises Refused for a word that is none of those that the game and the campaign know, unless
    it stands in quotes: so a slip is asked about, wherever it stands, and one's own is said to be
    so. In a game that knows none, any word is one, but for a slip of those that may `stop` there.
    """
    row = list(dict.fromkeys(known))
    near = close_to(word, [*row, *stop], 0.75) or close_to(word, [*row, *stop])
    if word.casefold() in row or words.upcoming.quoted or not (row or near):
        return
    meant = f"did you mean {listed(near)}?" if near else f"there are {listed(row, 'and')}, or one "
    own = "" if near else "of your own in quotes, or in `damage_types` of rules.toml"
    raise words.refuse(f"{word!r} is no known {what}; {meant}{own}", [*row, *stop])


def read_until(ctx: Context, words: Words, more: Mapping[str, Duration]) -> Duration:
    """Read what stands behind `until`; `more` are the ends that the rules have beside the usual.

    The usual: `start|end of NAME`, `removed`, `freed`, `[a] rest`, `[the] fight [ends]`, `used`,
    `round N [ends]`, `end of round N`, `end of [the] fight|combat`.
    """
    words.take("the", "a")
    known = {**more, **_ENDS}
    what = words.choice("when it ends", ("start", "end", *known, "round"))
    if what in ("start", "end"):
        words.take("of")
        if what == "end" and _is_of_the_fight(words):
            return _ENDS["fight"]
        if what == "start" or not (words.peek() == "round" and words.has_number(1)):
            edge: Edge = "start" if what == "start" else "end"
            return timing.at_turn(ctx.state, _whose_turn(words).id, edge)
        what = words.next("the round").casefold()
    until = known.get(what)
    if until is None:
        until = Duration("round", count=words.number("the round", max(1, ctx.state.round)))
    words.take("ends")
    return until


def _is_of_the_fight(words: Words) -> bool:
    """Read `[the] fight` or `[the] combat`, where nobody is called that."""
    at = words.at
    words.take("the")
    if not words.done and not words.is_combatant() and words.take("fight", "combat"):
        return True
    words.at = at
    return False


def _whose_turn(words: Words) -> Combatant:
    """Read `mira`, or `mira's next turn`."""
    whose = words.owner("whose turn")
    words.take("next")
    words.take("turn")
    return whose
