"""The view model of a fight: one value, made anew on every change, that all widgets draw from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from textual.app import App
from textual.dom import DOMNode
from textual.events import Key
from textual.message import Message
from textual.reactive import var
from textual.screen import Screen

from affray.core.engine import turns
from affray.core.engine.history import NOWHERE, History, OtherLogs
from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting.turn_timer import rings
from affray.core.rules.ruleset import AvailableAction, PendingDecision, Ruleset, all_options
from affray.core.rules.tables import Tables
from affray.tui.keymap import Keymap
from affray.tui.theme import DARK, Styles, styles_of

if TYPE_CHECKING:
    from affray.beside import BesideServer


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
    inserting  True if what is given now is put in behind that entry
    read_only  why nothing can be saved; empty when it can
    in_brief   the same in a few words, where there are fewer
    follows    True if it is only looked at, and shows what others save
    stale      why a fight that is only looked at may have gone on unseen; empty when it has not
    other_logs  the other logs of its campaign, for where a number comes from
    to_carry   True if the ledger lacks something of this, or this of the ledger
    proposed   what players' phones propose, as what waits
    """

    state: Encounter
    ruleset: Ruleset
    keymap: Keymap
    history: History
    head: int
    entries: int
    cursor: str = ""
    view_at: int | None = None
    inserting: bool = False
    read_only: str = ""
    in_brief: str = ""
    follows: bool = False
    stale: str = ""
    other_logs: OtherLogs = NOWHERE
    to_carry: bool = False
    proposed: tuple[PendingDecision, ...] = ()

    def actor(self) -> str:
        """The id of whom the keys act for: the combatant under the cursor, else whose turn it
        is."""
        return self.cursor or self.state.turn

    def options(self, combatant_id: str) -> list[AvailableAction]:
        """The techniques of a combatant, shared by several panes; empty for nobody."""
        found = self.state.find(combatant_id)
        return [] if found is None else all_options(self.ruleset, self.state, found)

    def own(self, combatant_id: str) -> list[AvailableAction]:
        """The powers on a combatant's own sheet; empty for nobody."""
        found = self.state.find(combatant_id)
        return [] if found is None else own_of(self.ruleset, self.state, found)

    @property
    def pending(self) -> list[PendingDecision]:
        """The decisions that the rules wait for."""
        return turns.pending(self.ruleset, self.state)

    def up(self) -> Combatant | None:
        """The combatant whose turn it is; in a group the member for whom the keys act."""
        state, combatant_id = self.state, self.actor()
        return state.find(combatant_id) if state.takes_turn(combatant_id) else state.up

    def key_for(self, key_id: str) -> str:
        """The key of an entry of the table as it is written; empty for one that has none."""
        found = self.keymap.by_id.get(key_id)
        return found.shown if found is not None else ""


@lru_cache(maxsize=16)
def own_of(ruleset: Ruleset, state: Encounter, combatant: Combatant) -> list[AvailableAction]:
    """The powers on a combatant's own sheet."""
    return ruleset.actions.own_options(ruleset.tables, state, combatant)


def acts_next(state: Encounter, tables: Tables, combatant_id: str) -> str:
    """The combatant for whom the keys act after somebody's command: after a reaction, whose turn it
    is.

    In a group it is the same member, for as long as it has anything left to act with; then the next
    one that has.
    """
    up = state.taking_turn()
    if combatant_id not in up:
        return state.turn
    spent = [track for track, rule in tables.tracks.items() if rule.spent]
    at = up.index(combatant_id)
    for each in (*up[at:], *up[:at]):
        if state[each].life == "up" and any(state[each].track(track) for track in spent):
            return each
    return combatant_id


# -------------------------------------------------------------------------------------------------
# The app as screens and widgets see it

FOR_PLAYERS = "for-players"
"""The class of a screen on which there is nothing to press but what leaves it."""


class AppFacade(App[None]):
    """The program as its screens and panes know it.

    inks    what everything is drawn with; a new value for every theme
    parting lines on files that others had changed when their fights were closed; the terminal
            gets them when the screen is gone
    left    the file of the fight that was left last, and its rules; None before the first
    campaign    the folder of the campaign at which the list of fights begins; None for its start
    complaints  lines on settings of the user's that could not be had, for the first screen to tell
    clock   gives seconds; how long nothing was typed is told by it
    now     gives the time in UTC, by which a turn's timer runs
    waited  ids of what waited when the bell was last asked for
    named   keys of earlier releases that were pressed, and named since
    """

    inks: var[Styles] = var(styles_of(DARK))

    def __init__(self) -> None:
        super().__init__()
        self.parting: list[str] = []
        self.complaints: list[str] = []
        self.left: tuple[Path, str] | None = None
        self.campaign: Path | None = None
        self.clock: Callable[[], float] = monotonic
        self.now: Callable[[], datetime] = partial(datetime.now, UTC)
        self.waited: frozenset[str] = frozenset()
        self.named: set[str] = set()
        self.served: BesideServer | None = None

    def ring_for(self, state: Encounter, waiting: Iterable[str]) -> None:
        """Ring the terminal's bell once if something new waits, and the fight's setting says so.

        Args: waiting: an id for each thing that waits now, those that waited before too.
        """
        now = frozenset(waiting)
        if now - self.waited and rings(state):
            self.bell()
        self.waited = now

    def open_encounter(self, path: Path) -> str:
        """Open a saved encounter. Gives one line on why not, or nothing when it is open."""
        raise NotImplementedError

    def go_home(self) -> None:
        """Close the encounter, which is saved already, and go to the list of fights."""
        raise NotImplementedError


def key_name(event: Key) -> str:
    """The name of a key in the table: its character, if it has one that can be seen."""
    character = event.character
    if character is not None and len(character) == 1 and character.isprintable():
        return "space" if character == " " else character
    return event.key


def is_there(screen: Screen[Any]) -> bool:
    """True if a screen is put together, and not about to go."""
    return screen.is_mounted and screen in screen.app.screen_stack


def dismiss_once(screen: Screen[Any]) -> None:
    """Take a screen off the one below it; another key that comes for it does nothing."""
    if screen.is_current:
        screen.app.pop_screen()


def get_app(node: DOMNode) -> AppFacade:
    """The program that a screen or a pane belongs to."""
    app = node.app
    assert isinstance(app, AppFacade)
    return app


# -------------------------------------------------------------------------------------------------
# Messages from widgets to their screen: something was clicked


class KeyClicked(Message):
    """A click that stands for a key, by the key's name in the table."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


class KeyBindingClicked(Message):
    """A click that begins an entry of the table of keys, by its id.

    `own` is the name of an option of the actor's own, which has no entry there.
    """

    def __init__(self, key_id: str = "", own: str = "") -> None:
        super().__init__()
        self.key_id = key_id
        self.own = own


class CombatantClicked(Message):
    """A click on somebody, by their id."""

    def __init__(self, combatant_id: str) -> None:
        super().__init__()
        self.who = combatant_id


class LogEntryClicked(Message):
    """A click that asks for the fight as it was after an entry, by its number."""

    def __init__(self, seq: int) -> None:
        super().__init__()
        self.seq = seq


class RowOpened(Message):
    """A click that opens what the cursor of a list is on."""


class LookupRowHighlighted(Message):
    """A click or the wheel has put the cursor of the sheet on another row."""


class Moved(Message):
    """The cursor of a list is on another row, or what is there is another."""
