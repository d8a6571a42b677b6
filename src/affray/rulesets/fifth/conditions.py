"""5e: laying conditions and modifiers, saves that end them, concentration, drained HP.

SRD 5.2.1, Hit Point Maximum of 0, Conditions, Concentration, Saving Throws.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.durations import WITHOUT_UNTIL, Until, this_turn
from affray.core.engine.effects import MODIFIER, EffectSpec, active_effects, remove_effect
from affray.core.engine.events import EffectChanged, NoteAdded, UseCounted
from affray.core.engine.state import Combatant, Effect, EffectRef, Encounter
from affray.core.parser import arguments, clauses
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.parser.spelling import fold
from affray.core.rules.ruleset import Context, PendingDecision
from affray.core.rules.tables import Tables
from affray.mechanics import (
    checks as shared_checks,
    conditions as shared,
    damage as shared_damage,
    saves,
    stats,
)
from affray.mechanics.actions import PayFunction
from affray.mechanics.conditions import DurationRules, begin_effect, end_with_all
from affray.rulesets.fifth import checks
from affray.rulesets.fifth.sheet import is_2014
from affray.rulesets.srd import conditions, dying as srd_dying, sheet
from affray.rulesets.srd.checks import FAILURE, OUTCOMES, SUCCESS
from affray.rulesets.srd.conditions import ONGOING
from affray.rulesets.srd.dying import ANSWERS
from affray.rulesets.srd.powers import CONCENTRATING
from affray.rulesets.srd.sheet import ABILITIES

CONCENTRATION = "concentration"
"""The note of the save that is owed for damage to somebody who concentrates."""
AT_START = "at-start"
"""The note of ongoing damage that is dealt at the start of turns."""

# -- how long --------------------------------------------------------------------------------------


def _read_save(reading: ParseState, terms: EffectSpec) -> EffectSpec:
    """`save con dc 13`, `save-ends con 13`: a save that ends it, with ability and DC."""
    tokens = reading.words
    shared.require_single_end(tokens, terms)
    ability = tokens.choice("an ability", ABILITIES)
    tokens.take("dc")
    until = Until("save", who=ability, count=tokens.number("the DC", 1, 99))
    return replace(terms, until=shared.at_most(LASTING, tokens, until))


def _read_concentrating(reading: ParseState, terms: EffectSpec) -> EffectSpec:
    """`concentrating ["SPELL"]`: it ends with its source's concentration."""
    tokens = reading.words
    spell = str(tokens.next("the spell")) if tokens.upcoming.quoted else ""
    if tokens.take("from"):
        terms = replace(terms, source=tokens.combatant("the source").id)
    source = reading.ctx.state[terms.source] if terms.source else reading.ctx.actor()
    held = concentration_of(source)
    if held is None or (spell and held.note.casefold() != spell.casefold()):
        on = f" on {spell}" if spell else ""
        raise Refused(f"{source.name} isn't concentrating{on}")
    until = terms.until or Until(text="concentration ends")
    return replace(terms, source=source.id, attached_to=EffectRef(source.id, held.id), until=until)


LASTING = DurationRules(
    alone=WITHOUT_UNTIL,
    clauses={"save": _read_save, "save-ends": _read_save, "concentrating": _read_concentrating},
    next_turn=sheet.next_turn,
    offered=("save-ends", "start", "end", "rest", "fight"),
    limited=True,
)
"""The durations: as in all games, by a save, or by concentration."""
_ENDS = (
    "for N turns] [until start|end of NAME | round N | rest | fight | used | removed] "
    "[save ABILITY dc N [for N turns]] [concentrating] [from NAME"
)
_PLACED = shared.until_arg(LASTING, _ENDS)


# -- inflict ---------------------------------------------------------------------------------------


def _read_what(reading: ParseState) -> list[EffectSpec]:
    """Read conditions, and the DC of a grapple; ongoing damage, at the start of turns if given."""
    specs = conditions.read_what(reading)
    if len(specs) == 1 and specs[0].name == "grappled" and reading.words.has_number():
        specs = [replace(specs[0], amount=reading.words.number("the DC to escape", 1, 99))]
    return specs


_LAID = (
    "CONDITION[,CONDITION] [DC] | ongoing AMOUNT [TYPE] [at-start] "
    "| resistance|vulnerability|immunity TYPE|all"
)


def _is_ongoing(what: shared.What) -> bool:
    """True for ongoing damage alone."""
    return isinstance(what, list) and [spec.name for spec in what] == [ONGOING]


_AT_START = replace(arguments.flag_arg(), offered=lambda r: _is_ongoing(r.values.get("what", [])))


class InflictArgs(shared.InflictArgs, frozen=True):
    what: Annotated[shared.What, shared.condition_arg(_read_what, _LAID)]
    at_start: Annotated[bool, _AT_START] = False
    terms: Annotated[EffectSpec, _PLACED] = EffectSpec()


def _inflict(ctx: Context, args: InflictArgs) -> None:
    if args.at_start and not _is_ongoing(args.what):
        raise Refused("`at-start` is only for ongoing damage")
    conditions.inflict(ctx, args, note=AT_START if args.at_start else "")


# -- modifiers -------------------------------------------------------------------------------------


def _read_by(reading: ParseState) -> int | str:
    tokens = reading.words
    word = tokens.peek()
    if word in ("adv", "dis") or tokens.has_number():
        by: int | str = shared.read_modifier(reading)
        return by
    sign = "-" if word.startswith("-") else ""
    return sign + clauses.parse_dice_clause(tokens, "the bonus such as +2 or 1d4, adv or dis")


_MODIFIED = replace(
    shared.until_arg(LASTING, _ENDS, "used"),
    begins=lambda r: r.word != "save" or "what" in r.values,  # before that it is what is modified
)


class ModifierArgs(shared.ModifierArgs, frozen=True):
    by: Annotated[int | str, Argument(_read_by, "+N|DICE|adv|dis", field=Field("number"))]
    terms: Annotated[EffectSpec, _MODIFIED] = EffectSpec()


def _modify(ctx: Context, args: ModifierArgs) -> None:
    """Lay a modifier; of one note two don't add up. Dice are rolled with each roll."""
    if isinstance(args.by, int) or args.by in ("adv", "dis"):
        shared.apply_modifier(LASTING, ctx, args, is_typed=bool(args.note))
        return
    if others := [name for name in args.what if name not in checks.ROLLS]:
        raise Refused(f"dice can be added only to {join_or(checks.ROLLS)}, not to {others[0]}")
    for combatant in args.people:
        spec = replace(args.terms, name=MODIFIER, dice=str(args.by))
        shared.apply_condition(
            LASTING,
            ctx,
            combatant.id,
            spec,
            kind=checks.DICE_KIND,
            note=args.note,
            only_with=tuple(args.what),
        )
    what = join_or(args.what, "and")
    ctx.text = f"{clauses.join_names(args.people)}: {args.by} on {what}"


# -- saves that end effects ------------------------------------------------------------------------


def savable(combatant: Combatant) -> list[Effect]:
    """List the effects that a save ends; for those that share one save only the first (ruling
    36)."""
    found: dict[tuple[Any, ...], Effect] = {}
    for effect in combatant.effects:
        if effect.until.ends == "save":
            found.setdefault(_save_key(effect), effect)
    return list(found.values())


def _save_key(effect: Effect) -> tuple[Any, ...]:
    """The key of effects that one save ends together."""
    return effect.until, effect.source, effect.because


def _sharing(combatant: Combatant, first: Effect) -> list[Effect]:
    return [each for each in combatant.effects if _save_key(each) == _save_key(first)]


def _save_use(effect: Effect) -> str:
    return f"save {effect.id}"


def owed_at_turn_end(combatant: Combatant) -> list[Effect]:
    """List the effects whose save of this turn is still to be made."""
    return [effect for effect in savable(combatant) if not combatant.used(_save_use(effect))]


def _save_against(
    ctx: Context,
    combatant_id: str,
    effect: Effect,
    die: DieInput,
    terms: checks.RollModifiers,
    early: bool,
) -> str:
    """Make the save that ends an effect; made `early`; it ends with the turn."""
    ability, dc = effect.until.who, effect.until.count or None
    name = f"{ability} save against {effect.name}"
    check = checks.CheckRequest(
        combatant_id, ability, die, dc, effect.source, terms, name=name, save=True
    )
    outcome = check.make(ctx).outcome
    for each in _sharing(ctx.state[combatant_id], effect) if outcome == SUCCESS else ():
        if early:
            until = this_turn(ctx.state, combatant_id)
            ctx.emit(EffectChanged(combatant_id, replace(each, until=until), "saved against"))
        else:
            end_with_all(ctx, combatant_id, each.id, "saved against")
    return outcome


def roll_saves_at_turn_end(ctx: Context, combatant_id: str) -> None:
    """Roll the saves that end effects and that nobody made in the turn."""
    if ctx.state[combatant_id].is_out:
        return
    for effect in owed_at_turn_end(ctx.state[combatant_id]):
        if effect.until.who:
            terms = checks.RollModifiers()
            _save_against(ctx, combatant_id, effect, DieInput(), terms, early=False)


def _names(combatant: Combatant) -> list[str]:
    return [effect.name.casefold() for effect in combatant.effects if effect.until.ends == "save"]


class SaveArgs(Struct, frozen=True):
    people: Annotated[
        list[Combatant],
        Argument(
            lambda r: r.words.bearers("the combatant who saves", _names),
            "NAME[,NAME]",
            field=Field("self", legal=True),
        ),
    ]
    condition: Annotated[
        str,
        arguments.choice_arg(
            "the effect to save against",
            lambda r: [name for who in r.values["people"] for name in _names(who)],
            "CONDITION",
            field=Field("effect", ("save",)),
        ),
    ]
    dice: Annotated[
        list[DieInput],
        shared_checks.die_arg(OUTCOMES, of="people", field=Field("outcome", (SUCCESS, FAILURE))),
    ]
    terms: checks.CoverModifiers


def _save(ctx: Context, args: SaveArgs) -> None:
    sentences = []
    for combatant, die in zip(args.people, args.dice, strict=True):
        named = (e for e in savable(combatant) if args.condition in _names_sharing(combatant, e))
        effect = next(named, None)
        if effect is None:
            raise Refused(f"{combatant.name} has no {args.condition} that a save ends")
        early = ctx.state.takes_turn(combatant.id)
        if early and combatant.used(_save_use(effect)):
            raise Refused(f"{combatant.name} has already saved against {args.condition} this turn")
        outcome = _save_against(ctx, combatant.id, effect, die, args.terms, early)
        if early:
            ctx.emit(UseCounted(combatant.id, _save_use(effect)))
        ends = "; it ends with the turn" if early and outcome == SUCCESS else ""
        sentences.append(f"{combatant.name} saves against {args.condition}, {outcome}{ends}")
    ctx.text = "; ".join(sentences)


def _names_sharing(combatant: Combatant, effect: Effect) -> list[str]:
    return [each.name.casefold() for each in _sharing(combatant, effect)]


# -- concentration ---------------------------------------------------------------------------------


def concentration_of(combatant: Combatant) -> Effect | None:
    """The effect by which somebody concentrates."""
    return combatant.named(CONCENTRATING)


def end_concentration(ctx: Context, combatant_id: str, why: str) -> None:
    """End concentration, with all effects that depend on it."""
    for effect in ctx.state[combatant_id].all_named(CONCENTRATING):
        end_with_all(ctx, combatant_id, effect.id, why)
    for owed in ctx.state[combatant_id].all_named(saves.THREATENED):
        if owed.note == CONCENTRATION:
            remove_effect(ctx, combatant_id, owed.id, why)


def _holds_somebody(state: Encounter, caster: Combatant, held: Effect) -> bool:
    """True if the concentration affects somebody, or somebody still has to save against it."""
    ref = EffectRef(caster.id, held.id)
    return any(
        effect.attached_to == ref
        or (
            effect.name == saves.THREATENED
            and (effect.source, effect.note) == (caster.id, held.note)
        )
        for bearer in state.combatants
        if not bearer.is_out
        for effect in bearer.effects
    )


def tell_if_it_holds_nobody(ctx: Context, caster_id: str) -> None:
    """Tell, once, that somebody's concentration affects nobody: no rule ends it by itself."""
    caster = ctx.state[caster_id]
    held = concentration_of(caster)
    if held is None or _holds_somebody(ctx.state, caster, held):
        return
    still = f"still concentrates on {held.note}, which holds nobody: `drop` ends it"
    line = NoteAdded(still, caster_id, goes_on=True)
    if line not in ctx.events:
        ctx.emit(line)


def try_concentration(ctx: Context, combatant_id: str, dealt: int) -> None:
    """Let damage test concentration."""
    combatant = ctx.state[combatant_id]
    if concentration_of(combatant) is None or combatant.life != "up" or dealt <= 0:
        return
    economy = ctx.tables.economy
    dc = max(int(economy["concentration"]), dealt // 2)
    if not is_2014(ctx.state):
        dc = min(dc, int(economy["concentration_most"]))
    die = saves.die_of(ctx, combatant, "")
    if die is None:
        saves.owe(ctx, combatant_id, combatant_id, CONCENTRATION, (dc,))
    else:
        save_concentration(ctx, combatant_id, dc, die, checks.RollModifiers())


def save_concentration(
    ctx: Context, combatant_id: str, dc: int, die: DieInput, terms: checks.RollModifiers
) -> str:
    """Make the save to go on concentrating."""
    check = checks.CheckRequest(
        combatant_id, "con", die, dc, modifiers=terms, save=True, purpose=(CONCENTRATION,)
    )
    outcome = check.make(ctx).outcome
    if outcome == FAILURE:
        end_concentration(ctx, combatant_id, "concentration broken")
    return outcome


class DropArgs(Struct, frozen=True):
    spell: Annotated[
        str, arguments.phrase_arg("the spell", "SPELL", Field("text", ("spell",), optional=True))
    ] = ""


def drop(ctx: Context, args: DropArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Let a spell end, which is no action."""
    held = concentration_of(combatant)
    if held is None:
        raise Refused(f"{combatant.name} isn't concentrating")
    if args.spell and fold(args.spell) not in fold(held.note):
        raise Refused(f"{combatant.name} concentrates on {held.note}")
    pay()
    end_concentration(ctx, combatant.id, "dropped")
    ctx.text = f"{combatant.name} ends {held.note}"


# -- withstand -------------------------------------------------------------------------------------


class WithstandArgs(conditions.WithstandArgs, frozen=True):
    concentration: arguments.Flag = False
    terms: checks.AskedCoverModifiers = checks.RollModifiersWithCover()


def _withstand(ctx: Context, args: WithstandArgs) -> None:
    def pick(combatant: Combatant) -> Effect | None:
        owed = combatant.all_named(saves.THREATENED)
        own = [effect for effect in owed if effect.note == CONCENTRATION]
        others = [effect for effect in owed if effect.note != CONCENTRATION]
        first = own if args.concentration else [*others, *own]
        return next(iter(first), None)

    conditions.withstand(ctx, args.people, args.dice, args.terms, pick)


# -- temporary HP, drained HP ----------------------------------------------------------------------


class TempHpArgs(conditions.TempHpArgs, frozen=True):
    terms: Annotated[EffectSpec, replace(_PLACED, field=ANY_MORE)] = EffectSpec()


def _give_temporary_hp(ctx: Context, combatant_id: str, args: TempHpArgs) -> None:
    target = ctx.state[combatant_id]
    if target.stats.get("swarm"):
        raise Refused(f"{target.name} is a swarm, and has no temporary HP")
    conditions.give_temporary_hp(ctx, combatant_id, args)


class DrainArgs(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.combatants_arg("the combatants to drain")]
    by: Annotated[int, arguments.number_arg("the amount", 1, 9999, "N", field=Field("number"))]


def _drain(ctx: Context, args: DrainArgs) -> None:
    """Lower the HP maximum, and HP above it; at 0 dead."""
    for combatant in args.people:
        shared_damage.require_hp(combatant, "drained")
        until, most = Until("long-rest").unresolved(), combatant.tracks["hp"].max or 0
        by = min(args.by, most)
        begin_effect(ctx, combatant.id, "drained", until, amount=by, type="hp", lowers=True)
        if by == most:
            srd_dying.die(ctx, combatant.id, "an HP maximum of 0")
    ctx.text = f"{clauses.names_with_verb(args.people, 'is', 'are')} drained of {args.by} HP"


# -- what waits, and what is always so -------------------------------------------------------------


def pending_decisions(state: Encounter) -> Iterator[PendingDecision]:
    """The saves that end effects, for the current turn."""
    for combatant in state.all_up():
        for effect in owed_at_turn_end(combatant):
            if combatant.kind == "pc" and effect.until.who:
                what = join_or(_names_sharing(combatant, effect), "and")
                called = f"{effect.until.who} save, DC {effect.until.count}"
                yield shared_checks.deferred_roll(
                    combatant,
                    "save",
                    f"saves against {what}: {called}",
                    f"save against {what}",
                    ANSWERS,
                    of=effect.name,
                )


def is_incapacitated(tables: Tables, state: Encounter, combatant: Combatant) -> bool:
    """True if somebody can't act by a condition."""
    force = active_effects(tables, state, combatant)
    return bool(stats.forbidding_effects(tables, force, "act"))


def apply_invariants(ctx: Context) -> None:
    """End concentration, dodging and the like of the incapacitated, the fallen and the gone (ruling
    6)."""
    for combatant in ctx.state.bearers(CONCENTRATING, "dodging"):
        holds = concentration_of(combatant) is not None
        dodges = combatant.named("dodging") is not None
        out = combatant.life != "up" or is_incapacitated(ctx.tables, ctx.state, combatant)
        if holds and out:
            end_concentration(ctx, combatant.id, "incapacitated")
        elif holds:
            _tell_if_it_lost_the_last(ctx, combatant)
        if dodges and (out or not checks.speed(ctx.tables, ctx.state, combatant)):
            for effect in combatant.all_named("dodging"):
                remove_effect(ctx, combatant.id, effect.id, "it can't dodge")


def _tell_if_it_lost_the_last(ctx: Context, caster: Combatant) -> None:
    """Note that a spell somebody concentrates on no longer holds anybody."""
    was, held = ctx.before.find(caster.id), concentration_of(caster)
    if was is None or held is None or concentration_of(was) != held:
        return
    if _holds_somebody(ctx.before, was, held):
        tell_if_it_holds_nobody(ctx, caster.id)


COMMANDS = (
    declare_command(
        "inflict", "inflicts conditions and other effects on somebody", InflictArgs, _inflict, True
    ),
    declare_command(
        "modifier",
        "gives a bonus or penalty, dice, advantage or disadvantage",
        ModifierArgs,
        _modify,
    ),
    shared_damage.temp_hp_command(
        "gives temporary HP; the higher amount stays unless you say otherwise",
        TempHpArgs,
        _give_temporary_hp,
    ),
    declare_command("drain", "lowers the HP maximum until a long rest", DrainArgs, _drain),
    declare_command("save", "makes the save that ends a condition", SaveArgs, _save),
    declare_command(
        "withstand",
        "makes a save that an attack, spell or damage asks for",
        WithstandArgs,
        _withstand,
    ),
)
