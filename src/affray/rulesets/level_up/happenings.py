"""What surroundings do: features, the world's actions, who joins by them, and the mirror.

Seed 002: Example Environments; rules file, 13. What each does is a row of tables/world.toml.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import add
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.core.commands.adding import free_ids
from affray.core.heart import order
from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named, gain
from affray.core.heart.events import Added, Counted, Noted, Used
from affray.core.heart.state import Clock, Combatant, Effect
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.declared import Argument, Reading, read
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Word, Words
from affray.core.rules.environments import Happening, actions_of, called, features_of
from affray.core.rules.ruleset import declare
from affray.rulekit import rolls
from affray.rulekit.acts import Pay
from affray.rulekit.numbers import ALL, Part
from affray.rulesets.level_up import (
    attacks,
    checks,
    conditions,
    damage,
    fatigue,
    sheet,
    thrown,
    world,
)

OUTCOMES = rolls.Outcomes(
    {**checks.OUTCOMES.means, "hit": checks.FAILURE, "miss": checks.SUCCESS},
    checks.OUTCOMES.told,
)
"""How the rolls against it come out; what is thrown hits or misses."""


# -- what is said ----------------------------------------------------------------------------------


def _known(part: Literal["features", "actions"], reading: Reading) -> list[str]:
    """The features or actions of all surroundings, first of those that the fight is in."""
    rows = reading.ctx.tables.environments
    here = [name for name in world.environments(reading.ctx.state) if name in rows]
    every = [name for key in (*here, *rows) for name in getattr(rows[key], part)]
    return list(dict.fromkeys(every))


_ACTIONS, _FEATURES = partial(_known, "actions"), partial(_known, "features")
_ACTION = arguments.choice("an action of the world's", _ACTIONS, "ACTION", asks="own")
_FEATURE = arguments.choice("a feature", _FEATURES, "NAME", asks="feature")


def _all(reading: Reading) -> list[Combatant]:
    return world.everybody(reading.ctx.state)


def _unnamed(ctx: Context) -> list[Combatant]:
    """Whom the world gets where nobody is named: all, or those on whom alone it acts."""
    return world.only_targets(ctx.state) or world.everybody(ctx.state)


def _refuse_the_world(people: Sequence[Combatant]) -> None:
    if any(who.side == world.WORLD for who in people):
        raise Refused("the world does nothing to itself")


def _read_dice(reading: Reading) -> list[rolls.Die]:
    people = reading.said.get("people") or _unnamed(reading.ctx)
    return rolls.read_dice(reading.ctx, reading.words, OUTCOMES, len(people))


def _is_outcome(reading: Reading) -> bool:
    reading.words.offered += OUTCOMES.words if reading.words.done else ()
    return rolls.is_die(reading.words, OUTCOMES)


def _is_people(reading: Reading) -> bool:
    """Whether people are named next: by any word that is no outcome and no dice."""
    words = reading.words
    could_be = not reading.is_over and words.peek()[:1].isalpha() and not words.has_dice()
    return words.is_people() or (could_be and not _is_outcome(reading))


_PEOPLE = replace(
    arguments.people("whom it gets", _all, _refuse_the_world, "TARGET[,TARGET]"), stands=_is_people
)
_DICE = Argument(_read_dice, "OUTCOME", _is_outcome, asks="outcome:each")
_GEAR = arguments.people("who wears gear against it", _all)


class Said(Struct, frozen=True):
    """Whom a feature or an action of the world's gets, how that comes out, the damage that fell,
    and what is said of their saves or checks."""

    name: Annotated[str, _FEATURE]
    people: Annotated[list[Combatant], _PEOPLE] = []
    dice: Annotated[list[rolls.Die], _DICE] = []
    amount: Annotated[int | None, arguments.amount("damage")] = None
    gear: Annotated[list[Combatant], arguments.clause("gear", _GEAR, add)] = []
    terms: Annotated[checks.Sheltered, arguments.words_of(checks.Sheltered)] = checks.Sheltered()


class SaidOfTheWorld(Said, frozen=True):
    """The same of an action."""

    name: Annotated[str, _ACTION]


# -- what somebody does with it --------------------------------------------------------------------


def _feature_as_said(ctx: Context, words: Words) -> None:
    """`feature NAME`, and behind it what its row asks for: what is thrown is an attack."""
    rows = features_of(ctx.tables.environments).items()
    name = words.take(*(name for name, row in rows if row.thrown))
    if not name:
        what = read(Said, ctx, words)
        words.finish()
        _feature(ctx, what)
        return
    who = ctx.actor()
    assault = read(attacks.Assault, ctx, words)
    words.finish()
    thrown.throw(ctx, who, name, assault)


# -- what comes of it ------------------------------------------------------------------------------


def _feature(ctx: Context, said: Said) -> None:
    row = features_of(ctx.tables.environments)[said.name]
    name = called(said.name, row)
    if row.rounds and not said.people:
        ctx.emit(Counted(name, Clock(name, row.rounds, row.rounds, every="round")))
        ctx.text = f"{name}: {row.rounds} rounds"
        return
    if not said.people and (row.save or _does_something(row)):
        raise Refused(f"{name}: say whom it gets")
    if row.echoes and said.amount is None:
        raise Refused(f"{name}: say how many dice of {row.echoes} damage fell")
    if row.takes:
        thrown.take_action(ctx, name)
    _happen(ctx, said, row, said.people)


def _does_something(row: Happening) -> bool:
    """Whether its row says what becomes of whom it gets, and not its text alone: the gale pushes
    them."""
    return bool(row.check or row.amount or row.inflict or row.marks or row.echoes)


def _world(ctx: Context, said: SaidOfTheWorld) -> None:
    row = actions_of(ctx.tables.environments)[said.name]
    people = [] if row.joins == "swarm" else _meant(ctx, said, row)
    world.pay(ctx, said.name, row)
    if row.joins == "swarm":
        _swarm_joins(ctx, called(said.name, row), said.amount)
    elif row.joins == "shadow":
        _shadow_joins(ctx, people[0])
    else:
        _happen(ctx, said, row, people)


def _meant(ctx: Context, said: Said, row: Happening) -> list[Combatant]:
    """Whom an action of the world's gets: who is named, else all, or of a shadow anybody there.

    Raises Refused for several where it gets one, and for others than whose turn it is, where the
    world acts in everybody's turn.
    """
    only = world.only_targets(ctx.state)
    if only and any(who not in only for who in said.people):
        raise Refused(f"in a rolling scene the world acts on {names(only)} alone")
    found = said.people or _unnamed(ctx)
    if row.joins == "shadow" and not said.people and len(found) > 1:
        return [found[ctx.dice.die(len(found)) - 1]]
    if row.on == "one" and len(found) != 1:
        raise Refused(f"{called(said.name, row)} gets one: say whom")
    return found


def _happen(ctx: Context, said: Said, row: Happening, people: list[Combatant]) -> None:
    """It gets those who don't save: damage, rolled once for all, effects, marks."""
    name, of_world = called(said.name, row), isinstance(said, SaidOfTheWorld)
    on = f" on {names(people)}" if people else ""
    ctx.text = f"{'The world: ' if of_world else ''}{name}{on}"
    _refuse_again(ctx, said.name, row, people)
    dice = said.dice or [rolls.Die()] * len(people)
    if any(die.faces for die in dice) and not (row.save or row.check):
        raise Refused(f"{name}: nothing is rolled against it")
    got = [w for w, die in zip(people, dice, strict=True) if _gets(ctx, row, w, die, said.terms)]
    fell = None if said.amount is None else said.amount + world.echo(ctx, row.type)
    geared = None
    if got and row.amount and fell is None:
        fell = damage.fell(ctx, "", row.amount, row.type)
    if got and row.geared and said.gear:
        geared = damage.fell(ctx, "", row.geared, row.type)
    for who in people:
        if row.first:
            ctx.emit(Used(who.id, said.name, row.first))
        if who in got:
            wears = geared is not None and who in said.gear
            _do_to(ctx, said.name, row, who.id, geared if wears else fell, of_world)
    if not _does_something(row) and (got or not people):
        ctx.emit(Noted(row.text))


def _refuse_again(ctx: Context, name: str, row: Happening, people: Sequence[Combatant]) -> None:
    """Raises Refused for whom it has got before, where it gets nobody twice."""
    for who in people:
        in_turn = row.first == "turn" and ctx.state.takes_turn(who.id) and who.used(name)
        if in_turn or (row.first == "fight" and who.used(name, "fight")):
            raise Refused(f"{called(name, row)}: {who.name} only once in a {row.first}")


def _gets(
    ctx: Context, row: Happening, who: Combatant, die: rolls.Die, terms: checks.Sheltered
) -> bool:
    """Whether it gets somebody: who resists or saves goes free; a check is only made."""
    if row.resisted and damage.resists(ctx.state, who, row.type, ALL):
        ctx.emit(Noted(f"{who.name} resists {row.type}: nothing happens"))
        return False
    ability, _, skill = (row.save or row.check).partition(" ")
    if not ability:
        return die.said != checks.SUCCESS
    trial = checks.Try(who.id, ability, die, skill, bool(row.save), dc=row.dc, terms=terms)
    return checks.attempt(ctx, trial).outcome == checks.FAILURE


def _do_to(
    ctx: Context, name: str, row: Happening, who: str, amount: int | None, of_world: bool
) -> None:
    if amount is not None:
        damage.deal(ctx, who, damage.Blow([(amount, row.type)]))
    if row.marks:
        fatigue.tire(ctx, who, called(name, row), row.marks)
    source = world.WORLD if world.here(ctx.state) is not None else ""
    for effect in row.inflict if ctx.state[who].life != "dead" else ():
        until = world.until(ctx.state, row, who, of_world)
        conditions.lay(ctx, who, effect, until, source, because=name)


# -- who joins -------------------------------------------------------------------------------------


def _shadow_joins(ctx: Context, of: Combatant) -> None:
    """A shadow with the looks and the numbers of somebody, everybody's enemy, at initiative 20."""
    name, hp = f"Shadow of {of.name}", of.tracks["hp"].max if "hp" in of.tracks else None
    stats = {key: value for key, value in of.stats.items() if key not in ("owner", "text")}
    who = _join(ctx, name, hp, stats, sheet.attacks_at_once(of))
    order.give_initiative(ctx, {who: 20})
    ctx.text = f"The world: {ctx.state.name(who)} joins"


def _swarm_joins(ctx: Context, name: str, hp: int | None) -> None:
    """A swarm of which the text has no numbers: its HP are said, or it has none (Leeches)."""
    who = _join(ctx, name, hp, {})
    if ctx.state.phase == "combat":
        order.give_initiative(ctx, ctx.ruleset.initiative(ctx, [who], ()))
    ctx.text = f"The world: {ctx.state.name(who)} join"


def _join(
    ctx: Context, name: str, hp: int | None, stats: Mapping[str, object], attacks: int = 1
) -> str:
    """Somebody joins on no side of the others; gives the id."""
    said = ("hp", str(max(hp or 1, 1)), "attacks", str(attacks))
    own, tracks = ctx.ruleset.create(ctx, Words(list(map(Word, said)), ctx.state), "monster")
    if hp is None:
        del tracks["hp"]
    [(who, shown)] = free_ids(ctx.state, name, 1)
    ctx.emit(Added(who, shown, "others", "monster", {**own, **stats}, tracks))
    return who


# -- the mirror ------------------------------------------------------------------------------------


class Reflect(Struct, frozen=True):
    """`react reflect CASTER OUTCOME [dc N]`; the DC is what the caster's check came to."""

    caster: Annotated[Combatant, arguments.person("whose spell it is", usage="CASTER")]
    die: Annotated[rolls.Die, checks.OUTCOME]
    terms: Annotated[checks.Terms, arguments.words_of(checks.Terms)]
    dc: Annotated[int | None, rolls.DC] = None


def reflect(ctx: Context, said: Reflect, who: Combatant, pay: Pay) -> None:
    """A spell goes back to its caster, or into a free space nearby; the mirror breaks (Mirror)."""
    if said.caster.id == who.id:
        raise Refused(f"{who.name} can't turn a spell of their own back")
    pay()
    caster, dc = said.caster, said.dc
    if dc is None and not said.die.said:  # an ability's check: no proficiency is in it
        part = Part(caster.number("spell") - caster.number("pb"), "spellcasting ability")
        check = rolls.Roll(caster.id, "spellcasting check", rolls.Die(), [part])
        dc = rolls.total_of(ctx, check)
    trial = checks.Try(who.id, "dex", said.die, dc=dc, against=caster.id, terms=said.terms)
    came = checks.attempt(ctx, trial).outcome
    where = f"back to {caster.name}" if came == checks.SUCCESS else "into a free space nearby"
    ctx.emit(Noted("the mirror breaks"))
    ctx.text = f"{who.name} holds up a mirror: the spell goes {where}"


# -- the commands ----------------------------------------------------------------------------------


_NAMES = arguments.several(
    "an environment", lambda r: r.ctx.tables.environments, "NAME[,NAME]", "environment"
)


class Environments(Struct, frozen=True):
    names: Annotated[list[str], _NAMES]
    off: Annotated[bool, arguments.flag()] = False


def _environment(ctx: Context, said: Environments) -> None:
    missing = [name for name in said.names if name not in world.environments(ctx.state)]
    if not said.off:
        world.join(ctx)
        for name in missing:
            gain(ctx, world.WORLD, Effect(name, name, world.ENVIRONMENT, source=world.WORLD))
    elif missing:
        raise Refused(f"{listed(missing, 'and')}: no such environment is named here")
    else:
        for name in said.names:
            end_named(ctx, world.WORLD, name, "taken away")
    shown = ", ".join(called(name, ctx.tables.environments[name]) for name in said.names)
    ctx.text = f"Environment: {shown}{', no longer' if said.off else ''}"


def _read_face(reading: Reading) -> int | None:
    if reading.words.choice("`natural` and the die, or `roll`", ("natural", "roll")) == "roll":
        return None
    return reading.words.number(f"the d{world.DIE} as it lies", 1, world.DIE)


class Recharge(Struct, frozen=True):
    name: Annotated[str, _ACTION]
    face: Annotated[int | None, Argument(_read_face, "natural N|roll", asks="die:6")]


def _recharge(ctx: Context, said: Recharge) -> None:
    """The die at the table counts in place of affray's, which may have fallen in this turn."""
    the_world = world.here(ctx.state)
    row = actions_of(ctx.tables.environments)[said.name]
    name = called(said.name, row)
    if the_world is None:
        raise Refused("no environment is named: `environment NAME` lets the world join")
    if not row.recharge:
        raise Refused(f"{name} needs no recharging")
    has_rolled = the_world.used(f"recharge {said.name}")
    if the_world.track(world.track_of(said.name)) and not has_rolled:
        raise Refused(f"{name} is ready")
    face = said.face or ctx.dice.die(world.DIE)
    back = world.recharge(ctx, said.name, face, by_hand=said.face is not None)
    ctx.text = f"{name} {'is ready again' if back else 'stays spent'}"


VERBS = (
    declare("environment", "names surroundings, or takes them away", Environments, _environment),
    declare("world", "an action of the world's, in its turn", SaidOfTheWorld, _world),
    replace(
        declare("feature", "something that is there gets somebody", Said, _feature, acts=True),
        run=_feature_as_said,
    ),
    declare("recharge", "the die that brings an action of the world's back", Recharge, _recharge),
)
