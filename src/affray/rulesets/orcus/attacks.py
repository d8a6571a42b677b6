"""Attacks: their commands, cover, combat advantage, rolls, and the damage of a hit.

Start with `attack`. Orcus, Making an Attack, Critical Hits, Coup de Grace.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput, parse_dice
from affray.core.engine.effects import (
    active_effects,
    effect_row,
    remove_effect,
    why_cannot,
    why_forbidden,
)
from affray.core.engine.events import NoteAdded, Rolled
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.late_pattern import late_pattern
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused, format_signed, join_or
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.parser.spelling import begun_so, called_so
from affray.core.parser.targets import present_combatants
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import checks as shared_checks, damage as shared_damage, powers, stats
from affray.mechanics.stats import CombatantSituation, StatPart
from affray.rulesets.orcus import action_economy, checks, damage, saves, sheet
from affray.rulesets.orcus.checks import Outcome
from affray.rulesets.orcus.sheet import REACHES, Attack, Power

# -------------------------------------------------------------------------------------------------
# What a command says of an attack: targets, outcomes, damage, how it is made; cover.
#
# Orcus, Making an Attack, Types of Attack, Unseen Attackers and Targets, Vision and Light.

AREAS = ("near", "far")
"""The ranges of attacks on an area."""
CLEAR = "clear"
"""The option for an attack with nothing in between, by somebody who sees the target."""
COVER = {"cover": "cover", "three-quarters-cover": "three_quarters_cover"}
CONCEALMENT = {"concealed": "concealment", "total-concealment": "total_concealment"}
"""The degrees, the slighter first, and where the tables have the penalty of each."""
FLAGS = ("advantage", *COVER, *CONCEALMENT, CLEAR, "adjacent", "reach", "long", "knockout")
"""The options of an attack that are one word."""
SAID_ALIKE = {
    "ca": "advantage",
    "combat-advantage": "advantage",
    "three-quarters": "three-quarters-cover",
    "half-cover": "cover",
    "concealment": "concealed",
    "nonlethal": "knockout",
}
"""Other words for the same."""


def _read_targets(reading: ParseState) -> tuple[str, ...]:
    among = present_combatants(reading.ctx.state, but=reading.ctx.actor().id)
    return tuple(c.id for c in reading.words.combatants("the target of the attack", among))


def _read_ally(reading: ParseState) -> str:
    """Read the flanking ally, if a name comes next and nothing else can."""
    tokens = reading.words
    other = (
        tokens.has_number()
        or shared_checks.is_die_input(tokens, checks.OUTCOMES)
        or reading.is_over
    )
    return tokens.combatant("the ally who flanks").id if not other and tokens.is_combatant() else ""


def _weapons(reading: ParseState) -> list[str]:
    return [f'"{n}"' if " " in n else n for n in sheet.weapons_of(reading.ctx.actor())]


def _more_stands(reading: ParseState) -> bool:
    """True if damage of another type stands next: behind untyped damage, which most weapons deal
    (Orcus, Damage Types), with its type: `8 5 fire`."""
    kind = reading.words.peek(1)
    is_typed = kind.isalpha() and kind not in reading.stops
    return shared_damage.MORE.stands(reading) and (is_typed or bool(reading.values.get("type")))


_TARGETS = Argument(_read_targets, "TARGET[,TARGET]", field=Field("targets"))
TYPE = arguments.damage_type_arg(damage.dealt_types, requires="amount_rolled")
_MORE = replace(shared_damage.MORE, requires="amount_rolled", stands=_more_stands)
_WITH = arguments.keyword_arg(
    "with", arguments.text_arg("the attack's name", _weapons, "NAME"), field=Field("weapon")
)
_FLANKING = Argument(_read_ally, "flanking [NAME]", keywords=("flanking",), field=ANY_MORE)
_DIE = partial(shared_checks.die_arg, checks.OUTCOMES, may_lack=shared_checks.is_rolled_for)
"""The argument for an attack roll; affray rolls for all but players' characters."""
ONE_DIE, DICE_OF_TARGETS = _DIE(), _DIE("targets")
UNKNOWN = Attack("", 0)
"""The weapon of an attack without a known one; its outcome must be given."""


_WORDS = arguments.any_of(
    *FLAGS, alike=SAID_ALIKE, field=Field("said", ("advantage", "cover", "concealed"))
)

COUP_DE_GRACE = "coup-de-grace"


class AttackModifiers(Struct, frozen=True):
    """The options of an attack, in any order.

    half      True if a miss deals half
    extra     further dice on a critical, rolled for each
    flanking  the flanking ally, empty for an unnamed one; None if it doesn't flank
    plus      a bonus of this attack alone, besides the situation's
    """

    defense: sheet.Defense = ""
    half: arguments.Heard = False
    extra: sheet.Extra = ""
    words: Annotated[tuple[str, ...], _WORDS] = ()
    flanking: Annotated[str | None, _FLANKING] = None
    reach: Annotated[str, arguments.anywhere_choice_arg(*REACHES)] = ""
    plus: Annotated[int, replace(checks.BONUS, field=ANY_MORE)] = 0
    weapon: Annotated[str, _WITH] = ""


Modifiers = Annotated[AttackModifiers, arguments.keyword_args(AttackModifiers, "WORDS")]
"""The options of an attack as arguments of a command."""


class AttackArgs(Struct, frozen=True, dict=True):
    """One attack of a command, on one or several targets.

    dice_fallen  each target's d20 as called, in order
    amount_rolled       the rolled damage; or dice: rolled once for all targets, at their maximum on
                        a critical
    more         the rolled damage of other types
    means        the weapon or power, if known
    keywords     the tags of the power; a basic attack's is `weapon`
    finishes     the targets on whom it is a coup de grace: each hit is critical, and the staggered
                 value then kills
    """

    targets: Annotated[tuple[str, ...], _TARGETS]
    dice_fallen: Annotated[list[DieInput], DICE_OF_TARGETS]
    amount_rolled: Annotated[int | str | None, arguments.damage_arg()] = None
    type: Annotated[str, TYPE] = ""
    more: Annotated[tuple[shared_damage.Part, ...], _MORE] = ()
    how: Modifiers = AttackModifiers()
    means: Attack = UNKNOWN
    keywords: tuple[str, ...] = ("weapon",)
    finishes: tuple[str, ...] = ()

    def is_said(self, word: str) -> bool:
        """True if the command gives this word: `cover`, `knockout`."""
        return word in self.how.words

    @property
    def amount(self) -> int | None:
        """The rolled damage; None for dice."""
        return self.amount_rolled if isinstance(self.amount_rolled, int) else None

    @property
    def half(self) -> bool:
        """True if a miss deals half, by the command or by the weapon."""
        return self.how.half or self.means.half

    @property
    def against(self) -> str:
        """The defence against it: the given one, the weapon's, else AC."""
        return self.how.defense or self.means.defense

    @cached_property
    def range(self) -> str:
        """melee, ranged, near or far: the given one, the weapon's, else melee."""
        return self.how.reach or ("ranged" if self.is_said("long") else self.means.reach)

    @property
    def is_adjacent(self) -> bool:
        """True if the target is in the next square: in melee, unless it says `reach`."""
        return self.is_said("adjacent") or (self.range == "melee" and not self.is_said("reach"))

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The tags that a bonus may ask for: its keywords, its type of damage, and its reach."""
        return tuple(filter(None, (*self.keywords, self.damage_type, self.range)))

    @property
    def damage_type(self) -> str:
        """The type of its damage: the given one, else the weapon's."""
        return self.type or self.means.type

    @property
    def damage_dice(self) -> str:
        """The dice of its damage: the given ones, else the weapon's; empty for none."""
        return self.amount_rolled if isinstance(self.amount_rolled, str) else self.means.dice

    @property
    def plus(self) -> tuple[powers.ExtraDamage, ...]:
        """The weapon's dice of other types; none with given damage."""
        return self.means.plus if self.amount_rolled is None else ()

    @property
    def deals_damage(self) -> bool:
        """True if a hit deals damage at all; some powers don't."""
        return self.amount is not None or bool(self.damage_dice)


class SingleAttackArgs(AttackArgs, frozen=True):
    """The arguments of an attack on one target only."""

    targets: Annotated[tuple[str, ...], replace(_TARGETS, usage="TARGET", field=Field("target"))]


def attack_method(
    attacker: Combatant,
    assault: AttackArgs,
    weapon: Attack | None = None,
    keywords: tuple[str, ...] = ("weapon",),
) -> AttackArgs:
    """Return the attack with its means: those of the command, `weapon`, or the attacker's first.

    Raises Refused for a weapon that the attacker doesn't have, and for unknown damage.
    """
    means = weapon or next(iter(sheet.attacks_of(attacker)), UNKNOWN)
    if assault.how.weapon:
        means = _weapon_named(attacker, assault.how.weapon)
    assault = replace(assault, means=means, keywords=keywords)
    may_hit = any(die.outcome != "miss" for die in assault.dice_fallen)
    if may_hit and means is UNKNOWN and not assault.deals_damage:
        raise shared_checks.no_damage(attacker, "hit 8")
    return assault


def in_melee(assault: AttackArgs) -> AttackArgs:
    """The attack as one that is made in melee."""
    return replace(assault, how=replace(assault.how, reach="melee"))


def _weapon_named(attacker: Combatant, name: str) -> Attack:
    """The attack of that name, or its beginning. Raises Refused for one that it does not have."""
    row = {attack.name: attack for attack in reversed(sheet.attacks_of(attacker))}
    fits = called_so(name, row) or begun_so(name, reversed(row))
    if fits:
        return row[fits[0]]
    names = sheet.weapons_of(attacker)
    if begun_so(name, [p.name for p in sheet.powers_of(attacker)]):
        raise Refused(f'{name!r} is a power: `power "{name}" TARGET ...`', names)
    there = join_or(names, "and") or "none"
    raise Refused(f"{attacker.name} has no attack {name!r}; it has {there}", names)


def without(assault: AttackArgs, left_out: Collection[str]) -> AttackArgs:
    """The attack without those targets."""
    row = zip(assault.targets, assault.dice_fallen, strict=True)
    remaining = {target: die for target, die in row if target not in left_out}
    return replace(assault, targets=tuple(remaining), dice_fallen=list(remaining.values()))


def attack_text(ctx: Context, assault: AttackArgs, outcomes: Sequence[Outcome]) -> str:
    """The targets and outcomes in words, for the entry's text: "Goblin 1, hit 8 fire"."""
    names = [ctx.state.name(target) for target in assault.targets]
    dealt = ""
    if assault.amount_rolled is not None and (assault.half or set(outcomes) != {"miss"}):
        rest = (f"{amount} {kind}" for amount, kind in assault.more)
        dealt = " ".join((f"{assault.amount_rolled} {assault.type}".strip(), *rest))
    if len(names) == 1:
        return f"{names[0]}, {outcomes[0]}{f' {dealt}' if dealt else ''}"
    each = join_or((f"{n} ({o})" for n, o in zip(names, outcomes, strict=True)), "and")
    return f"{each}{f', {dealt}' if dealt else ''}"


# -- cover and concealment -------------------------------------------------------------------------


def shelter_parts(
    attacker: Combatant, target: CombatantSituation, assault: AttackArgs
) -> Iterator[StatPart]:
    """Yield the penalties for cover and for concealment, each by its worst degree alone.

    Attacks on areas ignore concealment. To a blinded attacker everybody has total concealment.
    """
    row = target.tables.economy
    by_sight = assault.range not in AREAS
    blind = by_sight and _blind(attacker, target, assault)
    kinds = (COVER, CONCEALMENT) if by_sight and not blind else (COVER,)
    for kind in kinds:
        degree, label = _worst(attacker, target, assault, kind)
        if degree:
            yield StatPart(-row[kind[degree]], label)
    if blind:
        yield StatPart(-row["total_concealment"], f"total concealment, {blind}")


def _blind(attacker: Combatant, target: CombatantSituation, assault: AttackArgs) -> str:
    """Name the reason that the attacker can't see; empty if it can, or needn't, or with `clear`."""
    is_clear = assault.is_said(CLEAR) or bool(attacker.stats.get("blindsight"))
    return "" if is_clear else why_forbidden(target.tables, target.state, attacker, "see")


def _worst(
    attacker: Combatant, target: CombatantSituation, assault: AttackArgs, kind: dict[str, str]
) -> tuple[str, str]:
    """The worst degree of a kind by the command or by effects, with its name; empty for none.
    Concealment that the attacker's senses see through doesn't count."""
    present = {degree: degree.replace("-", " ") for degree in kind if assault.is_said(degree)}
    for name in () if assault.is_said(CLEAR) else target.force:
        suffers = effect_row(target.tables, name).suffers
        degree = suffers.get("hindered", "")
        degree = suffers.get("hindered_near", degree) if assault.is_adjacent else degree
        if degree in kind and not (kind is CONCEALMENT and _is_sensed(attacker, name)):
            called = degree.replace("-", " ")
            present.setdefault(degree, called if name == degree else f"{called}, {name}")
    worst = next((degree for degree in reversed(kind) if degree in present), "")
    return worst, present.get(worst, "")


def _is_sensed(attacker: Combatant, by: str) -> bool:
    """True if what conceals a target is nothing to the attacker's senses, all as if in range:
    blindsight needs no sight, truesight sees the invisible (Orcus, Senses)."""
    sees = by == "invisible" and bool(attacker.stats.get("truesight"))
    return sees or bool(attacker.stats.get("blindsight"))


def _remind_of_senses(ctx: Context, attacker: Combatant, assault: AttackArgs) -> None:
    """Remind of a sense that may find somebody concealed: only the GM knows if it is dark or foggy
    there, and who is on the ground."""
    senses = [each for each in ("darkvision", "truesight") if attacker.stats.get(each)]
    dark = [*map("{}-obscured".format, ("lightly", "heavily", "totally"))]
    may_find = dict.fromkeys(dark, senses)
    if attacker.stats.get("tremorsense"):
        hiding = (*dark, "invisible", "hidden")
        may_find |= {each: [*may_find.get(each, []), "tremorsense"] for each in hiding}
    if assault.is_said(CLEAR) or assault.range in AREAS:
        return
    for target in (ctx.state[each] for each in assault.targets):
        force = checks.situation_of(ctx, target).force
        found = [
            n for name in force if not _is_sensed(attacker, name) for n in may_find.get(name, ())
        ]
        if found:
            has = join_or(dict.fromkeys(found), "and")
            ctx.note(f"has {has}: `clear` if it sees its target", attacker.id)


def why_unseen(ctx: Context, attacker: Combatant, target: Combatant, assault: AttackArgs) -> str:
    """The reason why the attacker doesn't see the target, in a few words; empty when it does."""
    facing = checks.situation_of(ctx, target)
    if blind := _blind(attacker, facing, assault):
        return f"{attacker.name} is {blind}"
    degree, label = _worst(attacker, facing, assault, CONCEALMENT)
    hidden = degree == "total-concealment" and not assault.is_said(CLEAR)
    return f"{target.name} has {label}" if hidden else ""


HELP_ATTACK, HELP_DEFENSE = "helped-attack", "helped-defense"


# -- the attack ------------------------------------------------------------------------------------


def attack(
    ctx: Context,
    attacker: Combatant,
    assault: AttackArgs,
    what: str,
    bonus: tuple[StatPart, ...] = (),
) -> list[Outcome]:
    """Make the attack on each target and apply its hits; return the outcomes in order. Each target
    has its own roll; damage is rolled once for all. `bonus` adds to the weapon's and the command's.
    Raises Refused for an impossible target.
    """
    _refuse(ctx, attacker, assault)
    _remind_of_senses(ctx, attacker, assault)
    weapon = assault.means
    own = (StatPart(weapon.bonus, weapon.name), StatPart(assault.how.plus, "said"), *bonus)
    damage_bonus = stats.stat_value(
        checks.situation_of(ctx, ctx.state[attacker.id]), "damage", assault.tags
    )
    outcomes = [
        AttackCheck(
            who=attacker.id, die=die, against=target, name=what, more=own, assault=assault
        ).come_out(ctx)
        for target, die in zip(assault.targets, assault.dice_fallen, strict=True)
    ]
    _land(ctx, attacker.id, assault, outcomes, damage_bonus)
    for target, outcome in zip(assault.targets, outcomes, strict=True):
        if outcome != "miss":
            saves.afflict(ctx, attacker.id, target, weapon)
    if assault.range in ("ranged", "far") and _can_be_punished(ctx, attacker):
        ctx.note(f"a {assault.range} attack provokes")
    finishes = () if what == COUP_DE_GRACE else assault.finishes  # a command says it of itself
    ctx.emit(*(NoteAdded("a coup de grace", who, aside=True) for who in finishes))
    return outcomes


def _refuse(ctx: Context, attacker: Combatant, assault: AttackArgs) -> None:
    """Raises Refused for whom nobody can attack, for a roll without a bonus, and for attacks that
    something bars, as a form may. An area may hold its maker (Orcus, Targeting Yourself, Form).
    """
    if assault.targets == (attacker.id,) and assault.range not in AREAS:
        raise Refused(f"{attacker.name} can't attack themself")
    for target in (ctx.state[each] for each in assault.targets):
        if target.life == "dead":
            raise Refused(f"{target.name} is dead")
        if assault.deals_damage:
            shared_damage.require_hp(target, "damaged")
    needs_bonus = any(not die.outcome for die in assault.dice_fallen)
    if needs_bonus and assault.means is UNKNOWN and not assault.how.plus:
        raise shared_checks.no_bonus(attacker, "plus 7")
    if why := why_cannot(ctx, attacker, assault.range):
        raise Refused(f"{attacker.name} can't make {assault.range} attacks: {why}")


def _can_be_punished(ctx: Context, attacker: Combatant) -> bool:
    """True if any enemy has an immediate action for an opportunity attack.

    Orcus, Ranged and Far Attacks in Close Combat.
    """
    enemies = (c for c in ctx.state.combatants if c.side not in (attacker.side, "world"))
    return ctx.state.in_combat and any(
        not action_economy.why_no_action(ctx.tables, ctx.state, enemy, "immediate")
        for enemy in enemies
    )


class AttackCheck(checks.CheckRequest, frozen=True, kw_only=True):
    """One attack roll, with the situation's modifiers."""

    assault: AttackArgs

    kinds = ("attack",)

    @property
    def tags(self) -> tuple[str, ...]:
        """The words by which modifiers choose the attacks that they apply to."""
        return self.assault.tags

    @property
    def exposes(self) -> tuple[str, ...]:
        """The attacked defence, and `defenses`, which counts in all of them."""
        return (self.assault.against, "defenses")

    def parts(self, ctx: Context, roller: CombatantSituation) -> list[StatPart]:
        """List the weapon's parts, then those of the situation."""
        facing = self.target_situation(ctx)
        in_force = stats.stat_parts(roller, "attack", self.tags)
        return [*self.more, *in_force, *_situation(roller.who, facing, self.assault)]

    def target_number(self, ctx: Context) -> int:
        """The defence, with its bonuses against this attack."""
        facing = self.target_situation(ctx)
        return stats.stat_value(facing, self.assault.against, more=self._better_defense(ctx))

    def note(self, ctx: Context) -> str:
        """Describe the defence's modifiers."""
        better = [f"{format_signed(p.amount)} {p.source}" for p in self._better_defense(ctx)]
        return ", ".join([*better, self.assault.against]) if better else ""

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        """The outcome against a defence."""
        return checks.attack_outcome(natural, total, dc or 0)

    def bend(self, ctx: Context, roller: CombatantSituation, outcome: str) -> str:
        """Turn a hit into a critical one in a coup de grace."""
        return "crit" if outcome == "hit" and self.against in self.assault.finishes else outcome

    def follow(self, ctx: Context, rolled: Rolled) -> None:
        """End the effects that it uses up, with help on both sides."""
        super().follow(ctx, rolled)
        sides = (self.who, HELP_ATTACK, self.against), (self.against, HELP_DEFENSE, self.who)
        for bearer, name, other in sides:
            for effect in _helps(ctx.state[bearer], name, other):
                remove_effect(ctx, bearer, effect.id, "used")

    def _better_defense(self, ctx: Context) -> list[StatPart]:
        """The bonus of the target's defence against this attack."""
        row, target = ctx.tables.economy, ctx.state[self.against]
        helps = _helps(target, HELP_DEFENSE, self.who)
        parts = [StatPart(row["help"], "helped to defend") for _ in helps]
        if self.assault.range == "ranged" and not self.assault.is_said("adjacent"):
            facing = checks.situation_of(ctx, target)
            names = stats.reasons_against(facing, "disadvantage", self.who, ("far",))
            parts += [StatPart(row["prone_from_afar"], f"{name}, from afar") for name in names]
        return parts


def _helps(bearer: Combatant, name: str, enemy: str) -> list[Effect]:
    """Help for somebody against one enemy: `because` says which."""
    return [effect for effect in bearer.all_named(name) if effect.because == enemy]


# -- the situation ---------------------------------------------------------------------------------


def _situation(
    attacker: Combatant, target: CombatantSituation, assault: AttackArgs
) -> Iterator[StatPart]:
    """Combat advantage once, whatever gives it; cover and concealment; range; the penalty on what
    leaves out whoever marked the attacker (Orcus, Marked); help."""
    row = target.tables.economy
    if advantage := _combat_advantage(attacker, target, assault):
        yield StatPart(row["combat_advantage"], f"combat advantage ({advantage})")
    yield from shelter_parts(attacker, target, assault)
    if assault.is_said("long"):
        yield StatPart(-row["long_range"], "long range")
    marks = [effect.source for effect in attacker.all_named("marked")]
    if marks and not any(source in assault.targets for source in marks):
        by = target.state.name(marks[0]) if marks[0] else "somebody else"
        yield StatPart(-row["marked"], f"marked by {by}")
    for _ in _helps(attacker, HELP_ATTACK, target.who.id):
        yield StatPart(row["help"], "helped")


def _combat_advantage(attacker: Combatant, target: CombatantSituation, assault: AttackArgs) -> str:
    """The reason why the attacker has combat advantage, in a few words; empty for none."""
    if assault.how.flanking is not None:
        _refuse_no_flank(attacker, target, assault.how.flanking)
        return "flanking"
    near = ("near",) if assault.range == "melee" else ()
    why = stats.reasons_against(target, "advantage", attacker.id, near)
    if why:
        return why[0]
    return "said" if assault.is_said("advantage") else ""


def _refuse_no_flank(attacker: Combatant, target: CombatantSituation, other: str) -> None:
    """Raises Refused when these can't flank that target (Orcus, Flanking)."""
    if target.who.stats.get("all-around-vision"):
        raise Refused(f"{target.who.name} sees all around, so can't be flanked")
    if other in (attacker.id, target.who.id):
        raise Refused(f"flanking needs an ally on the other side of {target.who.name}")
    for combatant in filter(None, (attacker, target.state.find(other))):
        if why := why_forbidden(target.tables, target.state, combatant, "flank"):
            raise Refused(f"{combatant.name} can't flank: {why}")


def is_helpless(tables: Tables, state: Encounter, combatant: Combatant) -> bool:
    """True if a coup de grace can be tried: the helpless, and the unconscious, as we read it."""
    have = active_effects(tables, state, combatant)
    return "helpless" in have or "unconscious" in have


# -- what a hit deals ------------------------------------------------------------------------------


def _land(
    ctx: Context, by: str, assault: AttackArgs, outcomes: Sequence[Outcome], bonus: int
) -> None:
    """Deal the damage: all on a hit, half on a miss that deals half.

    `bonus` is what is added to its dice, or to what was called, as it was before the rolls used
    it up.
    """
    came = zip(assault.targets, outcomes, strict=True)
    hurt = [(target, outcome) for target, outcome in came if outcome != "miss" or assault.half]
    if not hurt or not assault.deals_damage:
        weapon = assault.means
        is_own = weapon in sheet.attacks_of(ctx.state[by])  # no grapple, and no power
        if hurt and is_own and not (weapon.inflicts or weapon.failed or weapon.aftereffect):
            ctx.note(shared_checks.no_damage_note(weapon.name))
        return
    dice = f"{assault.damage_dice}{bonus:+d}" if bonus else assault.damage_dice
    ordinary = any(outcome != "crit" for _, outcome in hurt)
    usual = _usual(ctx, by, assault, dice) if ordinary else (0, ())
    for target, outcome in hurt:
        if shared_damage.has_just_died(ctx, target):
            continue
        amount, more = usual
        label = ""
        is_called = assault.amount is not None
        if outcome == "crit":
            is_called = is_called and not _is_maximum(assault, ordinary)
            amount, more, label = _critical(ctx, by, assault, target, dice, ordinary)
        blow = damage.DamageInstance(
            amount,
            assault.damage_type,
            by,
            attack=True,
            knockout=assault.is_said("knockout"),
            lethal=target in assault.finishes and outcome == "crit",
            half=outcome == "miss",
            label=label,
            more=more,
            bonus=bonus if is_called else 0,
            reach=assault.range,
        )
        damage.deal(ctx, target, blow)
    stats.use_up(ctx, checks.NUMBERS, by, ("damage",), assault.tags)


More = tuple[shared_damage.Part, ...]


def _usual(ctx: Context, by: str, assault: AttackArgs, dice: str) -> tuple[int, More]:
    """The damage of a hit that isn't critical, and that of other types: as called out; else the
    dice, rolled once for all."""
    amount = assault.amount
    if amount is None:
        amount = max(0, shared_checks.roll_extra_dice(ctx, by, dice, "damage"))
    rolls = (
        (shared_checks.roll_extra_dice(ctx, by, part.dice, "damage"), part.type)
        for part in assault.plus
    )
    return amount, (*assault.more, *rolls)


def _is_maximum(assault: AttackArgs, ordinary: bool) -> bool:
    """True if a critical hit is the most that the dice can do, no number that was called."""
    return assault.amount is None or bool(ordinary and assault.means.dice)


def _critical(
    ctx: Context, by: str, assault: AttackArgs, target: str, dice: str, ordinary: bool
) -> tuple[int, More, str]:
    """A critical hit's damage, that of other types, and the words for it: the most that the dice
    can do, and extra dice, which are rolled.

    A number that was called is this already, and only extra dice that are asked for are added;
    but not where others have an `ordinary` hit of it, and the dice are known.
    """
    weapon, extra = assault.means, assault.how.extra
    amount, label = assault.amount, ""
    if amount is None or _is_maximum(assault, ordinary):
        amount, label = max(0, parse_dice(dice).highest), " maximum"
        extra = extra or weapon.extra
    if extra:
        amount_rolled = max(
            0, shared_checks.roll_extra_dice(ctx, by, extra, "extra damage", target)
        )
        label = f" ({amount}{label} and {amount_rolled} extra)"
        amount += amount_rolled
    plus = ((parse_dice(part.dice).highest, part.type) for part in assault.plus)
    return amount, (*assault.more, *plus), label


# -------------------------------------------------------------------------------------------------
# The sheet's attacks that a power makes, each a roll and damage of its own, for one action.
#
#     power "Claw Fury" mira,mira natural 12,9 8,6 with claw,bite
#
# Orcus, Use a Power, Power Attack Rolls.

_SEVERAL = late_pattern(r"\d{1,4}(,\d{1,4})+$")


def _read_each(reading: ParseState) -> tuple[str, ...]:
    """Return the target of each attack; a target named twice is attacked twice."""
    found = reading.words.combatants("the target of the attack", again=True)
    return tuple(combatant.id for combatant in found)


def _read_amounts(reading: ParseState) -> tuple[int | str, ...]:
    tokens = reading.words
    if _SEVERAL.match(tokens.peek()):
        return tuple(int(part) for part in tokens.next("the damage rolled").split(","))
    return (arguments.damage_arg().read(reading),)


_EACH = Argument(_read_each, "TARGET[,TARGET]", field=Field("targets"))
_FALLEN = Argument(
    _read_amounts,
    "DAMAGE[,DAMAGE]",
    lambda r: r.words.has_amount() or bool(_SEVERAL.match(r.words.peek())),
    field=Field("damage"),
)


class PowerAttackArgs(Struct, frozen=True):
    """Several attacks of one power: a target, a die and a damage for each, or one for all."""

    targets: Annotated[tuple[str, ...], _EACH]
    dice_fallen: Annotated[list[DieInput], DICE_OF_TARGETS]
    amount_rolled: Annotated[tuple[int | str, ...], _FALLEN] = ()
    type: Annotated[str, TYPE] = ""
    how: Modifiers = AttackModifiers()


def blows_of(combatant: Combatant, power: Power, args: PowerAttackArgs) -> list[AttackArgs]:
    """List the blows of a power, each as an attack.

    Raises Refused for weapons or damage that don't go with them.
    """
    count = len(args.targets)
    weapons = (args.how.weapon or power.makes).split(",")
    for what, row in (("attacks", weapons), ("amounts of damage", args.amount_rolled)):
        if len(row) > 1 and len(row) != count:
            raise Refused(
                f"{len(row)} {what} for {count} outcomes: name one, or one for each outcome"
            )
    found = []
    for i, (target, die) in enumerate(zip(args.targets, args.dice_fallen, strict=True)):
        how = replace(args.how, weapon=weapons[i % len(weapons)])
        amount_rolled = (
            args.amount_rolled[i % len(args.amount_rolled)] if args.amount_rolled else None
        )
        blow = AttackArgs((target,), [die], amount_rolled, args.type, how=how)
        found.append(attack_method(combatant, blow, keywords=("weapon", *power.tags)))
    return found


def make_blows(
    ctx: Context, combatant: Combatant, power: Power, blows: Sequence[AttackArgs]
) -> list[Outcome]:
    """Make the blows in their order, without those at a target that an earlier one killed."""
    outcomes: list[Outcome] = []
    lines = []
    for blow in blows:
        if shared_damage.has_just_died(ctx, blow.targets[0]):
            continue
        came = attack(ctx, ctx.state[combatant.id], blow, blow.means.name)
        lines.append(f"{blow.means.name} on {attack_text(ctx, blow, came)}")
        outcomes += came
    ctx.text = f"{combatant.name} uses {power.name}: {'; '.join(lines)}"
    return outcomes
