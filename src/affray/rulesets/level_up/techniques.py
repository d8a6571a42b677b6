"""All techniques of the tables; and what is done outside of one's turn: reactions, and what is
readied, of which the action is paid now and the reaction when its trigger comes.

A readied spell is cast when it is readied, and its caster concentrates until it is released. Seed
002: Actions in Combat, Ready, Fall Back, Critical Hits; rules file, 3, 5 and 18.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.events import Changed, Noted, Rolled, Used
from affray.core.heart.history import Previous
from affray.core.heart.state import Combatant, Effect, Encounter
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused
from affray.core.language.words import Word, Words
from affray.core.rules.ruleset import Choice, Doing, Pending, Reads, Verb
from affray.core.rules.tables import Tables
from affray.rulekit import acts, doing
from affray.rulekit.acts import Cost, Now, Pay
from affray.rulekit.doing import READIED, Declared, Readying, Techniques, Terms
from affray.rulekit.placing import renew
from affray.rulekit.rolls import become, decided
from affray.rulesets.level_up import (
    actions,
    attacks,
    companions,
    conditions,
    economy,
    fatigue,
    happenings,
    powers,
    sheet,
    totals,
)
from affray.rulesets.level_up.attacks import Assault
from affray.rulesets.level_up.checks import outcomes_with

# -- reactions -------------------------------------------------------------------------------------


_PRESSER = arguments.person("who presses the attack", usage="FROM", asks="target")


class FallBack(Struct, frozen=True):
    presser: Annotated[Combatant | None, _PRESSER] = None


def fall_back(ctx: Context, said: FallBack, who: Combatant, pay: Pay) -> None:
    """5 feet back, right when somebody presses: no advantage against one by it (3.10, R14)."""
    pressing = economy.pressing_now(ctx.state, who.id)
    if said.presser is not None and said.presser not in pressing:
        raise Refused(f"{said.presser.name} does not press the attack now")
    pay()  # it can't be paid for where nobody presses
    presser = said.presser or pressing[0]
    until = sheet.next_turn(ctx.state, who.id, "end")
    renew(ctx, who.id, economy.FALLEN_BACK, until, by_source=True, source=presser.id)
    ctx.emit(Noted(f"{presser.name} may take the space that {who.name} has left"))
    ctx.text = f"{who.name} falls back from {presser.name}"


class Block(Struct, frozen=True):
    shield: Annotated[bool, arguments.flag(heard="shield")] = False


def block(ctx: Context, said: Block, who: Combatant, pay: Pay) -> None:
    """The critical hit of the last command is a plain one, with all that came of it (5.2, 5.3).

    It is decided anew, the dice as they fell; what comes out differently is emitted. It is paid as
    of before the blow: the reaction, and one level of fatigue or the shield (R16). Others whom the
    same command hit critically can still block theirs.
    """
    made, after = ctx.previous, ctx.state
    while made is not None and not _is_critical(made, who) and who.used(*economy.CAN_BLOCK):
        after, made = made.before, made.earlier()  # past the blocks of others
    if made is None or not _is_critical(made, who):
        raise Refused(f"no critical hit on {who.name} was the last thing to happen")
    if not made.before[who.id].track("hp"):
        raise Refused(f"{who.name} was at 0 HP, and could not block it")
    if said.shield and not who.track("shield"):
        raise Refused(f"{who.name} has no shield to give up")
    blocked = ("crit", who.id)
    outcomes = outcomes_with(made, lambda r: "hit" if (r.outcome, r.against) == blocked else "")
    become(ctx, after, decided(ctx, made, outcomes).state, "blocked")
    for other in could_block(ctx.state):
        if other.id != who.id:  # counted anew, or `settled` would forget it with this command
            ctx.emit(Used(other.id, *economy.CAN_BLOCK))
    economy.pay_reaction(ctx, who, "block", made.before)
    if said.shield:
        ctx.emit(Changed(who.id, "shield", -who.track("shield"), why="given up"))
    else:
        fatigue.tire(ctx, who.id, "a critical blocked")
    ctx.text = f"{who.name} blocks{' with the shield' if said.shield else ''}: a plain hit"


def _is_critical(made: Previous, who: Combatant) -> bool:
    """Whether an entry hit somebody critically."""
    rolls = (event for event in made.entry.events if isinstance(event, Rolled))
    return any(roll.outcome == "crit" and roll.against == who.id for roll in rolls)


def could_block(state: Encounter) -> list[Combatant]:
    """Who can block a critical hit now (rules file, 5.3)."""
    return [who for who in state.combatants if who.used(*economy.CAN_BLOCK)]


def pending(state: Encounter) -> Iterator[Pending]:
    """The critical hit that can be blocked now."""
    for who in could_block(state):
        answers = [Choice("f", "for a fatigue", f"react block by {who.id}")]
        if who.track("shield"):
            answers.append(Choice("s", "with the shield", f"react block shield by {who.id}"))
        yield Pending(who.id, f"{who.name} can block the critical hit", tuple(answers))


# -- all of them -----------------------------------------------------------------------------------

ACTIONS: dict[str, Declared] = {
    "attack": Declared(Assault, attacks.take_attack),
    "off-hand": Declared(Assault, attacks.take_off_hand),
    "cast": Declared(actions.Cast, actions.cast),
    "help": Declared(actions.Help, actions.help_ally),
    "hide": Declared(actions.Hide, actions.hide),
    "search": Declared(actions.Search, actions.search),
    "sprint": Declared(fatigue.Sprint, fatigue.sprint),
    "tumble": Declared(actions.Tumble, actions.tumble),
    "maneuver": Declared(actions.CombatManeuver, actions.maneuver),
    "use": Declared(actions.Use, actions.use),
    "first-aid": Declared(actions.FirstAid, actions.first_aid),
    "escape": Declared(actions.Escape, actions.escape),
    "release": Declared(actions.Release, actions.release),
    "move": Declared(actions.Move, actions.move),
    "command": Declared(companions.Commanded, companions.command),
    "power": Declared(powers.Using, powers.use),
}
REACTIONS: dict[str, Declared] = {
    "opportunity-attack": Declared(Assault, attacks.opportunity),
    "fall-back": Declared(FallBack, fall_back),
    "block": Declared(Block, block),
    "reflect": Declared(happenings.Reflect, happenings.reflect),
}


# -- rows ------------------------------------------------------------------------------------------


def _mark(ctx: Context, who: str, track: str, amount: int, what: str) -> None:
    fatigue.tire(ctx, who, f"for {what}", {track: amount})


_LAY = doing.lay_by(conditions.LASTING, conditions.lay)
TECHNIQUES = Techniques(
    economy.ECONOMY, _LAY, ACTIONS, REACTIONS, mark=_mark, next_turn=sheet.next_turn
)


# -- ready -----------------------------------------------------------------------------------------

CAST = "cast"


def readiable(tables: Tables) -> list[str]:
    """What can be readied: what takes the action, but for what takes the whole turn."""
    rows = tables.techniques
    never = (economy.READY, economy.SPRINT)
    takes = (n for n in doing.actions(tables) if "action" in rows[n].cost or n == economy.TUMBLE)
    return [name for name in takes if name not in never]


def _read(ctx: Context, words: Words) -> Terms:
    """Read what is readied: a technique by its name, or `cast SPELL`."""
    name = words.choice("an action to ready", readiable(ctx.tables))
    terms = Terms(name, ctx.tables.techniques[name].name)
    if name != CAST:
        return terms
    spell = arguments.phrase("the spell's name", "SPELL").read(Reading(ctx, words))
    return replace(terms, of=spell, says=spell)


def _pay(ctx: Context, who: Combatant, terms: Terms) -> int:
    """Readying takes the action, whatever is readied; a spell is concentrated on as well."""
    acts.pay(economy.ECONOMY, ctx, who.id, economy.READY)
    if terms.name == CAST:
        held = f"{who.id}/{READIED}"
        until = sheet.next_turn(ctx.state, who.id, "start")
        actions.concentrate(ctx, who.id, terms.of, until, held)
    return 0


def _pay_the_rest(
    ctx: Context, who: Combatant, name: str, cost: Cost | None = None, subject: str = ""
) -> None:
    """Its action was paid when it was readied: what is left to pay is exertion."""
    left = {track: n for track, n in (cost or {}).items() if track not in economy.TURN}
    reason = acts.why_unpaid(Now(ctx.tables, ctx.state, who), left)
    if reason:
        raise Refused(f"{who.name} can't use {ctx.tables.techniques[name].name}: {reason}")
    acts.spend(ctx, who.id, name, left)


def _act(ctx: Context, words: Words, who: Combatant, readied: Effect) -> None:
    name = readied.because
    if name == CAST:
        spell = Word(readied.type)
        spell.quoted = True
        at = [] if words.done or words.peek() == "at" else [Word("at")]
        words.insert([spell, *at])
    doing.do_readied(TECHNIQUES, ctx, words, who, name, partial(_pay_the_rest, ctx, who, name))


def settled(ctx: Context) -> None:
    """A readied spell is lost with the concentration on it."""
    for who in ctx.state.combatants:
        for readied in who.all_named(READIED):
            held = any(effect.hangs for effect in who.all_named(actions.CONCENTRATING))
            if readied.because == CAST and not held:
                end(ctx, who.id, readied.id, "no longer concentrating")


# -- the commands ----------------------------------------------------------------------------------


def _react(ctx: Context, words: Words) -> None:
    if words.upcoming.quoted:  # what it does is said by other commands (rules file, 3.20)
        who, what = ctx.actor(), words.rest().strip()
        economy.pay_reaction(ctx, who, what)
        ctx.text = f"{who.name} reacts: {what}"
        return
    name = words.choice("a reaction, or what it is in quotes", doing.reactions(ctx.tables))
    if name == "block" and not ctx.by:
        struck = could_block(ctx.state)
        ctx.by = struck[0].id if len(struck) == 1 else ""
    doing.do(TECHNIQUES, name, ctx, words)


def technique_verbs(tables: Tables) -> tuple[Verb, ...]:
    """A command for each technique of the tables, `react` for the reactions, and `trigger`."""
    usage = f'{doing.reaction_usages(TECHNIQUES)} | react "WHAT" [by NAME]'
    react = Verb("react", usage, "takes a reaction", _react, True)
    ready = doing.ready_verbs(
        TECHNIQUES,
        Readying(_read, _pay, partial(economy.pay_reaction, what="trigger"), _act),
        'ready TECHNIQUE ["TRIGGER"] | ready cast SPELL ["TRIGGER"]',
        "pays the action now, to act when the trigger comes",
        "takes the readied action, with the reaction",
    )
    return (*doing.verbs(TECHNIQUES, tables, but=(economy.READY,)), react, *ready)


# -- what rows may say, those of a campaign too ----------------------------------------------------

_ROLLS = (*totals.ROLLS, *(f"{a}-{of}" for a in sheet.ABILITIES for of in ("check", "save")))
_WHEN = ("always", "near", "far", "seen", "source")
_IN_ROWS = ("dash", "disengage", "dodge", "press-the-attack", "interact", "stand", "ready")

READS = Reads(
    powers="power",
    effects={
        "modifiers": tuple(name for name in totals.NUMBERS.rows if name != "massive"),
        "speed": ("half", "double", "none"),
        "at_most": ("speed",),
        "halves": ("speed",),
        "advantage": _ROLLS,
        "disadvantage": _ROLLS,
        "suffers.advantage": _WHEN,
        "suffers.disadvantage": _WHEN,
        "forbids": ("act", "react", "move", "see", "be-seen", *ACTIONS, *REACTIONS, *_IN_ROWS),
        "escape": None,
    },
    cost=("action", "bonus_action", "reaction", "interaction", "exertion"),
    marks=("fatigue", "strife"),
    repeat=("once", "any", "fight"),
    rests=fatigue.RESTS,
    saves=sheet.ABILITIES,
)
DOING = Doing(
    verb=partial(doing.verb, TECHNIQUES), lays=sheet.conditions_of, ends=("rest", "fight")
)
