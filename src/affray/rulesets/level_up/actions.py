"""The actions for oneself and for others. Seed 002: Actions in Combat; rules file, 3."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.effects import end, in_force
from affray.core.heart.state import Combatant, Effect, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed
from affray.rulekit import rolls
from affray.rulekit.acts import Cost, Pay
from affray.rulekit.life import UNCONSCIOUS
from affray.rulekit.placing import renew
from affray.rulekit.rolls import Die
from affray.rulesets.level_up import checks, conditions, creatures, dying, economy, scenes, world
from affray.rulesets.level_up.checks import FAILURE, SUCCESS, Sheltered, Terms, Try

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

HELPED, HELPED_ATTACK, HIDDEN = "helped", "helped-attack", "hidden"
PAID_WITH: dict[str, Cost] = {
    "action": {"action": 1},
    "bonus": {"bonus_action": 1},
    "reaction": {"reaction": 1},
    "none": {},
}
"""The words for what something takes, where it may take this or that."""


def phrase(what: str, usage: str) -> Argument:
    """A name of one or several words, up to a keyword; in quotes it may hold any words."""

    def read(reading: Reading) -> str:
        first = reading.words.next(what)
        said = [first]
        while not first.quoted and not reading.is_over and not reading.words.upcoming.quoted:
            said.append(reading.words.next(what))
        return " ".join(said)

    return Argument(read, usage, asks=f"text:{usage.lower()}")


def _needs_another(who: Combatant, other: Combatant, what: str) -> None:
    if who.id == other.id:
        raise Refused(f"{who.name} can't {what} themself")
    if other.life == "dead":
        raise Refused(f"{other.name} is dead")


# -- help ------------------------------------------------------------------------------------------


class Help(Struct, frozen=True):
    """`help ALLY [against TARGET]`."""

    ally: Annotated[Combatant, arguments.person("the ally", usage="ALLY", asks="ally")]
    against: Annotated[
        Combatant | None,
        arguments.clause("against", arguments.person("the enemy", usage="TARGET"), asks="target?"),
    ] = None


def help_ally(ctx: Context, said: Help, who: Combatant, pay: Pay) -> None:
    """Advantage on the ally's next check, or on its next attack against one enemy (3.6, 3.7)."""
    enemy = said.against
    _needs_another(who, said.ally, "help")
    if enemy is not None:
        _needs_another(said.ally, enemy, "be helped against")
        _needs_another(who, enemy, "help against")
    pay()
    until = timing.at_turn(ctx.state, who.id, "start")
    if enemy is None:
        renew(ctx, said.ally.id, HELPED, until, by_source=True, source=who.id)
        ctx.text = f"{who.name} helps {said.ally.name}"
        return
    note = f"against {enemy.name}"
    terms = {"source": who.id, "note": note, "against": enemy.id}
    renew(ctx, said.ally.id, HELPED_ATTACK, until, by_source=True, **terms)
    ctx.text = f"{who.name} helps {said.ally.name} {note}"


# -- hide and search -------------------------------------------------------------------------------


class Hide(Struct, frozen=True):
    """`hide OUTCOME [cover|three-quarters-cover] [from NAME,NAME] [dc N]`."""

    die: Annotated[Die, checks.OUTCOME]
    terms: Annotated[Sheltered, arguments.words_of(Sheltered)]
    observers: Annotated[
        list[Combatant] | None,
        arguments.clause("from", arguments.people("who could observe it"), asks=""),
    ] = None
    dc: Annotated[int | None, rolls.DC] = None


def hide(ctx: Context, said: Hide, who: Combatant, pay: Pay) -> None:
    """Dexterity (Stealth) against the passive Perception of those who can observe (3.8, R18)."""
    pay()
    observers = _observers(ctx.state, who) if said.observers is None else said.observers
    dc = said.dc
    if dc is None:
        passive = int(ctx.tables.economy["passive"])
        dc = max((c.number("passive-perception", passive) for c in observers), default=0)
    trial = Try(who.id, "dex", said.die, "stealth", hides=True, dc=dc, terms=said.terms)
    outcome = checks.attempt(ctx, trial).outcome
    if outcome == SUCCESS:
        renew(ctx, who.id, HIDDEN)
    ctx.text = f"{who.name} hides{' in vain' if outcome == FAILURE else ''}"


def _observers(state: Encounter, who: Combatant) -> list[Combatant]:
    """Whoever is awake and of another side."""
    others = (c for c in state.combatants if c.side not in (who.side, "world"))
    return [c for c in others if c.life == "up" and c.named(UNCONSCIOUS) is None]


class Search(Struct, frozen=True):
    """`search perception|investigation OUTCOME [dc N]`."""

    skill: Annotated[str, arguments.choice("what it goes by", ("perception", "investigation"))]
    die: Annotated[Die, checks.OUTCOME]
    terms: Annotated[Terms, arguments.words_of(Terms)]
    dc: Annotated[int | None, rolls.DC] = None


_SEARCHES = {"perception": "wis", "investigation": "int"}


def search(ctx: Context, said: Search, who: Combatant, pay: Pay) -> None:
    """Wisdom (Perception) or Intelligence (Investigation) (3.12)."""
    pay()
    ability = _SEARCHES[said.skill]
    trial = Try(
        who.id, ability, said.die, said.skill, dc=said.dc, terms=checks.unsheltered(said.terms)
    )
    outcome = checks.attempt(ctx, trial).outcome
    ctx.text = f"{who.name} searches ({said.skill}){f', {outcome}' if outcome else ''}"


# -- tumble ----------------------------------------------------------------------------------------


class Tumble(Struct, frozen=True):
    """`tumble TARGET [OUTCOME|let] [action|bonus] [expertise N]`."""

    target: Annotated[Combatant, arguments.person("through whose space", usage="TARGET")]
    terms: Annotated[Terms, arguments.words_of(Terms)]
    die: Annotated[Die | None, checks.OUTCOME] = None
    let: Annotated[bool, arguments.flag(heard="let")] = False
    takes: Annotated[str, arguments.one_of("action", "bonus")] = ""


def tumble(ctx: Context, said: Tumble, who: Combatant, pay: Pay) -> None:
    """A Dexterity save against the target's maneuver DC, and through its space (3.14, R37)."""
    target = said.target
    _needs_another(who, target, "tumble past")
    larger = creatures.larger_by(who, target)
    free = said.let or larger >= 2
    if said.die is None and not free:
        raise Refused(
            f"say how the Dexterity save came out, or that {target.name} lets it pass: `let`"
        )
    if said.die is not None and free:
        why = f"{target.name} lets it pass" if said.let else f"it is far larger than {target.name}"
        raise Refused(f"no save is made: {why}")
    pay(PAID_WITH[said.takes] if said.takes else None)
    came = SUCCESS if said.die is None else _tumbled(ctx, who, target, said.die, said.terms)
    if came == SUCCESS:
        renew(ctx, who.id, "tumbling", timing.present_turn(ctx.state, who.id))
    ctx.text = f"{who.name} tumbles past {target.name}{'' if came == SUCCESS else ' in vain'}"


def _tumbled(ctx: Context, who: Combatant, target: Combatant, die: Die, terms: Terms) -> str:
    """The save: a smaller one has advantage, a larger one disadvantage; Acrobatics helps."""
    size = creatures.larger_by(who, target)
    expertise = terms.expertise or _acrobatics(ctx, who)
    trial = Try(
        who.id,
        "dex",
        die,
        save=True,
        dc=target.number("maneuver-dc", int(ctx.tables.economy["maneuver_dc"])),
        against=target.id,
        terms=replace(checks.unsheltered(terms), expertise=expertise),
        pro=("smaller",) if size < 0 else (),
        con=("larger",) if size > 0 else (),
    )
    return checks.attempt(ctx, trial).outcome


def _acrobatics(ctx: Context, who: Combatant) -> tuple[str, ...]:
    """The expertise die of who is proficient in Acrobatics, larger with the specialty (Tumble)."""
    if not checks.is_proficient(who, "acrobatics"):
        return ()
    special = "tumbling" in creatures.words_of(who, "specialty")
    return (str(ctx.tables.economy["tumbling" if special else "expertise"]),)


# -- maneuvers -------------------------------------------------------------------------------------


class Maneuver(Struct, frozen=True):
    """`grapple TARGET OUTCOME`, and the other basic maneuvers."""

    target: Annotated[Combatant, arguments.person("at whom", usage="TARGET")]
    came: Annotated[
        str,
        arguments.choice(
            "how it came out, which is called", (SUCCESS, FAILURE), asks="outcome:success|failure"
        ),
    ]


_LAYS = {"grapple": economy.GRAPPLED, "knockdown": economy.PRONE}
"""What a basic maneuver lays when it succeeds; what the others do is up to the table."""


def basic_maneuver(name: str) -> Callable[[Context, Maneuver, Combatant, Pay], None]:
    """A basic maneuver, in place of one attack; its outcome is called out (3.16, R15)."""

    def act(ctx: Context, said: Maneuver, who: Combatant, pay: Pay) -> None:
        _needs_another(who, said.target, name)
        pay()
        if said.came == SUCCESS and name in _LAYS:
            conditions.lay(ctx, said.target.id, _LAYS[name], source=who.id)
        called = ctx.tables.techniques[name].name.lower()
        ctx.text = f"{who.name} tries to {called} {said.target.name}, {said.came}"

    return act


class CombatManeuver(Struct, frozen=True):
    """`maneuver NAME [action|bonus|reaction|none] [exertion N]`."""

    name: Annotated[str, phrase("the maneuver", "NAME")]
    takes: Annotated[str, arguments.one_of(*PAID_WITH)] = "action"
    exertion: Annotated[
        int, arguments.clause("exertion", arguments.number("the exertion", 0, 99))
    ] = 0


def maneuver(ctx: Context, said: CombatManeuver, who: Combatant, pay: Pay) -> None:
    """A combat maneuver, at its price; what it does is said by other commands (3.17)."""
    if said.exertion and "exertion" not in who.tracks:
        raise Refused(f"{who.name} has no exertion; `add` takes it: exertion N")
    pay(PAID_WITH[said.takes] | ({"exertion": said.exertion} if said.exertion else {}))
    ctx.text = f"{who.name} uses the maneuver {said.name}"


# -- objects ---------------------------------------------------------------------------------------


class Use(Struct, frozen=True):
    """`use [ITEM] [on NAME]`."""

    item: Annotated[str, phrase("the object", "ITEM")] = ""
    on: Annotated[
        Combatant | None, arguments.clause("on", arguments.person("on whom"), asks="on anyone?")
    ] = None


def use(ctx: Context, said: Use, who: Combatant, pay: Pay) -> None:
    """A second object in a turn, a potion, whatever needs the action (3.15)."""
    pay()
    on = f" on {said.on.name}" if said.on is not None else ""
    ctx.text = f"{who.name} uses {said.item or 'an object'}{on}"


# -- first aid -------------------------------------------------------------------------------------


class FirstAid(Struct, frozen=True):
    """`first-aid NAME OUTCOME`."""

    other: Annotated[Combatant, arguments.person("who is treated", asks="ally")]
    die: Annotated[Die, checks.OUTCOME]
    terms: Annotated[Terms, arguments.words_of(Terms)]


def first_aid(ctx: Context, said: FirstAid, who: Combatant, pay: Pay) -> None:
    """Wisdom (Medicine) on somebody unconscious: stable (3.18, 9.9)."""
    _needs_another(who, said.other, "treat")
    if said.other.life != "dying":
        raise Refused(f"{said.other.name} is not dying, so there is nothing to stabilise")
    pay()
    dc = int(ctx.tables.economy["first_aid"])
    terms = checks.unsheltered(said.terms)
    trial = Try(who.id, "wis", said.die, "medicine", dc=dc, against=said.other.id, terms=terms)
    if checks.attempt(ctx, trial).outcome == SUCCESS:
        dying.stabilise(ctx, said.other.id, f"first aid by {who.name}")
        ctx.text = f"{who.name} stabilises {said.other.name}"
    else:
        ctx.text = f"{who.name} treats {said.other.name} in vain"


# -- getting free ----------------------------------------------------------------------------------


def _escapes(reading: Reading) -> list[str]:
    who = reading.ctx.actor()
    return [_named(who, each).name for each in economy.escapable(reading.ctx.tables, who)]


def _read_escape(reading: Reading) -> str:
    """Out of which condition. Raises Refused for one that no action ends."""
    there = _escapes(reading)
    if not there:
        raise Refused(f"{reading.ctx.actor().name} has nothing to escape from that an action ends")
    return reading.words.choice("out of what", there)


def _says_what(reading: Reading) -> bool:
    return not (reading.is_over or rolls.is_die(reading.words, checks.OUTCOMES))


def _named(who: Combatant, effect_id: str) -> Effect:
    return next(effect for effect in who.effects if effect.id == effect_id)


class Escape(Struct, frozen=True):
    """`escape [CONDITION] [OUTCOME] [dc N]`."""

    condition: Annotated[str, Argument(_read_escape, "CONDITION", _says_what)] = ""
    die: Annotated[Die | None, checks.OUTCOME] = None
    terms: Annotated[Terms, arguments.words_of(Terms)] = Terms()
    dc: Annotated[int | None, rolls.DC] = None


def escape(ctx: Context, said: Escape, who: Combatant, pay: Pay) -> None:
    """Out of what an action ends; of a grapple it must be said how that came out (3.19)."""
    ids = economy.escapable(ctx.tables, who)
    fits = [each for each in ids if said.condition in ("", _named(who, each).name)]
    pay()
    names = list(dict.fromkeys(_named(who, each).name for each in fits))
    if len(names) != 1:
        raise Refused(f"{who.name} is {listed(names, 'and')}: say out of which")
    effect = _named(who, fits[0])
    asked = ctx.tables.economy["escape_from"].get(effect.because, "outcome") == "outcome"
    came = SUCCESS
    if asked:
        came = _struggled(ctx, said, who, effect)
    elif said.die is not None:
        raise Refused(f"it takes the action and no roll to be no longer {effect.name}")
    if came == SUCCESS:
        for each in fits:
            end(ctx, who.id, each, "escaped")
    ctx.text = f"{who.name} {'is no longer' if came == SUCCESS else 'stays'} {effect.name}"


def _struggled(ctx: Context, said: Escape, who: Combatant, effect: Effect) -> str:
    """How it came out: as called, or the die with what is said of it against the DC.

    What is rolled to escape a grapple is not in the text, so no ability is added.
    """
    if said.die is None:
        raise Refused(f"say how it came out to be no longer {effect.name}: success or failure")
    dc = effect.amount if said.dc is None and effect.amount else said.dc
    if dc is None and not said.die.said:
        raise Refused("say the number to escape with a die: dc N")
    trial = Try(who.id, "", said.die, dc=dc, terms=checks.unsheltered(said.terms))
    return checks.attempt(ctx, trial).outcome


class Release(Struct, frozen=True):
    """`release [TARGET]`."""

    target: Annotated[
        Combatant | None, arguments.person("who is let go", usage="TARGET", asks="person:grappled")
    ] = None


def release(ctx: Context, said: Release, who: Combatant, pay: Pay) -> None:
    """Let go of somebody grappled, or of all (12.4)."""
    held = economy.held_by(ctx.state, who.id)
    if said.target is not None and said.target not in held:
        raise Refused(f"{who.name} does not hold {said.target.name}")
    pay()
    freed = held if said.target is None else [said.target]
    for one in freed:
        for effect in one.effects:
            if effect.name == economy.GRAPPLED and effect.source == who.id:
                end(ctx, one.id, effect.id, "let go")
    ctx.text = f"{who.name} lets go of {names(freed)}"


# -- moving ----------------------------------------------------------------------------------------


class Move(Struct, frozen=True):
    """`move FEET [difficult] [crawling] [down]`."""

    feet: Annotated[int, arguments.number("how many feet", 1, 9999, "FEET")]
    difficult: Annotated[bool, arguments.flag(heard="difficult")] = False
    crawling: Annotated[bool, arguments.flag(heard="crawling")] = False
    down: Annotated[bool, arguments.flag(heard="down")] = False


def move(ctx: Context, said: Move, who: Combatant, pay: Pay) -> None:
    """Counts movement down; nobody must (13.1, 14.2, R32)."""
    if said.down and not scenes.aloft(ctx.state):
        raise Refused("straight down costs half in the air alone: `setting aloft on`")
    difficult = said.difficult or world.is_difficult(ctx.tables, ctx.state)
    crawling = said.crawling or "prone" in in_force(ctx.tables, ctx.state, who)
    feet = said.feet * (1 + difficult + crawling)
    feet = feet // 2 if said.down else feet
    pay({"movement": feet})
    why = [word for word, is_so in (("difficult", difficult), ("crawling", crawling)) if is_so]
    ctx.text = f"{who.name} moves {said.feet} feet{f' ({listed(why)})' if why else ''}"
