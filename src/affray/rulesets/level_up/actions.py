"""The actions for oneself and for others: of each what its command says, and what it does.

Seed 002: Actions in Combat; rules file, 3.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, in_force
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed
from affray.core.rules.environments import happening
from affray.rulekit import recorded, rolls
from affray.rulekit.acts import Pay, needs_another
from affray.rulekit.life import UNCONSCIOUS
from affray.rulekit.placing import begin, renew
from affray.rulesets.level_up import attacks, checks, dying, economy, world
from affray.rulesets.level_up.attacks import Assault
from affray.rulesets.level_up.checks import FAILURE, SUCCESS, Sheltered, Terms, Try
from affray.rulesets.level_up.sheet import PAID_WITH, next_turn

CONCENTRATING = "concentrating"


# -- casting ---------------------------------------------------------------------------------------


class Cast(Struct, frozen=True):
    spell: Annotated[str, arguments.phrase("the spell", "SPELL")]
    takes: Annotated[str, arguments.one_of(*PAID_WITH)] = ""
    concentration: Annotated[bool, arguments.flag(heard="concentration")] = False
    at: Annotated[Assault | None, arguments.clause("at", arguments.form(Assault))] = None


def cast(ctx: Context, said: Cast, who: Combatant, pay: Pay) -> None:
    """A spell, with an attack roll if it is one (rules file, 3.2)."""
    pay_for_it = partial(pay, PAID_WITH.get(said.takes))
    if said.at is None:
        pay_for_it()
        ctx.text = f"{who.name} casts {said.spell}"
    else:
        made = attacks.with_spell(who, said.at, said.spell)
        attacks.attack(ctx, who, said.at, made, pay_for_it)
    if said.concentration:
        concentrate(ctx, who.id, said.spell)


def concentrate(
    ctx: Context, who: str, spell: str, until: Duration | None = None, hangs: str = ""
) -> None:
    """Concentrate on a spell, until the end that is said of it, or as long as that on which it
    hangs."""
    begin(ctx, who, CONCENTRATING, until or Duration(says="it stops"), note=spell, hangs=hangs)


# -- combat maneuvers ------------------------------------------------------------------------------


_EXERTION = arguments.clause("exertion", arguments.number("the exertion", 0, 99))


class CombatManeuver(Struct, frozen=True):
    name: Annotated[str, arguments.phrase("the maneuver", "NAME")]
    takes: Annotated[str, arguments.one_of(*PAID_WITH)] = ""
    exertion: Annotated[int, _EXERTION] = 0


def maneuver(ctx: Context, said: CombatManeuver, who: Combatant, pay: Pay) -> None:
    """A combat maneuver, at its price; what it does is said by other commands (3.17)."""
    if said.exertion and "exertion" not in who.tracks:
        raise Refused(f"{who.name} has no exertion; `add` takes it: exertion N")
    cost = PAID_WITH.get(said.takes, ctx.tables.techniques["maneuver"].cost)
    pay(cost | {"exertion": said.exertion})
    ctx.text = f"{who.name} uses the maneuver {said.name}"


# -- help, hide and search -------------------------------------------------------------------------


_ENEMY = arguments.person("the enemy", usage="TARGET")


class Help(Struct, frozen=True):
    ally: Annotated[Combatant, arguments.person("the ally", usage="ALLY", asks="ally")]
    task: Annotated[str, arguments.quoted("the task", '"TASK"')] = ""
    against: Annotated[Combatant | None, arguments.clause("against", _ENEMY, asks="target?")] = None


def help_ally(ctx: Context, said: Help, who: Combatant, pay: Pay) -> None:
    """Advantage on the ally's next check, of the task where that is said, or on its next attack
    against one enemy (3.6, 3.7)."""
    enemy = said.against
    needs_another(who, said.ally, "help")
    if said.task and enemy is not None:
        raise Refused("help is with a task or with an attack, not both")
    if enemy is not None:
        needs_another(said.ally, enemy, "be helped against")
        needs_another(who, enemy, "help against")
    pay()
    until = next_turn(ctx.state, who.id, "start")
    name, note = ("helped-attack", f"against {enemy.name}") if enemy else ("helped", said.task)
    whom = {"source": who.id, "against": enemy.id if enemy else ""}
    alone = (said.task.casefold(),) if said.task else ()
    renew(ctx, said.ally.id, name, until, by_source=True, note=note, only_with=alone, **whom)
    of = f"with {said.task}" if said.task else note
    ctx.text = f"{who.name} helps {said.ally.name} {of}".strip()


_OBSERVERS = arguments.clause("from", arguments.people("who could observe it"))


class Hide(Struct, frozen=True):
    die: Annotated[rolls.Die, checks.OUTCOME]
    terms: Annotated[Sheltered, arguments.words_of(Sheltered)]
    observers: Annotated[list[Combatant] | None, _OBSERVERS] = None
    dc: Annotated[int | None, rolls.DC] = None


def hide(ctx: Context, said: Hide, who: Combatant, pay: Pay) -> None:
    """Dexterity (Stealth) against the passive Perception of those who can observe (3.8, R18)."""
    pay()
    others = (c for c in ctx.state.combatants if c.side not in (who.side, "world"))
    awake = [c for c in others if c.life == "up" and c.named(UNCONSCIOUS) is None]
    observers = awake if said.observers is None else said.observers
    usual = int(ctx.tables.economy["passive"])
    seen_by = max((c.number("passive-perception", usual) for c in observers), default=0)
    dc = seen_by if said.dc is None else said.dc
    trial = Try(who.id, "dex", said.die, "stealth", hides=True, dc=dc, terms=said.terms)
    outcome = checks.attempt(ctx, trial).outcome
    if outcome == SUCCESS:
        renew(ctx, who.id, attacks.HIDDEN)
    ctx.text = f"{who.name} hides{' in vain' if outcome == FAILURE else ''}"


_SEARCHES = {"perception": "wis", "investigation": "int"}


class Search(Struct, frozen=True):
    skill: Annotated[str, arguments.choice("what it goes by", tuple(_SEARCHES))]
    die: Annotated[rolls.Die, checks.OUTCOME]
    terms: Annotated[Terms, arguments.words_of(Terms)]
    dc: Annotated[int | None, rolls.DC] = None


def search(ctx: Context, said: Search, who: Combatant, pay: Pay) -> None:
    """Wisdom (Perception) or Intelligence (Investigation) (3.12)."""
    pay()
    trial = Try(who.id, _SEARCHES[said.skill], said.die, said.skill, dc=said.dc, terms=said.terms)
    outcome = checks.attempt(ctx, trial).outcome
    ctx.text = f"{who.name} searches ({said.skill}){f', {outcome}' if outcome else ''}"


# -- tumble ----------------------------------------------------------------------------------------


class Tumble(Struct, frozen=True):
    target: Annotated[Combatant, arguments.person("through whose space", usage="TARGET")]
    terms: Annotated[Terms, arguments.words_of(Terms)]
    die: Annotated[rolls.Die | None, checks.OUTCOME] = None
    let: Annotated[bool, arguments.flag(heard="let")] = False
    takes: Annotated[str, arguments.one_of("action", "bonus")] = ""


def tumble(ctx: Context, said: Tumble, who: Combatant, pay: Pay) -> None:
    """A Dexterity save against the target's maneuver DC, and through its space (3.14, R37)."""
    target = said.target
    larger = recorded.larger_by(who, target)
    needs_another(who, target, "tumble past")
    free = f"it is far larger than {target.name}" if larger >= 2 else ""
    free = f"{target.name} lets it pass" if said.let else free
    if said.die is None and not free:
        passes = f"that {target.name} lets it pass: `let`"
        raise Refused(f"say how the Dexterity save came out, or {passes}")
    if said.die is not None and free:
        raise Refused(f"no save is made: {free}")
    pay(PAID_WITH.get(said.takes))
    came = SUCCESS
    if said.die is not None:
        dc = target.number("maneuver-dc", int(ctx.tables.economy["maneuver_dc"]))
        terms = replace(said.terms, expertise=said.terms.expertise or _acrobatics(ctx, who))
        trial = Try(who.id, "dex", said.die, save=True, dc=dc, against=target.id, terms=terms)
        pro = ("smaller",) if larger < 0 else ()
        con = ("larger",) if larger > 0 else ()
        came = checks.attempt(ctx, replace(trial, pro=pro, con=con)).outcome
    if came == SUCCESS:
        renew(ctx, who.id, "tumbling", timing.present_turn(ctx.state, who.id))
    ctx.text = f"{who.name} tumbles past {target.name}{'' if came == SUCCESS else ' in vain'}"


def _acrobatics(ctx: Context, who: Combatant) -> tuple[str, ...]:
    """The expertise die of who is proficient in Acrobatics, larger with the specialty (Tumble)."""
    if not checks.is_proficient(who, "acrobatics"):
        return ()
    if "tumbling" in recorded.words_of(who, "specialty"):
        return (str(ctx.tables.economy["tumbling"]),)
    return (ctx.state.settings.get("expertise-die") or str(ctx.tables.economy["expertise"]),)


# -- objects and first aid -------------------------------------------------------------------------


_ON = arguments.clause("on", arguments.person("on whom"), asks="on anyone?")


class Use(Struct, frozen=True):
    item: Annotated[str, arguments.phrase("the object", "ITEM")] = ""
    on: Annotated[Combatant | None, _ON] = None


def use(ctx: Context, said: Use, who: Combatant, pay: Pay) -> None:
    """A second object in a turn, a potion, whatever needs the action (3.15)."""
    pay()
    on = f" on {said.on.name}" if said.on is not None else ""
    ctx.text = f"{who.name} uses {said.item or 'an object'}{on}"


class FirstAid(Struct, frozen=True):
    other: Annotated[Combatant, arguments.person("who is treated", asks="ally")]
    die: Annotated[rolls.Die, checks.OUTCOME]
    terms: Annotated[Terms, arguments.words_of(Terms)]


def first_aid(ctx: Context, said: FirstAid, who: Combatant, pay: Pay) -> None:
    """Wisdom (Medicine) on somebody unconscious: stable (3.18, 9.9)."""
    needs_another(who, said.other, "treat")
    if said.other.life != "dying":
        raise Refused(f"{said.other.name} is not dying, so there is nothing to stabilise")
    dying.require_no_massive_save([said.other])
    pay()
    dc = int(ctx.tables.economy["first_aid"])
    trial = Try(who.id, "wis", said.die, "medicine", dc=dc, against=said.other.id, terms=said.terms)
    ctx.text = f"{who.name} treats {said.other.name} in vain"
    if checks.attempt(ctx, trial).outcome == SUCCESS:
        dying.stabilise(ctx, said.other.id, f"first aid by {who.name}")
        ctx.text = f"{who.name} stabilises {said.other.name}"


# -- getting free ----------------------------------------------------------------------------------


def _is_named(reading: Reading) -> bool:
    words = reading.words
    if words.done:
        who = reading.ctx.actor()
        words.offered += [e.name for e in economy.escapable(reading.ctx.tables, who)]
    return not (reading.is_over or rolls.is_die(words, checks.OUTCOMES))


_FROM = Argument(lambda r: r.words.next("the condition").casefold(), "CONDITION", _is_named)


class Escape(Struct, frozen=True):
    condition: Annotated[str, _FROM] = ""
    die: Annotated[rolls.Die | None, checks.OUTCOME] = None
    terms: Annotated[Terms, arguments.words_of(Terms)] = Terms()
    dc: Annotated[int | None, rolls.DC] = None


def escape(ctx: Context, said: Escape, who: Combatant, pay: Pay) -> None:
    """Out of what an action ends; of a grapple it must be said how that came out (3.19)."""
    fits = [e for e in economy.escapable(ctx.tables, who) if said.condition in ("", e.name)]
    held = list(dict.fromkeys(effect.name for effect in fits))
    if not held:
        if not said.condition:
            raise Refused(f"{who.name} has nothing to escape from")
        raise Refused(f"{who.name} isn't {said.condition}, or no action ends that")
    if len(held) > 1:
        raise Refused(f"{who.name} is {listed(held, 'and')}: say out of which")
    effect, came = fits[0], SUCCESS
    row = happening(ctx.tables.environments, effect.because)
    if row.escape == "none" and said.die is not None:
        raise Refused(f"it takes the action and no roll to be no longer {effect.name}")
    if row.escape != "none" and said.die is None:
        raise Refused(f"say how it came out to be no longer {effect.name}: success or failure")
    dc = said.dc or effect.amount or row.dc or None
    if said.die is not None and dc is None and not said.die.said:
        raise Refused("say the number to escape with a die: dc N")
    pay()
    if said.die is not None:  # what is added to it is not in the text: no ability
        came = checks.attempt(ctx, Try(who.id, "", said.die, dc=dc, terms=said.terms)).outcome
    if came == SUCCESS:
        for each in fits:
            end(ctx, who.id, each.id, "escaped")
    ctx.text = f"{who.name} {'is no longer' if came == SUCCESS else 'stays'} {effect.name}"


_HELD = arguments.person("who is let go", usage="TARGET", asks="person:grappled")


class Release(Struct, frozen=True):
    target: Annotated[Combatant | None, _HELD] = None


def release(ctx: Context, said: Release, who: Combatant, pay: Pay) -> None:
    """Let go of somebody grappled, or of all (12.4)."""
    held = economy.held_by(ctx.state, who.id)
    if said.target is not None and said.target not in held:
        raise Refused(f"{who.name} doesn't hold {said.target.name}")
    pay()
    freed = held if said.target is None else [said.target]
    for one in freed:
        for effect in one.all_named(economy.GRAPPLED):
            if effect.source == who.id:
                end(ctx, one.id, effect.id, "let go")
    ctx.text = f"{who.name} lets go of {names(freed)}"


# -- moving ----------------------------------------------------------------------------------------


class Move(Struct, frozen=True):
    feet: Annotated[int, arguments.number("how many feet", 1, 9999, "FEET")]
    difficult: Annotated[bool, arguments.flag(heard="difficult")] = False
    crawling: Annotated[bool, arguments.flag(heard="crawling")] = False
    down: Annotated[bool, arguments.flag(heard="down")] = False


def move(ctx: Context, said: Move, who: Combatant, pay: Pay) -> None:
    """Counts movement down; nobody must (13.1, 14.2, R32)."""
    if said.down and not world.is_on(ctx.state, world.ALOFT):
        raise Refused("straight down costs half in the air alone: `setting aloft on`")
    difficult = said.difficult or world.is_difficult(ctx.tables, ctx.state)
    crawling = said.crawling or "prone" in in_force(ctx.tables, ctx.state, who)
    feet = said.feet * (1 + difficult + crawling)
    feet = feet // 2 if said.down else feet
    pay({"movement": feet})
    why = [word for word, is_so in (("difficult", difficult), ("crawling", crawling)) if is_so]
    ctx.text = f"{who.name} moves {said.feet} feet{f' ({listed(why)})' if why else ''}"
