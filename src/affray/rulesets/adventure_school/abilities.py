"""Abilities and spells: at their price, with an attack or saves if they have any.

Seed 001: Action (Cast a Spell), Fast Action, Reaction, Save, Diminish, Control and Chaos;
rules file, 3, 13 to 16 and Commands, 4 and 5.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import asdict, replace

from affray.core.heart.decide import Context
from affray.core.heart.events import Used
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables
from affray.rulekit import acts, powers
from affray.rulekit import rolls as dice
from affray.rulekit.acts import Cost, Now, Pay
from affray.rulekit.doing import Declared
from affray.rulekit.rolls import Die
from affray.rulesets.adventure_school import attacks, economy, hiding, resources, rolls, sheet
from affray.rulesets.adventure_school.attacks import TARGETS, AttackWords, Fallen, Swing
from affray.rulesets.adventure_school.checks import Trial, attempt
from affray.rulesets.adventure_school.conditions import end_charms, lay_all, mind_the_charmer
from affray.rulesets.adventure_school.damage import DAMAGE, Blow, deal
from affray.rulesets.adventure_school.sheet import Ability, Attack, Costs
from affray.rulesets.adventure_school.spellburn import burn, why_not_cast

FAST = "fast"
ROWS = {FAST: FAST, "spammable": FAST, "free": "free"}
"""The technique whose row says when that can be done; the others are abilities like any."""
REACTIONS = {"reaction": "react", "effortless": "effortless"}
"""What can be forbidden of those who do such a thing outside of their turn (3.5)."""


# -- what is said ----------------------------------------------------------------------------------


class Saved(Struct, frozen=True):
    """`health|social [reflex] dc N`: the save of those whom it reaches."""

    save: Annotated[str, arguments.choice("the save", sheet.SAVES)]
    reflex: Annotated[bool, arguments.flag(heard="reflex")] = False
    dc: Annotated[int | None, dice.DC] = None


_ASKS = "outcome:miss|hit|crit|pass|fail"
_OUTCOME = dice.die_said(rolls.EITHER, "targets", asks=_ASKS, may_lack=rolls.is_rolled_for)
"""How rolls to hit came out, or the targets' saves where a save is said, or the sheet has one."""


class Aim(Struct, frozen=True):
    """`TARGET[,TARGET] [save ...] OUTCOME [DAMAGE] [half]`: at whom, and what comes of it."""

    targets: Annotated[list[Combatant], TARGETS]
    dice: Annotated[list[Die], _OUTCOME]
    words: Annotated[AttackWords, arguments.words_of(AttackWords, "WORDS")]
    saved: Annotated[Saved | None, arguments.clause("save", arguments.form(Saved))] = None
    fallen: Annotated[Fallen, DAMAGE] = ()
    half: Annotated[bool, arguments.flag(heard="half")] = False


def _abilities(reading: Reading) -> dict[str, Ability]:
    return {ability.name: ability for ability in sheet.abilities_of(reading.ctx.actor())}


def _read_dice(reading: Reading) -> tuple[int, ...]:
    words, what = reading.words, "the spellburn dice as they lie, 7 or 7,3"
    parts = words.next(what).split(",")
    if not all(part.isdecimal() and len(part) < 4 for part in parts):
        words.back()
        raise words.refuse(f"expected {what}, found {words.upcoming!r}")
    return tuple(map(int, parts))


_ROLLED = arguments.clause("rolled", Argument(_read_dice, "N[,N]"))


class Use(Struct, frozen=True):
    """`ability NAME [TARGET[,TARGET] OUTCOME [DAMAGE] [terms]] [rolled N[,N]]`."""

    ability: Annotated[Ability, arguments.called("an ability", _abilities, asks="spell")]
    at: Annotated[Aim | None, arguments.form(Aim)] = None
    rolled: Annotated[tuple[int, ...], _ROLLED] = ()


class Cast(Struct, frozen=True):
    """`cast SPELL [COST] [rolled N[,N]] [subtle] [at TARGET[,TARGET] OUTCOME [DAMAGE] [half]]`."""

    spell: Annotated[str, arguments.phrase("the spell", "SPELL")]
    costs: Annotated[Costs, arguments.words_of(Costs, "COST")]
    rolled: Annotated[tuple[int, ...], _ROLLED] = ()
    subtle: Annotated[bool, arguments.flag(heard="subtle")] = False
    at: Annotated[Aim | None, arguments.clause("at", arguments.form(Aim))] = None


# -- what it takes ---------------------------------------------------------------------------------


def why_not(who: Combatant, ability: Ability) -> str:
    """Why somebody can't use it at all now, whatever it takes of the turn."""
    used_up = powers.why_used_up(who, ability.name, ability.uses, ability.per)
    return used_up or why_not_cast(who, ability.name, ability)


def _take_turn(ctx: Context, who: Combatant, ability: Ability, pay: Pay) -> None:
    """Pay what it takes of the turn: the action or the move by `pay` (rules file, 3)."""
    if ability.takes in REACTIONS:
        economy.refuse_no_reaction(ctx, who, ability.takes == "effortless")
    elif ability.takes == "move":
        economy.pay_by_move(ctx, who, pay)
    elif ability.takes == "action":
        pay()
    else:
        subject = ability.name.casefold() if ability.takes == FAST else ""
        acts.pay(economy.ECONOMY, ctx, who.id, ROWS[ability.takes], {}, subject)


def _turn_cost(now: Now, ability: Ability) -> Cost:
    if ability.takes == "action":
        return {"action": 1}
    return economy.whole_move(now) if ability.takes == "move" else {}


def _why_no_turn(now: Now, ability: Ability) -> str:
    """Why it can't be done now, by what it takes of a turn."""
    if ability.takes in REACTIONS:
        return now.forbids(REACTIONS[ability.takes])
    row = ROWS.get(ability.takes, "ability")
    if ability.takes == "move" and (why := economy.why_no_whole_move(now)):
        return why
    if ability.takes == FAST and (why := acts.why_not_again(now, FAST, ability.name.casefold())):
        return why
    return economy.ECONOMY.why_not(now, row, _turn_cost(now, ability))


# -- using it --------------------------------------------------------------------------------------


def use(ctx: Context, said: Use, who: Combatant, pay: Pay) -> None:
    """Use one of the abilities on the sheet; one that is a spell shows who hides, as a cast one."""
    ability = said.ability
    ctx.text = f"{who.name} uses {ability.name}"
    _use(ctx, who, ability, said.at, pay, said.rolled)
    if ability.is_spell:
        hiding.reveal(ctx, who.id, "it casts")


def cast(ctx: Context, said: Cast, who: Combatant, pay: Pay) -> None:
    """Cast a spell, at its price or what is said; the hidden no longer are, unless it is subtle."""
    price, is_priced = said.costs, said.costs != sheet.USUAL
    spell = sheet.spell_called(who, said.spell, is_other=is_priced)
    if is_priced:
        takes = price.takes if price.takes != sheet.USUAL.takes else spell.takes
        spell = replace(spell, **asdict(price) | {"takes": takes})
    ctx.text = f"{who.name} casts {spell.name}"
    _use(ctx, who, spell, said.at, pay, said.rolled)
    if not said.subtle:
        hiding.reveal(ctx, who.id, "it casts")


def _use(
    ctx: Context,
    who: Combatant,
    ability: Ability,
    at: Aim | None,
    pay: Pay,
    rolled: tuple[int, ...],
) -> None:
    """Pay for it, and let it happen, unless chaos or a backfire comes in its place."""
    name, at = ability.name, _saved_as_the_sheet_says(ability, at)
    if rolled and not ability.burns:
        raise Refused(f"no spellburn die is rolled for {name}: `spellburn` says that it is")
    _refuse(ctx, who, ability, at)
    if resources.is_short(ctx, who.id, ability.points):
        return
    _take_turn(ctx, who, ability, pay)
    if ability.uses:
        ctx.emit(Used(who.id, name, ability.per))
    powers.tell(ctx, who, ability.text)
    holds = resources.take(ctx, who.id, ability.points, name)
    resources.exhaust(ctx, who.id, ability.exhaust)
    if not (holds and burn(ctx, who.id, name, ability, rolled)):
        return
    if at is None or _reaches(ctx, who, ability, at):
        resources.gain_diminish(ctx, who.id, _diminish(ability, at), name)


def _diminish(ability: Ability, at: Aim | None) -> int:
    """The levels that it takes if it works: those of its sheet, else as the command says (16)."""
    return ability.diminish or (at.words.diminish if at is not None else 0)


def _saved_as_the_sheet_says(ability: Ability, at: Aim | None) -> Aim | None:
    """At whom it is, with the save of its sheet unless the command says another."""
    save = ability.save
    if at is None or at.saved is not None or save is None:
        return at
    return replace(at, saved=Saved(save.save, save.reflex, save.dc), half=at.half or save.half)


def _refuse(ctx: Context, who: Combatant, ability: Ability, at: Aim | None) -> None:
    """Raises Refused for what can't be used, or not against those."""
    powers.refuse(who, ability.name, why_not(who, ability))
    if at is None:
        return
    known = rolls.ATTACK_OUTCOMES if at.saved is None else rolls.OUTCOMES
    wrong = next((die.said for die in at.dice if die.said and die.said not in known.means), "")
    if wrong:
        raise Refused(f"{ability.name}: expected {known.listed}, found {wrong!r}")
    if at.saved is None:
        for swing in _swings(ctx, who, ability, at):
            attacks.refuse(ctx, swing)
        return
    if at.saved.dc is None and not all(die.said for die in at.dice):
        raise Refused("say against what the save is made: `dc N`")
    for target in at.targets:
        mind_the_charmer(ctx, who.id, target.id)


def _swings(ctx: Context, who: Combatant, ability: Ability, at: Aim) -> list[Swing]:
    """Its attacks, one on each target, and all of them from hiding if it begins there (8.3)."""
    words = replace(at.words, diminish=_diminish(ability, at))
    is_hidden, weapon = hiding.is_hidden(ctx, who), powers.attack_of(ability, Attack)
    swings = [
        Swing(who.id, t.id, weapon, die, words, at.fallen, ability.name, by_hand=False)
        for t, die in zip(at.targets, at.dice, strict=True)
    ]
    return [swings[0], *(replace(swing, from_hiding=is_hidden) for swing in swings[1:])]


def _reaches(ctx: Context, who: Combatant, ability: Ability, at: Aim) -> bool:
    """Let it reach its targets, by rolls to hit or by their saves; gives whether it works (16)."""
    if at.saved is not None:
        works: tuple[str, ...] = (rolls.FAIL, rolls.CRIT_FAIL)
        came = _save(ctx, who, ability, at, at.saved)
    else:
        works = rolls.HITS
        came = []
        for swing in _swings(ctx, who, ability, at):
            came.append(attacks.attack(ctx, attacks.behind(came, swing)))
    ctx.text += f" at {names(at.targets)}{attacks.in_words(came, at.fallen, works)}"
    return any(each in works for each in came)


def _save(ctx: Context, who: Combatant, ability: Ability, at: Aim, saved: Saved) -> list[str]:
    """The targets save, each against it and its types of damage; then it harms them."""
    of = ability.save or ability
    said = at.fallen or attacks.own_damage(of)
    fallen = tuple((much, kind or of.type or ability.type) for much, kind in said)
    levels = ctx.state[who.id].track("diminish") if _diminish(ability, at) else 0
    dc = None if saved.dc is None else saved.dc - levels
    kinds = (*(f"vs-{kind}" for _, kind in fallen if kind), *(["reflex"] if saved.reflex else []))
    came = []
    for target, die in zip(at.targets, at.dice, strict=True):
        trial = Trial(target.id, saved.save, die, dc, who.id, at.words, "save", kinds=kinds)
        came.append(attempt(ctx, trial).outcome)
        hiding.acts_against(ctx, who.id, target.id)
        end_charms(ctx, target.id, who.id)
    _harm(ctx, who.id, at, fallen, came)
    for target, each in zip(at.targets, came, strict=True):
        if each not in rolls.PASSES:
            powers.afflict(ctx, who.id, target.id, of.inflicts, lay_all)
    return came


def _harm(ctx: Context, who: str, at: Aim, fallen: Fallen, came: list[str]) -> None:
    """Deal damage, fallen once for all, to those whose saves failed, and half of it where it says
    so to those who passed; a critical save is unharmed (1.7, 11.2)."""
    hurt = (rolls.FAIL, rolls.CRIT_FAIL, *((rolls.PASS,) if at.half else ()))
    harmed = [(t, each) for t, each in zip(at.targets, came, strict=True) if each in hurt]
    if not (fallen and harmed):
        return
    parts = tuple((attacks.fell(ctx, who, much), kind) for much, kind in fallen)
    for target, outcome in harmed:
        deal(ctx, target.id, Blow(parts, who, half=outcome == rolls.PASS))


# -- among all that can be done --------------------------------------------------------------------


def own(tables: Tables, state: Encounter, who: Combatant) -> list[Option]:
    """Every ability of its own: what it costs, and why it can't be used."""
    now, row = Now(tables, state, who), sheet.abilities_of(who)
    return [_option(now, ability) for ability in row] if "action" in who.tracks else []


def _option(now: Now, ability: Ability) -> Option:
    reason = _why_no_turn(now, ability) or why_not(now.who, ability)
    reason = reason or resources.why_unpaid(now, ability.points)
    cost = _turn_cost(now, ability) | ability.points
    told = sheet.in_words(ability, ("name", "text"))
    return powers.option("ability", ability, cost, reason, told, _in_brief(ability))


def _in_brief(ability: Ability) -> str:
    """What is said of an ability behind its cost: `fast`, `spellburn ×2`."""
    takes = "" if ability.takes == "action" else ability.takes
    burns = "minor spellburn" if ability.minor_spellburn else "spellburn" if ability.burns else ""
    times = f"×{ability.burns}" if ability.burns > 1 else ""
    return " ".join(filter(None, (takes, burns, times)))


ACTS = {"ability": Declared(Use, use), "cast": Declared(Cast, cast)}
