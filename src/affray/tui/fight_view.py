"""What the panes of the fight draw: one value, made anew on every change, compared by identity."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from affray.core.heart import dynamic
from affray.core.heart.carrying import NOWHERE, Elsewhere
from affray.core.heart.history import History
from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.ruleset import Option, Pending, Ruleset
from affray.core.rules.tables import Tables
from affray.tui.keymap import Keymap


class FightView(Struct, frozen=True, eq=False):
    """The fight as it is to be shown.

    state      the fight now, or as it was at entry `view_at`
    ruleset    the rule system, with the campaign's own rows
    keymap     the keys of this fight, with the user's own
    history    the log; only its effective way is looked at
    head       the entry whose state is the fight now
    entries    how many entries the effective way has
    cursor     id of the combatant that the cursor is on; empty when nobody is there
    view_at    the entry that is being looked at; None for now
    read_only  why nothing can be saved; empty when it can
    follows    whether it is only looked at, and shows what others save
    stale      why a fight that is only looked at may have gone on unseen; empty when it has not
    elsewhere  the other logs of its campaign, for where a number comes from
    to_carry   whether the ledger lacks something of this, or this of the ledger
    """

    state: Encounter
    ruleset: Ruleset
    keymap: Keymap
    history: History
    head: int
    entries: int
    cursor: str = ""
    view_at: int | None = None
    read_only: str = ""
    follows: bool = False
    stale: str = ""
    elsewhere: Elsewhere = NOWHERE
    to_carry: bool = False

    def actor(self) -> str:
        """Who the keys act for: the one under the cursor, else whose turn it is."""
        return self.cursor or self.state.turn

    def options(self, who: str) -> list[Option]:
        """What somebody can do, which several panes tell of; empty for nobody."""
        found = self.state.find(who)
        return [] if found is None else options_of(self.ruleset, self.state, found)

    def own(self, who: str) -> list[Option]:
        """What somebody can do that is in no table, but their own; empty for nobody."""
        found = self.state.find(who)
        return [] if found is None else own_of(self.ruleset, self.state, found)

    @property
    def pending(self) -> list[Pending]:
        """What the rules wait for, which several panes tell of."""
        return pending_in(self.ruleset, self.state)

    def up(self) -> Combatant | None:
        """Whoever is up; of a group the member for whom the keys act, if it is one of it."""
        state, who = self.state, self.actor()
        return state.find(who) if state.takes_turn(who) else state.up

    def key_for(self, key_id: str) -> str:
        """The key of an entry of the table as it is written; empty for one that has none."""
        found = self.keymap.by_id.get(key_id)
        return found.shown if found is not None else ""


@lru_cache(maxsize=16)  # what is looked at, or taken back and brought back, is a state again
def options_of(ruleset: Ruleset, state: Encounter, who: Combatant) -> list[Option]:
    """Every technique for somebody, then what is their own."""
    return [*ruleset.options(ruleset.tables, state, who), *own_of(ruleset, state, who)]


@lru_cache(maxsize=16)
def own_of(ruleset: Ruleset, state: Encounter, who: Combatant) -> list[Option]:
    """What somebody can do that is in no table, but their own."""
    return ruleset.own(ruleset.tables, state, who)


@lru_cache(maxsize=16)
def pending_in(ruleset: Ruleset, state: Encounter) -> list[Pending]:
    """What the rules wait for, as things stand."""
    return dynamic.pending(ruleset, state)


def acts_next(state: Encounter, tables: Tables, who: str) -> str:
    """For whom the keys act after somebody's command: whoever is up, if that was a reaction.

    In a group it is the same member, for as long as it has anything left to act with; then the next
    one that has.
    """
    up = state.taking_turn()
    if who not in up:
        return state.turn
    spent = [track for track, rule in tables.tracks.items() if rule.spent]
    at = up.index(who)
    for each in (*up[at:], *up[:at]):
        if state[each].life == "up" and any(state[each].track(track) for track in spent):
            return each
    return who
