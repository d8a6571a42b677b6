"""Powers: those that somebody has, and their use.

Orcus, Powers (Action Required), Keywords.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.effects import EffectSpec, effects_in_force, why_forbidden
from affray.core.engine.events import CostPaid, NoteAdded, UseCounted, UsesReset
from affray.core.engine.reminders import HALF, find_moments
from affray.core.engine.state import Combatant, Duration, Encounter
from affray.core.formatting.media import IN_WRITING, Notation
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, close_matches, join_or
from affray.core.parser.prompt_fields import ANY_MORE, ANYONE, TWICE, Field, group
from affray.core.parser.spelling import begun_so, called_so
from affray.core.parser.tokens import Token
from affray.core.rules.ruleset import AvailableAction, Context
from affray.core.rules.tables import Tables
from affray.mechanics import checks, powers
from affray.mechanics.actions import ActorSituation
from affray.mechanics.conditions import begin_effect, end_with_all
from affray.rulesets.orcus import (
    action_economy,
    actions,
    attacks,
    damage,
    healing,
    saves,
    sheet,
    upkeep,
)
from affray.rulesets.orcus.action_economy import POWERS, deterred
from affray.rulesets.orcus.attacks import AttackArgs, PowerAttackArgs
from affray.rulesets.orcus.checks import NO_LANGUAGE
from affray.rulesets.orcus.conditions import KEPT_UP, ModifierConditions
from affray.rulesets.orcus.sheet import (
    DEFENSES,
    IMMEDIATE,
    MAINTAINS,
    Attack,
    Power,
    attack_in_words,
)
from affray.rulesets.orcus.upkeep import AURA, FORM, PLACING, STANCE, SustainArgs

# -------------------------------------------------------------------------------------------------
# How often each power may be used: what is expended, and what brings it back.
#
# Orcus, Powers (Power Category and Frequency), Glossary (Refresh), Staggered.

_RESTS = {"encounter": "short", "daily": "long"}
"""The rest that brings a power back, which is also the span for which a use counts."""


def _span(power: Power) -> str:
    """The span for which a use counts, as the log has it; empty for what is never expended. Refresh
    powers have a span of their own."""
    if power.frequency == "refresh" or power.staggered:
        return f"refresh {power.name}"
    return _RESTS.get(power.frequency, "")


def why_unusable(tables: Tables, state: Encounter, combatant: Combatant, power: Power) -> str:
    """The reason why a power can't be used, its cost aside; empty when it can."""
    span, die = _span(power), tables.economy["refresh"]
    if why := powers.why_not_recharged(combatant, power.name, span, power.refresh, die):
        return why
    rest = _RESTS.get(power.frequency, "")
    if rest and combatant.used(power.name, span):
        return f"expended until a {rest} rest"
    falls = answers_its_fall(power)
    if combatant.is_out and not falls:
        return str(combatant.life)
    if combatant.life == "up" and falls and power.trigger:
        return "for its fall to 0 HP"
    if why := deterred(state, combatant, POWERS, f"{POWERS} {power.name}"):
        return why
    if "wild-shape" in power.tags and combatant.named(upkeep.FORM) is None:
        return "only in its form"
    is_barrable = bool(rest) and (combatant.life == "up" or not falls)
    barred = why_forbidden(tables, state, combatant, "spend") if is_barrable else ""
    return f"{barred}: no encounter or daily powers" if barred else ""


def expend(ctx: Context, combatant_id: str, power: Power) -> None:
    """Count the power as used until it comes back."""
    if span := _span(power):
        ctx.emit(UseCounted(combatant_id, power.name, span))


def roll_refreshes(ctx: Context, combatant_id: str) -> None:
    """Roll a die for each expended refresh power at a turn's start; its number brings it back."""
    die = ctx.tables.economy["refresh"]
    for power in sheet.powers_of(ctx.state[combatant_id]):
        powers.roll_recharge(ctx, combatant_id, power.name, _span(power), power.refresh, die)


def staggered(ctx: Context, combatant_id: str) -> None:
    """Bring back the powers that return when staggered, the first time in a fight."""
    row = [power for power in sheet.powers_of(ctx.state[combatant_id]) if power.staggered]
    if not row or ctx.state[combatant_id].used(HALF, "fight"):
        return
    ctx.emit(UseCounted(combatant_id, HALF, "fight"))
    for power in row:
        if ctx.state[combatant_id].used(power.name, _span(power)):
            ctx.emit(UsesReset(combatant_id, _span(power)))
            ctx.emit(NoteAdded(f"{power.name} is back", combatant_id, aside=True))


def answers_its_fall(power: Power) -> bool:
    """True if a power is for the moment at which its owner drops to 0 HP, by its words."""
    return any(moment.at == "zero" for moment in find_moments("", power.trigger or power.text))


PSI_FOCUS = "psi_focus"


def power_named(combatant: Combatant, name: str) -> Power | None:
    """The power of that name or its unique beginning, or None; `fire-burst` is Fire Burst."""
    wanted = hyphenate(name)
    row = {hyphenate(p.name): p for p in reversed(sheet.powers_of(combatant))}
    same = called_so(wanted, row)
    starts = begun_so(wanted, row) if wanted else []
    return row[same[0]] if same else row[starts[0]] if len(starts) == 1 else None


def read_named(reading: ParseState, combatant: Combatant) -> Power | None:
    """Read one of somebody's powers, if its name comes next; it may be written apart."""
    tokens = reading.words
    if tokens.done:
        return None
    whole = tokens.take(*(hyphenate(p.name) for p in sheet.powers_of(combatant)))
    power = power_named(combatant, whole or tokens.peek())
    if power is not None and not whole:
        tokens.next("a power")
    return power


def names(combatant: Combatant, immediate: bool = False) -> list[str]:
    """The names of its powers as a command has them; of the immediate ones only, if wanted."""
    row = [p for p in sheet.powers_of(combatant) if p.action in IMMEDIATE or not immediate]
    return [f'"{p.name}"' if " " in p.name else p.name for p in row]


def action_of(power: Power) -> str:
    """The kind of action that it takes: standard, move, swift, free or immediate."""
    return "immediate" if power.action in IMMEDIATE else power.action


def use(ctx: Context, combatant: Combatant, args: PowerArgs, paid: bool = False) -> None:
    """Use a power: pay its action unless that is `paid`, and act.

    An augmented one expends the psi focus as well. One that is something that lasts begins it.
    Raises Refused when it is expended or barred, or its action can't be taken.
    """
    power = args.power
    powers.require_usable(
        combatant, power.name, why_unusable(ctx.tables, ctx.state, combatant, power)
    )
    if args.augmented and "augmentable" not in power.tags:
        raise Refused(f"{power.name} can't be augmented: it has no tag `augmentable`")
    if args.augmented and not combatant.track(PSI_FOCUS):
        raise Refused(f"{combatant.name} has no psi focus to expend")
    kind = kept_kind(power)
    upkeep.refuse(ctx, combatant, kind)

    def pay() -> None:
        if not paid:
            _pay(ctx, combatant, power)
        if args.augmented:
            ctx.emit(CostPaid(combatant.id, PSI_FOCUS, 1, power.name))

    _act(ctx, combatant, args, pay)
    if kind:
        _begin(ctx, combatant, power, kind, args.sustain)
    _give_back(ctx, combatant, power)
    powers.note_power_use(ctx, combatant, power.text)
    if args.augmented:
        ctx.text += ", augmented"


def _pay(ctx: Context, combatant: Combatant, power: Power) -> None:
    """Pay its action. What answers one's own fall to 0 HP is paid with the immediate action that is
    left, in one's own turn too."""
    if combatant.life == "up" or not answers_its_fall(power):
        action_economy.pay_action(ctx, combatant.id, action_of(power), power.name)
    elif power.action in IMMEDIATE:
        powers.require_usable(
            combatant, power.name, "" if combatant.track("immediate") else "immediate action used"
        )
        ctx.emit(CostPaid(combatant.id, "immediate", 1, power.name))


def _give_back(ctx: Context, combatant: Combatant, power: Power) -> None:
    """Heal a power's user: one that answered its fall rises by this, or by the GM's next heal."""
    if combatant.life == "dead" and power.heals:
        damage.come_back(ctx, combatant.id, power.heals, power.name)
    elif power.heals:
        healing.heal(ctx, combatant.id, power.heals, power.name)
    elif combatant.life == "dead":
        ctx.emit(UseCounted(combatant.id, power.name, damage.MAY_RISE))


# -- powers that last ------------------------------------------------------------------------------


def kept_kind(power: Power) -> str:
    """The kind of sustained effect that a power is, by its tags; empty for none."""
    return next((kind for kind in KEPT_UP if kind in power.tags), "")


def begin(ctx: Context, combatant: Combatant, power: Power, args: SustainArgs) -> None:
    """Use a power that is a stance, a form, an aura, a zone or a conjuration, and no attack.

    Raises Refused when it can't be used.
    """
    powers.require_usable(
        combatant, power.name, why_unusable(ctx.tables, ctx.state, combatant, power)
    )
    upkeep.refuse(ctx, combatant, kept_kind(power))
    if power.attack is not None or power.brings is not None:
        raise Refused(f'{power.name} needs targets: `power "{power.name}" TARGET ...`')
    _pay(ctx, combatant, power)
    expend(ctx, combatant.id, power)
    ctx.text = f"{combatant.name} uses {power.name}"
    _begin(ctx, combatant, power, kept_kind(power), args)
    powers.note_power_use(ctx, combatant, power.text)


def _begin(ctx: Context, combatant: Combatant, power: Power, kind: str, args: SustainArgs) -> None:
    before = upkeep.sustained(ctx.state[combatant.id]).get(power.name.casefold())
    if before is not None:
        end_with_all(ctx, combatant.id, before.id, "begun again")
    of_row = replace(args, upkeep=args.upkeep or power.maintain)
    upkeep.begin_kind(ctx, combatant.id, kind, power.name, of_row)
    ctx.text += f"; the {kind} begins"


# -- what is said of one ---------------------------------------------------------------------------

_SUSTAINED = "+N WHAT[,WHAT]] [maintain ACTION] [for N turns | until ..."
_LASTS = ("until", "maintain", "while", "for")
"""The words that begin the terms of a sustained power, after its targets."""
_COUP = arguments.choice_arg("a coup de grace", (attacks.COUP_DE_GRACE,))


class AttackPowerArgs(Struct, frozen=True, kw_only=True):
    """An attack with the power's own numbers, perhaps to finish somebody helpless."""

    finish: Annotated[str, _COUP] = ""
    attack: Annotated[AttackArgs, arguments.struct_arg(AttackArgs)]


class EffectPowerArgs(Struct, frozen=True):
    """The effects of a power on its targets, without a roll."""

    targets: arguments.Affected
    amount: Annotated[int | str | None, arguments.damage_arg()] = None


UsePower = AttackPowerArgs | PowerAttackArgs | EffectPowerArgs


def _has_targets(power: Power) -> bool:
    return power.attack is not None or power.brings is not None


def _use_of(reading: ParseState) -> type[Struct] | None:
    """Choose the arguments for a power's use by the words; None without a target."""
    power, tokens = reading.values["power"], reading.words
    if kept_kind(power):
        reading.stops = _LASTS  # no slips of what an attack says
    if kept_kind(power) and not (_has_targets(power) or power.makes):
        return None
    is_at_somebody = _names_somebody(reading)
    if power.attack is None and (power.makes or "with" in _before_it_lasts(reading)):
        if is_at_somebody:
            return PowerAttackArgs
        if power.makes:
            raise tokens.refuse(f"expected the targets of {power.name}")
    if power.brings is not None:
        return EffectPowerArgs
    is_attack = power.attack is not None or (is_at_somebody and not _allies_alone(reading))
    return AttackPowerArgs if is_attack else None


def _names_somebody(reading: ParseState) -> bool:
    """True if targets are next; they make an attack of a power without one on its sheet."""
    tokens = reading.words
    if tokens.done or tokens.upcoming.quoted:
        return False
    return tokens.peek() == attacks.COUP_DE_GRACE or tokens.is_people()


def _before_it_lasts(reading: ParseState) -> list[Token]:
    left = reading.words.words[reading.words.at :]
    ends = (i for i, word in enumerate(left) if word.casefold() in _LASTS and not word.quoted)
    return left[: next(ends, None)] if kept_kind(reading.values["power"]) else left


def _allies_alone(reading: ParseState) -> list[Combatant]:
    """Return the allies of a utility power; empty unless they alone stand next.

    For an enemy alone the outcome was forgotten, so that is refused elsewhere.
    """
    tokens, power = reading.words, reading.values["power"]
    is_bonus = tokens.peek()[:1] in "+-−"  # of what is kept up, and no number in a list
    goes_on = is_bonus if kept_kind(power) else tokens.peek(1)
    if _has_targets(power) or goes_on or not _names_somebody(reading):
        return []
    at, side = tokens.at, reading.ctx.actor().side
    people = tokens.combatants("the combatants it is for")
    tokens.at = at
    return people if all(one.side == side for one in people) else []


def _may_need_language(reading: ParseState) -> bool:
    """True if `no-language` is next, after the targets of a psyche power."""
    power, use = reading.values["power"], reading.values.get("use")
    is_psyche = isinstance(use, AttackPowerArgs | EffectPowerArgs) and "psyche" in power.tags
    return is_psyche and _NO_LANGUAGE.stands(reading)


def _read_note(reading: ParseState) -> str:
    """Read the allies of a utility power, or a note on its use."""
    tokens, count = reading.words, len(_before_it_lasts(reading))
    if allies := _allies_alone(reading):
        tokens.next("the combatants it is for")
        return join_or([one.name for one in allies], "and")
    return " ".join(tokens.next("a note") for _ in range(count)).strip()


def _is_note(reading: ParseState) -> bool:
    """True if a note is next; that of a sustained power is in quotes."""
    tokens, kind = reading.words, kept_kind(reading.values["power"])
    if tokens.done or reading.values.get("use") is not None:
        return False
    return not kind or tokens.upcoming.quoted or bool(_allies_alone(reading))


def _is_sustained(reading: ParseState) -> bool:
    """True if the terms of a sustained power are next."""
    power = reading.values["power"]
    if not kept_kind(power) or reading.words.done:
        return False
    return not _has_targets(power) or reading.words.peek() in _LASTS


def read_power(reading: ParseState) -> Power:
    """Read the name of one of the actor's powers. Raises Refused with similar names."""
    tokens, combatant = reading.words, reading.ctx.actor()
    row = names(combatant)
    if not row:
        raise Refused(f"{combatant.name} has no powers; give them with `add`: power NAME daily ...")
    power = read_named(reading, combatant)
    if power is None:
        word = tokens.next("a power", row)
        tokens.back()
        near = close_matches(word.casefold(), [p.strip('"').casefold() for p in row])
        hint = f"did you mean {join_or(near)}?" if near else f"there are {join_or(row, 'and')}"
        raise tokens.refuse(f"{combatant.name} has no power called {word!r}: {hint}", row)
    return power


_AUGMENTED = Argument(lambda r: r.words.take_anywhere("augmented"), "[augmented]", field=ANY_MORE)
_NO_LANGUAGE = arguments.choice_arg("that they share no language", (NO_LANGUAGE,))
_USE = replace(
    arguments.variant_arg(
        lambda r: _use_of(r) or AttackPowerArgs, AttackPowerArgs, PowerAttackArgs, EffectPowerArgs
    ),
    stands=lambda r: _use_of(r) is not None,
    field=group(
        Field("targets", (ANYONE, TWICE), others=True),
        Field("said", ("advantage", "cover", "concealed", "augmented")),
        Field("weapon", ("any",)),
        Field("outcome", optional=False),
        Field("damage"),
    ),
)


class PowerArgs(Struct, frozen=True):
    """The arguments of `power`; `augmented` comes anywhere after its name."""

    power: Annotated[Power, Argument(read_power, "NAME", field=Field("own"))]
    augmented: Annotated[bool, _AUGMENTED]
    use: Annotated[UsePower | None, _USE] = None
    no_language: Annotated[
        str, replace(_NO_LANGUAGE, stands=_may_need_language, field=ANY_MORE)
    ] = ""
    note: Annotated[str, Argument(_read_note, 'ALLY[,ALLY] | "NOTE"', _is_note, field=ANY_MORE)] = (
        ""
    )
    sustain: Annotated[
        SustainArgs,
        replace(arguments.struct_arg(SustainArgs), usage=_SUSTAINED, stands=_is_sustained),
    ] = SustainArgs()


# -- what using one does ---------------------------------------------------------------------------


def _act(ctx: Context, combatant: Combatant, args: PowerArgs, pay: Callable[[], None]) -> None:
    power = args.power
    match args.use:
        case PowerAttackArgs():
            _strike(ctx, combatant, power, args.use, pay)
        case EffectPowerArgs():
            _bring(ctx, combatant, args, args.use, pay)
        case AttackPowerArgs():
            _attack(ctx, combatant, args, args.use, pay)
        case None:
            pay()
            expend(ctx, combatant.id, power)
            ctx.text = f"{combatant.name} uses {power.name}{f': {args.note}' if args.note else ''}"


def _strike(
    ctx: Context,
    combatant: Combatant,
    power: Power,
    args: PowerAttackArgs,
    pay: Callable[[], None],
) -> None:
    """Use a power that makes attacks of the sheet; a consistent one that misses isn't expended."""
    blows = attacks.blows_of(combatant, power, args)
    if power.action == "standard":
        blows = [actions.finishing(ctx, blow) for blow in blows]
    pay()
    outcomes = attacks.make_blows(ctx, combatant, power, blows)
    if not power.consistent or any(outcome != "miss" for outcome in outcomes):
        expend(ctx, combatant.id, power)
    if "crit" in outcomes:
        _gain_edges(ctx, combatant.id, power)


def _bring(
    ctx: Context,
    combatant: Combatant,
    args: PowerArgs,
    effect: EffectPowerArgs,
    pay: Callable[[], None],
) -> None:
    """A power that does something to its targets without a roll (Orcus, Power Effects)."""
    power, row = args.power, args.power.brings or Attack(args.power.name, 0)
    deaf = _deaf_to_it(ctx, combatant, args, effect.targets)
    targets = [c for c in effect.targets if c.id not in deaf]
    for target in targets:
        if target.life == "dead":
            raise Refused(f"{target.name} is dead")
    pay()
    why = "".join(f"; {ctx.state.name(t)} {reason}" for t, reason in deaf.items())
    if not targets:
        ctx.text = f"{combatant.name} uses {power.name} without success{why}"
        return
    amount = row.dice if effect.amount is None else effect.amount
    if isinstance(amount, str):
        amount = (
            max(0, checks.roll_extra_dice(ctx, combatant.id, amount, "damage")) if amount else 0
        )
    for target in targets:
        if amount:
            damage.deal(
                ctx,
                target.id,
                damage.DamageInstance(amount, row.type, combatant.id, reach=row.reach),
            )
        saves.afflict(ctx, combatant.id, target.id, row)
    expend(ctx, combatant.id, power)
    ctx.text = f"{combatant.name} uses {power.name} on {join_names(targets)}{why}"


def _attack(
    ctx: Context,
    combatant: Combatant,
    args: PowerArgs,
    use: AttackPowerArgs,
    pay: Callable[[], None],
) -> None:
    """An attack power: its targets as with an attack. Consistent ones that miss all are kept.

    So is a psyche power that reached nobody, and whom it doesn't reach is not attacked.
    """
    power, weapon = args.power, args.power.attack or Attack(args.power.name, 0)
    assault = attacks.attack_method(combatant, use.attack, weapon, power.tags)
    targets = [ctx.state[target] for target in assault.targets]
    deaf_to_it = _deaf_to_it(ctx, combatant, args, targets)
    says_all = power.attack or assault.how.plus or all(die.outcome for die in assault.dice_fallen)
    if not says_all:
        raise Refused(
            f"{power.name} has no attack bonus on its sheet: give the outcome, `plus N`, or "
            "`with NAME` for an attack on the sheet"
        )
    if use.finish and power.action != "standard":
        raise Refused(f"{power.name} takes no standard action, so can't be a coup de grace")
    if power.action == "standard":
        finish = actions.must_finish if use.finish else actions.finishing
        assault = finish(ctx, assault)
    pay()
    why = "".join(f"; {ctx.state.name(t)} {reason}" for t, reason in deaf_to_it.items())
    assault = attacks.without(assault, deaf_to_it)
    if not assault.targets:
        ctx.text = f"{combatant.name} uses {power.name} without success{why}"
        return
    what = use.finish or power.name
    outcomes = attacks.attack(ctx, combatant, assault, what)
    if not power.consistent or any(outcome != "miss" for outcome in outcomes):
        expend(ctx, combatant.id, power)
    if "crit" in outcomes:
        _gain_edges(ctx, combatant.id, power)
    ctx.text = (
        f"{combatant.name} uses {power.name} on {attacks.attack_text(ctx, assault, outcomes)}{why}"
    )


def _deaf_to_it(
    ctx: Context,
    combatant: Combatant,
    args: PowerArgs,
    targets: Sequence[Combatant],
) -> dict[str, str]:
    """Map the targets that a psyche power can't affect to the reason (Orcus, Psyche)."""
    found = {}
    for target in targets if "psyche" in args.power.tags else ():
        if "deafened" in effects_in_force(ctx, target):
            found[target.id] = "is deafened"
        elif target.stats.get("mindless"):
            found[target.id] = "has no mind of its own"
        elif args.no_language or not sheet.share_a_language(combatant, target):
            found[target.id] = "doesn't understand"
    return found


def _gain_edges(ctx: Context, combatant_id: str, power: Power) -> None:
    """The benefit of a critical hit in place of damage, by the power's tags, until the encounter
    ends.

    Orcus, Maneuver, Psyche, Tactical.
    """
    for tag in (tag for tag in power.tags if f"{tag}-edge" in ctx.tables.effects):
        begin_effect(
            ctx, combatant_id, f"{tag}-edge", Duration("use"), source=combatant_id, type="power"
        )


def _power(ctx: Context, args: PowerArgs) -> None:
    use(ctx, ctx.actor(), args)


_DOES = "uses a power, for its action and within its frequency"
POWERS_COMMANDS = (declare_command("power", _DOES, PowerArgs, _power, True),)


# -------------------------------------------------------------------------------------------------
# Powers among all that somebody can do: what each costs now, and why it can't be used.
#
# Orcus, Powers (Power Category and Frequency, Action Required).

_OFTEN = {"encounter": "enc", "daily": "day"}
"""The frequencies of powers, in short words."""


def own_powers(
    tables: Tables, state: Encounter, combatant: Combatant, how: Notation = IN_WRITING
) -> list[AvailableAction]:
    """Every power of its own: cost now, and why it can't be used."""
    now, row = ActorSituation(tables, state, combatant), sheet.powers_of(combatant)
    return (
        [_power_option(now, power, how) for power in row] if "standard" in combatant.tracks else []
    )


def _power_option(now: ActorSituation, power: Power, how: Notation) -> AvailableAction:
    action = action_of(power)
    cost = {} if action == "free" else {action_economy.paid_now(now, action): 1}
    often = f"refresh {power.refresh}" if power.frequency == "refresh" else power.frequency
    brief = [_OFTEN.get(power.frequency, often)]
    lines = [often, f"{power.action} action"]
    if power.attack is not None:
        brief.append(f"vs {DEFENSES[power.attack.defense]}")
        lines.append(attack_in_words(power.attack, how))
    when = f"when: {power.trigger}" if power.trigger else ""
    lines += filter(None, (*power.tags, when, power.text))
    unusable = why_unusable(now.tables, now.state, now.who, power)
    return AvailableAction(
        f"power {power.name}",
        cost,
        reason=unusable or now.asked(action_economy.why_no_action, action),
        name=power.name,
        text=", ".join(lines),
        brief=" ".join(brief),
    )


# -------------------------------------------------------------------------------------------------
# The commands that begin something sustained: stance, form, aura, zone, conjuration.
#
# One with the name of a power on the sheet uses that power, for its price.
# Orcus, Maintain, Aura, Conjuration, Form, Stance, Zones.

_PLAIN = EffectSpec()


def _named(what: str) -> Argument:
    return replace(arguments.name_arg(f"the name of the {what}"), field=Field("text", ("name",)))


class StanceArgs(Struct, frozen=True):
    name: Annotated[str, _named(STANCE)]
    amounts: Annotated[dict[str, int], upkeep.AMOUNTS] = {}
    limits: Annotated[ModifierConditions, upkeep.LIMITS] = ModifierConditions()


class FormArgs(StanceArgs, frozen=True):
    name: Annotated[str, _named(FORM)]
    no_ranged: arguments.Flag = False
    terms: Annotated[EffectSpec, PLACING] = _PLAIN


class AuraArgs(Struct, frozen=True):
    name: Annotated[str, _named(AURA)]
    terms: Annotated[EffectSpec, PLACING] = _PLAIN


class ZoneArgs(Struct, frozen=True):
    """The arguments of `zone` and `conjuration`."""

    name: Annotated[str, _named("zone or conjuration")]
    upkeep: Annotated[str, MAINTAINS] = ""
    terms: Annotated[EffectSpec, PLACING] = _PLAIN


def _keeping_begin(
    kind: str, ctx: Context, args: StanceArgs | FormArgs | AuraArgs | ZoneArgs
) -> None:
    """Begin a sustained effect of a kind, by the power of that name if the sheet has one."""
    actor = ctx.actor()
    row = (key for key in SustainArgs.__struct_fields__ if hasattr(args, key))
    of_it = SustainArgs(**{key: getattr(args, key) for key in row})
    called = (p for p in sheet.powers_of(actor) if hyphenate(p.name) == hyphenate(args.name))
    power = next((p for p in called if kind in p.tags), None)
    if power is not None:
        begin(ctx, actor, power, of_it)
        return
    upkeep.refuse(ctx, actor, kind)
    if kind not in upkeep.ALONE and args.name.casefold() in upkeep.sustained(actor):
        raise Refused(f"{actor.name} already maintains {args.name}: `drop` ends it")
    of_it.limits.fields(of_it.amounts)
    if kind == STANCE:
        action_economy.pay_action(ctx, actor.id, "swift", f"stance {args.name}")
    upkeep.begin_kind(ctx, actor.id, kind, args.name, of_it)
    takes = kind in (STANCE, FORM)
    began = f"takes the {kind} {args.name}" if takes else f"{kind} {args.name} begins"
    ctx.text = f"{actor.name} {began}" if takes else f"{actor.name}'s {began}"


_CHANGES_SHAPE = "takes a form, ending the one before and what depends on it"
_TAKES = "takes or changes a stance, with a swift action"
KEEPING_COMMANDS = (
    declare_command("stance", _TAKES, StanceArgs, partial(_keeping_begin, STANCE), True),
    declare_command("form", _CHANGES_SHAPE, FormArgs, partial(_keeping_begin, FORM), True),
    declare_command(
        "aura",
        "begins an aura, ending the one before",
        AuraArgs,
        partial(_keeping_begin, AURA),
        True,
    ),
    declare_command("zone", "makes a zone", ZoneArgs, partial(_keeping_begin, "zone"), True),
    declare_command(
        "conjuration",
        "makes a conjuration",
        ZoneArgs,
        partial(_keeping_begin, "conjuration"),
        True,
    ),
    *upkeep.COMMANDS,
)

COMMANDS = (*POWERS_COMMANDS, *KEEPING_COMMANDS)
