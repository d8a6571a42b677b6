"""Companions and summoned creatures: on their owner's initiative, by their owner's actions.

Seed 003: Companions, Summons.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.commands.people import take_out
from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden
from affray.core.heart.events import Added, Adjusted, Became, Changed, Left, Used
from affray.core.heart.state import Combatant, Duration, Edge, Encounter
from affray.core.language import arguments
from affray.core.language.declared import ASKED_ELSEWHERE
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.rulekit import rests
from affray.rulekit.recorded import owner_here, owner_of
from affray.rulesets.orcus import damage, economy, sheet
from affray.rulesets.orcus.sheet import TURN_ACTIONS

OWN = "own"
"""The span of what a companion was told, and of what it does by itself in its turn."""


def recovers_for(state: Encounter, who: Combatant) -> Combatant:
    """Whose recoveries it uses: its owner's for a companion, else its own."""
    return owner_here(state, who) or who


_COMPANION = arguments.person("the companion", usage="COMPANION")
With = Annotated[Combatant | None, arguments.clause("with", _COMPANION, asks=ASKED_ELSEWHERE)]
"""Whose second recovery it is: a companion of the one who spends."""


def refuse_others(owner: Combatant, companion: Combatant | None) -> None:
    """Raises Refused for a companion that is somebody else's, or nobody's."""
    if companion is not None and owner_of(companion) != owner.id:
        raise Refused(f"{companion.name} is no companion of {owner.name}'s")


# -- summons ---------------------------------------------------------------------------------------


def fell(ctx: Context, who: str) -> None:
    """A summoned creature came to 0 HP: it is gone, at the price of one of its owner's recoveries,
    or of damage as high as their recovery value."""
    summon = ctx.state[who]
    ctx.emit(Became(who, "dead", "gone at 0 HP"))
    owner = owner_here(ctx.state, summon)
    if owner is None or owner.is_out:
        return
    why = f"{summon.name} fell"
    price = sheet.recovery_value(owner)
    if owner.track("recoveries") > 0:
        ctx.emit(Changed(owner.id, "recoveries", -1, why=why))
    elif price and "hp" in owner.tracks:
        damage.lose(ctx, owner.id, price, why)


def settled(ctx: Context) -> None:
    """Companions join their owner's side; summons that came to 0 HP leave nothing behind."""
    joined = {event.who for event in ctx.events if isinstance(event, Added)}
    for combatant in ctx.state.combatants:
        owner = owner_here(ctx.state, combatant) if combatant.id in joined else None
        if owner is not None and owner.side != combatant.side:
            ctx.emit(Adjusted(combatant.id, "side", owner.side))
        gone = combatant.life == "dead" and sheet.is_summon(combatant)
        if gone and not ctx.state.takes_turn(combatant.id):
            ctx.emit(Left(combatant.id, "gone at 0 HP"))


def fight_ended(ctx: Context) -> None:
    """Summons disappear with the end of the encounter."""
    for combatant in ctx.state.combatants:
        if sheet.is_summon(combatant):
            ctx.emit(Left(combatant.id, "the encounter is over"))


# -- a companion's turns ---------------------------------------------------------------------------


def refuse_to_delay(ctx: Context, who: str) -> None:
    """Raises Refused for a companion, whose initiative is its owner's."""
    if owner := owner_here(ctx.state, ctx.state[who]):
        name = ctx.state.name(who)
        raise Refused(f"{name} acts on {owner.name}'s initiative, so can't delay by itself")


def next_turn(state: Encounter, who: str, edge: Edge) -> Duration:
    """The start or end of somebody's next turn.

    For a companion that is commanded in its owner's turn it is not the one that follows at once:
    the two act on one initiative, so that is the turn in which it acts.
    """
    owner, slot = owner_here(state, state[who]), state.slot(who)
    commanded = owner is not None and state.takes_turn(owner.id)
    to_come = slot is not None and slot.round < state.round
    return timing.at_turn(state, who, edge, 2 if commanded and to_come else 1)


# -- a companion's actions -------------------------------------------------------------------------


def turn_started(ctx: Context, who: str) -> None:
    """A companion has a turn's actions of its own only by instinct, when it was not commanded."""
    companion = ctx.state[who]
    if owner_here(ctx.state, companion) is None:
        return
    commanded = companion.used("commanded", OWN)
    rests.forget(ctx, who, OWN)
    if companion.track("immediate"):  # it was given one, and did not use it
        ctx.emit(Changed(who, "immediate", -companion.track("immediate"), routine=True))
    if companion.stats.get("instinct") and not commanded:
        ctx.emit(Used(who, "instinct", OWN))


class _Order(Struct, frozen=True):
    companion: Annotated[Combatant, arguments.person("a companion", usage="COMPANION")]
    kind: Annotated[str, arguments.choice("which action it gets", (*TURN_ACTIONS, "immediate"))]


def _command(ctx: Context, said: _Order) -> None:
    """Its owner's action becomes its own."""
    companion, kind = said.companion, said.kind
    an_action = f"{'an' if kind == 'immediate' else 'a'} {kind} action"
    owner = _owner_acting(ctx, companion)
    if ctx.state.phase != "combat":
        raise Refused("actions are counted in a fight only: it does as it is told")
    does = "react" if kind == "immediate" else "act"
    if why := forbidden(ctx.tables, ctx.state, companion, does):
        raise Refused(f"{companion.name} can't take {an_action}: {why}")
    if kind == "immediate" and companion.track(kind):
        raise Refused(f"{companion.name} has an immediate action already")
    economy.pay_action(ctx, owner.id, kind, f"a command to {companion.name}")
    if kind == "immediate":
        ctx.emit(Changed(companion.id, kind, 1, why=f"{owner.name}'s command"))
    else:
        ctx.emit(Used(companion.id, f"given-{kind}"), Used(companion.id, "commanded", OWN))
        economy.update_tracks(ctx, owner.id, companion.id)
    ctx.text = f"{owner.name} commands {companion.name}: {an_action}"


def _owner_acting(ctx: Context, companion: Combatant) -> Combatant:
    """The owner, who acts. Raises Refused for nobody's companion, or for another's command."""
    owner = owner_here(ctx.state, companion)
    if owner is None:
        raise Refused(f"{companion.name} is nobody's companion here")
    if ctx.by and ctx.by != owner.id:
        raise Refused(f"{companion.name} is {owner.name}'s companion")
    ctx.by = owner.id
    return owner


class _Dismissal(Struct, frozen=True):
    summon: Annotated[Combatant, arguments.person("a summoned creature", usage="SUMMON")]


def _dismiss(ctx: Context, said: _Dismissal) -> None:
    """A swift action of the summoner's."""
    summon = said.summon
    if not sheet.is_summon(summon):
        raise Refused(f"{summon.name} was not summoned; `leave {summon.id}` takes it out")
    owner = _owner_acting(ctx, summon)
    economy.pay_action(ctx, owner.id, "swift", f"dismiss {summon.name}")
    take_out(ctx, [summon])
    ctx.text = f"{owner.name} dismisses {summon.name}"


_COMMANDS = "gives up an action of the owner's, so that the companion gets it"
_DISMISSES = "sends a summoned creature away, for a swift action"
VERBS = (
    declare("command", _COMMANDS, _Order, _command, True),
    declare("dismiss", _DISMISSES, _Dismissal, _dismiss, True),
)
