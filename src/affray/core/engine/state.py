"""The encounter as it stands: plain values that never change once they are made.

A new state is made from an old one by `affray.core.engine.evolve.evolve`; whatever did not change
is shared between the two, so that every state of a long fight can be kept. Dicts inside these
structs are treated as read-only: a change makes a new dict.

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
"""The size of caches by combatant (`lru_cache`). From command to command most combatants are the
same values as before, so what follows from them alone is found only once."""


class Track(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Something counted: HP left, fatigue marked, action points left, charges held.

    `max` is None where nothing limits the value from above. `unfelt` are those of the levels marked
    that do nothing yet: gained in this fight, they are felt when it is over. By `lowered` something
    that lasts lowers the maximum: `max` is the present one, `full` what it is without that.
    """

    value: int
    max: int | None = None
    unfelt: int = 0
    lowered: int = 0

    @property
    def felt(self) -> int:
        """The levels of it that do something now."""
        return self.value - self.unfelt

    @property
    def full(self) -> int | None:
        """The maximum as it is when nothing lowers it."""
        return None if self.max is None else self.max + self.lowered


class Duration(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """When an effect ends.

    `ends` says what ends it:
      turn      the `edge` of turn number `count` of the slot `who`: turns are numbered from 1 in
                the order in which the slot takes them, so nothing needs to be ticked down and the
                anchor may leave, delay or be re-rolled without losing it
      round     the end of round number `count`
      save      a successful save of the bearer
      use       its first use
      rest, long-rest, fight, removed   what the word says
    `says` words an end that only people at the table can see, such as "it stands".
    """

    ends: Ends = "removed"
    who: str = ""
    edge: Edge = "end"
    count: int = 0
    says: str = ""


class EffectRef(NamedTuple):
    """Which effect on whom; as text, as the log has it: `mira/stance`."""

    bearer: str
    effect: str

    def __str__(self) -> str:
        return f"{self.bearer}/{self.effect}"


class Effect(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Something that lasts on a combatant.

    id         unique among the effects of its bearer
    name       what the ruleset's table knows it by
    kind       condition, status, forward, ongoing, ... as the ruleset sorts them
    until      when it ends
    source     id of the combatant it comes from
    modifiers  kind of roll or number -> bonus or penalty
    note       words of the GM's: what it is for
    breaks     names of effects which, when its source has one of them, end this effect
    ends_with_source   whether it ends with its source, even where nothing else breaks it
    hangs      "combatant/effect id" on which it hangs: when that ends, so does this
    because    id of the effect, or name of the thing, that brought it along
    amount     how much, where it is an amount of something: damage each turn, points regained
    dice       the same in dice that fall anew each time, such as 1d10
    type       what its amount or its modifiers are of: fire, power, feat
    charges    whether its amount is of the track that its type names, and gone when it ends
    lowers     whether its amount is taken from that track's maximum for as long as it is there
    refunds    whether its amount comes back to that track, up to the maximum, when it ends
    upkeep     the track that is paid each turn to keep it up; empty when it lasts by itself
    only_with  what its modifiers count with, such as attacks of these tags; empty for everything
    against    id of the one creature that it concerns: rolls against that one alone, or those that
               it makes against the bearer; empty for everybody
    spares     id of the one creature that it does not concern, where all others are
    advantage  kinds of roll that its bearer makes with advantage, as the GM said, beside those in
               its row; likewise `disadvantage`
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
        """The effect on which it hangs; None where there is none."""
        bearer, _, effect = self.hangs.partition("/")
        return EffectRef(bearer, effect) if self.hangs else None


class Combatant(Struct, frozen=True, eq=False, gc=False, omit_defaults=True):
    """Somebody or something in the fight. `stats` are the ruleset's own numbers and words for it,
    and under `text` what the bestiary tells of it.

    `uses` counts what has been done: "turn/strike" -> 2. The word before the slash is the span
    after which the count is forgotten.
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
        """The amount that a track could still take; 0 for one that is not there or has no
        maximum."""
        found = self.tracks.get(name)
        return found.max - found.value if found and found.max is not None else 0

    def number(self, name: str, default: int = 0) -> int:
        """One of its own numbers; the default for one that is missing or no number.

        A log may have been edited by hand: what stands there is never a reason to fail.
        """
        value = self.stats.get(name, default)
        return int(value) if isinstance(value, int | float) and abs(value) < 1e9 else default

    @property
    def has_acted(self) -> bool:
        """Whether anything is noted that it did in its open turn."""
        return any(use.startswith("turn/") for use in self.uses)

    @property
    def is_out(self) -> bool:
        """Whether it is out of the fight: defeated, or dead."""
        return self.life in OUT_OF_THE_FIGHT

    @property
    def text(self) -> str:
        """The description in the bestiary; empty for none."""
        value = self.stats.get("text", "")
        return value if isinstance(value, str) else ""

    def effect(self, effect_id: str) -> Effect | None:
        """The effect of that id, or None."""
        return next((e for e in self.effects if e.id == effect_id), None)

    def named(self, name: str) -> Effect | None:
        """The first effect of that name, or None."""
        found = self.all_named(name)
        return found[0] if found else None

    def all_named(self, name: str) -> Sequence[Effect]:
        """The effects of that name, which rules ask for of everybody with every command."""
        return _by_name(self).get(name, ()) if self.effects else ()

    def used(self, what: str, span: str = "turn") -> int:
        """The number of times that something was done within the span."""
        return self.uses.get(f"{span}/{what}", 0) if self.uses else 0


@lru_cache(maxsize=MOST_KEPT)
def _by_name(combatant: Combatant) -> Mapping[str, Sequence[Effect]]:
    """Somebody's effects of each name."""
    found: dict[str, list[Effect]] = {}
    for effect in combatant.effects:
        found.setdefault(effect.name, []).append(effect)
    return found


class Slot(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A place in the initiative order. It stays when its combatant leaves, so that what lasts
    until their turn still ends.

    turns   turns begun, the present one included: the number of the last turn
    round   the last round in which it had its turn
    open    its turn has begun and not ended (several may be open while one waits for another)
    held    its owner has delayed, and waits to come back
    gone    its owner has left the fight
    rank    among equal initiatives the lowest rank goes first, as the rules have it
    follows whose turn its own comes right behind, wherever that goes: a companion's master
    group   the name of those with whom it has one place and one turn; empty for most
    passive its owner has no turns: its place is passed over, and only counted
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


class Clock(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A countdown of which `value` steps of `max` are left, a pool of `value` dice of `sides`, or a
    race.

    In a race `value` counts the successes, of which `max` win it, and `failures` what went wrong:
    at its `limit` the race is lost. A race of `effort` counts how much of its totals is done, and
    without a limit it can't be lost. What has neither is no race.
    A pool is rolled at the start of each round, and every die that shows `drops` or more leaves it.
    A countdown whose `every` is "round" loses one step at the start of each round by itself.
    Neither happens by itself to one that is `stopped`. Of one that is `hidden` the players don't
    know.
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
        """Whether it counts up to what wins it, and does not run out."""
        return self.effort or bool(self.limit)

    @property
    def has_run_out(self) -> bool:
        """Whether nothing is left of a countdown or a pool, or a race is lost."""
        return self.is_lost if self.is_race else not self.value

    @property
    def is_won(self) -> bool:
        """Whether a race has all the successes that it takes."""
        return self.is_race and self.max is not None and self.value >= self.max

    @property
    def is_lost(self) -> bool:
        """Whether a race has as many failures as it bears."""
        return bool(self.limit) and self.failures >= self.limit

    @property
    def verdict(self) -> str:
        """The result of a race that is over: won, lost, or done; empty while it goes on."""
        if self.is_lost:
            return "lost"
        return ("won" if self.limit else "done") if self.is_won else ""


_FOUND_LAST: dict[str, int] = {}
"""Id -> the place among the combatants at which it was found last; no more than a guess."""


class Encounter(Struct, frozen=True, eq=False, gc=False, omit_defaults=True):
    """The whole fight at one moment. `slots` is the initiative order, first to act first.

    `turn` is the id of whoever is up; of a group that is up it is the first member that can act,
    and `acting` are all who take that turn, in their order. It is empty for one alone.
    `numbers` has the number of each who has one, whoever has left as well. By `numbered` they are
    given to those who join, for good; in logs from before that was so, by the first turn of each
    encounter. `tracks` are the GM's own (threads, supplies); `settings` are house rules and the
    environment.
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

    def find(self, combatant_id: str) -> Combatant | None:
        """The combatant of that id, or None."""
        place = self.place_of(combatant_id)
        return None if place is None else self.combatants[place]

    def place_of(self, combatant_id: str) -> int | None:
        """The index of a combatant by id; None for nobody.

        It is looked for first where it was found last, in this state or another: ids are unique, so
        whoever has it there is the one.
        """
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

    @property
    def up(self) -> Combatant | None:
        """The combatant whose turn it is, of a group its first that can act, or None."""
        return self.find(self.turn) if self.turn else None

    def taking_turn(self) -> tuple[str, ...]:
        """The ids of all whose turn it is: of one, or of a group's members, first to act first."""
        return self.acting or ((self.turn,) if self.turn else ())

    def takes_turn(self, combatant_id: str) -> bool:
        """Whether it is somebody's turn, be it along with the rest of a group."""
        return combatant_id in self.acting or (bool(combatant_id) and combatant_id == self.turn)

    def all_up(self) -> Iterator[Combatant]:
        """All in the fight whose turn it is, first to act first."""
        return filter(None, map(self.find, self.taking_turn()))

    def slot(self, combatant_id: str) -> Slot | None:
        """The slot of that combatant, there or gone, or None."""
        for slot in self.slots:
            if slot.who == combatant_id:
                return slot
        return None

    def in_order(self) -> Iterator[Combatant]:
        """The combatants in the fight, in the order in which they act."""
        by_id = {combatant.id: combatant for combatant in self.combatants}
        for slot in self.slots:
            if not slot.gone and slot.who in by_id:
                yield by_id[slot.who]

    def by_number(self) -> dict[int, Combatant]:
        """The combatants in the fight by the numbers to type for them, in the order in which they
        act.

        Whoever has none yet has one of the free ones, by the place in the order.
        """
        numbers = self.numbers
        if not all(c.id in numbers for c in self.combatants):
            taken = set(numbers.values())
            free = (number for number in count(1) if number not in taken)
            numbers = {c.id: numbers.get(c.id) or next(free) for c in self.in_order()}
        return {numbers[c.id]: c for c in self.in_order()}

    def next_number(self) -> int:
        """The number of whoever joins next, where none is kept for them."""
        return max(self.numbers.values(), default=0) + 1

    def name(self, combatant_id: str) -> str:
        """The name that people know a combatant by; its id when it has left."""
        found = self.find(combatant_id)
        return found.name if found else combatant_id

    def gm(self, track: str) -> int:
        """The value of one of the GM's own tracks; 0 for one that is not kept."""
        found = self.tracks.get(track)
        return found.value if found else 0
