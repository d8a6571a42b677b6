"""Clauses that commands of every game share: dice, amounts and types of damage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from affray.core.dice import USUAL_DICE, DiceError, dice_sides, parse_dice, roll
from affray.core.engine.events import Rolled
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser.errors import MOST_HEARD, Refused, close_matches, join_or
from affray.core.parser.prompt_fields import DICE, NUMBER, Field
from affray.core.parser.spelling import known_as
from affray.core.parser.targets import present_combatants
from affray.core.parser.tokens import TokenStream, is_count
from affray.core.rules.ruleset import Context, Ruleset

BEHIND_NUMBERS = ("text", "hidden", "group", "wave")
"""The words of `add` behind a creature's numbers, at which a ruleset stops reading these."""


def read_amount(
    ctx: Context, tokens: TokenStream, what: str = "damage", combatant_id: str = ""
) -> int:
    """Read an amount: a number as rolled, or dice for affray to roll."""
    if tokens.has_number():
        return tokens.number(f"the {what}", 0)
    tokens.want(Field(DICE))
    wanted = f"the {what} (a number, or dice such as 2d6+1)"
    word = tokens.next(wanted)
    tokens.back()
    if not tokens.has_dice():
        raise tokens.refuse(f"expected {wanted}, found {word!r}")
    result = roll(parse_dice(tokens.next(what)), ctx.dice_of(combatant_id, what))
    ctx.emit(Rolled(combatant_id, result.dice, result.faces, result.total, for_=what))
    return max(0, result.total)


def parse_faces(
    tokens: TokenStream, rolls: int = 1, dice: str = USUAL_DICE
) -> list[tuple[int, ...]]:
    """Read the faces of dice after `natural`, for a number of `rolls` of `dice`.

    For one roll, `natural 4,15` is two dice, of advantage or disadvantage; for two rolls it is one
    die each. With one `natural` for each roll, as in `natural 4,15 natural 9`, each has one die or
    two. For a roll of several dice, such as 2d6, one number is their sum, and several are the dice.
    Raises Refused for more or fewer.
    """
    rows = [_faces(tokens, dice)]
    while tokens.peek() == "natural":
        tokens.next("natural")
        rows.append(_faces(tokens, dice))
    if rolls > 1 and len(rows) == 1:
        rows = [(face,) for face in rows[0]]
    if len(rows) != rolls:
        tokens.back()
        whole = "one roll: a single `natural` with one die or two"
        if rolls > 1:
            whole = f"{rolls} rolls: one die for each, such as 15,7, or one `natural` for each"
        raise tokens.refuse(f"expected {whole}, found {len(rows)}")
    for row in rows:
        _refuse_too_many(tokens, row, dice)
    return rows


def read_one_roll(tokens: TokenStream, dice: str = USUAL_DICE) -> tuple[int, ...]:
    """Read the faces of one roll among several, as `parse_faces` does."""
    faces = _faces(tokens, dice)
    _refuse_too_many(tokens, faces, dice)
    return faces


def _refuse_too_many(tokens: TokenStream, faces: Sequence[int], dice: str) -> None:
    """Refuse more dice than are thrown, with one more for advantage."""
    sides = dice_sides(dice)
    if len(faces) > len(sides) + 1:
        tokens.back()
        if len(sides) == 1:
            most = f"d{sides[0]}s as rolled, 1 to {sides[0]}, at most two for one roll: 4,15"
        else:
            most = f"what {dice} show: what they come to, or at most {len(sides)} numbers"
        raise tokens.refuse(f"expected {most}")


def _faces(tokens: TokenStream, dice: str) -> tuple[int, ...]:
    sides = dice_sides(dice)
    if len(sides) == 1:
        what = f"the number on the d{sides[0]}, 1 to {sides[0]} (two dice: 4,15)"
        return read_lying(tokens, what, sides[0])
    each = ",".join(map(str, (max(1, face // 2) for face in sides[:4])))
    what = f"what {dice} come to, {sum(sides)} at most, or each die: {each}"
    if is_count(tokens.peek()):  # a pool may come to 0
        return read_lying(tokens, what, sum(sides), least=0)
    return read_lying(tokens, what, max(sides))


def read_lying(
    tokens: TokenStream, what: str, sides: int, count: int = 0, least: int = 1
) -> tuple[int, ...]:
    """Read the faces of dice with commas between: `6,2,5,4`. Raises Refused for impossible faces
    and, with a `count`, for more or fewer.
    """
    tokens.want(Field("faces"))
    parts = tokens.next(what).split(",")
    fits = all(is_count(part) and least <= int(part) <= sides for part in parts)
    if not fits or (count and len(parts) != count):
        tokens.back()
        raise tokens.refuse(f"expected {what}, found {tokens.upcoming!r}")
    return tuple(map(int, parts))


def require_one_die(faces: Sequence[int], hint: str = "", why: str = "") -> None:
    """Raise Refused for two dice of a roll without advantage and disadvantage; `why` says what
    cancels them out, if anything."""
    require_no_more(faces, USUAL_DICE, hint, why)


def require_no_more(faces: Sequence[int], dice: str, hint: str = "", why: str = "") -> None:
    """Raise Refused as `require_one_die` does, for a roll of any dice: of one, or of several."""
    count = len(dice_sides(dice))
    if len(faces) > max(1, count):
        both = ",".join(map(str, faces))
        if count > 1:
            raise Refused(f"`natural {both}` is {len(faces)} dice, and the roll is {dice}{hint}")
        one = f"give the one die that counts{hint}"
        raise Refused(
            f"`natural {both}` gives the two dice of advantage or disadvantage, but there is "
            f"neither{f', as {why}' if why else ''}: {one}",
            heard=f"{why or 'there is neither advantage nor disadvantage'}: {one}",
        )


def parse_dice_clause(tokens: TokenStream, what: str) -> str:
    """Read dice, such as `2d6+1`, and return them in the canonical notation."""
    try:
        tokens.want(Field(DICE))
        return str(parse_dice(tokens.next(f"{what} (dice such as 2d6+1)")))
    except DiceError as error:
        raise Refused(str(error)) from None


def read_sides(tokens: TokenStream, what: str, allowed: Collection[int] = ()) -> int:
    """Read a die by the number of its sides, `d6` or `6`; 0 for none.

    Raises Refused for other words, and for any but the `allowed` numbers, if there are some.
    """
    tokens.want(Field(NUMBER))
    word = tokens.next(what).casefold()
    sides = word.removeprefix("d")
    is_die = sides.isdecimal() and len(sides) <= 3
    if not is_die or (allowed and int(sides) not in allowed):
        tokens.back()
        such = join_or([f"d{each}" for each in allowed if each]) or "a die such as d6"
        raise tokens.refuse(f"expected {what} ({such}), found {word!r}")
    return int(sides)


def read_half(
    tokens: TokenStream, targets: Sequence[Combatant], more: Sequence[str], how: str
) -> set[str]:
    """Read the targets that take half, after `half`; all of them without names. `more` are the
    words that may follow in place of names; `how` is `half`, or `double`.
    """
    if tokens.done or tokens.peek() in more:
        tokens.offered.extend(c.id for c in targets if tokens.done and len(targets) > 1)
        return {c.id for c in targets}
    people = tokens.combatants(f"the names of those who take {how}", targets)
    strangers = [c for c in people if c not in targets]
    if strangers:
        raise Refused(f"{join_names(strangers)} can't take {how}: not among those who are damaged")
    return {c.id for c in people}


def join_names(people: Iterable[Combatant]) -> str:
    """Their names in one: "Mira and Odo"."""
    return join_or([c.name for c in people], "and")


def names_with_verb(people: Collection[Combatant], one: str, several: str) -> str:
    """Their names with the verb for one or for several: "Mira takes", "Mira and Odo take"."""
    return f"{join_names(people)} {one if len(people) == 1 else several}"


def parse_gm(tokens: TokenStream) -> bool:
    """Read `gm`, for a GM track, unless a combatant is called so."""
    return not tokens.is_combatant() and bool(tokens.take("gm"))


def gm_and_party_tracks(ruleset: Ruleset, state: Encounter) -> list[str]:
    """The tracks that the GM, or the party as a whole, has or may have."""
    names = (name for name, rule in ruleset.tables.tracks.items() if rule.gm)
    return list(dict.fromkeys((*names, *ruleset.gm_tracks, *state.tracks)))


def read_gm_track(ctx: Context, tokens: TokenStream) -> str:
    """Read a GM track, after `gm`. Raises Refused in a game that has none."""
    names = gm_and_party_tracks(ctx.ruleset, ctx.state)
    if not names:
        raise Refused(f"{ctx.ruleset.name} has no tracks for the GM")
    return tokens.choice("a GM track", names)


def require_alive(people: Iterable[Combatant]) -> None:
    """Raises Refused when some of them are dead, naming these."""
    dead = [combatant for combatant in people if combatant.life == "dead"]
    if dead:
        raise Refused(f"{names_with_verb(dead, 'is', 'are')} dead")


def who_has(ctx: Context, effect: str, what: str, have: str) -> Combatant:
    """Return the actor named with `by`; else the only one in the fight with an effect of that name.

    `what` and `have` word the refusals: "nobody has WHAT", "several have HAVE".
    """
    if ctx.by:
        return ctx.state[ctx.by]
    found = [c for c in present_combatants(ctx.state) if c.named(effect) is not None]
    if not found:
        raise Refused(f"nobody has {what}")
    if len(found) > 1:
        ids = [c.id for c in found]
        raise Refused(f"several have {have}: say which with `by` {join_or(ids)}", ids)
    return found[0]


def parse_damage_type(
    tokens: TokenStream, list_types: Callable[[], Iterable[str]], stop: Collection[str]
) -> str:
    """Read a damage type, if one is next: one of the `list_types`, or any in quotes. Raises
    Refused, with similar words, for any other word not in `stop`. `list_types` is called only if
    needed.
    """
    if tokens.done:
        tokens.offers.append(list_types)
        return ""
    word = tokens.upcoming
    found = word.casefold()
    if found not in list_types():  # mostly it is one of a game's own, which come first
        types = list(list_types())
        found = known_as(word, types)
        if found not in types:
            if not word.isalpha() or (found in stop and not word.quoted):
                return ""
            require_kind(tokens, "damage type", word, types, stop)
    tokens.next("a damage type")
    return found


def read_kinds(
    tokens: TokenStream, what: str, kinds: Iterable[str], others: bool = False
) -> list[str]:
    """Read types of damage, or other things to resist, with commas between: `fire,cold`; each once.

    They must be among the `kinds` or in quotes; with `others` only misspelt kinds are refused.
    """
    row = list(dict.fromkeys(kinds))
    word = tokens.next(f"a {what}", row)
    typed = [known_as(part.strip(), row) for part in word.split(",") if part.strip()]
    tokens.back()
    if not typed or any(part.isdecimal() for part in typed):
        raise tokens.refuse(f"expected a {what}, found {word!r}", row)
    for part in typed if not word.quoted else ():
        if part not in row and (not others or close_matches(part, row, 0.75)):
            require_kind(tokens, what, part, row)
    tokens.next(f"a {what}")
    return list(dict.fromkeys(typed))


def require_kind(
    tokens: TokenStream, what: str, word: str, kinds: Iterable[str], stop: Collection[str] = ()
) -> None:
    """Raise Refused for a word that is not among the `kinds`, unless it is in quotes.

    So a misspelt word is never taken for a new kind. In a game without any kinds every word is one,
    except misspelt words of `stop`, which may follow as well.
    """
    row = list(dict.fromkeys(kinds))
    if word.casefold() in row or tokens.upcoming.quoted:
        return
    near = close_matches(word, [*row, *stop], 0.75) or close_matches(word, [*row, *stop])
    if not (row or near):
        return
    meant = (
        f"did you mean {join_or(near)}?" if near else f"there are {join_or(row, 'and')}, or one "
    )
    own = "" if near else "of your own in quotes, or in `damage_types` of rules.toml"
    message = f"{word!r} is no known {what}"
    heard = "" if near or len(row) <= MOST_HEARD else f"{message}; one of your own goes in quotes"
    raise tokens.refuse(f"{message}; {meant}{own}", [*row, *stop], heard)
