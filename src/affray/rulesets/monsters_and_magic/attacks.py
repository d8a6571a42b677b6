"""Attacks by weapon and spell: modifiers, rolls, and the effects of a hit.

Monsters & Magic, Attacking & Dealing Damage, Cover, Concealment, Reach & Range, Underwater Combat,
Basic Techniques (Dodge).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.effects import remove_effect
from affray.core.engine.events import Rolled
from affray.core.engine.state import Combatant, Effect
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, require_alive
from affray.core.parser.declarations import ParseState
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import Field
from affray.core.parser.spelling import begun_so
from affray.core.rules.ruleset import Context
from affray.mechanics import checks as shared_checks, stats
from affray.mechanics.damage import require_hp
from affray.mechanics.saves import dice_arg, refuse_terms
from affray.mechanics.stats import CombatantSituation, Reasons, StatPart
from affray.rulesets.monsters_and_magic import (
    checks,
    conditions,
    damage,
    environment,
    gear,
    loadout,
    movement,
    saves,
    sheet,
    stats as totals,
)
from affray.rulesets.monsters_and_magic.checks import Outcome
from affray.rulesets.monsters_and_magic.environment import INVISIBLE
from affray.rulesets.monsters_and_magic.sheet import Attack, attacks_of
from affray.rulesets.monsters_and_magic.stats import weapons_of


def _weapons(reading: ParseState) -> list[str]:
    return [f'"{name}"' if " " in name else name for name in weapons_of(reading.ctx.actor())]


Amount = Annotated[int | None, arguments.amount_arg(usage="DAMAGE")]
Type = Annotated[str, arguments.damage_type_arg(damage.known_types, requires="amount")]
_WITH = arguments.keyword_arg(
    "with", arguments.text_arg("the attack's name", _weapons, "NAME"), field=Field("weapon")
)
_DIE = partial(shared_checks.die_arg, checks.OUTCOMES, may_lack=shared_checks.is_rolled_for)
_ABILITY = arguments.anywhere_choice_arg(
    "power", "cunning", "focus", "spell", alike={"agile": "cunning", "precise": "focus"}
)


class AttackModifiers(checks.CheckModifiers, frozen=True):
    """The options of an attack, in any order.

    cover     True if the target has partial cover; `concealed` likewise
    fatigue   True if it inflicts fatigue in place of damage
    weapon    the attacker's attack to use; empty for the first that fits
    ability   the ability to roll; empty for the weapon's own
    range     True if it comes from out of touch range; empty for what the weapon says
    at        its distance in feet; None if not given
    """

    cover: arguments.Heard = False
    concealed: arguments.Heard = False
    fatigue: arguments.Flag = False
    weapon: Annotated[str, _WITH] = ""
    ability: Annotated[str, _ABILITY] = ""
    unproficient: arguments.Flag = False
    range: Annotated[str, arguments.anywhere_choice_arg("far", "near")] = ""
    at: Annotated[int | None, arguments.keyword_arg("at", environment.FEET)] = None


_OR_FATIGUE = arguments.amount_arg(usage="DAMAGE", field=Field("damage", ("fatigue",)))


class AttackArgs(Struct, frozen=True):
    """One attack as the command describes it.

    amount    the damage as rolled; None for the attack's own dice
    spell     the spell that is cast; empty for a Strike
    in_reach  True if it takes a melee weapon or a spell
    """

    target: arguments.Target
    die: Annotated[DieInput, _DIE()]
    words: Annotated[AttackModifiers, arguments.keyword_args(AttackModifiers, "WORDS")] = (
        AttackModifiers()
    )
    amount: Annotated[int | None, _OR_FATIGUE] = None
    type: Type = ""
    spell: str = ""
    in_reach: bool = False


def is_saved(reading: ParseState) -> bool:
    """True if a save takes the place of a roll to hit, by the command or by the attack of that name
    on the sheet."""
    spell_or_power = reading.value_of("spell") or reading.value_of("power")
    is_power = isinstance(spell_or_power, sheet.Power)
    name = spell_or_power.name if is_power else spell_or_power
    row = named_attack(reading.ctx.actor(), name, spell=not is_power)
    is_further_on = "save" in reading.words.words[reading.words.at :]
    is_on_sheet = row is not None and row.save is not None
    return is_further_on or bool(reading.value_of("save")) or is_on_sheet


def named_attack(combatant: Combatant, name: str, spell: bool) -> Attack | None:
    """The attack on the sheet with the name of a power, or of a spell with any charms; None if it
    has none."""
    name = name.partition(",")[0]
    row = {each.name: each for each in attacks_of(combatant) if each.is_spell or not spell}
    found = begun_so(name, row) if name else []
    return row[found[0]] if found else None


_SAVED = arguments.keyword_arg(
    "save",
    arguments.choice_arg("the save's ability", sheet.ABILITIES, "ABILITY"),
    field=Field("said-of", sheet.ABILITIES, before="save"),
)


class MultiAttackArgs(Struct, frozen=True):
    """The targets of a spell or a power, the outcome or die of each one's attack roll or save, and
    the damage.

    save  the ability of the saves, if the sheet doesn't say it; empty for none
    half  True if a weak save takes half of the damage
    """

    targets: Annotated[
        list[Combatant],
        arguments.combatants_arg(
            "the target, or several", arguments.other_combatants_arg, usage="TARGET[,TARGET]"
        ),
    ]
    dice: Annotated[list[DieInput | None], dice_arg("targets", lambda r: checks.OUTCOMES, is_saved)]
    words: Annotated[AttackModifiers, arguments.keyword_args(AttackModifiers, "WORDS")] = (
        AttackModifiers()
    )
    amount: Amount = None
    type: Type = ""
    save: Annotated[str, _SAVED] = ""
    half: arguments.Heard = False


def attack(ctx: Context, attacker: Combatant, assault: AttackArgs, what: str) -> Outcome:
    """Make an attack and let it land; returns its outcome.

    Raises Refused for a dead or missing target, an unknown weapon, or a hit without damage.
    """
    target = ctx.state[assault.target.id]
    if assault.words.fatigue and assault.amount is not None:
        raise Refused("it is either damage or fatigue, not both")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead")
    if target.id == attacker.id:
        raise Refused(f"{attacker.name} can't attack themself")
    words = assault.words
    weapon = weapon_of(attacker, assault)
    _can_land(target, attacker, assault, weapon)
    hindered = _out_of_range(ctx, attacker, assault, weapon)
    if weapon is not None:
        loadout.draw_for(ctx, attacker, weapon.name)
    if words.fatigue:
        damage.mark_fatigue(ctx, attacker.id, 1, f"for the {what}")
    far = _is_far(ctx, assault, weapon)
    ability = _ability_of(attacker, assault, weapon)
    seen = environment.look_at(ctx, attacker, target, words.at)
    pro, con = _advantage(ctx, ctx.state[attacker.id], target, far, words.at, seen)
    dim = environment.concealment(ctx, words.concealed, seen)
    outcome = AttackCheck(
        attacker.id,
        ability,
        assault.die,
        against=target.id,
        modifiers=words,
        name=what,
        more=(_proficiency_part(attacker, assault, weapon), _cover_part(ctx, target, words), dim),
        pro=tuple(pro),
        con=(*con, *hindered),
    ).come_out(ctx)
    if outcome in checks.HITS:
        _land(ctx, attacker, assault, weapon, outcome)
        inflicted = weapon.inflicts if weapon is not None else ()
        conditions.inflict_by_row(ctx, attacker.id, target.id, inflicted)
    return outcome


def _can_land(
    target: Combatant, attacker: Combatant, assault: AttackArgs, weapon: Attack | None
) -> None:
    """Raises Refused for somebody who can't be aimed at, and for an attack whose hit could do
    nothing."""
    if target.named(environment.TOTAL_COVER) is not None:
        raise Refused(f"{target.name} has total cover: no attack or spell can be aimed at it")
    if assault.words.fatigue:
        damage.require_fatigue(target)
        damage.require_fatigue(attacker)
        return
    require_hp(target, "damaged")
    if assault.die.rolled_here and assault.amount is None and weapon is None:
        raise Refused(_no_dice(attacker, assault))


def _no_dice(attacker: Combatant, assault: AttackArgs) -> str:
    kind = "spell" if assault.words.ability == "spell" else "attack"
    what = f"spell called {assault.spell!r}" if assault.spell else f"{kind} of their own"
    return (
        f"how much damage? {attacker.name} has no {what} to roll: give a number, such as `strong 8`"
    )


def weapon_of(attacker: Combatant, assault: AttackArgs) -> Attack | None:
    """The attack that is used: the one named, else the first that fits, else None.

    A spell that is cast is the spell attack of its name, and no weapon. Raises Refused for a name
    that the attacker has no fitting attack of, and where reach is needed and only bows are there.
    """
    choices = attacks_of(attacker)
    fits = [a for a in choices if _fits(a, assault)]
    wanted = assault.words.weapon or assault.spell
    ready = [a for a in fits if gear.is_ready(attacker, a)]
    fitting = begun_so(wanted, [weapon.name for weapon in ready])
    if fitting:
        return next(weapon for weapon in ready if weapon.name == fitting[0])
    if ready != fits and not assault.spell:
        weapons = [attack.name for attack in ready if not attack.is_spell]
        held = join_or(weapons, "and") if weapons else "no such weapon"
        raise Refused(f"{attacker.name} has {held} in hand: `retrieve swap` changes that")
    if assault.words.weapon or (assault.in_reach and choices):
        kind = "melee attack" if assault.in_reach else "spell" if assault.spell else "attack"
        named = f" {assault.words.weapon!r}" if assault.words.weapon else ""
        have = f"; it has {join_or((a.name for a in fits), 'and')}" if fits else ""
        raise Refused(f"{attacker.name} has no {kind}{named}{have}")
    return None


def _fits(weapon: Attack, assault: AttackArgs) -> bool:
    """True if this can make the attack: only a spell if one is cast, no bow within reach, and
    nothing that asks for a save."""
    if weapon.save is not None:
        return False
    if assault.spell or (assault.words.ability == "spell" and not assault.words.weapon):
        return weapon.is_spell
    return weapon.is_spell or not (assault.in_reach and weapon.is_ranged)


def _out_of_range(
    ctx: Context, attacker: Combatant, assault: AttackArgs, weapon: Attack | None
) -> list[str]:
    """The reason why an attack from that distance has disadvantage; empty for none.

    Raises Refused beyond touch range for melee weapons, beyond their range for spells, beyond twice
    their range for ranged weapons; under water the range of weapons is half of it.
    """
    feet = assault.words.at
    if weapon is None or feet is None:
        return []
    if not (weapon.is_spell or weapon.is_ranged):
        reach = most = int(ctx.tables.economy["ranges"]["touch"])
    elif not weapon.range:
        return []
    elif weapon.is_spell:
        reach = most = weapon.range
    else:
        wet = environment.is_under_water(ctx, attacker)
        reach = weapon.range // 2 if wet else weapon.range
        most = 2 * reach
    if feet > most:
        raise Refused(f"{weapon.name} reaches {most} feet at most, and that is {feet} feet away")
    return ["beyond its range"] if feet > reach else []


def _is_far(ctx: Context, assault: AttackArgs, weapon: Attack | None) -> bool:
    """True if an attack comes from beyond touch range: by the command, else for ranged ones."""
    if assault.words.range:
        return assault.words.range == "far"
    if assault.words.at is not None:
        return assault.words.at > int(ctx.tables.economy["ranges"]["touch"])
    return weapon is not None and weapon.is_ranged and not assault.in_reach


def _ability_of(attacker: Combatant, assault: AttackArgs, weapon: Attack | None) -> str:
    """The ability of an attack roll: the given one; else the weapon's or POWER, whichever is
    better, since agile and precise weapons leave the choice (Ability Checks)."""
    own = weapon.ability if weapon else "power"
    if assault.words.ability or own == "spell":
        return assault.words.ability or own
    return max((own, "power"), key=lambda name: sheet.ability(attacker, name))


def _proficiency_part(attacker: Combatant, assault: AttackArgs, weapon: Attack | None) -> StatPart:
    """A character's PB, where they are proficient with the weapon, or for a spell with the focus in
    hand."""
    held = gear.focus_in_hand(attacker) if weapon is None or weapon.is_spell else weapon
    is_able = held is None or gear.is_proficient(attacker, held.kind)
    counts = is_able and attacker.kind == "pc" and not assault.words.unproficient
    return StatPart(attacker.number("pb") if counts else 0, "PB")


OPENING = "unseen"
"""The effect by which the first attack from hiding has advantage (Hide)."""
HIDING = "hiding"
"""The cause (`because`) of the invisibility of somebody who hides."""


def is_hiding(effect: Effect) -> bool:
    """True if somebody is invisible by hiding, which ends when they are noticed (Hide)."""
    return effect.name == "invisible" and effect.because == HIDING


class AttackCheck(checks.CheckRequest, frozen=True):
    """The roll to hit of an attack."""

    tags: tuple[str, ...] = ("attack",)

    def follow(self, ctx: Context, rolled: Rolled) -> None:
        """End effects for one attack on the target, and reveal a hidden attacker."""
        super().follow(ctx, rolled)
        stats.use_up_on(ctx, self.numbers, self.against, self.who)
        for effect in ctx.state[self.who].effects:
            if is_hiding(effect):
                remove_effect(ctx, self.who, effect.id, "attacked")


def _land(
    ctx: Context, attacker: Combatant, assault: AttackArgs, weapon: Attack | None, outcome: Outcome
) -> None:
    """Apply a hit: fatigue, or damage."""
    if assault.words.fatigue:
        marks = damage.scaled(2, outcome)
        damage.mark_fatigue(ctx, assault.target.id, marks, f"struck by {attacker.name}")
        return
    amount = assault.amount
    if amount is None:
        amount = _rolled_damage(ctx, attacker, assault, weapon)
    bonus = _damage_bonus(ctx, attacker)
    kind = assault.type or (weapon.type if weapon else "")
    is_new = assault.words.cover and not _has_cover(ctx.state[assault.target.id])
    cover = ctx.tables.economy["cover"] if is_new else 0  # a place raises the AC by its row
    damage.deal(
        ctx, assault.target.id, damage.DamageInstance(amount, kind, outcome, cover, bonus=bonus)
    )


def _damage_bonus(ctx: Context, attacker: Combatant) -> int:
    """The damage bonus or penalty of the situation; effects for one hit are used up."""
    used = totals.fitting(ctx.state[attacker.id], (totals.DAMAGE,))
    more = map(totals.forward_part, used)
    situation = totals.situation_of(ctx, ctx.state[attacker.id])
    bonus = stats.stat_value(situation, totals.DAMAGE, more=more)
    totals.use_up(ctx, attacker.id, totals.DAMAGE, used)
    return bonus


def _rolled_damage(
    ctx: Context,
    attacker: Combatant,
    assault: AttackArgs,
    weapon: Attack | None,
) -> int:
    """The attack's dice; to a weapon's a character adds the ability of the attack roll."""
    if weapon is None:
        raise Refused(_no_dice(attacker, assault))
    ability = _ability_of(attacker, assault, weapon)
    adds = attacker.kind == "pc" and not weapon.is_spell and ability != "spell"
    more = sheet.ability(attacker, ability) if adds else 0
    dice = f"{weapon.dice}{more:+d}" if more else weapon.dice
    what, parts = f"{weapon.name} damage", [StatPart(more, ability.upper())]
    return max(0, shared_checks.roll_extra_dice(ctx, attacker.id, dice, what, parts=parts))


def format_called_outcome(assault: AttackArgs, outcome: str) -> str:
    """An attack's outcome and amount as the GM said them: `strong 8 slashing`."""
    parts = [outcome]
    if assault.words.fatigue:
        parts.append("fatigue")
    elif assault.amount is not None and outcome in checks.HITS:
        parts += [str(assault.amount), assault.type]
    return " ".join(filter(None, parts))


# -- at several, by a spell or a power -------------------------------------------------------------


def reach(
    ctx: Context, attacker: Combatant, name: str, at: MultiAttackArgs, what: str, spell: bool
) -> str:
    """Let a spell or a power, paid for, do what it does to its targets; gives that in words.

    It is an attack on each of them, or it asks for their saves. Raises Refused.
    """
    row = named_attack(attacker, name, spell)
    if at.save:
        return _ask_saves(ctx, attacker, name, at, sheet.Save(at.save, half=at.half), row)
    if row is not None and row.save is not None:
        save = replace(row.save, half=row.save.half or at.half)
        return _ask_saves(ctx, attacker, name, at, save, row)
    if at.half:
        raise Refused("`half` is only for saves; a weak hit is halved anyway")
    if not spell and row is None:
        hint = f"add `save ABILITY`, the ability that {join_names(at.targets)} would save with"
        raise Refused(f"{name} is no attack of {attacker.name}'s sheet: {hint}")
    words = replace(at.words, ability="spell") if spell else replace(at.words, weapon=name)
    results = []
    for target, die in zip(at.targets, at.dice, strict=True):
        called = name.partition(",")[0] if spell else ""
        assault = AttackArgs(target, die or DieInput(), words, at.amount, at.type, called)
        outcome = format_called_outcome(assault, attack(ctx, attacker, assault, what))
        results.append(f"{target.name}, {outcome}")
    return f" at {'; '.join(results)}"


def _ask_saves(
    ctx: Context,
    attacker: Combatant,
    name: str,
    at: MultiAttackArgs,
    save: sheet.Save,
    row: Attack | None,
) -> str:
    """Ask each target for its save; damage is rolled once for all."""
    require_alive(at.targets)
    terms = _terms_of_saves(ctx, attacker, name, at)
    for target in at.targets:
        _out_of_range(ctx, attacker, AttackArgs(target, DieInput(), at.words), row)
    dice: Sequence[DieInput | None] = at.dice or [None] * len(at.targets)
    amount = at.amount
    if amount is None and row is not None and any(_may_harm(die, save) for die in dice):
        amount = _rolled_damage(ctx, attacker, AttackArgs(at.targets[0], DieInput()), row)
    bonus = _damage_bonus(ctx, attacker) if amount else 0
    kind = at.type or (row.type if row is not None else "")
    inflicts = row.inflicts if row is not None else ()
    asked = saves.AskedSave(save, amount or 0, kind, bonus, inflicts)
    results = []
    for target, die in zip(at.targets, dice, strict=True):
        outcome = saves.ask(ctx, attacker.id, target, name, asked, die, terms)
        results.append(f"{target.name} {outcome or 'waits'}")
    return f"; saves: {', '.join(results)}"


def _may_harm(die: DieInput | None, save: sheet.Save) -> bool:
    """True if a save may leave damage, given what is known of its die."""
    called = die.outcome if die is not None else ""
    return not called or called in saves.MISSES or (called == "weak" and save.half)


def _terms_of_saves(
    ctx: Context, attacker: Combatant, name: str, at: MultiAttackArgs
) -> checks.CheckModifiers:
    """The options of the saves. Raises Refused for options of attacks, and for options of a save
    that waits for its die."""
    own = checks.CheckModifiers.__struct_fields__
    terms = checks.CheckModifiers(**{key: getattr(at.words, key) for key in own})
    if at.words != AttackModifiers(**{key: getattr(terms, key) for key in own}, at=at.words.at):
        raise Refused(f"{name} asks for saves: it takes no options of an attack roll")
    if replace(terms, dc=None) != checks.CheckModifiers():
        refuse_terms(ctx, at.targets, at.dice, attacker.id)
    return terms


# -- what makes it easier or harder ----------------------------------------------------------------


def _advantage(
    ctx: Context, attacker: Combatant, target: Combatant, far: bool, feet: int | None, seen: str
) -> Reasons:
    """The reasons for advantage and for disadvantage on an attack, by the effects on both. `far` is
    True beyond touch range, `feet` the distance if known, `seen` the target's concealment from the
    attacker. Hiding that the other's senses see through doesn't count.
    """
    found = environment.found_by(ctx, attacker, target, feet)
    noticed = environment.found_by(ctx, target, attacker, feet)
    seen_coming = {INVISIBLE, OPENING} if INVISIBLE in noticed else set()
    roller = environment.without_gear(totals.situation_of(ctx, attacker), seen_coming)
    suffering = environment.without_gear(totals.situation_of(ctx, target), found & {INVISIBLE})
    pro, con = stats.advantage_reasons(roller, ("attack",), suffering, ("far" if far else "near",))
    says_so = any(effect.name == INVISIBLE for effect in suffering.effects)
    if seen in environment.UNSEEN and not says_so:
        con.append(f"target {seen}")
    if "dodging" in suffering.force and _dodge_helps(ctx, suffering, attacker, feet):
        con.append("target dodging")
    if environment.is_under_water(ctx, attacker) and not _swims(ctx, attacker):
        con.append("under water")
    return pro, con


def _swims(ctx: Context, combatant: Combatant) -> bool:
    """True if it has a swim speed, or rides a mount that has one (Monsters & Magic, Underwater
    Combat)."""
    mount = movement.steed_of(ctx.state, combatant)
    return bool(combatant.stats.get("swim") or (mount is not None and mount.stats.get("swim")))


def _dodge_helps(
    ctx: Context, target: CombatantSituation, attacker: Combatant, feet: int | None
) -> bool:
    """True if the target's Dodge helps: it sees the attacker, can act and can move."""
    seen = environment.how_seen(ctx, target.who, attacker, feet)
    is_blind = "blinded" in target.force or seen in environment.UNSEEN
    return not is_blind and totals.can_dodge(ctx, target.who)


def _cover_part(ctx: Context, target: Combatant, args: AttackModifiers) -> StatPart:
    """The penalty of partial cover, from the command or from the target's place."""
    is_covered = args.cover or _has_cover(target)
    return StatPart(-ctx.tables.economy["cover"] if is_covered else 0, "cover")


def _has_cover(combatant: Combatant) -> bool:
    """True if somebody is in a place with partial cover, whose row raises their AC."""
    return combatant.named(environment.PARTIAL_COVER) is not None
