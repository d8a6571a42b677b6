"""The players' view of a fight as plain values: everything that their screen shows.

It never contains anything that the players may not know. Start with `players_view`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine import effects, events, turn_order
from affray.core.engine.decide import command_name
from affray.core.engine.history import START, EarlierEntry, Entry, History
from affray.core.engine.settings import (
    PLAYERS_HEALTH,
    PLAYERS_LOG,
    PLAYERS_TITLE,
)
from affray.core.engine.state import (
    OUT_OF_THE_FIGHT,
    Combatant,
    Duration,
    Effect,
    Encounter,
    Life,
    Phase,
    Side,
)
from affray.core.engine.turns import can_take_turns, is_popcorn
from affray.core.formatting.effects import effect_with_amounts, how_long
from affray.core.formatting.pieces import format_clock
from affray.core.formatting.recap import RecapAction, deed_of
from affray.core.formatting.recap_output import deed_in_words, outcome_in_words, players_deeds
from affray.core.formatting.safe_text import to_one_line
from affray.core.formatting.turn_timer import TurnTimer, timer_of
from affray.core.formatting.visibility import (
    is_known_to_players,
    players_names,
    shows_numbers,
)
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import OWN_KINDS, Tables, TrackLook

# -------------------------------------------------------------------------------------------------
# The last entries without how rolls came out: some are the GM's secret, and the others the table
# has seen.

MOST, ENTRIES = 5, 60
"""The most lines that are shown, and the most entries that are searched for them."""


def last_lines(
    history: History, ruleset: Ruleset, called: Mapping[str, str], last: int
) -> tuple[str, ...]:
    """Return the last lines up to entry `last`, newest last; `called` has the players' names."""
    met = [combatant for combatant in history.state.combatants if is_known_to_players(combatant)]
    numbered_ids = {combatant.id for combatant in met if shows_numbers(combatant.side)}
    seen = players_deeds(
        _deeds(history, ruleset, last), numbered_ids, {combatant.id for combatant in met}
    )
    lines = (deed_in_words(deed, lambda who: called.get(who, "")) for deed in seen)
    return tuple(filter(None, lines))[-MOST:]


def _deeds(history: History, ruleset: Ruleset, last: int) -> Iterator[RecapAction]:
    """Yield the last acts of the fight that had an outcome, or were techniques of the party."""
    end = bisect_right(history.path, last)
    for seq in history.path[max(end - ENTRIES, 0) : end]:
        entry, after, before = history.entries[seq], history.states[seq], history.before(seq)
        if not before.in_combat:
            continue
        deed = deed_of(entry, before, after, ruleset)
        outcomes = tuple(outcome for outcome in deed.outcomes if outcome.kind != "roll")
        actor = after.find(entry.by)
        is_seen = command_name(entry, ruleset) in ruleset.tables.techniques
        if outcomes or (is_seen and actor is not None and shows_numbers(actor.side)):
            yield replace(deed, outcomes=outcomes)


def outcome_as_known(history: History, ruleset: Ruleset, entry: Entry, character: str) -> str:
    """Give the result of an entry that a character's player proposed, as far as players know it:
    their own rolls, who was hurt, new effects.

    Empty for nothing.
    """
    tables, called = ruleset.tables, players_names(history)
    before, after = history.before(entry.seq), history.states[entry.seq]
    met = [combatant for combatant in after.combatants if is_known_to_players(combatant)]
    numbered_ids = {combatant.id for combatant in met if shows_numbers(combatant.side)}
    deed = deed_of(entry, before, after, ruleset)
    seen = players_deeds([deed], numbered_ids, {c.id for c in met} & {*called})
    rolls = (
        event.outcome.replace("-", " ")
        for event in entry.events
        if isinstance(event, events.Rolled)
        and event.who == character
        and event.outcome in tables.outcomes
        and not (event.against and event.who == entry.by)  # which is among the outcomes
    )
    lines = (
        outcome_in_words(outcome, called.__getitem__)
        for each in seen
        for outcome in each.outcomes
        if outcome.kind != "clock"
    )
    return to_one_line(" · ".join(dict.fromkeys([*rolls, *lines])))


STEPS = 5
"""The number of steps of a bar for those whose numbers the players don't know."""


class PlayersTrack(Struct, frozen=True):
    """A track of one of the party's: its label, its look (as in its row) and its value."""

    label: str
    shown: TrackLook
    value: int
    max: int | None


class PlayersCondition(Struct, frozen=True):
    """A condition in words, its end (empty if secret), and True if it harms."""

    name: str
    ends: str
    harmful: bool


class PlayersCombatant(Struct, frozen=True):
    """A combatant that the players know.

    health  how hurt they look, in a word; empty if players don't see that, and for the party
    bar     the same as a number of `STEPS`; None for no bar
    tracks  empty unless the players know their numbers
    picture the version of their picture, also its address; empty for none
    """

    name: str
    side: Side
    life: Life
    is_up: bool
    health: str = ""
    bar: int | None = None
    tracks: tuple[PlayersTrack, ...] = ()
    lasting: tuple[PlayersCondition, ...] = ()
    picture: str = ""

    @property
    def is_out(self) -> bool:
        """True if they are out of the fight."""
        return self.life in OUT_OF_THE_FIGHT


class PlayersClock(Struct, frozen=True):
    """A clock, with its state in words."""

    name: str
    stands: str


class PlayersView(Struct, frozen=True):
    """The fight as the players see it. `people` are in the order of their turns, `up` and `next`
    names; `timer` is that of the turn, if turns are timed."""

    title: str
    phase: Phase
    round: int
    up: tuple[str, ...]
    next: str
    people: tuple[PlayersCombatant, ...]
    clocks: tuple[PlayersClock, ...]
    lines: tuple[str, ...]
    timer: TurnTimer | None = None


def players_view(
    history: History, ruleset: Ruleset, pictures: Mapping[str, str] = {}
) -> PlayersView:
    """The fight as it stands, as the players may see it.

    `pictures` has the version of each picture, by the file in a row.
    """
    state, called = history.state, players_names(history)
    moment = _moment(history, _Seen(state, ruleset.tables, called))
    then = replace(history.states[moment.shown], settings=state.settings)
    shown = _Seen(then, ruleset.tables, called, pictures)
    up = moment.up
    following = _next(shown.state, called, up) if moment.phase == "combat" else ""
    no_secrets = {clock.name for clock in state.clocks if not clock.hidden}
    tells = PLAYERS_LOG.value(state) == "shown"
    return PlayersView(
        title=to_one_line(state.title) if PLAYERS_TITLE.value(state) == "shown" else "",
        phase=moment.phase,
        round=moment.round,
        up=tuple(to_one_line(called[combatant_id]) for combatant_id in up),
        next=to_one_line(called.get(following, "")),
        people=tuple(
            shown.of(shown.find(combatant_id) or state[combatant_id], combatant_id in up)
            for combatant_id in called
        ),
        clocks=tuple(shown.clocks(no_secrets)),
        lines=last_lines(history, ruleset, called, moment.shown) if tells else (),
        timer=timer_of(history, called.__contains__) if up else None,
    )


# -- the same as a state ---------------------------------------------------------------------------


def known_state(history: History, ruleset: Ruleset) -> Encounter:
    """The fight as the players know it, for rules to be asked about.

    It has nobody hidden and no effects from them. All have the players' names, and the turn is the
    one that the players see.
    """
    now, called = history.state, players_names(history)
    moment = _moment(history, _Seen(now, ruleset.tables, called))
    then = history.states[moment.shown]
    shown = _Seen(then, ruleset.tables, called)
    people = [shown.find(who) or now[who] for who in called]
    slots = [then.slot(who) or now.slot(who) for who in called]
    no_secrets = {clock.name for clock in now.clocks if not clock.hidden}
    shown_settings = {s.name for s in ruleset.all_settings.values() if not s.gm_only}
    up = tuple(moment.up)
    return replace(
        then,
        phase=moment.phase,
        round=moment.round,
        turn=up[0] if up else "",
        acting=up if len(up) > 1 else (),
        slots=tuple(slot for slot in slots if slot is not None),
        combatants=tuple(_as_known(combatant, called) for combatant in people),
        numbers={},
        numbered=False,
        clocks=tuple(c for c in then.clocks if not c.hidden and c.name in no_secrets),
        settings={name: now.settings[name] for name in now.settings.keys() & shown_settings},
        waves={},
    )


def known_previous(history: History, ruleset: Ruleset) -> EarlierEntry | None:
    """The last entry that the players have seen, with its predecessors; None for none."""
    seen = _Seen(history.state, ruleset.tables, players_names(history))
    return history.earlier_at(_moment(history, seen).shown)


def _as_known(combatant: Combatant, called: Mapping[str, str]) -> Combatant:
    """A combatant under the players' name, without any mention of those they don't know."""
    ids = {*called, ""}
    return replace(
        combatant,
        name=called[combatant.id],
        notes=(),
        effects=tuple(_effect_as_known(effect, ids) for effect in combatant.effects),
    )


def _effect_as_known(effect: Effect, ids: Container[str]) -> Effect:
    until, holder = effect.until, effect.attached_to
    return replace(
        effect,
        source=effect.source if effect.source in ids else "",
        against=effect.against if effect.against in ids else "",
        spares=effect.spares if effect.spares in ids else "",
        hangs=effect.hangs if holder is None or holder.bearer in ids else "",
        until=until if until.who in ids else Duration(),
    )


def last_entry_of_turn(history: History, ruleset: Ruleset) -> int:
    """Return the last entry of the turn that the players see; later ones were in turns of creatures
    they don't know."""
    seen = _Seen(history.state, ruleset.tables, players_names(history))
    return _moment(history, seen).last


# -- whose turn it is ------------------------------------------------------------------------------


class _Moment(NamedTuple):
    """The moment that the players see: the state after the entry `shown`, in a turn whose last
    entry was `last`."""

    phase: Phase
    round: int
    up: list[str]
    shown: int
    last: int


def _moment(history: History, seen: _Seen) -> _Moment:
    """Find the last moment that the players can have seen.

    During a hidden combatant's turn, the turn before goes on for the players; changes at the start
    and end of such a turn come with the next visible event. Until a known combatant has had a turn,
    the fight has not begun for them.
    """
    now, shown = history.state, None
    if not now.in_combat:
        return _Moment(now.phase, now.round, [], history.head, history.head)
    for seq in reversed(history.path):
        state = history.states[seq]
        if not state.in_combat:
            break
        up = [combatant_id for combatant_id in state.taking_turn() if combatant_id in seen.called]
        if up or not now.turn:
            return _Moment("combat", state.round, up, seq if shown is None else shown, seq)
        if shown is None and _is_seen(history, seq, seen):
            shown = seq
    else:
        seq = START
    return _Moment("setup", 0, [], seq if shown is None else shown, seq)


def _is_seen(history: History, seq: int, seen: _Seen) -> bool:
    """True if an entry shows the players anything but the end or start of a turn."""
    entry, after, before = history.entries[seq], history.states[seq], history.before(seq)
    if not entry.by and any(isinstance(event, _EDGES) for event in entry.events):
        return False
    if (after.combatants, after.clocks) == (before.combatants, before.clocks):
        return False
    return replace(seen, state=after).all() != replace(seen, state=before).all()


_EDGES = events.Began | events.RoundStarted | events.TurnStarted | events.TurnEnded


def _next(state: Encounter, called: Mapping[str, str], up: list[str]) -> str:
    """The id of the next known combatant after the turn that is shown; empty for nobody."""
    if is_popcorn(state):
        return ""
    return next(
        (
            slot.who
            for unit in turn_order.units_after(state, up[0] if up else state.turn)
            for slot in unit
            if slot.who in called and slot.who not in up and can_take_turns(state, slot)
        ),
        "",
    )


# -- somebody --------------------------------------------------------------------------------------


class _Seen(Struct, frozen=True):
    """A state of the fight, with its tables and the players' names, to show combatants by."""

    state: Encounter
    tables: Tables
    called: Mapping[str, str]
    pictures: Mapping[str, str] = {}

    def find(self, combatant_id: str) -> Combatant | None:
        """Somebody, if they were known."""
        found = self.state.find(combatant_id)
        return found if is_known_to_players(found) else None

    def all(self) -> list[PlayersCombatant | PlayersClock]:
        """Everybody and all clocks."""
        people = (
            found for combatant_id in self.called if (found := self.find(combatant_id)) is not None
        )
        names = {clock.name for clock in self.state.clocks}
        return [*(self.of(combatant, is_up=False) for combatant in people), *self.clocks(names)]

    def clocks(self, among: Container[str]) -> Iterator[PlayersClock]:
        """The clocks of these names that are no secret."""
        for clock in self.state.clocks:
            if not clock.hidden and clock.name in among:
                yield PlayersClock(to_one_line(clock.name), format_clock(clock))

    def of(self, combatant: Combatant, is_up: bool) -> PlayersCombatant:
        """Somebody known."""
        has_numbers = shows_numbers(combatant.side)
        return PlayersCombatant(
            to_one_line(self.called[combatant.id]),
            combatant.side,
            combatant.life,
            is_up,
            health="" if has_numbers else self.health(combatant),
            bar=None if has_numbers else self.bar(combatant),
            tracks=tuple(_tracks(self.tables, combatant)) if has_numbers else (),
            lasting=tuple(self.lasting(combatant, has_numbers)),
            picture=self.pictures.get(combatant.picture, ""),
        )

    def health(self, combatant: Combatant) -> str:
        """Say how hurt somebody is: at full health, above half, above a quarter, below that."""
        left = self._left(combatant)
        if left is None or PLAYERS_HEALTH.value(self.state) != "words":
            return ""
        value, full = left
        if value >= full:
            return "unhurt"
        if 2 * value > full:
            return "hurt"
        return "badly hurt" if 4 * value > full else "nearly down"

    def bar(self, combatant: Combatant) -> int | None:
        """Return the health in steps: all only if unhurt, none only without health."""
        left = self._left(combatant)
        if left is None or PLAYERS_HEALTH.value(self.state) != "bars":
            return None
        value, full = left
        return STEPS if value >= full else max(0, min(STEPS - 1, -(-STEPS * value // full)))

    def _left(self, combatant: Combatant) -> tuple[int, int] | None:
        """The present health and its maximum; None without a maximum, and for a life but `up`."""
        track = self.tables.health_of(combatant)
        full = track.full if track is not None else None
        return (
            (track.value, full) if track is not None and full and combatant.life == "up" else None
        )

    def lasting(self, combatant: Combatant, has_numbers: bool) -> Iterator[PlayersCondition]:
        """Yield the effects to show, each once; for all but the party only those with a name."""
        if combatant.is_out:
            return
        first: dict[str, Effect] = {}
        times: Counter[str] = Counter()
        for effect in effects.independent_effects(combatant):
            name = self._name_of(effect, has_numbers)
            if name:
                first.setdefault(name, effect)
                times[name] += 1
        for name, effect in first.items():
            often = f" ×{times[name]}" if times[name] > 1 else ""
            look = self.tables.look(effect.name, effect.kind)
            yield PlayersCondition(to_one_line(name) + often, self._end_of(effect), look.harmful)

    def _name_of(self, effect: Effect, has_numbers: bool) -> str:
        """Its name; for the party with its amount. Never its note: that is the GM's."""
        if has_numbers:
            named = effect_with_amounts(replace(effect, note=""))
            return effects.effect_name(self.tables, named)
        has_name = effect.name in self.tables.effects or effect.kind in OWN_KINDS
        return effects.effect_name(self.tables, effect.name) if has_name else ""

    def _end_of(self, effect: Effect) -> str:
        """The end of an effect; empty if it names an unknown combatant, or holds words of the
        GM's."""
        until = effect.until
        if until.says and until.says != effects.effect_row(self.tables, effect.name).until:
            until = replace(until, says="")
        if until.ends == "turn" and not until.says and until.who not in self.called:
            return ""
        return how_long(self._as_called(until), until)

    def _as_called(self, until: Duration) -> Encounter:
        """The fight with only the combatant whose turn ends it, by the players' name."""
        anchor = self.state.find(until.who)
        name = self.called.get(until.who, "")
        anchors = () if anchor is None else (replace(anchor, name=name),)
        return replace(self.state, combatants=anchors)


def _tracks(tables: Tables, combatant: Combatant) -> Iterator[PlayersTrack]:
    """Yield the tracks that are always shown and mean something now."""
    for name, rule in tables.tracks.items():
        track = combatant.tracks.get(name)
        means = rule.everybody and rule.when in (None, combatant.life)
        if track is None or not means:
            continue
        has_none = rule.shown == "number" and track.max is None and not track.value
        if not has_none:  # such as no temporary HP
            top = rule.least or None if track.max is None else track.max
            yield PlayersTrack(rule.label, rule.shown, track.value, top)
