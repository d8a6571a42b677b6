"""Initiative and surprise: one roll for a group, ties by modifier and then a coin.

Orcus, Initiative, Surprise, Companions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from affray.core.dice import DieInput
from affray.core.engine.durations import Until
from affray.core.engine.events import Rolled, UseCounted
from affray.core.engine.state import Combatant, Encounter, Slot
from affray.core.engine.turn_order import turn_unit
from affray.core.late_pattern import late_pattern
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb, require_one_die
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Context, InitiativeRules
from affray.mechanics import conditions, stats
from affray.mechanics.checks import companion_initiative
from affray.mechanics.conditions import begin_effect
from affray.mechanics.sheet import owner_of
from affray.rulesets.orcus import checks, settings

SURPRISED = "surprised"
SURPRISE_ROUNDS = "surprise-round"
"""The span under which the rounds of a fight are counted in which somebody was surprised."""
_NUMBER = late_pattern(r"-\d+$")


# -- the roll --------------------------------------------------------------------------------------


class Initiative(InitiativeRules):
    """One roll for a group; ties by modifier, and then a coin."""

    def roll(self, ctx: Context, ids: list[str], faces: tuple[int, ...] = ()) -> dict[str, int]:
        """Roll once for each group of identical creatures; companions have their owner's total.

        Newcomers of a group that is in the order already join it. A die that lies there for
        somebody is their own, whatever their group has. Raises Refused for the die of a companion.
        """
        found: dict[str, int] = {}
        companions = [combatant_id for combatant_id in ids if _has_owner(ctx.state, combatant_id)]
        if faces and companions:
            raise Refused(
                f"{ctx.state.name(companions[0])} uses its owner's initiative, so rolls none"
            )
        require_one_die(faces)
        moving = {slot.who for combatant_id in ids for slot in turn_unit(ctx.state, combatant_id)}
        for combatant_id in (
            combatant_id for combatant_id in ids if combatant_id not in companions
        ):
            number = None if faces else _groups_total(ctx.state, combatant_id, found, moving)
            if number is None:
                check = checks.InitiativeCheck(combatant_id, die=DieInput(faces=faces))
                number = check.roll_total(ctx)
            found[combatant_id] = number
        return found | companion_initiative(ctx.state, companions, found)

    def tie_rank(
        self, ctx: Context, combatant_id: str, total: int, placed: Sequence[Slot]
    ) -> tuple[int, ...]:
        """Rank a tie by the higher modifier, then by a coin, which is flipped once for a group.

        The coin puts a newcomer before or after all with whom it ties.
        """
        newcomer = ctx.state[combatant_id]
        modifier = stats.stat_value(checks.situation_of(ctx, newcomer), "initiative")
        rank = -newcomer.number("initiative") - modifier
        there = (slot for slot in placed if not slot.gone and not slot.follows)
        tied = [slot for slot in there if slot.initiative == total and ctx.state.find(slot.who)]
        for slot in tied:
            if are_a_group(newcomer, ctx.state[slot.who]):
                return slot.rank
        equals = [slot for slot in tied if slot.rank[:1] == (rank,)]
        if not equals or _has_owner(ctx.state, combatant_id):
            return (rank, 0)
        coins = [slot.rank[1] if len(slot.rank) > 1 else 0 for slot in equals]
        first = _flip(ctx, combatant_id, equals[0].who)
        return (rank, min(coins) - 1 if first else max(coins) + 1)


def _has_owner(state: Encounter, combatant_id: str) -> bool:
    owner = owner_of(state[combatant_id])
    return owner != combatant_id and state.slot(owner) is not None


def are_a_group(one: Combatant, other: Combatant) -> bool:
    """True if two are identical creatures: added under one name, on one side, with the same
    numbers. A later name changes nothing. Characters never are.
    """
    return (
        one.kind == other.kind != "pc"
        and one.side == other.side
        and one.stats == other.stats
        and _NUMBER.sub("", one.id) == _NUMBER.sub("", other.id)
    )


def _groups_total(
    state: Encounter, combatant_id: str, found: dict[str, int], moving: Collection[str]
) -> int | None:
    """The initiative of the whole group: rolled just now, or the one its other members have."""
    for other in state.combatants:
        if other.id == combatant_id or not are_a_group(state[combatant_id], other):
            continue
        if other.id in found:
            return found[other.id]
        slot = state.slot(other.id)
        stands = other.id not in moving and not other.is_out
        if stands and slot is not None and slot.initiative is not None:
            return slot.initiative
    return None


# -- ties ------------------------------------------------------------------------------------------


def _flip(ctx: Context, combatant_id: str, against: str) -> bool:
    """Flip a coin for who goes first of two; a 2 is for the newcomer."""
    face = ctx.dice.die(2)
    first = combatant_id if face == 2 else against
    why = f"a coin for a tie: {ctx.state.name(first)} goes first"
    ctx.emit(Rolled(combatant_id, "1d2", (face,), face, face, "initiative", against, why=why))
    return face == 2


# -- surprise --------------------------------------------------------------------------------------


def is_surprise_round(state: Encounter) -> bool:
    """True if this is a fight's first round and somebody was surprised in it."""
    return state.in_combat and any(
        c.used(str(state.round), SURPRISE_ROUNDS) or (state.round == 1 and c.named(SURPRISED))
        for c in state.combatants
    )


class SurpriseArgs(conditions.SurpriseArgs, frozen=True):
    stealth: Annotated[
        int | None,
        arguments.keyword_arg("stealth", arguments.number_arg("the Stealth check", -99, 99)),
    ] = None


def _surprise(ctx: Context, args: SurpriseArgs) -> None:
    """Before `start` or in the first round."""
    people = _unnoticing(ctx, args)
    begun = ctx.state.in_combat
    if begun and ctx.state.round > 1 and not is_surprise_round(ctx.state):
        raise Refused(
            "surprise is for a fight's beginning; `inflict NAME surprised` works at any time"
        )
    for combatant in people:
        slot = ctx.state.slot(combatant.id)
        if combatant.named(SURPRISED) is not None:
            raise Refused(f"{combatant.name} is surprised already")
        if begun and slot is not None and _has_had_a_turn(ctx.state, slot):
            raise Refused(f"{combatant.name} has had a turn in this fight, so can't be surprised")
        begin_effect(
            ctx,
            combatant.id,
            SURPRISED,
            until(ctx.state, combatant.id).resolve(ctx.state, combatant.id, ""),
        )
        ctx.emit(UseCounted(combatant.id, str(_round_at_hand(ctx.state)), SURPRISE_ROUNDS))
    ctx.text = f"{names_with_verb(people, 'is', 'are') if people else 'Nobody is'} surprised"


def _unnoticing(ctx: Context, args: SurpriseArgs) -> list[Combatant]:
    """The combatants that don't notice: the Stealth check equals or beats their passive Perception,
    or a success is called out.

    Raises Refused if it is not known.
    """
    if args.stealth is None:
        return args.people
    for combatant in args.people:
        if checks.PASSIVE not in combatant.stats:
            raise Refused(
                f"{combatant.name}'s passive Perception is not known: say who is surprised"
            )
    passive = {
        combatant.id: stats.stat_value(checks.situation_of(ctx, combatant), checks.PASSIVE)
        for combatant in args.people
    }
    return [combatant for combatant in args.people if passive[combatant.id] <= args.stealth]


def _has_had_a_turn(state: Encounter, slot: Slot) -> bool:
    """A latecomer whose place is past has had none, though it waits for the next round."""
    return bool(slot.turns) and slot.round >= state.round and not slot.open


def until(state: Encounter, combatant_id: str) -> Until:
    """The end of the surprise round; for a latecomer who waits for the next round, of that."""
    slot = state.slot(combatant_id)
    begun = state.in_combat
    waits = begun and slot is not None and not slot.turns and slot.round >= state.round
    return Until("round", count=_round_at_hand(state) + (1 if waits else 0))


def _round_at_hand(state: Encounter) -> int:
    """The round that is being played; before a fight its first."""
    return state.round if state.in_combat else 1


def reacts_despite(state: Encounter, combatant: Combatant) -> tuple[str, ...]:
    """Surprise, once the turn is over in which the surprised could do nothing: from there on it may
    take immediate actions, though it is surprised until the round ends."""
    slot = state.slot(combatant.id)
    none_at_all = settings.SURPRISE.value(state) != "one-standard"
    is_over = none_at_all and slot is not None and _has_had_a_turn(state, slot)
    return (SURPRISED,) if is_over else ()


_DOES = "surprises somebody as the fight begins: no actions in their first turn"
COMMANDS = (declare_command("surprise", _DOES, SurpriseArgs, _surprise),)
