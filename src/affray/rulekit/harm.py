"""A blow from its amount to the HP that it takes; healing; temporary HP; the commands for these.

A game names the steps of a blow in its own order, and does itself what 0 HP bring:

    >>> taken(9, "9 fire", [half("halved"), less(1, "AC"), half("resisted", tells=False)])
    (1, '9 fire, halved 4, AC 1, resisted')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.events import AnyEvent, Changed, Noted
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.declared import ASKED_ELSEWHERE, Argument, Reading
from affray.core.language.refusal import Refused, listed
from affray.core.rules.ruleset import Verb, declare

# -- the way of a blow -----------------------------------------------------------------------------

Part = tuple[int, str]
"""An amount of damage and its type; empty for none."""


class Step(Struct, frozen=True):
    """One thing that a blow meets: what it makes of the amount so far, and the words for it.
    `tells` says whether what is left is told behind the words: "halved 4", but only "resisted"."""

    makes: Callable[[int], int]
    words: str
    tells: bool = False


def half(words: str, least: int = 0, tells: bool = True) -> Step:
    """Half of it, rounded down, but at least so much of what is more than nothing."""
    return Step(lambda amount: max(least, amount // 2) if amount > 0 else 0, words, tells)


def double(words: str, tells: bool = True) -> Step:
    """Twice as much."""
    return Step(lambda amount: 2 * amount, words, tells)


def less(by: int, words: str) -> Step:
    """So much less, but never below 0: "AC 2"."""
    return Step(lambda amount: max(0, amount - by), f"{words} {by}")


def more(by: int, words: str) -> Step:
    """So much more: "vulnerable 5"."""
    return Step(lambda amount: amount + by, f"{words} {by}")


def flat(by: int) -> Step:
    """So much more or less, by what is in force: "raised by 2"."""
    return more(by, "raised by") if by > 0 else less(-by, "reduced by")


def nothing(words: str) -> Step:
    """None of it: "immune"."""
    return Step(lambda amount: 0, words)


def amount_in_words(amount: int, kind: str = "", label: str = "") -> str:
    """Damage in words, with a label behind: "8 fire", "8 fire persistent"."""
    return f"{amount}{f' {kind}' if kind else ''}{label}"


def taken(amount: int, said: str, steps: Iterable[Step]) -> tuple[int, str]:
    """What is left of an amount behind all steps, and how, in words."""
    how = [said]
    for step in steps:
        amount = step.makes(amount)
        how.append(f"{step.words} {amount}" if step.tells else step.words)
    return amount, ", ".join(how)


def through(
    ctx: Context, who: str, amount: int, steps: Iterable[Step], kind: str = "", label: str = ""
) -> tuple[int, str]:
    """The same for a blow on somebody; the log is told of one of which nothing gets through."""
    return all_through(ctx, who, ((amount, kind),), lambda kind, index: steps, label)


def all_through(
    ctx: Context,
    who: str,
    parts: Iterable[Part],
    steps: Callable[[str, int], Iterable[Step]],
    label: str = "",
) -> tuple[int, str]:
    """The same for a blow of several types: `steps` are what one meets, by its type and its place
    among them, from 0; what is left of all is taken at once."""
    left, told = 0, []
    for index, (amount, kind) in enumerate(parts):
        said = amount_in_words(amount, kind, label)
        got, how = taken(amount, said, steps(kind, index))
        left += got
        told.append(how)
    how = listed(told, "and")
    if left == 0:
        ctx.emit(Noted(f"{ctx.state.name(who)} takes no damage ({how})"))
    return left, how


def known_types(ctx: Context, named: Callable[[Combatant], Iterable[str]]) -> Iterator[str]:
    """The types of damage that the tables know, then those that sheets name: `named` gives the
    types that somebody's resistances and the like are to."""
    return chain(ctx.tables.damage_types, *map(named, ctx.state.combatants))


def target(ctx: Context, who: str) -> Combatant:
    """Whom a blow meets. Raises Refused for somebody who is dead, or who has no HP."""
    found = ctx.state[who]
    require_hp(found, "damaged")
    if found.life == "dead":
        raise Refused(f"{found.name} is dead")
    return found


def require_hp(combatant: Combatant, done: str) -> None:
    """Raises Refused for somebody without HP that could be `done` something to."""
    if "hp" not in combatant.tracks:
        raise Refused(f"{combatant.name} has no HP that could be {done}")


# -- HP lost and regained --------------------------------------------------------------------------


class Loss(Struct, frozen=True):
    """What damage took, and where HP would be now, had they no floor: 12 damage to somebody with 3
    temporary HP and 5 HP are `Loss(temp=3, hp=5, depth=-4)`."""

    temp: int
    hp: int
    depth: int


def lose(ctx: Context, who: str, amount: int, why: str, floor: int | None = 0) -> Loss:
    """Lose HP, temporary ones first, down to the floor if there is one; HP that are below it stay
    there. What follows is for the game to do."""
    combatant = ctx.state[who]
    temp = max(0, min(amount, combatant.track("temp_hp")))
    if temp:
        ctx.emit(Changed(who, "temp_hp", -temp, why=why))
    hp = combatant.track("hp")
    depth = hp - (amount - temp)
    lost = hp - (depth if floor is None else max(depth, min(hp, floor)))
    if lost:
        ctx.emit(Changed(who, "hp", -lost, why=why))
    return Loss(temp, lost, depth)


def has_lost_hp(events: Iterable[AnyEvent], who: str) -> bool:
    """Whether these events took HP from somebody, or temporary ones."""
    lost = (e for e in events if isinstance(e, Changed) and e.who == who and e.by < 0)
    return any(event.track in ("hp", "temp_hp") for event in lost)


def regain(ctx: Context, who: str, amount: int, why: str = "") -> int:
    """Regain HP up to the maximum, from 0 on for who is below; gives by how much they rose."""
    track = ctx.state[who].tracks["hp"]
    hp = max(track.value, 0) + amount
    rose = (hp if track.max is None else min(hp, track.max)) - track.value
    if amount <= 0 or rose <= 0:
        return 0
    below = "counted from 0" if track.value < 0 else ""
    ctx.emit(Changed(who, "hp", rose, why=", ".join(filter(None, (why, below)))))
    return rose


Stays = Literal["", "new", "keep"]
"""Which of two amounts of temporary HP stays, where it is said; else it is the higher."""


def temporary(ctx: Context, who: str, amount: int, stays: Stays = "") -> bool:
    """Give temporary HP, which don't add up with others; gives whether the new ones stay.

    Raises Refused for somebody without HP.
    """
    require_hp(ctx.state[who], "protected")
    have = ctx.state[who].track("temp_hp")
    are_new = (amount > have or stays == "new") and not (have and stays == "keep")
    if are_new:
        ctx.emit(Changed(who, "temp_hp", amount - have, why="temporary HP"))
    else:
        ctx.emit(Noted(f"{ctx.state.name(who)} keeps the {have} temporary HP it has"))
    return are_new


def has_just_died(ctx: Context, who: str) -> bool:
    """Whether the same command killed somebody, before it came to them: a blow before this one, or
    a summon's end."""
    before = ctx.before.find(who)
    return ctx.state[who].life == "dead" and before is not None and before.life != "dead"


# -- the commands ----------------------------------------------------------------------------------


def parts_said(read: Callable[[Reading], Any]) -> Argument:
    """Amounts as `read` has them, each with its type: `8 slashing 4 fire`."""
    kind = arguments.damage_type()

    def stands(reading: Reading) -> bool:
        return reading.words.has_amount()

    def reads(reading: Reading) -> tuple[tuple[Any, str], ...]:
        found: list[tuple[Any, str]] = []
        while not found or stands(reading):
            found.append((read(reading), kind.read(reading)))
        return tuple(found)

    return Argument(reads, "AMOUNT [TYPE] [AMOUNT TYPE ...]", stands, asks="damage")


MORE = replace(
    parts_said(arguments.amount().read),
    usage="AMOUNT TYPE ...",
    behind="type",
    asks=ASKED_ELSEWHERE,
)
"""Behind the type of what fell: what fell of other types, `4 fire`."""


class Damage(Struct, frozen=True):
    """What `damage` says in every game. A game's own says of which types it can be, and adds words:

    class Damage(harm.Damage, frozen=True):
        type: Annotated[str, arguments.damage_type(known_types)] = ""
        knockout: Annotated[bool, arguments.flag()] = False
    """

    targets: Annotated[list[Combatant], arguments.people("who is damaged", asks="targets:half")]
    amount: Annotated[int, arguments.amount("damage", asks="dice")]
    type: Annotated[str, arguments.damage_type()] = ""
    half: Annotated[tuple[str, ...], arguments.half()] = ()


class Healing(Struct, frozen=True):
    """What `heal` says."""

    targets: Annotated[list[Combatant], arguments.people("who is healed")]
    amount: Annotated[int, arguments.amount("healing", asks="dice")]


class Temporary(Struct, frozen=True):
    """What `temp` says in every game; a game's own adds how long they last, or which stay."""

    targets: Annotated[list[Combatant], arguments.people("who gets temporary HP")]
    amount: Annotated[int, arguments.amount("temporary HP", asks="dice")]


_Damage = TypeVar("_Damage", bound=Damage)


def damage_verb(
    does: str, said: type[_Damage], deal: Callable[[Context, str, _Damage, bool], object]
) -> Verb:
    """The command `damage`: `deal` is called for each target, with whether it takes half. A target
    who has died of the same command before is passed over."""

    def run(ctx: Context, said: _Damage) -> None:
        for target in said.targets:
            if not has_just_died(ctx, target.id):
                deal(ctx, target.id, said, target.id in said.half)
        takes = they(said.targets, "takes", "take")
        ctx.text = f"{takes} {amount_in_words(said.amount, said.type)}"

    return declare("damage", does, said, run)


def heal_verb(does: str, heal: Callable[[Context, str, int], object]) -> Verb:
    """The command `heal`; `heal` gives something true where there was anything to heal."""

    def run(ctx: Context, said: Healing) -> None:
        healed = [heal(ctx, target.id, said.amount) for target in said.targets]
        in_vain = "" if any(healed) else ", with nothing to heal"
        ctx.text = f"{they(said.targets, 'is', 'are')} healed{in_vain}"

    return declare("heal", does, Healing, run)


def _give(ctx: Context, who: str, said: Temporary) -> None:
    temporary(ctx, who, said.amount)


def temp_verb(
    does: str,
    said: type[Temporary] = Temporary,
    give: Callable[[Context, str, Any], object] = _give,
) -> Verb:
    """The command `temp`: `give` is called for each target, with what a game's own `said` says."""

    def run(ctx: Context, said: Temporary) -> None:
        for target in said.targets:
            give(ctx, target.id, said)
        ctx.text = f"{they(said.targets, 'gets', 'get')} temporary HP"

    return declare("temp", does, said, run)
