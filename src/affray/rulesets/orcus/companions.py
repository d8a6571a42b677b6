"""Companions and summoned creatures: on their owner's initiative, by their owner's actions.

Orcus, Companions, Summons.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.commands.combatants import remove_combatants
from affray.core.engine import durations
from affray.core.engine.effects import why_cannot
from affray.core.engine.events import Added, Left, StatChanged, TrackChanged, UseCounted
from affray.core.engine.state import Combatant, Duration, Edge, Encounter
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ASKED_ELSEWHERE, Field
from affray.core.rules.ruleset import CompanionRules, Context
from affray.mechanics import rests
from affray.mechanics.sheet import owner_of, present_owner
from affray.rulesets.orcus import action_economy, sheet
from affray.rulesets.orcus.sheet import TURN_ACTIONS

OWN = "own"
"""The span for orders to a companion, and for its own doing in its turn."""


def recovers_for(state: Encounter, combatant: Combatant) -> Combatant:
    """The owner of the recoveries in use: a companion's owner, else the combatant itself."""
    return present_owner(state, combatant) or combatant


_COMPANION = arguments.combatant_arg("the companion", usage="COMPANION")
With = Annotated[Combatant | None, arguments.keyword_arg("with", _COMPANION, field=ASKED_ELSEWHERE)]
"""The argument for a companion who gets a second recovery."""


def refuse_others(owner: Combatant, companion: Combatant | None) -> None:
    """Raises Refused for a companion that is somebody else's, or nobody's."""
    if companion is not None and owner_of(companion) != owner.id:
        raise Refused(f"{companion.name} is no companion of {owner.name}")


class Companions(CompanionRules):
    """Companions and summons, which act on their owner's initiative."""

    def owner_of(self, combatant: Combatant) -> str:
        return owner_of(combatant)


# -- summons ---------------------------------------------------------------------------------------


def apply_invariants(ctx: Context) -> None:
    """Companions join their owner's side; summons that came to 0 HP leave nothing behind."""
    joined = {event.who for event in ctx.events if isinstance(event, Added)}
    for combatant in ctx.state.combatants:
        owner = present_owner(ctx.state, combatant) if combatant.id in joined else None
        if owner is not None and owner.side != combatant.side:
            ctx.emit(StatChanged(combatant.id, "side", owner.side))
        gone = combatant.life == "dead" and sheet.is_summon(combatant)
        if gone and not ctx.state.takes_turn(combatant.id):
            ctx.emit(Left(combatant.id, "gone at 0 HP"))


def on_fight_end(ctx: Context) -> None:
    """Summons disappear with the end of the encounter."""
    for combatant in ctx.state.combatants:
        if sheet.is_summon(combatant):
            ctx.emit(Left(combatant.id, "the encounter is over"))


# -- a companion's turns ---------------------------------------------------------------------------


def refuse_to_delay(ctx: Context, combatant_id: str) -> None:
    """Raises Refused for a companion, whose initiative is its owner's."""
    if owner := present_owner(ctx.state, ctx.state[combatant_id]):
        name = ctx.state.name(combatant_id)
        raise Refused(f"{name} acts on {owner.name}'s initiative, so can't delay on its own")


def next_turn(state: Encounter, combatant_id: str, edge: Edge, turns: int = 1) -> Duration:
    """The start or end of somebody's next turn, or of the n-th next.

    For a companion that is commanded in its owner's turn it is not the one that follows at once:
    the two act on one initiative, so that is the turn in which it acts.
    """
    owner, slot = present_owner(state, state[combatant_id]), state.slot(combatant_id)
    commanded = owner is not None and state.takes_turn(owner.id)
    to_come = slot is not None and slot.round < state.round
    later = 1 if commanded and to_come else 0
    return durations.turn_edge(state, combatant_id, edge, turns + later)


# -- a companion's actions -------------------------------------------------------------------------


def on_turn_start(ctx: Context, combatant_id: str) -> None:
    """A companion has a turn's actions of its own only by instinct, when it was not commanded."""
    companion = ctx.state[combatant_id]
    if present_owner(ctx.state, companion) is None:
        return
    commanded = companion.used("commanded", OWN)
    rests.reset_uses(ctx, combatant_id, OWN)
    if companion.track("immediate"):  # it was given one, and did not use it
        ctx.emit(
            TrackChanged(combatant_id, "immediate", -companion.track("immediate"), routine=True)
        )
    if companion.stats.get("instinct") and not commanded:
        ctx.emit(UseCounted(combatant_id, "instinct", OWN))


class CommandArgs(Struct, frozen=True):
    companion: Annotated[
        Combatant,
        arguments.combatant_arg("a companion", "COMPANION", Field("person", ("companion",))),
    ]
    kind: Annotated[str, arguments.choice_arg("the action it gets", (*TURN_ACTIONS, "immediate"))]


def _command(ctx: Context, args: CommandArgs) -> None:
    """Its owner's action becomes its own."""
    companion, kind = args.companion, args.kind
    an_action = f"{'an' if kind == 'immediate' else 'a'} {kind} action"
    owner = _owner_acting(ctx, companion)
    if not ctx.state.in_combat:
        raise Refused("actions are counted only in a fight: it needs no command now")
    does = "react" if kind == "immediate" else "act"
    if why := why_cannot(ctx, companion, does):
        raise Refused(f"{companion.name} can't take {an_action}: {why}")
    if kind == "immediate" and companion.track(kind):
        raise Refused(f"{companion.name} has an immediate action already")
    action_economy.pay_action(ctx, owner.id, kind, f"a command to {companion.name}")
    if kind == "immediate":
        ctx.emit(TrackChanged(companion.id, kind, 1, why=f"{owner.name}'s command"))
    else:
        ctx.emit(
            UseCounted(companion.id, f"given-{kind}"), UseCounted(companion.id, "commanded", OWN)
        )
        action_economy.update_tracks(ctx, owner.id, companion.id)
    ctx.text = f"{owner.name} commands {companion.name}: {an_action}"


def _owner_acting(ctx: Context, companion: Combatant) -> Combatant:
    """The owner, who acts. Raises Refused for nobody's companion, or for another's command."""
    owner = present_owner(ctx.state, companion)
    if owner is None:
        raise Refused(f"{companion.name} is nobody's companion here")
    if ctx.by and ctx.by != owner.id:
        raise Refused(f"{companion.name} is {owner.name}'s companion")
    ctx.by = owner.id
    return owner


class DismissArgs(Struct, frozen=True):
    summon: Annotated[Combatant, arguments.combatant_arg("a summoned creature", usage="SUMMON")]


def _dismiss(ctx: Context, args: DismissArgs) -> None:
    """A swift action of the summoner's."""
    summon = args.summon
    if not sheet.is_summon(summon):
        raise Refused(f"{summon.name} was not summoned; `leave {summon.id}` removes it")
    owner = _owner_acting(ctx, summon)
    action_economy.pay_action(ctx, owner.id, "swift", f"dismiss {summon.name}")
    remove_combatants(ctx, [summon])
    ctx.text = f"{owner.name} dismisses {summon.name}"


_COMMANDS = "gives the companion an action in place of the owner"
_DISMISSES = "dismisses a summoned creature, for a swift action"
COMMANDS = (
    declare_command("command", _COMMANDS, CommandArgs, _command, True),
    declare_command("dismiss", _DISMISSES, DismissArgs, _dismiss, True),
)
