"""The list of `;`: the acts and commands without a key of their own, found by letters of their
names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from affray.core.parser.search import search, search_key
from affray.tui.drawing import StyledLine, truncate
from affray.tui.fight_view import FightView
from affray.tui.keymap import OTHER, KeyBinding, Keymap, in_letters
from affray.tui.lookup.model import LookupSource, wrapped_lines
from affray.tui.theme import Styles

KEY_CELLS = 9
LABEL_CELLS = 22
LEAST_WHAT = 16
NOT_NOW = "Not now"


class ActList(LookupSource[KeyBinding]):
    """The acts that can be done now, then those that can't, with the reason. Letters name the same
    act whether it can be done or not. Other words are looked for in what all acts do, those with
    keys as well.
    """

    NAME = "Other acts"
    KEY = OTHER
    TAKES = "begins it"
    SHARE = 70

    def __init__(
        self,
        keymap: Keymap,
        why_not: Callable[[KeyBinding], str],
        barred: Callable[[], Collection[str]],
    ) -> None:
        """`why_not` returns why an act can't be done now; empty if it can. It is called only for
        visible rows. `barred` are the techniques that can't be used."""
        self._keymap, self._why_not, self._barred = keymap, why_not, barred
        self._reasons: dict[str, str] = {}
        self._acts = [act for act in keymap.keys if act.prompt is not None]
        self._by_name = [(search_key(a.label, (a.what,), a.keys), a) for a in self._acts]

    def renewed(self, view: FightView) -> bool:
        """Take in the state: another one bars other acts."""
        self._reasons = {}
        return True

    def named(self, typed: str) -> list[KeyBinding]:
        """The acts without a key that these letters name."""
        return self._keymap.others.get(in_letters(typed), [])

    def rows(self, query: str) -> Sequence[KeyBinding | str]:
        """The named acts, one of exactly that name first; all of them for an empty query."""
        if query.strip():
            named = self.named(query) or search(self._by_name, query)
            whole = in_letters(query).strip()
            others = [act for act in named if in_letters(act.label).strip() != whole]
            first = [act for act in named if act not in others]
            can, barred = self._sorted(others)
            return [*first, *can, *barred]
        can, barred = self._sorted([act for act in self._acts if not act.keys])
        return [*can, NOT_NOW, *barred] if barred else can

    def _sorted(self, acts: Sequence[KeyBinding]) -> tuple[list[KeyBinding], list[KeyBinding]]:
        """The acts that techniques don't bar, and the others."""
        barred = self._barred()
        cannot = [act for act in acts if act.prompt is not None and act.prompt.technique in barred]
        return [act for act in acts if act not in cannot], cannot

    def _why(self, act: KeyBinding) -> str:
        if act.id not in self._reasons:
            self._reasons[act.id] = self._why_not(act)
        return self._reasons[act.id]

    def fill(
        self, line: StyledLine, row: KeyBinding, width: int, inks: Styles, chosen: bool
    ) -> StyledLine:
        """`;stu  Study  an Intelligence check about something`, or the reason why not."""
        why = self._why(row)
        line.add(row.shown, inks.dim if why else inks.accent).column(KEY_CELLS)
        line.add(truncate(row.label, min(LABEL_CELLS - 2, width - line.width)), inks.plain)
        room = width - KEY_CELLS - LABEL_CELLS
        if room >= LEAST_WHAT:
            line.column(width - room)
            line.add(truncate(why or row.what, room), inks.dim)
        return line

    def render_detail(self, row: KeyBinding, width: int, inks: Styles) -> list[StyledLine]:
        """The whole text of an act, and why it can't be done now."""
        title = StyledLine().add(row.shown, inks.accent).add(f"  {row.label}", inks.strong)
        why = self._why(row)
        return [
            title,
            *wrapped_lines([row.what], width, inks.plain),
            *wrapped_lines([f"Not now: {why}"] if why else [], width, inks.warn),
        ]
