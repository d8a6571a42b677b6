"""Level Up: the actions and reactions of a turn, readied actions, and all techniques' commands.

Each action is a struct of arguments and a function: `HideArgs` and `hide`. A readied spell is cast
when it is readied, and its caster concentrates until it is released. `TECHNIQUES` lists them all.

Level Up, Actions in Combat, Ready, Fall Back, Critical Hits.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine import durations
from affray.core.engine.effects import effects_in_force, remove_effect
from affray.core.engine.events import TrackChanged, UseCounted
from affray.core.engine.history import EarlierEntry
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.formatting.media import IN_WRITING, Notation
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState, arguments_usage, read_within
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ANY_MORE, ASKED_ELSEWHERE, Field
from affray.core.rules.campaign_tables import find_action
from affray.core.rules.ruleset import (
    AvailableAction,
    Command,
    Context,
    DecisionOption,
    PendingDecision,
)
from affray.core.rules.tables import Tables
from affray.mechanics import (
    actions,
    checks as shared_checks,
    sheet as shared_sheet,
    techniques,
)
from affray.mechanics.actions import (
    DeclaredTechnique,
    PayFunction,
    require_other_target,
)
from affray.mechanics.conditions import replace_effect
from affray.mechanics.dying import UNCONSCIOUS
from affray.mechanics.rerolls import emit_difference, redecide
from affray.mechanics.techniques import (
    ReadiedAction,
    ReadyRules,
    TechniqueRunner,
    TechniqueUse,
)
from affray.rulesets.level_up import (
    action_economy,
    attacks,
    checks,
    companions,
    conditions,
    dying,
    environments,
    fatigue,
    powers,
    scene,
    settings,
)
from affray.rulesets.level_up.attacks import AttackArgs
from affray.rulesets.level_up.checks import CheckRequest, RollModifiers
from affray.rulesets.srd import actions as srd_actions
from affray.rulesets.srd.action_economy import ESCAPED, GRAPPLE, READY, escapable
from affray.rulesets.srd.actions import CAST
from affray.rulesets.srd.attacks import HIDDEN, opportunity
from affray.rulesets.srd.checks import (
    FAILURE,
    OUTCOME,
    SUCCESS,
    Outcome,
    forced_with,
    is_proficient,
    rolls_of,
)
from affray.rulesets.srd.conditions import apply_condition
from affray.rulesets.srd.dying import stabilise
from affray.rulesets.srd.powers import use as use_power
from affray.rulesets.srd.sheet import PAID_WITH, next_turn

# -- combat maneuvers ------------------------------------------------------------------------------


_EXERTION = arguments.keyword_arg("exertion", arguments.number_arg("the exertion", 0, 99))


class CombatManeuverArgs(Struct, frozen=True):
    name: Annotated[str, arguments.phrase_arg("the maneuver", "NAME", Field("text", ("maneuver",)))]
    takes: Annotated[str, arguments.anywhere_choice_arg(*PAID_WITH)] = ""
    exertion: Annotated[int, _EXERTION] = 0


def maneuver(
    ctx: Context, args: CombatManeuverArgs, combatant: Combatant, pay: PayFunction
) -> None:
    """Use a combat maneuver at its price; other commands enter its effects."""
    if args.exertion and "exertion" not in combatant.tracks:
        raise Refused(f"{combatant.name} has no exertion; give it with `add`: exertion N")
    cost = PAID_WITH.get(args.takes, ctx.tables.techniques["maneuver"].cost)
    pay(cost | {"exertion": args.exertion})
    ctx.text = f"{combatant.name} uses the maneuver {args.name}"


# -- help, hide and search -------------------------------------------------------------------------


_ENEMY = arguments.combatant_arg("the enemy", usage="TARGET")


class HelpArgs(Struct, frozen=True):
    ally: Annotated[
        Combatant, arguments.combatant_arg("the ally", usage="ALLY", field=Field("ally"))
    ]
    task: Annotated[str, arguments.quoted_arg("the task", '"TASK"', Field("text", ("task",)))] = ""
    against: Annotated[
        Combatant | None,
        arguments.keyword_arg("against", _ENEMY, field=Field("target", before="against")),
    ] = None


def help_ally(ctx: Context, args: HelpArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Give advantage on the ally's next check, only for a named task, or on its next attack against
    one enemy."""
    enemy = args.against
    require_other_target(combatant, args.ally, "help")
    if args.task and enemy is not None:
        raise Refused("help with a task or with an attack, not both")
    if enemy is not None:
        require_other_target(args.ally, enemy, "be helped against")
        require_other_target(combatant, enemy, "help against")
    pay()
    until = next_turn(ctx.state, combatant.id, "start")
    name, note = ("helped-attack", f"against {enemy.name}") if enemy else ("helped", args.task)
    whom = {"source": combatant.id, "against": enemy.id if enemy else ""}
    alone = (args.task.casefold(),) if args.task else ()
    replace_effect(
        ctx, args.ally.id, name, until, by_source=True, note=note, only_with=alone, **whom
    )
    of = f"with {args.task}" if args.task else note
    ctx.text = f"{combatant.name} helps {args.ally.name} {of}".strip()


class HideArgs(Struct, frozen=True):
    die: Outcome
    terms: checks.AskedCoverModifiers
    observers: Annotated[list[Combatant] | None, srd_actions.OBSERVERS] = None
    dc: Annotated[int | None, shared_checks.DC] = None


def hide(ctx: Context, args: HideArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Dexterity (Stealth) against the passive Perception of those who can observe (ruling 18)."""
    pay()
    others = (c for c in ctx.state.combatants if c.side not in (combatant.side, "world"))
    awake = [c for c in others if c.life == "up" and c.named(UNCONSCIOUS) is None]
    observers = awake if args.observers is None else args.observers
    usual = int(ctx.tables.economy["passive"])
    seen_by = max((c.number("passive-perception", usual) for c in observers), default=0)
    dc = seen_by if args.dc is None else args.dc
    check = CheckRequest(
        combatant.id, "dex", args.die, dc, modifiers=args.terms, skill="stealth", hides=True
    )
    outcome = check.make(ctx).outcome
    if outcome == SUCCESS:
        replace_effect(ctx, combatant.id, HIDDEN)
    ctx.text = f"{combatant.name} hides{', without success' if outcome == FAILURE else ''}"


_SEARCHES = {"perception": "wis", "investigation": "int"}


class SearchArgs(Struct, frozen=True):
    skill: Annotated[str, arguments.choice_arg("a skill", tuple(_SEARCHES))]
    die: Outcome
    terms: checks.Modifiers
    dc: Annotated[int | None, shared_checks.SAID_DC] = None


def search(ctx: Context, args: SearchArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Wisdom (Perception) or Intelligence (Investigation)."""
    pay()
    ability = _SEARCHES[args.skill]
    check = CheckRequest(
        combatant.id, ability, args.die, args.dc, modifiers=args.terms, skill=args.skill
    )
    outcome = check.make(ctx).outcome
    ctx.text = f"{combatant.name} searches ({args.skill}){f', {outcome}' if outcome else ''}"


# -- tumble ----------------------------------------------------------------------------------------


class TumbleArgs(Struct, frozen=True):
    target: Annotated[
        Combatant, arguments.combatant_arg("the combatant to tumble past", usage="TARGET")
    ]
    terms: checks.Modifiers
    die: Annotated[DieInput | None, OUTCOME] = None
    let: arguments.Heard = False
    takes: Annotated[str, arguments.anywhere_choice_arg("action", "bonus")] = ""


def tumble(ctx: Context, args: TumbleArgs, combatant: Combatant, pay: PayFunction) -> None:
    """A Dexterity save against the target's maneuver DC, and through its space (ruling 37)."""
    target = args.target
    larger = shared_sheet.size_difference(combatant, target)
    require_other_target(combatant, target, "tumble past")
    free = f"it is far larger than {target.name}" if larger >= 2 else ""
    free = f"{target.name} lets it pass" if args.let else free
    if args.die is None and not free:
        passes = f"that {target.name} lets it pass: `let`"
        raise Refused(f"give the outcome of the Dexterity save, or say {passes}")
    if args.die is not None and free:
        raise Refused(f"no save is made: {free}")
    pay(PAID_WITH.get(args.takes))
    outcome = SUCCESS
    if args.die is not None:
        dc = target.number("maneuver-dc", int(ctx.tables.economy["maneuver_dc"]))
        terms = replace(args.terms, expertise=args.terms.expertise or _acrobatics(ctx, combatant))
        save = CheckRequest(
            combatant.id,
            "dex",
            args.die,
            dc,
            against=target.id,
            modifiers=terms,
            pro=("smaller",) if larger < 0 else (),
            con=("larger",) if larger > 0 else (),
            save=True,
        )
        outcome = save.make(ctx).outcome
    if outcome == SUCCESS:
        replace_effect(
            ctx, combatant.id, "tumbling", durations.present_turn(ctx.state, combatant.id)
        )
    ctx.text = (
        f"{combatant.name} tumbles past "
        f"{target.name}{'' if outcome == SUCCESS else ', without success'}"
    )


def _acrobatics(ctx: Context, combatant: Combatant) -> tuple[str, ...]:
    """The expertise die of who is proficient in Acrobatics, larger with the specialty (Tumble)."""
    if not is_proficient(combatant, "acrobatics"):
        return ()
    if "tumbling" in shared_sheet.stat_words(combatant, "specialty"):
        return (str(ctx.tables.economy["tumbling"]),)
    return (
        ctx.state.settings.get(settings.EXPERTISE_DIE.name) or str(ctx.tables.economy["expertise"]),
    )


# -- objects and first aid -------------------------------------------------------------------------


class FirstAidArgs(Struct, frozen=True):
    other: Annotated[
        Combatant, arguments.combatant_arg("the combatant to treat", field=Field("ally"))
    ]
    die: Outcome
    terms: checks.Modifiers


def first_aid(ctx: Context, args: FirstAidArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Wisdom (Medicine) on somebody unconscious: stable."""
    require_other_target(combatant, args.other, "treat")
    if args.other.life != "dying":
        raise Refused(f"{args.other.name} is not dying, so needs no stabilising")
    dying.require_no_massive_save([args.other])
    pay()
    dc = int(ctx.tables.economy["first_aid"])
    check = CheckRequest(
        combatant.id, "wis", args.die, dc, args.other.id, args.terms, skill="medicine"
    )
    ctx.text = f"{combatant.name} treats {args.other.name}, without success"
    if check.make(ctx).outcome == SUCCESS:
        stabilise(ctx, args.other.id, f"first aid by {combatant.name}")
        ctx.text = f"{combatant.name} stabilises {args.other.name}"


# -- getting free ----------------------------------------------------------------------------------


class EscapeArgs(Struct, frozen=True):
    condition: Annotated[str, ESCAPED] = ""
    die: Annotated[DieInput | None, OUTCOME] = None
    terms: checks.Modifiers = RollModifiers()
    dc: Annotated[int | None, shared_checks.SAID_DC] = None


def escape(ctx: Context, args: EscapeArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Escape an effect that an action ends; a grapple needs an outcome."""
    fits = [e for e in escapable(ctx.tables, combatant) if args.condition in ("", e.name)]
    held = list(dict.fromkeys(effect.name for effect in fits))
    if not held:
        if not args.condition:
            raise Refused(f"{combatant.name} has nothing to escape from")
        raise Refused(f"{combatant.name} isn't {args.condition}, or no action can end that")
    if len(held) > 1:
        raise Refused(f"{combatant.name} is {join_or(held, 'and')}: say which to escape from")
    effect, outcome = fits[0], SUCCESS
    row = find_action(ctx.tables.environments, effect.because)
    if row.escape == "none" and args.die is not None:
        raise Refused(f"to be no longer {effect.name} takes the action, not a roll")
    if row.escape != "none" and args.die is None:
        raise Refused(f"say how it came out, success or failure, to be no longer {effect.name}")
    dc = args.dc or effect.amount or row.dc or None
    if args.die is not None and dc is None and not args.die.outcome:
        raise Refused("give the DC to escape: dc N")
    pay()
    if args.die is not None:  # what is added to it is not in the text: no ability
        check = CheckRequest(combatant.id, "", args.die, dc, modifiers=args.terms)
        outcome = check.make(ctx).outcome
    if outcome == SUCCESS:
        for each in fits:
            remove_effect(ctx, combatant.id, each.id, "escaped")
    ctx.text = f"{combatant.name} {'is no longer' if outcome == SUCCESS else 'stays'} {effect.name}"


# -- moving ----------------------------------------------------------------------------------------


class MoveArgs(Struct, frozen=True):
    feet: Annotated[int, arguments.number_arg("a distance in feet", 1, 9999, "FEET")]
    difficult: arguments.Heard = False
    crawling: arguments.Heard = False
    down: arguments.Heard = False


def move(ctx: Context, args: MoveArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Counts movement down; nobody must (ruling 32)."""
    if args.down and not settings.ALOFT.is_on(ctx.state):
        raise Refused("moving straight down costs half only in the air: `setting aloft on`")
    difficult = args.difficult or scene.is_difficult(ctx.tables, ctx.state)
    crawling = args.crawling or "prone" in effects_in_force(ctx, combatant)
    feet = args.feet * (1 + difficult + crawling)
    feet = feet // 2 if args.down else feet
    pay({"movement": feet})
    why = [word for word, is_so in (("difficult", difficult), ("crawling", crawling)) if is_so]
    ctx.text = f"{combatant.name} moves {args.feet} feet{f' ({join_or(why)})' if why else ''}"


# -- reactions -------------------------------------------------------------------------------------


_PRESSER = arguments.combatant_arg("the combatant pressing the attack", "FROM", ASKED_ELSEWHERE)


class FallBackArgs(Struct, frozen=True):
    presser: Annotated[Combatant | None, _PRESSER] = None


def fall_back(ctx: Context, args: FallBackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """5 feet back, right when somebody presses: no advantage against one by it (ruling 14)."""
    pressing = action_economy.pressing_now(ctx.state, combatant.id)
    if args.presser is not None and args.presser not in pressing:
        raise Refused(f"{args.presser.name} does not press the attack now")
    pay()  # it can't be paid for where nobody presses
    presser = args.presser or pressing[0]
    until = next_turn(ctx.state, combatant.id, "end")
    replace_effect(
        ctx, combatant.id, action_economy.FALLEN_BACK, until, by_source=True, source=presser.id
    )
    ctx.note("may take the space that is free now", presser.id)
    ctx.text = f"{combatant.name} falls back from {presser.name}"


class BlockArgs(Struct, frozen=True):
    shield: Annotated[bool, arguments.flag_arg(field=Field("choice", ("shield",)))] = False


def block(ctx: Context, args: BlockArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Turn the critical hit of the last command into a plain one, with its consequences.

    It decides the command again with the dice that fell, shows dice that only fall now, such as a
    save of the survivor, and emits the differences. The price is as before the hit: the reaction,
    and a level of fatigue or the shield (ruling 16). Others whom the same command hit critically
    can still block theirs.
    """
    earlier, after = ctx.previous, ctx.state
    while (
        earlier is not None
        and not _is_critical(earlier, combatant)
        and combatant.used(*action_economy.CAN_BLOCK)
    ):
        after, earlier = earlier.before, earlier.earlier()  # past the blocks of others
    if earlier is None or not _is_critical(earlier, combatant):
        raise Refused(f"no critical hit on {combatant.name} was just rolled")
    if not earlier.before[combatant.id].track("hp"):
        raise Refused(f"{combatant.name} was at 0 HP, so could not block it")
    if args.shield and not combatant.track("shield"):
        raise Refused(f"{combatant.name} has no shield to give up")
    blocked = ("crit", combatant.id)
    forced = forced_with(earlier, lambda r: "hit" if (r.outcome, r.against) == blocked else "")
    again = redecide(ctx, earlier, forced)
    rolled = {(roll.who, roll.for_, roll.against) for roll in rolls_of(earlier.entry.events)}
    ctx.emit(*(r for r in rolls_of(again.events) if (r.who, r.for_, r.against) not in rolled))
    emit_difference(ctx, after, again.state, "blocked")
    for other in could_block(ctx.state):
        if other.id != combatant.id:  # counted anew, or `settled` would forget it with this command
            ctx.emit(UseCounted(other.id, *action_economy.CAN_BLOCK))
    action_economy.pay_reaction(ctx, combatant, "block", earlier.before)
    if args.shield:
        ctx.emit(TrackChanged(combatant.id, "shield", -combatant.track("shield"), why="given up"))
    else:
        fatigue.tire(ctx, combatant.id, "a critical blocked")
    ctx.text = (
        f"{combatant.name} blocks{' with the shield' if args.shield else ''}, making it a "
        "normal hit"
    )


def _is_critical(earlier: EarlierEntry, combatant: Combatant) -> bool:
    """True if an entry hit somebody critically."""
    rolls = rolls_of(earlier.entry.events)
    return any(roll.outcome == "crit" and roll.against == combatant.id for roll in rolls)


def could_block(state: Encounter) -> list[Combatant]:
    """List those who can block a critical hit now."""
    return [
        combatant for combatant in state.combatants if combatant.used(*action_economy.CAN_BLOCK)
    ]


def pending_decisions(state: Encounter) -> Iterator[PendingDecision]:
    """The critical hit that can be blocked now."""
    for combatant in could_block(state):
        answers = [DecisionOption("f", "for a fatigue", f"react block by {combatant.id}")]
        if combatant.track("shield"):
            answers.append(
                DecisionOption("s", "with the shield", f"react block shield by {combatant.id}")
            )
        yield PendingDecision(
            combatant.id, f"{combatant.name} can block the critical hit", tuple(answers)
        )


# -- all of them -----------------------------------------------------------------------------------

ACTIONS: dict[str, DeclaredTechnique] = {
    "attack": DeclaredTechnique(AttackArgs, attacks.take_attack),
    "off-hand": DeclaredTechnique(AttackArgs, attacks.take_off_hand),
    "cast": DeclaredTechnique(powers.CastArgs, powers.cast),
    "help": DeclaredTechnique(HelpArgs, help_ally),
    "hide": DeclaredTechnique(HideArgs, hide),
    "search": DeclaredTechnique(SearchArgs, search),
    "sprint": DeclaredTechnique(fatigue.SprintArgs, fatigue.sprint),
    "tumble": DeclaredTechnique(TumbleArgs, tumble),
    "maneuver": DeclaredTechnique(CombatManeuverArgs, maneuver),
    "use": DeclaredTechnique(srd_actions.UseArgs, srd_actions.use),
    "first-aid": DeclaredTechnique(FirstAidArgs, first_aid),
    "escape": DeclaredTechnique(EscapeArgs, escape),
    "release": DeclaredTechnique(srd_actions.ReleaseArgs, GRAPPLE.release),
    "move": DeclaredTechnique(MoveArgs, move),
    "command": DeclaredTechnique(companions.CommandArgs, companions.command),
    "power": DeclaredTechnique(powers.PowerArgs, use_power),
}
REACTIONS: dict[str, DeclaredTechnique] = {
    "opportunity-attack": DeclaredTechnique(AttackArgs, opportunity),
    "fall-back": DeclaredTechnique(FallBackArgs, fall_back),
    "block": DeclaredTechnique(BlockArgs, block),
    "reflect": DeclaredTechnique(environments.ReflectArgs, environments.reflect),
}


# -- rows ------------------------------------------------------------------------------------------


def _mark(ctx: Context, combatant_id: str, track: str, amount: int, what: str) -> None:
    fatigue.tire(ctx, combatant_id, f"for {what}", {track: amount})


TECHNIQUES = TechniqueRunner(
    action_economy.ECONOMY,
    apply_condition,
    ACTIONS,
    REACTIONS,
    mark=_mark,
    lasting=conditions.LASTING,
)


class Actions(srd_actions.Actions):
    """Techniques and a combatant's own powers, or the world's actions."""

    def own_options(
        self,
        tables: Tables,
        state: Encounter,
        combatant: Combatant,
        how: Notation = IN_WRITING,
    ) -> list[AvailableAction]:
        if combatant is scene.world_combatant(state):
            return list(scene.options(tables, state))
        return super().own_options(tables, state, combatant, how)


# -- ready -----------------------------------------------------------------------------------------


def readiable(tables: Tables) -> list[str]:
    """List the techniques that can be readied: those that take the action, but not the whole
    turn."""
    rows = tables.techniques
    never = (READY, action_economy.SPRINT)
    takes = (
        n
        for n in techniques.action_techniques(tables)
        if "action" in rows[n].cost or n == action_economy.TUMBLE
    )
    return [name for name in takes if name not in never]


class SpellArgs(Struct, frozen=True):
    spell: Annotated[str, arguments.phrase_arg("the spell's name", "SPELL", Field("spell"))]


class ReadyArgs(Struct, frozen=True):
    """The arguments of `ready`: a technique by its name, or `cast SPELL`, and the trigger."""

    action: Annotated[TechniqueUse, srd_actions.ready_arg(readiable, SpellArgs)]
    trigger: techniques.TRIGGER = ""


def _terms(ctx: Context, args: ReadyArgs) -> ReadiedAction:
    spell = args.action.args.spell if args.action.args else ""
    return ReadiedAction(
        args.action.name, ctx.tables.techniques[args.action.name].name, of=spell, says=spell
    )


def _pay(ctx: Context, combatant: Combatant, terms: ReadiedAction) -> int:
    """Pay the action for readying; a spell needs concentration as well."""
    actions.pay(action_economy.ECONOMY, ctx, combatant.id, READY)
    if terms.name == CAST:
        srd_actions.concentrate_on_readied(ctx, combatant, terms.of)
    return 0


def _read_aim(reading: ParseState) -> powers.AimArgs:
    reading.words.take("at")
    aim: powers.AimArgs = read_within(powers.AimArgs, reading)
    return aim


class ReadiedCastArgs(powers.CastArgs, frozen=True):
    """The arguments of `cast` when it was readied: the `at` before its targets may be left out."""

    at: Annotated[
        powers.AimArgs | None,
        Argument(_read_aim, f"[at] {arguments_usage(powers.AimArgs)}", field=ANY_MORE),
    ] = None


def _act(reading: ParseState, combatant: Combatant, readied: Effect) -> None:
    payment = partial(srd_actions.pay_the_rest, reading.ctx, combatant, readied.because)
    perform = partial(techniques.perform_readied, TECHNIQUES, reading, readied, payment)
    if readied.because == CAST:
        perform(args_type=ReadiedCastArgs, preset={"spell": readied.type})
    else:
        perform()


# -- the commands ----------------------------------------------------------------------------------


def _find_blocker(reading: ParseState) -> None:
    """`block` needs no name if only one can."""
    if reading.words.peek() == "block" and not reading.ctx.by:
        struck = could_block(reading.ctx.state)
        reading.ctx.by = struck[0].id if len(struck) == 1 else ""


class ReactArgs(Struct, frozen=True):
    """The arguments of `react`: a reaction of the tables, or any other in quotes."""

    reaction: Annotated[TechniqueUse | str, srd_actions.react_arg(TECHNIQUES, _find_blocker)]


def technique_commands(tables: Tables) -> tuple[Command, ...]:
    """A command for each technique of the tables, `react` for the reactions, and `trigger`."""
    take = partial(action_economy.pay_reaction, what="trigger")
    readying = ReadyRules(ReadyArgs, _terms, _pay, take, _act)
    return srd_actions.technique_commands(TECHNIQUES, tables, readying, ReactArgs)
