"""Adventure School: abilities and spells: their price, and their attacks or saves if they have any.

Adventure School, Action (Cast a Spell), Fast Action, Reaction, Save, Diminish, Control and Chaos.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import asdict, replace

from affray.core.dice import DieInput
from affray.core.engine.events import UseCounted
from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting.media import IN_WRITING, Notation
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import ParseState
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field, group
from affray.core.rules.ruleset import AvailableAction, Context
from affray.core.rules.tables import Tables
from affray.mechanics import actions, checks, powers
from affray.mechanics.actions import ActorSituation, Cost, DeclaredTechnique, PayFunction
from affray.mechanics.saves import dice_arg, die_of, refuse_terms
from affray.rulesets.adventure_school import (
    action_economy,
    attacks,
    checks as rolls,
    contests,
    resources,
    saves,
    sheet,
)
from affray.rulesets.adventure_school.conditions import end_charms, mind_the_charmer
from affray.rulesets.adventure_school.damage import DAMAGE
from affray.rulesets.adventure_school.sheet import Ability, AbilityCost, Attack
from affray.rulesets.adventure_school.spellburn import burn, why_not_cast

FAST = "fast"
ROWS = {FAST: FAST, "spammable": FAST, "free": "free"}
"""The price -> the technique whose row says when it can be used; `ability` for other prices."""
REACTIONS = {"reaction": "react", "effortless": "effortless"}
"""The word by which effects forbid an ability outside of one's own turn."""


# -- what is said ----------------------------------------------------------------------------------


class SaveArgs(Struct, frozen=True):
    """`health|social [reflex] dc N`: the save of its targets."""

    save: Annotated[str, arguments.choice_arg("the save", sheet.SAVES)]
    reflex: arguments.Heard = False
    dc: Annotated[int | None, checks.DC] = None


def _is_saved(reading: ParseState) -> bool:
    """True if targets save, and nobody rolls to hit: as the command says, or the sheet."""
    row = _ability_of(reading)
    return _is_save_said(reading) or (row is not None and row.save is not None)


def _is_save_said(reading: ParseState) -> bool:
    is_further_on = "save" in reading.words.words[reading.words.at :]
    return is_further_on or bool(reading.value_of("saved"))


def _ability_of(reading: ParseState) -> Ability | None:
    """The ability, or the spell, that is on the sheet; None for a spell that isn't."""
    ability, spell = reading.value_of("ability"), reading.value_of("spell")
    try:
        return ability or (sheet.find_spell(reading.ctx.actor(), spell) if spell else None)
    except Refused:
        return None


def _outcomes(reading: ParseState) -> checks.OutcomeWords:
    return rolls.OUTCOMES if _is_saved(reading) else rolls.ATTACK_OUTCOMES


_CALLED = Field("outcome", ("miss", "hit", "crit", "crit-miss", "pass", "fail"), optional=False)
_OUTCOME = dice_arg("targets", _outcomes, _is_saved, _CALLED)
"""The outcomes of rolls to hit, or of the targets' saves if the command or the sheet has a save."""


def _is_dealt(reading: ParseState) -> bool:
    """True if prompts offer damage: not for an ability known to deal none. A command may still give
    it."""
    row = _ability_of(reading)
    if row is None or row not in sheet.abilities_of(reading.ctx.actor()):
        return True
    return _is_save_said(reading) or bool(powers.own_damage(row.save or row))


class TargetsArgs(Struct, frozen=True):
    """`TARGET[,TARGET] [save ...] OUTCOME [DAMAGE] [half]`: the targets and the result."""

    targets: Annotated[list[Combatant], attacks.TARGETS]
    dice: Annotated[list[DieInput | None], _OUTCOME]
    words: Annotated[
        attacks.AttackModifiers, arguments.keyword_args(attacks.AttackModifiers, "WORDS")
    ]
    saved: Annotated[
        SaveArgs | None, arguments.keyword_arg("save", arguments.struct_arg(SaveArgs))
    ] = None
    rolled_damage: Annotated[attacks.RolledDamage, replace(DAMAGE, offered=_is_dealt)] = ()
    half: arguments.Heard = False


def _abilities(reading: ParseState) -> dict[str, Ability]:
    return {ability.name: ability for ability in sheet.abilities_of(reading.ctx.actor())}


_ROLLED = arguments.lying_dice_arg("the spellburn dice")
_LETTERS = Field("said", ("adv", "dis", "half"))
_SAVE_BY_LETTERS = Field("said-of", sheet.SAVES, before="save")
_ROLL = (_LETTERS, _SAVE_BY_LETTERS, _CALLED, Field("damage"))
_AT = group(Field("targets", asked=True), *_ROLL)


class AbilityArgs(Struct, frozen=True):
    """`ability NAME [TARGET[,TARGET] OUTCOME [DAMAGE] [terms]] [rolled N[,N]]`."""

    ability: Annotated[
        Ability, arguments.custom_name_arg("an ability", _abilities, field=Field("own"))
    ]
    at: Annotated[TargetsArgs | None, arguments.struct_arg(TargetsArgs, _AT)] = None
    rolled: Annotated[tuple[int, ...], _ROLLED] = ()


_AT_KEYWORD = arguments.keyword_arg(
    "at",
    arguments.struct_arg(TargetsArgs),
    field=group(
        Field("targets", asked=True, before="at"),
        *(replace(each, optional=False, only_if="at") for each in _ROLL),
    ),
)


class CastArgs(Struct, frozen=True):
    """`cast SPELL [COST] [rolled N[,N]] [subtle] [at TARGET[,TARGET] OUTCOME [DAMAGE] [half]]`."""

    spell: Annotated[str, arguments.phrase_arg("the spell", "SPELL", Field("spell"))]
    costs: Annotated[AbilityCost, arguments.keyword_args(AbilityCost, "COST")]
    rolled: Annotated[tuple[int, ...], _ROLLED] = ()
    subtle: arguments.Flag = False
    at: Annotated[TargetsArgs | None, _AT_KEYWORD] = None


# -- what it takes ---------------------------------------------------------------------------------


def why_not(combatant: Combatant, ability: Ability) -> str:
    """The reason why somebody can't use this ability now, its cost aside."""
    used_up = powers.why_expended(combatant, ability.name, ability.uses, ability.per)
    return used_up or why_not_cast(combatant, ability.name, ability)


def _take_turn(ctx: Context, combatant: Combatant, ability: Ability, pay: PayFunction) -> None:
    """Pay its cost in the turn: the action or the move by `pay`."""
    if ability.takes in REACTIONS:
        action_economy.refuse_no_reaction(ctx, combatant, ability.takes == "effortless")
    elif ability.takes == "move":
        action_economy.pay_by_move(ctx, combatant, pay)
    elif ability.takes == "action":
        pay()
    else:
        subject = ability.name.casefold() if ability.takes == FAST else ""
        actions.pay(action_economy.ECONOMY, ctx, combatant.id, ROWS[ability.takes], {}, subject)


def _turn_cost(now: ActorSituation, ability: Ability) -> Cost:
    if ability.takes == "action":
        return {"action": 1}
    return action_economy.whole_move(now) if ability.takes == "move" else {}


def _why_no_turn(now: ActorSituation, ability: Ability) -> str:
    """The reason why the turn has no room for it now."""
    if ability.takes in REACTIONS:
        return now.forbids(REACTIONS[ability.takes])
    row = ROWS.get(ability.takes, "ability")
    if ability.takes == "move" and (why := action_economy.why_no_whole_move(now)):
        return why
    if ability.takes == FAST and (why := actions.why_used_up(now, FAST, ability.name.casefold())):
        return why
    return action_economy.ECONOMY.why_not(now, row, _turn_cost(now, ability))


# -- using it --------------------------------------------------------------------------------------


def use(ctx: Context, args: AbilityArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Use one of the abilities on the sheet; one that is a spell shows who hides, as a cast one."""
    ability = args.ability
    ctx.text = f"{combatant.name} uses {ability.name}"
    _use(ctx, combatant, ability, args.at, pay, args.rolled)
    if ability.is_spell:
        contests.reveal(ctx, combatant.id, "it casts")


def cast(ctx: Context, args: CastArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Cast a spell, at its price or the given one; this ends hiding, unless the spell is subtle."""
    price, is_priced = args.costs, args.costs != sheet.USUAL
    spell = sheet.find_spell(combatant, args.spell, is_other=is_priced)
    if is_priced:
        takes = price.takes if price.takes != sheet.USUAL.takes else spell.takes
        spell = replace(spell, **asdict(price) | {"takes": takes})
    ctx.text = f"{combatant.name} casts {spell.name}"
    _use(ctx, combatant, spell, args.at, pay, args.rolled)
    if not args.subtle:
        contests.reveal(ctx, combatant.id, "it casts")


def _use(
    ctx: Context,
    combatant: Combatant,
    ability: Ability,
    at: TargetsArgs | None,
    pay: PayFunction,
    rolled: tuple[int, ...],
) -> None:
    """Pay for it, and let it happen, unless chaos or a backfire comes in its place."""
    name, at = ability.name, _with_own_save(ability, at)
    if rolled and not ability.burns:
        raise Refused(f"no spellburn die is rolled for {name}: add `spellburn` if one is")
    _refuse(ctx, combatant, ability, at)
    if resources.is_short(ctx, combatant.id, ability.points):
        return
    _take_turn(ctx, combatant, ability, pay)
    if ability.uses:
        ctx.emit(UseCounted(combatant.id, name, ability.per))
    powers.note_power_use(ctx, combatant, ability.text)
    holds = resources.take(ctx, combatant.id, ability.points, name)
    resources.exhaust(ctx, combatant.id, ability.exhaust)
    if not (holds and burn(ctx, combatant.id, name, ability, rolled)):
        return
    if at is None or _affect_targets(ctx, combatant, ability, at):
        resources.gain_diminish(ctx, combatant.id, _diminish(ability, at), name)


def _diminish(ability: Ability, at: TargetsArgs | None) -> int:
    """The levels that it takes if it works: those of its sheet, else as the command says."""
    return ability.diminish or (at.words.diminish if at is not None else 0)


def _with_own_save(ability: Ability, at: TargetsArgs | None) -> TargetsArgs | None:
    """The targets, with the ability's own save unless the command says another."""
    save = ability.save
    if at is None or at.saved is not None or save is None:
        return at
    return replace(at, saved=SaveArgs(save.save, save.reflex, save.dc), half=at.half or save.half)


def _refuse(ctx: Context, combatant: Combatant, ability: Ability, at: TargetsArgs | None) -> None:
    """Raises Refused for an ability that can't be used now, or not on these targets."""
    powers.require_usable(combatant, ability.name, why_not(combatant, ability))
    if at is None:
        return
    if at.saved is None:
        for swing in _swings(ctx, combatant, ability, at):
            attacks.refuse(ctx, swing)
        return
    if at.saved.dc is None and not (
        at.dice and all(die is not None and die.outcome for die in at.dice)
    ):
        raise Refused("give the DC of the save: `dc N`")
    _refuse_of_waiting(ctx, combatant, at)
    for target in at.targets:
        mind_the_charmer(ctx, combatant.id, target.id)


def _swings(
    ctx: Context, combatant: Combatant, ability: Ability, at: TargetsArgs
) -> list[attacks.AttackRequest]:
    """The attacks of an ability, one on each target; all from hiding if the first is."""
    words = replace(at.words, diminish=_diminish(ability, at))
    is_hidden, weapon = contests.is_hidden(ctx, combatant), powers.power_attack(ability, Attack)
    swings = [
        attacks.AttackRequest(
            who=combatant.id,
            die=die or DieInput(),
            against=t.id,
            modifiers=words,
            name=ability.name,
            weapon=weapon,
            rolled_damage=at.rolled_damage,
            by_hand=False,
        )
        for t, die in zip(at.targets, at.dice, strict=True)
    ]
    return [swings[0], *(replace(swing, from_hiding=is_hidden) for swing in swings[1:])]


def _refuse_of_waiting(ctx: Context, combatant: Combatant, at: TargetsArgs) -> None:
    """Raises Refused for options of a save that waits for its die."""
    terms = replace(at.words, diminish=0)
    if terms != type(terms)():
        refuse_terms(ctx, at.targets, at.dice, combatant.id)


def _affect_targets(ctx: Context, combatant: Combatant, ability: Ability, at: TargetsArgs) -> bool:
    """Apply it to its targets, by rolls to hit or by their saves; True if it works."""
    if at.saved is not None:
        works: tuple[str, ...] = saves.WORKS
        outcomes = _ask_saves(ctx, combatant, ability, at, at.saved)
    else:
        works = rolls.HITS
        outcomes = []
        for swing in _swings(ctx, combatant, ability, at):
            outcomes.append(attacks.attack(ctx, attacks.follow_up_attack(outcomes, swing)))
    ctx.text += f" at {join_names(at.targets)}{attacks.in_words(outcomes, at.rolled_damage, works)}"
    return any(each in works for each in outcomes)


WAITS = "waits"
"""The place of an outcome in the log's line, where a save is still owed."""


def _ask_saves(
    ctx: Context, combatant: Combatant, ability: Ability, at: TargetsArgs, saved: SaveArgs
) -> list[str]:
    """Ask the targets for their saves, and harm them; returns the outcomes. Damage is rolled once
    for all; those still to save owe it.
    """
    of = ability.save or ability
    parts = at.rolled_damage or powers.own_damage(of)
    levels = _diminish(ability, at)
    dc = saved.dc
    if dc is not None and levels:
        dc -= ctx.state[combatant.id].track("diminish")
    types = tuple(kind or of.type or ability.type for _, kind in parts)
    asked = saves.AskedSave(saved.save, dc, saved.reflex, types, at.half, of.inflicts)
    by, outcomes = combatant.id, list[str]()
    for index, target in enumerate(at.targets):
        die = die_of(ctx, target, by, at.dice[index] if at.dice else None)
        outcomes.append(
            WAITS if die is None else saves.make(ctx, by, target.id, asked, die, at.words)
        )
        contests.acts_against(ctx, by, target.id)
        if die is not None:
            end_charms(ctx, target.id, by)
    amounts: list[int] = []
    if any(each == WAITS or asked.harms(each) for each in outcomes):
        amounts = [attacks.amount_as_rolled(ctx, by, amount) for amount, _ in parts]
    results = list(zip(at.targets, outcomes, strict=True))
    for target, each in results:
        saves.hurt(ctx, by, target.id, asked, amounts, each)
    for target, each in results:
        if each != WAITS:
            saves.inflict(ctx, by, target.id, asked, each)
    if any(each in saves.WORKS for each in outcomes):
        levels = 0  # they are taken now
    for target, each in results:
        if each == WAITS:
            saves.owe(ctx, by, target.id, ability.name, replace(asked, diminish=levels), amounts)
    return outcomes


# -- among all that can be done --------------------------------------------------------------------


def own_abilities(
    tables: Tables, state: Encounter, combatant: Combatant, how: Notation = IN_WRITING
) -> list[AvailableAction]:
    """The combatant's abilities, each with its cost, and why it can't be used."""
    now, row = ActorSituation(tables, state, combatant), sheet.abilities_of(combatant)
    return [_option(now, ability, how) for ability in row] if "action" in combatant.tracks else []


def _option(now: ActorSituation, ability: Ability, how: Notation) -> AvailableAction:
    reason = _why_no_turn(now, ability) or why_not(now.who, ability)
    reason = reason or resources.why_unpaid(now, ability.points)
    cost = _turn_cost(now, ability) | ability.points
    text = sheet.in_words(ability, ("name", "text"), how)
    return powers.available_power("ability", ability, cost, reason, text, _brief_cost(ability))


def _brief_cost(ability: Ability) -> str:
    """The cost of an ability besides points: `fast`, `spellburn ×2`."""
    takes = "" if ability.takes == "action" else ability.takes
    burns = "minor spellburn" if ability.minor_spellburn else "spellburn" if ability.burns else ""
    times = f"×{ability.burns}" if ability.burns > 1 else ""
    return " ".join(filter(None, (takes, burns, times)))


ACTS = {"ability": DeclaredTechnique(AbilityArgs, use), "cast": DeclaredTechnique(CastArgs, cast)}
