"""What goes along from one log of a campaign to another: from a fight's end into the ledger, and
from there into the next fight.

What it is, the tables say (`TrackRule.carries`, `EffectRule.carries`); of what somebody has done,
all is remembered that outlasts a fight. What ends with the fight has ended by then. Of a sheet goes
along what commands have changed of what the game says (`Ruleset.carries`): what is left of the
potions. Everything else is as the sheet has it, so that who has risen a level comes with what that
brings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from affray.core.heart.difference import difference
from affray.core.heart.effects import rule_of
from affray.core.heart.events import Adjusted, AnyEvent, Carried
from affray.core.heart.history import Entry, History, Previous
from affray.core.heart.state import Combatant, Effect, Encounter, Track
from affray.core.rules.tables import Tables, TrackRule

if TYPE_CHECKING:
    from affray.core.rules.ruleset import Ruleset

OF_THE_FIGHT = ("turn", "round", "fight")
"""The ends of effects, and the spans of what is counted, that nothing outlasts a fight by."""


class Kept(NamedTuple):
    """Another log of the campaign, as it stands.

    log    its file, as the campaign's folder has it: `ledger.toml`, `encounters/ford.toml`
    title  what people call it
    sum    a checksum of the file, by which a change is noticed
    """

    log: str
    title: str
    sum: str
    history: History

    @property
    def state(self) -> Encounter:
        """How things stand there."""
        return self.history.state


class Elsewhere(NamedTuple):
    """The other logs of a campaign, for who may have to look into them.

    ledger  the campaign's ledger; None where there is none, and for the ledger itself
    fights  the names of the encounters from which the ledger can take something; none for a fight
    read    the log of that file, or of the encounter of that name; None for one that is not there.
            Raises Refused for one that can't be read
    """

    ledger: Callable[[], Kept | None]
    fights: Callable[[], list[str]]
    read: Callable[[str], Kept | None]


NOWHERE = Elsewhere(lambda: None, list, lambda log: None)
"""Of a fight that is in no campaign."""


def as_left(
    ruleset: Ruleset, onto: Encounter, sheets: Mapping[str, Combatant], kept: Kept
) -> Encounter:
    """The state in which everybody of `sheets`, who are here and there, is as they were left there.

    The GM's own tracks are, too, as far as they are counted there.
    """
    tables = ruleset.tables
    there = kept.state

    def coming(who: Combatant) -> Combatant:
        left, sheet = there.find(who.id), sheets.get(who.id)
        if left is None or sheet is None:
            return who
        return replace(
            who,
            stats={**who.stats, **sheet.stats, **_changed(ruleset, kept, left)},
            tracks=_tracks(tables, sheet, left, who),
            effects=tuple(_effects(tables, onto, kept, left)),
            life=left.life,
            uses={use: n for use, n in left.uses.items() if _outlasts(use.partition("/")[0])},
        )

    gm = {n: t for n, t in there.tracks.items() if _rule(tables, n).carries}
    combatants = tuple(coming(who) for who in onto.combatants)
    return replace(onto, combatants=combatants, tracks={**onto.tracks, **gm})


def _changed(ruleset: Ruleset, kept: Kept, left: Combatant) -> dict[str, Any]:
    """What commands have changed there of somebody's sheet, and goes along."""
    entries = (kept.history.entries[seq] for seq in kept.history.path if ruleset.carries)
    changed = {
        event.stat
        for entry in entries
        for event in entry.events
        if isinstance(event, Adjusted) and event.who == left.id
    }
    return {s: left.stats[s] for s in ruleset.carries if s in changed and s in left.stats}


def _rule(tables: Tables, track: str) -> TrackRule:
    """The row of a track; one that the tables don't have, such as a hold, goes along."""
    return tables.tracks.get(track) or TrackRule(track)


def _tracks(tables: Tables, sheet: Combatant, left: Combatant, who: Combatant) -> dict[str, Track]:
    """Their tracks: what there is of each by the sheet, and what of it was left; those of turns are
    as they are here."""
    tracks = {**sheet.tracks, **who.tracks}
    for name in {**tracks, **left.tracks}:
        rule, own = _rule(tables, name), sheet.tracks.get(name)
        if rule.carries:
            was = left.tracks.get(name) or own or Track(0)
            tracks[name] = was if own is None else _of_sheet(own, was, rule.counts == "left")
    return tracks


def _of_sheet(own: Track, left: Track, is_left: bool) -> Track:
    """What was left of a track, by the maximum that the sheet has now.

    Who had all of it has all of it yet; else it is as much as it was.
    """
    if own.full is None or left.full is None:
        return replace(left, max=own.max)
    top = own.full - left.lowered
    value = top if is_left and left.max is not None and left.value >= left.max else left.value
    return replace(left, value=min(value, top), max=top)


def _effects(tables: Tables, onto: Encounter, kept: Kept, left: Combatant) -> Iterator[Effect]:
    """What lasts on somebody, and goes along. Who is up leaves behind what belongs to a place.

    Whoever it comes from, and isn't here, is named with the log that they are of: somebody here may
    have their id.
    """

    def named(who: str) -> str:
        if not who or " " in who or onto.find(who):  # no id holds a space: it is named so already
            return who
        return f"{kept.state.name(who)} of {kept.title}"

    for effect in left.effects:
        stays = rule_of(tables, effect.name).carries or left.life != "up"
        if not stays or effect.until.ends in OF_THE_FIGHT:
            continue
        holder, slash, held = effect.hangs.partition("/")
        yield replace(
            effect,
            source=named(effect.source),
            against=named(effect.against),
            spares=named(effect.spares),
            hangs=f"{named(holder)}{slash}{held}",
        )


def _outlasts(span: str) -> bool:
    return span.partition(" ")[0] not in OF_THE_FIGHT


def changes(was: Encounter, wanted: Encounter, why: str) -> list[AnyEvent]:
    """The events that lead from one state to another of the same people: their sheets, as well."""
    adjusted = [
        Adjusted(now.id, stat, value)
        for now in wanted.combatants
        for stat, value in now.stats.items()
        if was[now.id].stats.get(stat) != value
    ]
    return [*adjusted, *difference(was, wanted, why)]


def carried_in(entry: Entry) -> Carried | None:
    """What an entry tells of another log; None for one that has carried nothing."""
    return next((event for event in entry.events if isinstance(event, Carried)), None)


def carried_before(previous: Previous | None, log: str, now: Encounter) -> Encounter | None:
    """How things stood here when something was carried from that log last; None for never."""
    while previous is not None:
        carried = carried_in(previous.entry)
        if carried is not None and carried.log == log:
            return now
        now = previous.before
        previous = previous.earlier()
    return None
