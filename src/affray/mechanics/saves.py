"""Saves of several against one act, such as a spell at an area: made at once, or still owed.

Saves that somebody called out, and those that affray rolls, are made with the act. A player's save
without a die waits for it: its owner has the effect `threatened`, which keeps the terms of the
save, with the damage rolled; `withstand` makes the save and applies its result. At the end of a
turn affray rolls the saves still owed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.dice_owners import is_rolled_by_player
from affray.core.engine.effects import remove_effect
from affray.core.engine.state import Combatant, Duration, Effect, Encounter
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import Field
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import Context, PendingDecision
from affray.mechanics.checks import (
    OutcomeWords,
    deferred_roll,
    die_arg,
    is_rolled_for,
    left_to_program,
    parse_dice_inputs,
)
from affray.mechanics.conditions import begin_effect

THREATENED = "threatened"
"""The effect of a save that is owed; its note names the cause, its amount the damage."""
WITHSTAND = "withstand"
"""The command that makes it."""
LATER = "later"
"""The word for one of several saves that is still to be rolled."""
SAVE, CONTEST = "save", "contest"
"""The kinds of rolls that may be owed: a save, and one's own roll in a contest."""

Settle = Callable[[Context, str, Effect, DieInput], str]
"""A function that makes the save for which an effect on somebody stands; it returns the outcome,
empty for none."""


def die_of(
    ctx: Context, combatant: Combatant, by: str, called: DieInput | None = None
) -> DieInput | None:
    """The die of somebody's save against `by`: called, or left to affray; None for a player's,
    which waits. If the save is decided again, its forced die."""
    forced = left_to_program(ctx, combatant.id, by)
    if forced.final or called is not None:
        return forced if forced.final else called
    return None if is_rolled_by_player(ctx.state, combatant) else forced


def refuse_terms(
    ctx: Context, people: Sequence[Combatant], dice: Sequence[DieInput | None], by: str
) -> None:
    """Raises Refused for options of saves against `by` if one of the saves waits for its die.
    `dice` are the known ones, one for each; empty for none.
    """
    for combatant, die in zip(people, dice or [None] * len(people), strict=True):
        if die_of(ctx, combatant, by, die) is None:
            word = f"`{WITHSTAND} {combatant.id} ...`"
            raise Refused(
                f"{combatant.name}'s save waits for its die: give this option then, by {word}"
            )


def dice_arg(
    of: str,
    outcomes: Callable[[ParseState], OutcomeWords],
    is_saved: Callable[[ParseState], bool],
    field: Field = Field("outcome"),
) -> Argument:
    """Declare the dice of rolls to hit several, or of their saves. Saves left out, or `later` in
    place of one, are rolled or wait (`die_of`).

    Args:
        of: The field of those who are hit, or save.
        outcomes: The words for its outcomes.
        is_saved: True for saves, False for rolls to hit.
    """

    def left_out(reading: ParseState) -> list[DieInput | None] | None:
        if is_saved(reading):
            return []
        return [DieInput() for _ in reading.values[of]] if is_rolled_for(reading) else None

    def read(reading: ParseState) -> list[DieInput | None]:
        tokens, count = reading.words, len(reading.values[of])
        if is_saved(reading):
            return read_dice(tokens, outcomes(reading), count)
        return [*parse_dice_inputs(tokens, outcomes(reading), count)]

    def stands(reading: ParseState) -> bool:
        words = outcomes(reading)
        return die_arg(with_later(words) if is_saved(reading) else words, of).stands(reading)

    return Argument(read, "OUTCOME", stands, left_out, field=field)


def with_later(outcomes: OutcomeWords) -> OutcomeWords:
    """The words for saves, with `later` for one still to be rolled."""
    return replace(outcomes, means={**outcomes.means, LATER: LATER}, besides=(LATER,))


def read_dice(tokens: TokenStream, outcomes: OutcomeWords, count: int) -> list[DieInput | None]:
    """Read the dice of that many saves; None for each `later`."""
    dice = parse_dice_inputs(tokens, with_later(outcomes), count)
    return [None if die.outcome == LATER else die for die in dice]


def owe(
    ctx: Context,
    who: str,
    by: str,
    of: str,
    amounts: Sequence[int] = (),
    cause: str = "",
    kind: str = "",
) -> None:
    """Let somebody owe a save against an act of `by`, `of` that name.

    Args:
        amounts: The damage at stake, a number for each type.
        cause: Whatever else the save needs to know.
        kind: `CONTEST` for a roll in a contest; empty for a save.
    """
    first, also = sum(amounts[:1]), " ".join(map(str, amounts[1:]))
    until = Duration(says=f"the {kind} is made") if kind else None
    begin_effect(
        ctx, who, THREATENED, until,
        source=by, note=of, amount=first, dice=also, because=cause, type=kind,
    )  # fmt: skip


def kind_of(owed: Effect) -> str:
    """The kind of roll that is owed: a save or a contest."""
    return owed.type or SAVE


def amounts_of(owed: Effect) -> tuple[int, ...]:
    """The damage of an owed save."""
    return (owed.amount, *(int(n) for n in owed.dice.split() if n.isdecimal()))


def end_owed(ctx: Context, who: str, owed: Effect, why: str = "") -> None:
    """Owe a save no longer."""
    remove_effect(ctx, who, owed.id, why or f"the {kind_of(owed)} is made")


def roll_deferred(
    ctx: Context, settle: Settle, forgo: Callable[[Context, str, Effect, str], None] = end_owed
) -> None:
    """Roll the saves that nobody made by the end of a turn, and `forgo` those of the dead."""
    for combatant in ctx.state.bearers(THREATENED):
        for owed in combatant.all_named(THREATENED):
            now = ctx.state[combatant.id]  # one that was made just now may have changed the others
            still = next((effect for effect in now.effects if effect.id == owed.id), None)
            if still is not None and now.life == "dead":
                forgo(ctx, now.id, still, "dead")
            elif still is not None:
                settle(ctx, now.id, still, left_to_program(ctx, now.id, still.source))


def pending_decisions(
    state: Encounter,
    called: Callable[[Effect], str],
    outcomes: Iterable[tuple[str, str, str]],
    dice: Callable[[Combatant, Effect], str] = lambda combatant, owed: "",
) -> Iterator[PendingDecision]:
    """The saves that wait for the players' dice.

    Args:
        called: Name a save that is owed: "con save, DC 13".
        outcomes: How it may come out: key, label, word of the command.
        dice: Give the dice of somebody's save, where they are not the usual: `2d6`.
    """
    answers = (*outcomes, ("r", "roll", "roll"))
    for combatant in (one for one in state.bearers(THREATENED) if one.life != "dead"):
        for owed in combatant.all_named(THREATENED)[:1]:
            says = f"makes a {called(owed)}, against {_act_of(state, owed)}"
            roll = f"{kind_of(owed)} against {owed.note}"
            thrown = dice(combatant, owed)
            yield deferred_roll(combatant, WITHSTAND, says, roll, answers, dice=thrown)


def _act_of(state: Encounter, owed: Effect, outcome: str = "") -> str:
    """Name the act that a roll is owed against: "Fireball", in a contest "a grapple by Ghoul 1",
    unless the outcome names who it is."""
    other = state.find_ever(owed.source) if kind_of(owed) == CONTEST else None
    return f"{owed.note} by {other.name}" if other and other.name not in outcome else owed.note


def first_owed(combatant: Combatant) -> Effect | None:
    """The save owed longest; None for none."""
    return combatant.named(THREATENED)


def withstand(
    ctx: Context,
    people: Iterable[Combatant],
    dice: Iterable[DieInput],
    settle: Settle,
    pick: Callable[[Combatant], Effect | None] = first_owed,
) -> None:
    """Make the save that each owes, chosen by `pick`. Raises Refused for somebody who owes none."""
    people = list(people)
    free = [combatant for combatant in people if pick(combatant) is None]
    if free:
        raise Refused(f"{join_names(free)} {'owes' if len(free) == 1 else 'owe'} no roll")
    sentences = []
    for combatant, die in zip(people, dice, strict=True):
        owed = pick(ctx.state[combatant.id])  # one made just now may have changed it
        assert owed is not None
        outcome = settle(ctx, combatant.id, owed, die)
        act = _act_of(ctx.state, owed, outcome)
        sentences.append(
            f"{combatant.name}'s {kind_of(owed)} against {act}{f', {outcome}' if outcome else ''}"
        )
    ctx.text = join_or(sentences, "and")
