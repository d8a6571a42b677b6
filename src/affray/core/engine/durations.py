"""When effects end. Turns are numbered, so that an end never moves when the order changes.

"The end of Mira's next turn" is kept as the end of turn number n of Mira's slot. Delay, ties, a new
initiative and Mira's leaving change when that turn comes, never which one it is. `turn_edge` makes
such a duration, `due_effects` finds the effects that end now; clocks go by rounds in `begin_round`.

An end in a row, a sheet or a command is an `Until`: `read_until` and `parse_row_until` read it,
`Until.resolve` makes it a duration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, localcontext
from functools import lru_cache
from math import comb
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.events import ClockChanged, Rolled
from affray.core.engine.state import (
    MOST_KEPT,
    Clock,
    Combatant,
    Duration,
    Edge,
    Effect,
    Encounter,
    Ends,
    Slot,
)
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import TokenStream, tokenize
from affray.core.rules.ruleset import Context

NEVER = (1_000_000, 0, 0)
"""The sort key of effects that no turn ends; they come last."""


def turns_begun(slot: Slot | None) -> int:
    """The number of turns that have begun; a delayed one is still to come."""
    if slot is None:
        return 0
    return slot.turns - 1 if slot.held else slot.turns


def next_turn_number(state: Encounter, combatant_id: str) -> int:
    """Return the number of a combatant's next turn, for effects that last until then.

    A turn that another interrupted before anything was done in it counts as still to come.
    """
    slot, owner = state.slot(combatant_id), state.find(combatant_id)
    begun = turns_begun(slot)
    if slot is None or not slot.open or slot.held or state.takes_turn(combatant_id):
        return begun + 1
    return begun + 1 if owner is not None and owner.has_acted else begun


def turn_edge(state: Encounter, combatant_id: str, edge: Edge, turns: int = 1) -> Duration:
    """Return the start or end of a combatant's next turn; of the n-th next with `turns`."""
    return Duration("turn", combatant_id, edge, next_turn_number(state, combatant_id) + turns - 1)


def this_turn(state: Encounter, combatant_id: str) -> Duration:
    """Return the end of a combatant's open turn; of the next turn if none is open."""
    slot = state.slot(combatant_id)
    if slot is not None and slot.open and not slot.held:
        return Duration("turn", combatant_id, "end", slot.turns)
    return turn_edge(state, combatant_id, "end")


def present_turn(state: Encounter, combatant_id: str) -> Duration:
    """Return the end of the current turn: the combatant's own, or somebody else's."""
    return this_turn(
        state, combatant_id if state.takes_turn(combatant_id) else state.turn or combatant_id
    )


Whose = Literal["bearer", "source", "now"]


class Until(Struct, frozen=True):
    """The end of an effect in a command or a row, before bearer and turns are known.

    ends   what ends it, as in a `Duration`
    of     whose turn: the `bearer`'s, the `source`'s, or the current one (`now`)
    who    the id of another one whose turn is meant, empty for none; or the ability of a save
    edge, count   the start or end of the n-th next turn; or the end of the round `count`; or the DC
                  of a save
    text   an end in words, which people at the table judge
    most   after how many turns of the bearer an effect is over that a save ends sooner; 0 for none
    """

    ends: Ends = "removed"
    of: Whose = "bearer"
    who: str = ""
    edge: Edge = "end"
    count: int = 1
    text: str = ""
    most: int = 0

    def __str__(self) -> str:
        """The words of sheets: `save-ends`, `user-end`, `for 2 turns`, `until it stands`."""
        if self.ends == "turn" and self.who:
            return f"until {self.edge} of {self.who}"
        if self.ends == "turn" and self.count > 1:
            return f"for {self.count} turns"
        if self.ends == "turn":
            return f"{'user' if self.of == 'source' else 'target'}-{self.edge}"
        if self.ends == "save":
            most = f" for {self.most} turns" if self.most else ""
            return (f"save {self.who} dc {self.count}" if self.who else "save-ends") + most
        if self.text and self.text not in _BEHIND_UNTIL:
            return f'until "{self.text}"'
        word = {"use": "used", "round": f"round {self.count}"}.get(self.ends, self.ends)
        return f"until {self.text or word}"

    def unresolved(self) -> Duration:
        """Return a duration that is nobody's yet, with turns counted from the next one."""
        counts = self.ends in ("turn", "round") or (self.ends == "save" and self.who)
        count = self.count if counts else 0
        return Duration(self.ends, self.who, self.edge, count, self.text, self.most)

    def resolve(
        self,
        state: Encounter,
        bearer: str,
        source: str,
        next_turn: Callable[[Encounter, str, Edge, int], Duration] = turn_edge,
    ) -> Duration:
        """Return the duration of an effect that begins now on `bearer` and comes from `source`.

        Raises Refused where it ends with a turn of nobody known.
        """
        if self.most:
            slot, turn = state.slot(bearer), next_turn_number(state, bearer) + self.most - 1
            last = (
                _round_of_turn(state, slot, turn) if slot else max(state.round, 1) + self.most - 1
            )
            return replace(self.unresolved(), most=last)
        if self.ends != "turn":
            return self.unresolved()
        whose = self.who or (bearer if self.of == "bearer" else source)
        if not whose:
            raise Refused(f"it is nobody's turn: say whose turn with `until {self.edge} of NAME`")
        if self.of == "now":
            return present_turn(state, whose)
        return next_turn(state, whose, self.edge, self.count)


_BEHIND_UNTIL = {
    "removed": Until(),
    "freed": Until(text="freed"),
    "rest": Until("rest"),
    "fight": Until("fight"),
    "used": Until("use"),
}
"""The ends of every game that one word after `until` says."""
UNTIL_WORDS = (*get_args(Edge), *_BEHIND_UNTIL)
"""The words that may follow `until`; an edge needs whose turn it is after it."""
EDGES = {
    f"{whose}-{edge}": Until("turn", "source" if whose == "user" else "bearer", edge=edge)
    for whose in ("target", "user")
    for edge in get_args(Edge)
}
"""The edges of the next turn of the effect's bearer (`target`), and of its source (`user`)."""
WITHOUT_UNTIL: dict[str, Until] = {"save-ends": Until("save"), **EDGES}
"""The ends with a word of their own, in the games that have them."""
_ROW_WORDS = {"save": Until("save"), "long-rest": Until("long-rest")}
_NOBODY = Encounter()


def read_turns(tokens: TokenStream) -> Until:
    """Read `2 turns`, which are the bearer's next ones."""
    count = tokens.number("the number of turns", 1, 99)
    tokens.take("turns", "turn", "rounds", "round")
    return Until("turn", count=count)


def read_until(tokens: TokenStream, more: Mapping[str, Until], in_row: bool = False) -> Until:
    """Read the words after `until`.

    Every game has `start|end of NAME`, `removed`, `freed`, `[a] rest`, `[the] fight [ends]`,
    `used`, `round N [ends]`, `end of round N`, `end of [the] fight|combat`, and words in quotes.

    Args:
        more: the game's other words for an end.
        in_row: True for a row of a table, which has `start|end of bearer|source` and no names.
    """
    if tokens.upcoming.quoted and not in_row:
        return Until(text=str(tokens.next("its end")))
    tokens.take("the", "a")
    ends = {**more, **_BEHIND_UNTIL}
    what = tokens.choice("its end", ("start", "end", *ends, "round"))
    if what in ("start", "end"):
        tokens.take("of")
        if what == "end" and _is_of_the_fight(tokens):
            return _BEHIND_UNTIL["fight"]
        if what == "start" or not (tokens.peek() == "round" and tokens.has_number(1)):
            edge: Edge = "start" if what == "start" else "end"
            if in_row:
                whose = tokens.choice("the combatant whose turn it is", ("bearer", "source"))
                return Until("turn", "source" if whose == "source" else "bearer", edge=edge)
            whose_turn = tokens.owner("the combatant whose turn it is")
            tokens.take("next")
            tokens.take("turn")
            return Until("turn", who=whose_turn.id, edge=edge)
        what = tokens.next("the round").casefold()
    until = ends.get(what)
    if until is None:
        until = Until("round", count=tokens.number("the round", max(1, tokens.state.round)))
    tokens.take("ends")
    return until


@lru_cache(maxsize=MOST_KEPT)
def parse_row_until(text: str) -> Until | None:
    """Parse a row's `until`: `2 turns`, `start of source`, `this turn`, `save`.

    Any other text is an end in words, such as `it stands`. None for an empty text.
    """
    if text == "this turn":
        return Until("turn", "now")
    more = {} if text.startswith(("a ", "the ")) else _ROW_WORDS  # `a long rest` was always words
    try:
        tokens = TokenStream(tokenize(text), _NOBODY)
        until = read_turns(tokens) if tokens.has_number() else read_until(tokens, more, in_row=True)
        is_whole = tokens.done
    except Refused:
        is_whole = False
    return until if is_whole else Until(text=text) if text else None


def _is_of_the_fight(tokens: TokenStream) -> bool:
    """Read `[the] fight` or `[the] combat`, unless a combatant has that name."""
    at = tokens.at
    tokens.take("the")
    if not tokens.done and not tokens.is_combatant() and tokens.take("fight", "combat"):
        return True
    tokens.at = at
    return False


def extend(duration: Duration, turns: int) -> Duration | None:
    """The duration extended by some turns or rounds; None for one that time doesn't end."""
    if duration.ends in ("turn", "round"):
        return replace(duration, count=duration.count + turns)
    return None


def due_effects(state: Encounter, combatant_id: str, edge: Edge) -> list[tuple[Combatant, Effect]]:
    """The effects that end now, at the start or end of the turn that `combatant_id` is taking."""
    slot = state.slot(combatant_id)
    turns = slot.turns if slot else 0
    return [
        (bearer, effect)
        for bearer in state.combatants
        if bearer.effects and ("turn", combatant_id) in _ended_by(bearer)
        for effect in bearer.effects
        if effect.until.who == combatant_id
        and effect.until.ends == "turn"
        and (
            effect.until.count < turns
            or (effect.until.count == turns and effect.until.edge == edge)
        )
    ]


def due_at_round_end(state: Encounter) -> list[tuple[Combatant, Effect]]:
    """The effects that end with the round that is ending."""
    return [
        (bearer, effect)
        for bearer in state.combatants
        if bearer.effects and ("round", "") in _ended_by(bearer)
        for effect in bearer.effects
        if 0 < _last_round(effect.until) <= state.round
    ]


def _last_round(duration: Duration) -> int:
    """The round at whose end a duration is over; 0 for one that no round ends."""
    return duration.count if duration.ends == "round" else duration.most


def has_passed(state: Encounter, duration: Duration) -> bool:
    """True if the turn or the round that ends an effect is over, as it may be for somebody who was
    away."""
    if last := _last_round(duration):
        return last < state.round
    slot = state.slot(duration.who) if duration.ends == "turn" else None
    if slot is None or duration.count > slot.turns:
        return False
    return duration.count < slot.turns or duration.edge == "start" or not slot.open


@lru_cache(maxsize=MOST_KEPT)
def _ended_by(bearer: Combatant) -> frozenset[tuple[Ends, str]]:
    """Return the ends of a combatant's effects, each with the owner of the turn."""
    ends = [effect.until for effect in bearer.effects]
    return frozenset(("round", "") if _last_round(each) else (each.ends, each.who) for each in ends)


def end_positions(state: Encounter) -> Callable[[Duration], tuple[int, int, int]]:
    """Make a function from a duration to its end in time: (round, place in the order, edge).

    It gives `NEVER` for what no turn or round ends.
    """
    slots = {slot.who: (index, slot) for index, slot in enumerate(state.slots)}

    def placed(duration: Duration) -> tuple[int, int, int]:
        if last := _last_round(duration):
            return (last, len(state.slots), 1)
        if duration.ends != "turn" or duration.who not in slots:
            return NEVER
        index, slot = slots[duration.who]
        edge = 0 if duration.edge == "start" else 1
        return (_round_of_turn(state, slot, duration.count), index, edge)

    return placed


def _round_of_turn(state: Encounter, slot: Slot, turn: int) -> int:
    """The round in which the slot takes its turn number `turn`."""
    if state.round == 0:
        return turn
    if slot.round >= state.round or slot.open:
        return state.round + turn - slot.turns
    return state.round + turn - slot.turns - 1


def format_duration(
    state: Encounter,
    duration: Duration,
    who_says: str = "id",
    own: str = "",
    spoken: Mapping[str, str] = {},
) -> str:
    """Write a duration in words: `end of mira's next turn`.

    Args:
        who_says: `id` or `name`.
        own: stands in place of either: `end of their next turn`.
        spoken: words for the ear, by the ones that are written: `wisdom`.
    """
    if duration.says:
        return f"until {duration.says}"
    if duration.ends == "save":
        ability = spoken.get(duration.who, duration.who)
        what = f", {ability} DC {duration.count}" if duration.who else ""
        most = f", or round {duration.most} ends" if duration.most else ""
        return f"until saved against{what}{most}"
    if duration.ends == "turn":
        owner = state.name(duration.who) if who_says == "name" else duration.who
        whose = own or f"{owner}'s"
        turn = _which_turn(state.slot(duration.who), duration)
        return f"{duration.edge} of {whose} {turn}"
    return {
        "round": f"end of round {duration.count}",
        "use": "until used",
        "rest": "until a rest",
        "long-rest": "until a long rest",
        "fight": "until the fight ends",
        "removed": "until removed",
    }[duration.ends]


def _which_turn(slot: Slot | None, duration: Duration) -> str:
    ahead = duration.count - turns_begun(slot)
    if ahead <= 0:
        return "turn"
    if ahead == 1:
        return "next turn"
    return f"{ordinal(ahead)} turn from now"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th ..."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"


# -------------------------------------------------------------------------------------------------
# Clocks as rounds go by: pools of dice are rolled, and their likely length computed.

PACES = {"slow": 0, "medium": 1, "fast": 2}
"""How many faces below the highest remove a die as well: of d6s only 6, 5 and 6, or 4 to 6."""
MOST_DICE = 99
_DIGITS = 60
"""Digits to compute with: terms of up to 10^29 with either sign nearly cancel in the mean."""


def begin_round(ctx: Context, first: bool = False) -> None:
    """Roll the pools, and take a step from the countdowns of rounds.

    In the `first` round of a fight only pools are rolled, as no round is over yet.
    """
    for clock in ctx.state.clocks:
        if clock.stopped or not clock.value:
            continue
        if clock.sides or (clock.every == "round" and not first):
            count_down(ctx, clock)


def count_down(ctx: Context, clock: Clock) -> None:
    """Take a step from a countdown, or roll a pool."""
    if clock.sides:
        roll_pool(ctx, clock)
    else:
        ctx.emit(ClockChanged(clock.name, replace(clock, value=clock.value - 1)))


def roll_pool(ctx: Context, pool: Clock, lying: Sequence[int] = ()) -> None:
    """Roll all dice of a pool, or take the numbers on them: high ones leave it."""
    source = ctx.dice_of("", pool.name)
    faces = tuple(lying) or tuple(source.die(pool.sides) for _ in range(pool.value))
    dice = f"{pool.value}d{pool.sides}"
    ctx.emit(Rolled("", dice, faces, for_=pool.name, by_hand=bool(lying)))
    left = sum(1 for face in faces if face < pool.drops)
    ctx.emit(
        ClockChanged(pool.name, replace(pool, value=left), why=f"{pool.value - left} left the pool")
    )


@lru_cache(maxsize=64)
def rolls_expected(dice: int, sides: int, drops: int) -> int:
    """Return the mean number of rolls that a pool lasts, rounded: 6 for 4d6 that lose 5s and 6s.

    Each die waits for a face that removes it; the pool lasts as long as the longest of these waits.
    0 for no dice, and for dice that never leave. More than `MOST_DICE` count as so many.
    """
    dice = min(dice, MOST_DICE)
    with localcontext(prec=_DIGITS):
        stays = Decimal(max(drops - 1, 0)) / max(sides, 1)
        if stays >= 1:
            return 0
        terms = (
            (-1) ** (some + 1) * comb(dice, some) / (1 - stays**some) for some in range(1, dice + 1)
        )
        return round(sum(terms, Decimal(0)))


def expected_rolls(pool: Clock) -> int:
    """The mean number of rolls that a pool still lasts; 0 when it has run out."""
    return rolls_expected(pool.value, pool.sides, pool.drops)
