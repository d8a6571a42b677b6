"""The players' view of a fight, as plain values: whatever shows it shows this and nothing more.

Only what the players may know is ever put into it: nothing is taken out later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import effects, groups
from affray.core.heart import events as e
from affray.core.heart.history import START, History
from affray.core.heart.state import (
    OUT_OF_THE_FIGHT,
    Combatant,
    Duration,
    Effect,
    Encounter,
    Life,
    Phase,
    Side,
    Track,
)
from affray.core.heart.turns import can_take_turns
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import OWN_KINDS, Tables, TrackLook, TrackRule
from affray.core.telling.effect_words import how_long, with_amounts
from affray.core.telling.event_words import clock_in_words
from affray.core.telling.plain import one_line
from affray.core.telling.public.known import (
    HEALTH,
    LINES,
    TITLE,
    chosen,
    has_told_numbers,
    is_known,
)
from affray.core.telling.public.lines import last_lines
from affray.core.telling.public.names import names

STEPS = 5
"""How finely a bar tells the health of those whose numbers the players don't know."""


class Counted(Struct, frozen=True):
    """A track of one of the party's: how it is called, shown (as in its row) and how it stands."""

    label: str
    shown: TrackLook
    value: int
    max: int | None


class Lasting(Struct, frozen=True):
    """A condition in words, when it ends (empty where that can't be said), and if it harms."""

    name: str
    ends: str
    harmful: bool


class Shown(Struct, frozen=True):
    """Somebody whom the players know of.

    health  how hurt they look, in a word; empty where it is not told, and of the party
    bar     the same in so many of `STEPS`; None where it is not told so
    tracks  empty for all whose numbers the players don't know
    """

    name: str
    side: Side
    life: Life
    is_up: bool
    health: str = ""
    bar: int | None = None
    tracks: tuple[Counted, ...] = ()
    lasting: tuple[Lasting, ...] = ()

    @property
    def is_out(self) -> bool:
        """Whether they are out of the fight."""
        return self.life in OUT_OF_THE_FIGHT


class Ticking(Struct, frozen=True):
    """A clock, and how it stands in words."""

    name: str
    stands: str


class Public(Struct, frozen=True):
    """All that the players see. `people` are in the order of their turns, `up` and `next` names."""

    title: str
    phase: Phase
    round: int
    up: tuple[str, ...]
    next: str
    people: tuple[Shown, ...]
    clocks: tuple[Ticking, ...]
    lines: tuple[str, ...]


def public(history: History, ruleset: Ruleset) -> Public:
    """The fight as it stands, as the players may see it."""
    state, called = history.state, names(history)
    moment = _moment(history, _Seen(state, ruleset.tables, called))
    shown, up = _Seen(history.states[moment.shown], ruleset.tables, called), moment.up
    following = _next(shown.state, called, up) if moment.phase == "combat" else ""
    no_secrets = {clock.name for clock in state.clocks if not clock.hidden}
    tells = chosen(state, LINES) == "shown"
    return Public(
        title=one_line(state.title) if chosen(state, TITLE) == "shown" else "",
        phase=moment.phase,
        round=moment.round,
        up=tuple(one_line(called[who]) for who in up),
        next=one_line(called.get(following, "")),
        people=tuple(shown.of(shown.find(who) or state[who], who in up) for who in called),
        clocks=tuple(shown.clocks(no_secrets)),
        lines=last_lines(history, ruleset, called, moment.shown) if tells else (),
    )


# -- whose turn it is ------------------------------------------------------------------------------


class _Moment(NamedTuple):
    """How far the fight is for the players; it is shown to them as it was after entry `shown`."""

    phase: Phase
    round: int
    up: list[str]
    shown: int


def _moment(history: History, seen: _Seen) -> _Moment:
    """As long as somebody hidden is up, the turn before goes on, and time stands still: what the
    edges of such turns bring is seen with what is done then, or in the next turn. Before anybody
    known has had one, the fight has not begun."""
    now, shown = history.state, None
    if now.phase != "combat":
        return _Moment(now.phase, now.round, [], history.head)
    for seq in reversed(history.path):
        state = history.states[seq]
        if state.phase != "combat":
            break
        up = [who for who in state.taking_turn() if who in seen.called]
        if up or not now.turn:
            return _Moment("combat", state.round, up, seq if shown is None else shown)
        if shown is None and _is_seen(history, seq, seen):
            shown = seq
    else:
        seq = START
    return _Moment("setup", 0, [], seq if shown is None else shown)


def _is_seen(history: History, seq: int, seen: _Seen) -> bool:
    """Whether an entry shows the players anything but that a turn has ended or begun."""
    entry, after, before = history.entries[seq], history.states[seq], history.before(seq)
    if not entry.by and any(isinstance(event, _EDGES) for event in entry.events):
        return False
    if (after.combatants, after.clocks) == (before.combatants, before.clocks):
        return False
    return replace(seen, state=after).all() != replace(seen, state=before).all()


_EDGES = e.Began | e.RoundStarted | e.TurnStarted | e.TurnEnded


def _next(state: Encounter, called: Mapping[str, str], up: list[str]) -> str:
    """The id of the first known one to be up after the turn that they see; empty for nobody."""
    return next(
        (
            slot.who
            for unit in groups.units_after(state, up[0] if up else state.turn)
            for slot in unit
            if slot.who in called and slot.who not in up and can_take_turns(state, slot)
        ),
        "",
    )


# -- somebody --------------------------------------------------------------------------------------


class _Seen(Struct, frozen=True):
    """What people are seen by: the fight, its tables, and what the players call everybody."""

    state: Encounter
    tables: Tables
    called: Mapping[str, str]

    def find(self, who: str) -> Combatant | None:
        """Somebody, if they were known."""
        found = self.state.find(who)
        return found if is_known(found) else None

    def all(self) -> list[Shown | Ticking]:
        """Everybody and all clocks."""
        people = (found for who in self.called if (found := self.find(who)) is not None)
        names = {clock.name for clock in self.state.clocks}
        return [*(self.of(who, is_up=False) for who in people), *self.clocks(names)]

    def clocks(self, among: Container[str]) -> Iterator[Ticking]:
        """The clocks of these names that are no secret."""
        for clock in self.state.clocks:
            if not clock.hidden and clock.name in among:
                yield Ticking(one_line(clock.name), clock_in_words(clock))

    def of(self, who: Combatant, is_up: bool) -> Shown:
        """Somebody known."""
        told = has_told_numbers(who.side)
        return Shown(
            one_line(self.called[who.id]),
            who.side,
            who.life,
            is_up,
            health="" if told else self.health(who),
            bar=None if told else self.bar(who),
            tracks=tuple(_tracks(self.tables, who)) if told else (),
            lasting=tuple(self.lasting(who, told)),
        )

    def health(self, who: Combatant) -> str:
        """In words: at all of it, above half, above a quarter, and below."""
        left = self._left(who)
        if left is None or chosen(self.state, HEALTH) != "words":
            return ""
        value, full = left
        if value >= full:
            return "unhurt"
        if 2 * value > full:
            return "hurt"
        return "badly hurt" if 4 * value > full else "nearly down"

    def bar(self, who: Combatant) -> int | None:
        """In steps, all of them for the unhurt alone, and none for those who have none left."""
        left = self._left(who)
        if left is None or chosen(self.state, HEALTH) != "bars":
            return None
        value, full = left
        return STEPS if value >= full else max(0, min(STEPS - 1, -(-STEPS * value // full)))

    def _left(self, who: Combatant) -> tuple[int, int] | None:
        """What is left of the health, and all of it; None where it has no end, or in another life
        than `up`, which is told instead."""
        track = who.tracks.get(self.tables.health)
        full = track.full if track is not None else None
        return (track.value, full) if track is not None and full and who.life == "up" else None

    def lasting(self, who: Combatant, told: bool) -> Iterator[Lasting]:
        """What lasts on somebody, each once; of others than the party only what has a name."""
        if who.is_out:
            return
        first: dict[str, Effect] = {}
        times: Counter[str] = Counter()
        for effect in effects.by_themselves(who):
            name = self._name_of(effect, told)
            if name:
                first.setdefault(name, effect)
                times[name] += 1
        for name, effect in first.items():
            often = f" ×{times[name]}" if times[name] > 1 else ""
            look = self.tables.look(effect.name, effect.kind)
            yield Lasting(one_line(name) + often, self._end_of(effect), look.harmful)

    def _name_of(self, effect: Effect, told: bool) -> str:
        """Its name; for the party with its amount. Never its note: that is the GM's."""
        if told:
            named = with_amounts(replace(effect, note=""))
            return effects.called(self.tables, named)
        has_name = effect.name in self.tables.effects or effect.kind in OWN_KINDS
        return effects.called(self.tables, effect.name) if has_name else ""

    def _end_of(self, effect: Effect) -> str:
        """When it ends; nothing where it hangs on somebody unknown, or on words of the GM's."""
        until = effect.until
        if until.says and until.says != effects.rule_of(self.tables, effect.name).until:
            until = replace(until, says="")
        if until.ends == "turn" and not until.says and until.who not in self.called:
            return ""
        return how_long(self._as_called(until), until)

    def _as_called(self, until: Duration) -> Encounter:
        """The fight with whoever ends it alone in it, by the name that the players have."""
        anchor = self.state.find(until.who)
        name = self.called.get(until.who, "")
        known = () if anchor is None else (replace(anchor, name=name),)
        return replace(self.state, combatants=known)


def _tracks(tables: Tables, who: Combatant) -> Iterator[Counted]:
    """The tracks that the tables say everybody shows, as far as they mean anything now."""
    for name, rule in tables.tracks.items():
        track = who.tracks.get(name)
        means = rule.everybody and rule.when in (None, who.life)
        if track is not None and means and not _is_nothing(rule, track):
            top = rule.least or None if track.max is None else track.max
            yield Counted(rule.label, rule.shown, track.value, top)


def _is_nothing(rule: TrackRule, track: Track) -> bool:
    """Whether it is only there now and then, and isn't: no temporary HP."""
    return rule.shown == "number" and track.max is None and not track.value
