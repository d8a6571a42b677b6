"""What lasts on somebody as the order tells it: each name once, what harms first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace
from rich.cells import cell_len

from affray.core.heart.effects import by_themselves
from affray.core.heart.state import MOST_KEPT, Combatant, Effect
from affray.core.rules.tables import KindRule, Tables
from affray.core.telling.effect_words import note_beside, with_amounts
from affray.tui.drawing import plain, short_track
from affray.tui.themes import DARK, inks_of

GAP = 2
GRAVE = KindRule(harmful=True)
"""How what decides over a life is drawn."""
MOST_OF_A_NOTE = 24
"""A longer note tells more than which one it is; the timers and the card have it."""
ROOM_FOR_NAMES = 16
"""Fewer cells than this beside a row hold no more than the short forms of what lasts."""
_INKS = inks_of(DARK)
"""Whichever: of what is drawn with them the text alone is taken."""


class Lasting(NamedTuple):
    """What lasts on somebody as it is told in a row: its name, how often it is there, its look.

    first   the effect that is told, the first of that name; None of a track of the life that
            somebody is in, which is counted
    brief   how the short forms know it; of what is counted the short form itself
    """

    name: str
    brief: str
    kind: KindRule
    first: Effect | None = None
    times: int = 1

    @property
    def called(self) -> str:
        """`bleeding ×2`"""
        return f"{self.name} ×{self.times}" if self.times > 1 else self.name

    @property
    def beside(self) -> str:
        """What it is called beside a row: `DS ■□□` of what is counted."""
        return self.called if self.first is not None else self.brief


@lru_cache(maxsize=MOST_KEPT)
def lasting(tables: Tables, who: Combatant) -> tuple[Lasting, ...]:
    """What lasts on somebody, what harms first; each name once.

    What is counted in this life alone, such as the saves of the dying, comes before.
    """
    if who.is_out:
        return ()
    found = list(_of_this_life(tables, who)) if who.life != "up" else []
    effects = by_themselves(who)
    names = [plain(called_in_a_row(effect)) for effect in effects]
    first = dict(zip(reversed(names), reversed(effects), strict=True))
    for name, times in Counter(names).items():
        effect = first[name]
        kind = tables.look(effect.name, effect.kind)
        if min(effect.modifiers.values(), default=0) < 0 and not kind.harmful:
            kind = replace(kind, harmful=True)
        found.append(Lasting(name, effect.name, kind, effect, times))
    return tuple(sorted(found, key=lambda each: not each.kind.harmful))


def called_in_a_row(effect: Effect) -> str:
    """Its name, and which one it is where a short note says that: `form: Wolf Shape`.

    What a long note has in brackets gives way, its end first.
    """
    name, note = with_amounts(effect), note_beside(effect).partition(":")[0]
    head, _, aside = note.partition(" (")
    forms = (note, f"{head} ({aside.rpartition(', ')[0]})" if ", " in aside else head, head)
    says = next((form for form in forms if cell_len(form) <= MOST_OF_A_NOTE), "")
    is_told = says and name == effect.name and not note.startswith(name)
    return f"{name}: {says}" if is_told else name


def cells_beside(tables: Tables, who: Combatant) -> int:
    """The cells that all of it takes beside a row, the gap before each included."""
    return sum(cell_len(each.beside) + GAP for each in lasting(tables, who))


def _of_this_life(tables: Tables, who: Combatant) -> Iterable[Lasting]:
    for track, rule in tables.tracks.items():
        if rule.everybody and rule.when == who.life and track in who.tracks:
            marks = short_track(rule, who.tracks[track], _INKS).text
            yield Lasting(f"{rule.label} {marks}", f"{rule.short} {marks}", GRAVE)
