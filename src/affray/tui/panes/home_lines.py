"""The home screen's first line and its last: what this is, and the keys or what is said."""

from __future__ import annotations

from affray.tui.drawing import Line
from affray.tui.panes.keys_line import KeysLine
from affray.tui.panes.pane import Pane

OPEN, OPEN_LAST, BEGIN = "open", "open the last played", "begin an encounter"
"""What enter is called: on an encounter, on a campaign, and on one that is empty."""
KEYS = (
    (
        "↵",
        OPEN,
        "opens the encounter under the cursor, of a campaign the last played; or begins one",
    ),
    ("n", "new encounter", "asks for the title of a new encounter, in the campaign of the cursor"),
    ("c", "new campaign", "asks for the name of a new campaign; tab chooses its rules"),
    ("?", "help", "shows these keys"),
    ("q", "quit", "leaves affray; so does ctrl+q"),
    ("p", "party", "makes and edits the characters of the campaign under the cursor"),
    ("b", "bestiary", "makes and edits its creatures"),
    ("i", "import", "asks for a file or folder of another program, and reads it into the campaign"),
    ("/", "find", "narrows the list to what has the typed words in it; esc shows all again"),
    ("d", "copy", "copies the encounter or the campaign under the cursor, as it stands"),
    (
        "t",
        "copy to play",
        "copies the encounter as it was before its first round: to play it anew",
    ),
    ("R", "rename", "gives the encounter or the campaign under the cursor another name"),
    ("x", "put away", "puts it away, out of the list; what was put away it brings back"),
    ("X", "", "shows what was put away, or hides it again"),
    ("u", "undo", "takes back the last copy, rename or putting away"),
    (
        "s",
        "story",
        "tells the story of the encounter: who did what, how it turned",
    ),
    ("r", "", "looks again for campaigns and encounters"),
    ("ctrl+p", "palette", "lists every action, themes among them, to be found by typing"),
    (
        "esc",
        "",
        "leaves what is asked, or takes a message away; else asks, and leaves affray",
    ),
    ("↑ ↓", "", "move the cursor; so do k and j, home and end"),
)
"""The keys of the list of fights: what the last line calls them, if it names them, and the help."""


class HomeKeys(KeysLine):
    """The keys of the home screen, or what was done or went wrong, in one line."""

    def __init__(self) -> None:
        super().__init__(KEYS, id="home-keys")

    def name_enter(self, does: str) -> None:
        """What enter does on the row where the cursor is now."""
        (enter, _, what), *others = KEYS
        self.take_own(((enter, does, what), *others))


class HomeHeader(Pane):
    """The first line of the home screen."""

    def __init__(self) -> None:
        super().__init__(id="home-header", classes="header")

    def line_count(self) -> int:
        """One line."""
        return 1

    def line(self, number: int, width: int) -> Line:
        """What this is."""
        name = Line().add(" affray", self.inks.accent)
        return name.add("   every fight, every blow, and the way back", self.inks.dim)
