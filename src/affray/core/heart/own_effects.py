"""Effects of a GM's own: any name in quotes, with an end, a note and modifiers as they are said.

The rules know nothing of them: what such a name means is for the table to say. What they change is
counted as what the rules' own effects change, and they end, are shown and are kept like those. A
`bane` is drawn as a warning; a `boon` is one that is bestowed, or comes to a bonus.

Somebody has one of a name once. Given again it is changed: what is said anew counts from then on,
and the rest stays as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.heart.effects import gain
from affray.core.heart.events import Altered
from affray.core.heart.state import Combatant, Duration, Effect
from affray.core.language.ids import id_of
from affray.core.language.refusal import Refused, close_or_all
from affray.core.language.words import Words
from affray.core.rules.tables import OWN_BANE, OWN_BOON, OWN_KINDS, Tables
from affray.core.telling.effect_words import until_in_words

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

USAGE = '"NAME" [note "TEXT"] [WHAT +N ...]'
"""How a usage has such an effect, before when it ends."""
LONGEST = 40
MOST = 99


def is_own(effect: Effect) -> bool:
    """Whether it is an effect of the GM's own."""
    return effect.kind in OWN_KINDS


def keys_of(effect: Effect) -> tuple[str, str]:
    """The words by which a command may call an effect: its id, and its name."""
    return effect.id, effect.name.casefold()


def stands_next(tables: Tables, words: Words) -> bool:
    """Whether the name of one stands next: in quotes, and none of the rules' own effects."""
    return words.upcoming.quoted and id_of(words.upcoming) not in tables.effects


def instead_of(words: Words) -> str:
    """What could stand in place of a name that the rules don't know, or have for something else."""
    return f"an effect of your own, {'by another name' if words.upcoming.quoted else 'in quotes'}"


class OwnEffect:
    """An effect of the GM's own, as it is read: its name, and what is said of it beside its end.

    name       as it was typed, in one line
    note       what the GM notes of it; None while none was said
    modifiers  kind of roll or number -> bonus or penalty, as far as they are said
    """

    def __init__(self, ctx: Context, words: Words) -> None:
        """Read the name. Raises Refused for one that is empty, too long or not to be printed."""
        self.name = " ".join(words.next("a name").split())
        self.note: str | None = None
        self.modifiers: dict[str, int] = {}
        self._known = ctx.ruleset.reads.effects.get("modifiers") or ()
        if not id_of(self.name) or len(self.name) > LONGEST or not self.name.isprintable():
            words.back()
            raise words.refuse(
                f"an effect's name has letters or digits, and 1 to {LONGEST} characters"
            )

    def read_more(self, words: Words) -> bool:
        """Read `note "TEXT"`, or a modifier such as `attack -2`; False when neither stands next."""
        if words.take("note"):
            self.note = " ".join(words.next("the text of the note").split())
            return True
        what = words.peek()
        if what not in self._known or not words.has_number(1):
            words.offered.extend(("note", *self._known) if words.done else ())
            return False
        words.next("what it changes")
        self._add(words, what)
        return True

    def _add(self, words: Words, what: str) -> None:
        amount = words.number(f"the bonus or penalty to {what}", -MOST, MOST)
        if not amount or what in self.modifiers:
            words.back()
            raise words.refuse(f"{what} is said twice" if amount else "0 changes nothing")
        self.modifiers[what] = amount

    def refuse_unknown(self, words: Words) -> None:
        """Raises Refused, with what is close, for a modifier to what is no number of the game."""
        if words.has_number():
            row = close_or_all("", self._known)
            raise words.refuse(f"expected what it changes before the number{row}")
        if words.has_number(1):
            near = close_or_all(words.peek(), self._known)
            raise words.refuse(f"{words.peek()!r} is nothing that it could change{near}")

    def lay(
        self,
        ctx: Context,
        who: Combatant,
        until: Duration,
        is_timed: bool,
        source: str = "",
        hangs: str = "",
        is_bestowed: bool = False,
    ) -> None:
        """Lay it on somebody, or change it there. `is_timed` tells that its end was said.

        Raises Refused when it is there and nothing new is said of it.
        """
        helps = is_bestowed or sum(self.modifiers.values()) > 0
        kind = OWN_BOON if helps else OWN_BANE
        old = _own_of(who, self.name)
        if old is None:
            key, note = id_of(self.name), self.note or ""
            new = Effect(key, self.name, kind, until, source, self.modifiers, note, hangs=hangs)
            gain(ctx, who.id, new)
            return
        new = replace(
            old,
            kind=kind if self.modifiers else old.kind,
            until=until if is_timed else old.until,
            source=source or old.source,
            modifiers=self.modifiers or old.modifiers,
            note=old.note if self.note is None else self.note,
            hangs=hangs if is_timed else old.hangs,
        )
        if new == old:
            lasts = until_in_words(ctx.state, who, old.until) or "until it is removed"
            raise Refused(f"{who.name}: {old.name} {lasts} already; say what is to change of it")
        ctx.emit(Altered(who.id, new, "changed"))


def lay_bane(ctx: Context, who: Combatant, name: str, until: Duration, source: str) -> None:
    """Lay one that a sheet names, without any number; of one that is there, the end is new."""
    old = _own_of(who, name)
    if old is None:
        gain(ctx, who.id, Effect(id_of(name), name, OWN_BANE, until, source))
    elif old.until != until:
        ctx.emit(Altered(who.id, replace(old, until=until, source=source), "again"))


def _own_of(who: Combatant, name: str) -> Effect | None:
    """The one of that name that somebody has; None for none."""
    return next((e for e in who.effects if is_own(e) and id_of(e.name) == id_of(name)), None)
