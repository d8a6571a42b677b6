"""Settings: choices of a table for one fight, by `setting NAME VALUE`.

They are house rules, surroundings, and what players see. `SETTINGS` has those of every game; a game
adds its own rows (`Ruleset.settings`). The command, the prompt, completion, the JSON and the pages
are made from `Ruleset.all_settings`. Code that needs a setting asks its row: `BELL.is_on(state)`.
"""

from __future__ import annotations

from msgspec import Struct

from affray.core.engine.state import Encounter


class Setting(Struct, frozen=True):
    """A setting.

    name     the word after `setting`: `turn-timer`
    values   its values, the default first
    text     its meaning, in a few words
    read_in  the module that reads it, as a path in `affray`; empty in a game of one's own
    says     what holds once it is chosen: a sentence for each value, the last for all further
             ones; `{}` stands for the value
    numbers  the smallest and largest number in place of a value; None for no number
    gm_only  True if players don't see it
    """

    name: str
    values: tuple[str, ...]
    text: str
    read_in: str = ""
    says: tuple[str, ...] = ()
    numbers: tuple[int, int] | None = None
    gm_only: bool = False

    def value(self, state: Encounter) -> str:
        """Return its value in a fight; the default for one that it can't have in an edited log."""
        chosen = state.settings.get(self.name, "")
        return chosen if self._may_be(chosen) else self.values[0]

    def sentence(self, value: str) -> str:
        """Say what holds once that value is chosen: `The fight is under water`."""
        if not self.says:
            return f"Setting {self.name}: {value}"
        place = self.values.index(value) if value in self.values else len(self.values)
        return self.says[min(place, len(self.says) - 1)].format(value)

    def is_on(self, state: Encounter) -> bool:
        """True if it is `on`."""
        return self.value(state) == "on"

    def _may_be(self, value: str) -> bool:
        if value in self.values or self.numbers is None:
            return value in self.values
        least, most = self.numbers
        is_number = value.isascii() and value.isdecimal() and len(value) <= len(str(most))
        return is_number and least <= int(value) <= most


OFF_ON = ("off", "on")

DYNAMIC_INITIATIVE = Setting(
    "dynamic-initiative",
    OFF_ON,
    "roll initiative again each round",
    "core/engine/turns.py",
    says=(
        "Initiative is rolled once, for the whole fight",
        "Initiative is rolled again each round",
    ),
)
ORDER = Setting(
    "order",
    ("rolled", "sides", "popcorn"),
    "who acts after whom: by initiative, all of a side at once, or whoever the last one names",
    "core/engine/turns.py",
    says=(
        "Everybody acts by initiative",
        "All of a side act at once",
        "Each creature names the next one to act",
    ),
)
PLAYER_DICE = Setting(
    "player-dice",
    ("table", "app"),
    "who rolls a player's die that nobody calls",
    "core/engine/dice_owners.py",
    says=("Players roll their own dice", "The app rolls players' dice that nobody calls"),
)
PLAYERS_NAMES = Setting(
    "players-names",
    ("shown", "hidden"),
    "the names of those outside the party, or Foe 1, Foe 2 …",
    "core/formatting/visibility.py",
    says=(
        "Players see the names of those outside the party",
        "Players see Foe 1, Foe 2 … for names outside the party",
    ),
    gm_only=True,
)
PLAYERS_HEALTH = Setting(
    "players-health",
    ("words", "bars", "hidden"),
    "how hurt those outside the party look: in four words, or a bar of five steps",
    "core/formatting/players_view.py",
    says=(
        "Players see in words how hurt those outside the party are",
        "Players see bars of how hurt those outside the party are",
        "Players don't see how hurt those outside the party are",
    ),
    gm_only=True,
)
PLAYERS_LOG = Setting(
    "players-log",
    ("hidden", "shown"),
    "what happened last",
    "core/formatting/players_view.py",
    says=("Players don't see what happened last", "Players see what happened last"),
    gm_only=True,
)
PLAYERS_TITLE = Setting(
    "players-title",
    ("shown", "hidden"),
    "the fight's title",
    "core/formatting/players_view.py",
    says=("Players see the fight's title", "Players don't see the fight's title"),
    gm_only=True,
)
PLAYERS_ACT = Setting(
    "players-act",
    ("off", "ask", "trusted"),
    "whether phones propose acts for you to accept; with `trusted`, initiative, the end of a turn"
    " and answers that wait need no accepting",
    "core/rules/proposals.py",
    says=(
        "Phones propose nothing",
        "Phones propose acts for you to accept",
        "Phones end turns and answer what waits by themselves, and propose other acts",
    ),
    gm_only=True,
)
TURN_TIMER = Setting(
    "turn-timer",
    ("off", "60", "90", "120"),
    "the seconds that a turn should take",
    "core/formatting/turn_timer.py",
    says=("Turns have no time limit", "A turn should take {} seconds"),
    numbers=(5, 3600),
)
BELL = Setting(
    "bell",
    OFF_ON,
    "ring your terminal when something new waits",
    "core/formatting/turn_timer.py",
    says=(
        "Your terminal no longer rings when something waits",
        "Your terminal rings when something new waits",
    ),
    gm_only=True,
)
SETTINGS = (
    DYNAMIC_INITIATIVE,
    ORDER,
    PLAYER_DICE,
    PLAYERS_NAMES,
    PLAYERS_HEALTH,
    PLAYERS_LOG,
    PLAYERS_TITLE,
    PLAYERS_ACT,
    TURN_TIMER,
    BELL,
)
"""The settings of every game."""
