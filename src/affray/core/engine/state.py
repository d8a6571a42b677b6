"""The encounter: plain values that never change once they are made.

`affray.core.engine.evolve.evolve` makes a new state from an old one. The two share everything
unchanged, so that every state of a long fight can be kept. Dicts inside these structs are
read-only: a change makes a new dict.

`Encounter` and `Combatant` are compared by identity (`eq=False`), because the screen asks "is this
still the same?" on every key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count
from typing import Any, Literal, NamedTuple

from msgspec import Struct

Phase = Literal["setup", "combat", "ended"]
Side = Literal["party", "foes", "others", "world"]
Kind = Literal["pc", "monster", "hazard"]
Life = Literal["up", "dying", "stable", "unconscious", "defeated", "dead"]
Edge = Literal["start", "end"]
Ends = Literal["turn", "round", "save", "use", "rest", "long-rest", "fight", "removed"]

OUT_OF_THE_FIGHT: tuple[Life, ...] = ("defeated", "dead")

MOST_KEPT = 1_024
"""The size of caches by combatant (`lru_cache`): most combatants stay the same values from command
to command, so what follows from them alone is worked out only once."""


class _StateValue(Struct, frozen=True, gc=False, omit_defaults=True, repr_omit_defaults=True):
    """Base of all parts of a state: no cycles, no usual values in its text."""


class Track(_StateValue, frozen=True, forbid_unknown_fields=True):
    """Something counted: HP left, fatigue marked, action points left, charges held.

    `max` is None if nothing limits the value from above. `unfelt` counts levels that were gained
    in this fight, and do nothing until it is over. Effects have lowered the maximum by `lowered`:
    `max` is the present one, `full` the one without that.
    """

    value: int
    max: int | None = None
    unfelt: int = 0
    lowered: int = 0

    @property
    def felt(self) -> int:
        """The number of levels that do something now."""
        return self.value - self.unfelt

    @property
    def full(self) -> int | None:
        """The maximum if nothing lowers it."""
        return None if self.max is None else self.max + self.lowered


class Duration(_StateValue, frozen=True, forbid_unknown_fields=True):
    """The end of an effect.

    `ends` says what ends it:
      turn      the `edge` of turn number `count` of the slot `who`: turns are numbered from 1 in
                the order in which the slot takes them, so nothing needs to be ticked down and the
                anchor may leave, delay or be re-rolled without losing it
      round     the end of round number `count`
      save      a successful save of the bearer; in a game with several, `who` is the ability and
                `count` the DC
      use       its first use
      rest, long-rest, fight, removed   what the word says
    `says` is an end in words, which people at the table judge, such as "it stands". With a save,
    `most` is the round at whose end the effect is over anyway; 0 for none.
    """

    ends: Ends = "removed"
    who: str = ""
    edge: Edge = "end"
    count: int = 0
    says: str = ""
    most: int = 0


class EffectRef(NamedTuple):
    """A reference to an effect by its bearer and id; in the log `mira/stance`."""

    bearer: str
    effect: str

    def __str__(self) -> str:
        return f"{self.bearer}/{self.effect}"


class Effect(_StateValue, frozen=True, forbid_unknown_fields=True):
    """An effect on a combatant, with its end.

    id         unique among the effects of its bearer
    name       its name in the ruleset's table
    kind       condition, status, forward, ongoing, ... in the ruleset's sorting
    until      when it ends
    source     id of the combatant it comes from
    modifiers  kind of roll or number -> bonus or penalty
    note       the GM's words
    breaks     names of effects which, when its source has one of them, end this effect
    ends_with_source   True if it ends with its source, even if nothing else breaks it
    hangs      the effect with which it ends, as "combatant/effect id"; empty for none
    because    id of the effect, or name of the thing, that brought it
    amount     its amount, if it has one: damage each turn, points regained
    dice       its amount in dice, rolled each time, such as 1d10
    type       the type of its amount or modifiers: fire, power, feat
    charges    True if its amount was added to the track named by `type`, and is lost when it ends
    lowers     True if its amount is taken from that track's maximum while it lasts
    refunds    True if its amount comes back to that track, up to the maximum, when it ends
    upkeep     the track paid each turn to maintain it; empty if it needs none
    only_with  the tags of attacks with which its modifiers count; empty for everything
    against    id of the only creature that it applies to, in rolls against it or by it against the
               bearer; empty for everybody
    spares     id of the one creature that it doesn't apply to
    advantage, disadvantage   kinds of roll to which the GM gave either, besides those in its row
    """

    id: str
    name: str
    kind: str
    until: Duration = Duration()
    source: str = ""
    modifiers: dict[str, int] = {}
    note: str = ""
    breaks: tuple[str, ...] = ()
    hangs: str = ""
    because: str = ""
    amount: int = 0
    type: str = ""
    upkeep: str = ""
    ends_with_source: bool = False
    charges: bool = False
    lowers: bool = False
    refunds: bool = False
    only_with: tuple[str, ...] = ()
    dice: str = ""
    against: str = ""
    advantage: tuple[str, ...] = ()
    disadvantage: tuple[str, ...] = ()
    spares: str = ""

    @property
    def attached_to(self) -> EffectRef | None:
        """The effect with which it ends (`hangs`); None for none."""
        bearer, _, effect = self.hangs.partition("/")
        return EffectRef(bearer, effect) if self.hangs else None


class Combatant(_StateValue, frozen=True, eq=False):
    """Somebody or something in the fight.

    `stats` are the ruleset's own numbers and words for it, with the bestiary's description under
    `text`, and the file of its picture under `picture`. `uses` counts what it has done:
    "turn/strike" -> 2; the count is reset after the span before the slash.
    """

    id: str
    name: str
    side: Side
    kind: Kind
    stats: dict[str, Any] = {}
    tracks: dict[str, Track] = {}
    effects: tuple[Effect, ...] = ()
    life: Life = "up"
    uses: dict[str, int] = {}
    notes: tuple[str, ...] = ()
    hidden: bool = False

    def track(self, name: str) -> int:
        """The value of a track; 0 for one that this combatant does not have."""
        found = self.tracks.get(name)
        return found.value if found else 0

    def room(self, name: str) -> int:
        """The amount up to a track's maximum; 0 for a missing track or one without a maximum."""
        found = self.tracks.get(name)
        return found.max - found.value if found and found.max is not None else 0

    def number(self, name: str, default: int = 0) -> int:
        """Return one of its stats as a number; the default if it is missing or no number.

        A log that was edited by hand may hold anything, and must still open.
        """
        value = self.stats.get(name, default)
        return int(value) if isinstance(value, int | float) and abs(value) < 1e9 else default

    @property
    def is_character(self) -> bool:
        """True if it is a player's character in the party."""
        return self.kind == "pc" and self.side == "party"

    @property
    def has_acted(self) -> bool:
        """True if it has used anything in its open turn."""
        return any(use.startswith("turn/") for use in self.uses)

    @property
    def is_out(self) -> bool:
        """True if it is out of the fight: defeated, or dead."""
        return self.life in OUT_OF_THE_FIGHT

    @property
    def text(self) -> str:
        """The description in the bestiary; empty for none."""
        value = self.stats.get("text", "")
        return value if isinstance(value, str) else ""

    @property
    def picture(self) -> str:
        """The file of its picture in its row; empty for none."""
        value = self.stats.get("picture", "")
        return value if isinstance(value, str) else ""

    def effect(self, effect_id: str) -> Effect | None:
        """The effect of that id, or None."""
        return next((e for e in self.effects if e.id == effect_id), None)

    def named(self, name: str) -> Effect | None:
        """The first effect of that name, or None."""
        found = self.all_named(name)
        return found[0] if found else None

    def all_named(self, name: str) -> Sequence[Effect]:
        """The effects of that name, oldest first."""
        return _by_name(self).get(name, ()) if self.effects else ()

    def used(self, what: str, span: str = "turn") -> int:
        """The number of times that something was done within the span."""
        return self.uses.get(f"{span}/{what}", 0) if self.uses else 0


@lru_cache(maxsize=MOST_KEPT)  # rules ask this of everybody with every command
def _by_name(combatant: Combatant) -> Mapping[str, Sequence[Effect]]:
    found: dict[str, list[Effect]] = {}
    for effect in combatant.effects:
        found.setdefault(effect.name, []).append(effect)
    return found


class Slot(_StateValue, frozen=True, forbid_unknown_fields=True):
    """A place in the initiative order.

    It stays when its combatant leaves, so that effects that last until their turn still end.

    turns   turns begun, the present one included: the number of the last turn
    round   the last round in which it had its turn
    open    its turn has begun and not ended (several may be open while one waits for another)
    held    its owner has delayed, and waits to come back
    gone    its owner has left the fight
    rank    among equal initiatives the lowest rank goes first, by the rules
    follows id of the owner after whom a companion acts; else empty
    group   the group with which it shares one place and one turn; empty for most
    passive its combatant takes no turns: they are skipped, and only counted
    shares  the side with which it has one turn, if sides act at once; empty for most
    often   the number of its turns a round; `again` the number still to come in this round, after
            the current or next one
    """

    who: str
    initiative: int | None = None
    turns: int = 0
    round: int = 0
    open: bool = False
    held: bool = False
    gone: bool = False
    rank: tuple[int, ...] = ()
    follows: str = ""
    group: str = ""
    passive: bool = False
    shares: str = ""
    often: int = 1
    again: int = 0

    @property
    def unit(self) -> str:
        """The name of the side or group with which it has one turn; empty for one alone."""
        return f"{self.shares}/" if self.shares else self.group


class Clock(_StateValue, frozen=True, forbid_unknown_fields=True):
    """A countdown with `value` of `max` steps left, a pool of `value` dice of `sides`, or a race.

    Countdown: with `every` "round" it loses a step at the start of each round by itself.
    Pool: rolled at the start of each round; every die that shows `drops` or more leaves it.
    Race: `value` counts successes, and `max` of them win; it is lost at `limit` failures. A race of
    `effort` counts points in the same way, and can't be lost without a limit. A clock with neither
    `limit` nor `effort` is no race.

    A `stopped` clock doesn't move by itself; the players don't know of a `hidden` one.
    """

    name: str
    value: int
    max: int | None = None
    sides: int = 0
    drops: int = 0
    every: Literal["", "round"] = ""
    failures: int = 0
    limit: int = 0
    stopped: bool = False
    effort: bool = False
    hidden: bool = False

    @property
    def is_race(self) -> bool:
        """True for a race, which counts up and doesn't run out."""
        return self.effort or bool(self.limit)

    @property
    def has_run_out(self) -> bool:
        """True if nothing is left of a countdown or a pool, or a race is lost."""
        return self.is_lost if self.is_race else not self.value

    @property
    def is_won(self) -> bool:
        """True if a race has all the successes that it needs."""
        return self.is_race and self.max is not None and self.value >= self.max

    @property
    def is_lost(self) -> bool:
        """True if a race has reached its limit of failures."""
        return bool(self.limit) and self.failures >= self.limit

    @property
    def verdict(self) -> str:
        """The result of a race that is over: won, lost, or done; empty while it goes on."""
        if self.is_lost:
            return "lost"
        return ("won" if self.limit else "done") if self.is_won else ""


_FOUND_LAST: dict[str, int] = {}
_SLOT_FOUND_LAST: dict[str, int] = {}
"""Id -> the index among combatants, or slots, at which it was found last: a guess to try first."""


class Encounter(_StateValue, frozen=True, eq=False):
    """The whole fight at one moment.

    slots     the initiative order, first to act first
    turn      id of the combatant whose turn it is; of a group the first member who can act
    acting    ids of the members of a group in this turn, in order; empty for a single one
    numbers   id -> the number to type for a combatant, even one who has left
    numbered  True if combatants get their numbers for good as they join; in older logs the first
              turn of each encounter gives them
    tracks    the GM's own, such as threads and supplies
    settings  house rules and the environment
    waves     wave -> the lines of `add` that wait for it
    gone      those who have left, as they were then, the last one first
    """

    title: str = ""
    ruleset: str = ""
    phase: Phase = "setup"
    round: int = 0
    turn: str = ""
    acting: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()
    combatants: tuple[Combatant, ...] = ()
    numbers: dict[str, int] = {}
    numbered: bool = False
    tracks: dict[str, Track] = {}
    clocks: tuple[Clock, ...] = ()
    settings: dict[str, str] = {}
    waves: dict[int, tuple[str, ...]] = {}
    gone: tuple[Combatant, ...] = ()

    def find(self, combatant_id: str) -> Combatant | None:
        """The combatant of that id, or None."""
        place = self.place_of(combatant_id)
        return None if place is None else self.combatants[place]

    def find_ever(self, combatant_id: str) -> Combatant | None:
        """The combatant of that id, in the fight or as it left; None for nobody."""
        gone = (combatant for combatant in self.gone if combatant.id == combatant_id)
        return self.find(combatant_id) or next(gone, None)

    def character(self, combatant_id: str) -> Combatant | None:
        """The party's character with that id, played by a player; None for anybody else.

        A monster may have a character's id, and a charmed character is not the party's for that
        time.
        """
        found = self.find(combatant_id)
        return found if found is not None and found.is_character else None

    def place_of(self, combatant_id: str) -> int | None:
        """Return the index of a combatant by id; None for nobody."""
        there, guess = self.combatants, _FOUND_LAST.get(combatant_id, 0)
        if guess < len(there) and there[guess].id == combatant_id:
            return guess
        for place, combatant in enumerate(there):
            if combatant.id == combatant_id:
                _FOUND_LAST[combatant_id] = place
                return place
        return None

    def __getitem__(self, combatant_id: str) -> Combatant:
        """The combatant of that id. Raises KeyError when nobody in the fight has it."""
        place = self.place_of(combatant_id)
        if place is None:
            raise KeyError(combatant_id)
        return self.combatants[place]

    def bearers(self, *names: str) -> list[Combatant]:
        """The combatants with an effect of one of these names."""
        bearing = (c for c in self.combatants if c.effects)
        return [c for c in bearing if not _by_name(c).keys().isdisjoint(names)]

    @property
    def in_combat(self) -> bool:
        """True from the start of the first round to the end of the fight."""
        return self.phase == "combat"

    @property
    def up(self) -> Combatant | None:
        """The combatant whose turn it is; of a group the first who can act. None for nobody."""
        return self.find(self.turn) if self.turn else None

    def taking_turn(self) -> tuple[str, ...]:
        """Return the ids of those whose turn it is, in order: one, or members of a group."""
        return self.acting or ((self.turn,) if self.turn else ())

    def takes_turn(self, combatant_id: str) -> bool:
        """True if it is somebody's turn, alone or with their group."""
        return combatant_id in self.acting or (bool(combatant_id) and combatant_id == self.turn)

    def all_up(self) -> Iterator[Combatant]:
        """Everybody in the fight whose turn it is, first to act first."""
        return filter(None, map(self.find, self.taking_turn()))

    def slot(self, combatant_id: str) -> Slot | None:
        """The slot of that combatant, there or gone, or None."""
        there, guess = self.slots, _SLOT_FOUND_LAST.get(combatant_id, 0)
        if guess < len(there) and there[guess].who == combatant_id:
            return there[guess]
        for place, slot in enumerate(there):
            if slot.who == combatant_id:
                _SLOT_FOUND_LAST[combatant_id] = place
                return slot
        return None

    def in_order(self) -> Iterator[Combatant]:
        """The combatants in the fight, in the order in which they act."""
        by_id = {combatant.id: combatant for combatant in self.combatants}
        for slot in self.slots:
            if not slot.gone and slot.who in by_id:
                yield by_id[slot.who]

    def by_number(self) -> dict[int, Combatant]:
        """Return the combatants in the fight by the numbers to type for them, in turn order.

        Those without a number yet get free ones, in that order.
        """
        numbers = self.numbers
        if not all(c.id in numbers for c in self.combatants):
            taken = set(numbers.values())
            free = (number for number in count(1) if number not in taken)
            numbers = {c.id: numbers.get(c.id) or next(free) for c in self.in_order()}
        return {numbers[c.id]: c for c in self.in_order()}

    def next_number(self) -> int:
        """Return the number for the next one to join."""
        return max(self.numbers.values(), default=0) + 1

    def name(self, combatant_id: str) -> str:
        """The name that people know a combatant by; its id when it has left."""
        found = self.find(combatant_id)
        return found.name if found else combatant_id

    def gm(self, track: str) -> int:
        """The value of one of the GM's own tracks; 0 for one that is not kept."""
        found = self.tracks.get(track)
        return found.value if found else 0
