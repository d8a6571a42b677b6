"""What the palette (ctrl+p) offers on the fight's screen: everything in the table of keys."""

from __future__ import annotations

from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from affray.tui.keymap import Key
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.fight_actions import press


class FightCommands(Provider):
    """Every action and every technique, by its label and what it does."""

    def _keys(self) -> list[Key]:
        if not isinstance(self.screen, FightScreen):
            return []
        return [key for key in self.screen.keymap.keys if key.id not in ("palette", "leave")]

    def _do(self, key: Key) -> None:
        if isinstance(self.screen, FightScreen):
            press(self.screen, key)

    async def discover(self) -> Hits:
        """All of it, before anything is typed."""
        for key in self._keys():
            yield DiscoveryHit(_title(key), partial(self._do, key), help=key.what)

    async def search(self, query: str) -> Hits:
        """What fits the typed letters."""
        matcher = self.matcher(query)
        for key in self._keys():
            title = _title(key)
            score = matcher.match(f"{title} {key.what}")
            if score > 0:
                yield Hit(score, title, partial(self._do, key), help=key.what)


def _title(key: Key) -> str:
    label = key.label.replace("[", r"\[")
    return f"{label}  ({key.shown.replace('[', chr(92) + '[')})" if key.keys else label
