"""The actions for oneself and for others, and those that work on minds.

Seed 003: Create Diversion, Deter, Feint, Help Attack, Help Defense, Rally, Treat Ally, Unnerve,
Companions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from msgspec import Struct

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden, in_force
from affray.core.heart.events import Adjusted, Became, Used
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.declared import Argument, Reading
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused, close_to, listed
from affray.core.language.words import Word
from affray.rulekit import numbers, rolls
from affray.rulekit.acts import Act, Pay, needs_another
from affray.rulekit.doing import Declared
from affray.rulekit.placing import begin, renew
from affray.rulekit.rolls import Die
from affray.rulesets.orcus import attacks, checks, companions, damage, healing, saves, sheet
from affray.rulesets.orcus.checks import Outcome, Terms
from affray.rulesets.orcus.hindrances import POWERS

TREATMENTS = {"first-aid": "treat_first_aid", "save": "treat_save", "wound": "treat_wound"}
"""The ways to treat an ally, and where the tables have the DC of the Heal check for each."""


def _read_enemy(reading: Reading) -> Combatant:
    reading.words.take("against")
    return reading.words.combatant("the enemy")


class Help(Struct, frozen=True):
    """What `help-attack` and `help-defense` say."""

    ally: Annotated[Combatant, arguments.person("the ally", usage="ALLY", asks="ally")]
    enemy: Annotated[Combatant, Argument(_read_enemy, "TARGET", asks="target")]


def _help(name: str, how: str, ctx: Context, said: Help, who: Combatant, pay: Pay) -> None:
    """Help Attack, Help Defense: an ally's next attack on one enemy, or defences against theirs."""
    ally, enemy = said.ally, said.enemy
    needs_another(who, ally, "help")
    needs_another(ally, enemy, "be helped against")
    if enemy.id == who.id:
        raise Refused(f"{who.name} can't help {ally.name} against themself")
    pay()
    until = companions.next_turn(ctx.state, who.id, "end")
    note = f"against {enemy.name}"
    begin(ctx, ally.id, name, until, source=who.id, because=enemy.id, note=note)
    ctx.text = f"{who.name} helps {ally.name} {how} {enemy.name}"


class Rally(Struct, frozen=True):
    """What `rally` says."""

    companion: companions.With = None


def rally(ctx: Context, said: Rally, who: Combatant, pay: Pay) -> None:
    """Rally: a recovery, and +2 to all defences; a second recovery for a companion."""
    companion = said.companion
    companions.refuse_others(who, companion)
    pay()
    healing.spend_recovery(ctx, who.id, "rallies")
    if companion is not None:
        healing.spend_recovery(ctx, companion.id, f"{who.name} rallies")
    until = companions.next_turn(ctx.state, who.id, "start")
    begin(ctx, who.id, "guarded", until, source=who.id, because="rallying")
    ctx.text = f"{who.name} rallies{f' with {companion.name}' if companion else ''}"


class Treat(Struct, frozen=True):
    """What `treat-ally` says; `later`: a save that is helped at the end of the ally's turn."""

    ally: Annotated[Combatant, arguments.person("the ally", asks="ally")]
    how: Annotated[str, arguments.choice("how to treat them", tuple(TREATMENTS))]
    die: Annotated[Die, checks.OUTCOME]
    later: Annotated[bool, arguments.flag()] = False
    terms: Annotated[Terms, arguments.words_of(Terms)] = Terms()


def treat_ally(ctx: Context, said: Treat, who: Combatant, pay: Pay) -> None:
    """Treat Ally: a Heal check for first aid, a save, or a wound."""
    ally, how = said.ally, said.how
    needs_another(who, ally, "treat")
    if said.later and how != "save":
        raise Refused(f"only a save can be treated for later, not {how}")
    if how == "first-aid" and ally.life != "dying":
        raise Refused(f"{ally.name} is not dying, so there is nothing to stabilise")
    if how == "wound" and ally.kind != "pc":
        raise Refused(f"{ally.name} can't be treated for a wound: only player characters rally")
    if how == "wound" and ally.used("rally", "fight"):
        raise Refused(f"{ally.name} has rallied in this encounter already")
    pay()
    dc = int(ctx.tables.economy[TREATMENTS[how]])
    if checks.contest(ctx, who, "heal", said.die, said.terms, dc, ally.id) == "miss":
        ctx.text = f"{who.name} treats {ally.name} ({how}) in vain"
    else:
        ctx.text = f"{who.name} treats {ally.name}: {_treated(ctx, who, said)}"


def _treated(ctx: Context, who: Combatant, said: Treat) -> str:
    """What a successful check does, and in words; `saves.make` adds the bonus to a later save."""
    ally = said.ally.id
    by = f"treated by {who.name}"
    if said.how == "first-aid":
        damage.stabilise(ctx, ally, f"first aid by {who.name}")
        return "stable"
    if said.how == "wound":
        healing.spend_recovery(ctx, ally, by)
        if ctx.state.phase == "combat":
            ctx.emit(Used(ally, "rally", "fight"))
        return "a recovery, in place of their rally"
    if not said.later:
        return f"a saving throw right away, with `save {ally}`"
    amount = int(ctx.tables.economy["treated"])
    until = timing.at_turn(ctx.state, ally, "end")
    begin(ctx, ally, saves.TREATED, until, source=who.id, note=by, amount=amount)
    return f"+{amount} on a save at the end of the next turn"


# -- on minds --------------------------------------------------------------------------------------

ATTITUDES = ("unfriendly", "hostile")
"""What a target may feel; the tables have what that adds to its Will against Deter."""


class Talk(Struct, frozen=True):
    """What is said of one who is deceived or frightened."""

    target: Annotated[Combatant, arguments.person("the target", usage="TARGET")]
    die: Annotated[Die, checks.OUTCOME]
    terms: Annotated[Terms, arguments.words_of(Terms)] = Terms()


class Address(Struct, frozen=True):
    """The same of several, who have a roll each."""

    targets: Annotated[
        list[Combatant], arguments.people("the targets", arguments.others, usage="TARGET[,TARGET]")
    ]
    dice: Annotated[list[Die], rolls.die_said(checks.OUTCOMES, "targets")]
    terms: Annotated[Terms, arguments.words_of(Terms)] = Terms()


def create_diversion(ctx: Context, said: Address, who: Combatant, pay: Pay) -> None:
    """Create Diversion: Bluff against the passive Insight of each."""
    for target in said.targets:
        needs_another(who, target, "deceive")
    if blind := forbidden(ctx.tables, ctx.state, who, "see"):
        raise Refused(f"{who.name} is {blind}, and the targets of a diversion are within sight")
    pay()
    each = zip(said.targets, said.dice, strict=True)
    told = (f"{target.name} {_bluff(ctx, who, target, die, said.terms)}" for target, die in each)
    ctx.text = f"{who.name} creates a diversion: {', '.join(told)}"


def _bluff(ctx: Context, who: Combatant, target: Combatant, die: Die, terms: Terms) -> Outcome:
    insight = target.number("passive-insight", -1)
    dc = insight if insight >= 0 else None
    return checks.contest(ctx, who, "bluff", die, terms, dc, target.id)


def feint(ctx: Context, said: Talk, who: Combatant, pay: Pay) -> None:
    """Feint: combat advantage against one enemy until the end of one's next turn."""
    target = said.target
    needs_another(who, target, "deceive")
    pay()
    outcome = _bluff(ctx, who, target, said.die, said.terms)
    if outcome != "miss":
        until = companions.next_turn(ctx.state, who.id, "end")
        renew(ctx, target.id, "feinted", until, by_source=True, source=who.id)
    ctx.text = f"{who.name} feints at {target.name}, {outcome}"


_ACTION = Argument(lambda r: r.words.next("the action that it can't take"), "ACTION")


class Deter(Talk, frozen=True):
    """What `deter` says; an action in quotes may be none of the rules'."""

    action: Annotated[Word, _ACTION] = Word()
    mood: Annotated[str, arguments.one_of(*ATTITUDES)] = ""
    no_language: Annotated[bool, arguments.flag()] = False


def deter(ctx: Context, said: Deter, who: Combatant, pay: Pay) -> None:
    """Deter: rules out one action until the end of the target's next turn."""
    target, action = said.target, said.action
    needs_another(who, target, "deter")
    _refuse_unmoved(who, [target])
    if all(lost := _lost_senses(ctx, target)):
        lacks = listed(dict.fromkeys(lost), "and")
        raise Refused(f"{target.name} is {lacks}: neither sees nor hears")
    barred = _barred_action(ctx, target, action)
    pay()
    mood = said.mood or _attitude(target)
    outcome = _intimidate(ctx, who, target, said.die, said, mood)
    if outcome != "miss":
        until = timing.at_turn(ctx.state, target.id, "end")
        begin(ctx, target.id, "deterred", until, source=who.id, because=barred, note=str(action))
    was = "" if mood == "hostile" else f"; {target.name} is hostile now"
    if _attitude(target) != "hostile":
        ctx.emit(Adjusted(target.id, "attitude", "hostile"))
    what = f" from {action}" if action and outcome != "miss" else ""
    ctx.text = f"{who.name} deters {target.name}{what}, {outcome}{was}"


def _lost_senses(ctx: Context, target: Combatant) -> list[str]:
    """What keeps somebody from seeing, and from hearing; empty texts where nothing does."""
    return [forbidden(ctx.tables, ctx.state, target, sense) for sense in ("see", "hear")]


def _barred_action(ctx: Context, target: Combatant, action: Word) -> str:
    """The id of the action that is ruled out, by which it is barred; empty for one in free words.

    That is a technique, `power` for all powers, or one of the target's. Raises Refused for a word
    without quotes that is none of these.
    """
    ids = {name: name for name in (*ctx.tables.techniques, "ready", POWERS)}
    ids |= {hyphened(row.name): name for name, row in ctx.tables.techniques.items()}
    for power in sheet.powers_of(target):
        ids[hyphened(power.name)] = ids[hyphened(f"power {power.name}")] = f"{POWERS} {power.name}"
    found = ids.get(hyphened(action), "") if action else ""
    if action and not found and not action.quoted:
        near = close_to(hyphened(action), ids)
        hint = f"did you mean {listed(near)}?" if near else "quote it to put it in your own words"
        raise Refused(f"{action!r} is no action that {target.name} has: {hint}", ids)
    return found


def _attitude(target: Combatant) -> str:
    """Unfriendly or hostile, where that is known; hostile is who was deterred before."""
    attitude = target.stats.get("attitude")
    return attitude if isinstance(attitude, str) and attitude in ATTITUDES else ""


class Unnerve(Address, frozen=True):
    """What `unnerve` says."""

    no_language: Annotated[bool, arguments.flag()] = False


def unnerve(ctx: Context, said: Unnerve, who: Combatant, pay: Pay) -> None:
    """Unnerve: the staggered surrender."""
    for target in said.targets:
        needs_another(who, target, "unnerve")
        if target.side == who.side:
            raise Refused(f"{target.name} is no enemy of {who.name}")
        if "staggered" not in in_force(ctx.tables, ctx.state, target):
            raise Refused(f"{target.name} is not staggered, so can't be unnerved")
        if lost := next(filter(None, _lost_senses(ctx, target)), ""):
            raise Refused(f"{target.name} is {lost}: who is unnerved sees and hears it")
    _refuse_unmoved(who, said.targets)
    pay()
    told = []
    for target, die in zip(said.targets, said.dice, strict=True):
        outcome = _intimidate(ctx, who, target, die, said, "unnerved")
        if outcome != "miss":
            ctx.emit(Became(target.id, "defeated", f"surrenders to {who.name}"))
        told.append(f"{target.name} {'is unmoved' if outcome == 'miss' else 'surrenders'}")
    ctx.text = f"{who.name} unnerves: {', '.join(told)}"


def _intimidate(
    ctx: Context, who: Combatant, target: Combatant, die: Die, said: Deter | Unnerve, harder: str
) -> Outcome:
    """Intimidate against Will; a miss rules out another try in this encounter.

    The DC rises by what the table of the economy has for what makes it `harder`, and for sharing no
    language, which is said or follows from both sheets.
    """
    row = ctx.tables.economy
    dc = numbers.value(checks.here(ctx, target), "will")
    dc += row[harder] if harder else 0
    if said.no_language or not sheet.share_a_language(who, target):
        dc += row["no_language"]
    outcome = checks.contest(ctx, who, "intimidate", die, said.terms, dc, target.id)
    checks.use_up(ctx, target.id, ("will", "defenses"))
    if outcome == "miss":
        begin(ctx, target.id, "unmoved", Duration("fight"), source=who.id)
    return outcome


def _refuse_unmoved(who: Combatant, targets: Sequence[Combatant]) -> None:
    unmoved = [t for t in targets if who.id in [e.source for e in t.all_named("unmoved")]]
    if unmoved:
        again = f"can't be deterred or unnerved again by {who.name} in this encounter"
        raise Refused(f"{names(unmoved)} {again}")


ACTS: dict[str, Act] = {
    "rally": Declared(Rally, rally),
    "treat-ally": Declared(Treat, treat_ally),
    "help-attack": Declared(Help, partial(_help, attacks.HELP_ATTACK, "to attack")),
    "help-defense": Declared(Help, partial(_help, attacks.HELP_DEFENSE, "to hold off")),
    "create-diversion": Declared(Address, create_diversion),
    "feint": Declared(Talk, feint),
    "deter": Declared(Deter, deter),
    "unnerve": Declared(Unnerve, unnerve),
}
