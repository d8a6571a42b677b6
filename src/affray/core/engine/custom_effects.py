"""Effects of the game master's own: any name in quotes, with an end, a note and modifiers.

The rules don't know such a name. Its modifiers count like those of the rules' own effects; it ends,
is shown and is saved like them. A `bane` is drawn as a warning; a `boon` is one given by `bestow`,
or one that gives a bonus.

A combatant has only one effect of a name. Given again, it changes what the new command states and
keeps the rest.
"""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.engine.effects import EffectSpec, gain_effect
from affray.core.engine.events import EffectChanged
from affray.core.engine.state import Combatant, Duration, Effect
from affray.core.formatting.effects import until_in_words
from affray.core.formatting.safe_text import to_id
from affray.core.parser.errors import Refused, suggest_or_list
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import OWN_BANE, OWN_BOON, OWN_KINDS, Tables

USAGE = '"NAME" [note "TEXT"] [WHAT +N ...]'
"""How a usage has such an effect, before when it ends."""
LONGEST = 40
MOST = 99


def is_custom(effect: Effect) -> bool:
    """True for an effect that the GM made up."""
    return effect.kind in OWN_KINDS


def effect_keys(effect: Effect) -> tuple[str, str]:
    """The words by which a command may call an effect: its id, and its name."""
    return effect.id, effect.name.casefold()


def stands_next(tables: Tables, tokens: TokenStream) -> bool:
    """True if the next word is a custom effect's name: in quotes, and not in the tables."""
    return tokens.upcoming.quoted and to_id(tokens.upcoming) not in tables.effects


def instead_of(tokens: TokenStream) -> str:
    """Suggest the custom effect that could be meant by a name unknown to the rules."""
    return f"an effect of your own {'with another name' if tokens.upcoming.quoted else 'in quotes'}"


class CustomEffect:
    """A custom effect of a command, without its end.

    name       as typed, in one line
    note       the GM's note; None for none
    modifiers  kind of roll or number -> bonus or penalty
    """

    def __init__(self, ctx: Context, tokens: TokenStream) -> None:
        """Read the name. Raises Refused for one that is empty, too long or not to be printed."""
        self.name = " ".join(tokens.next("a name").split())
        self.note: str | None = None
        self.modifiers: dict[str, int] = {}
        self._choices = ctx.ruleset.schema.effects.get("modifiers") or ()
        if not to_id(self.name) or len(self.name) > LONGEST or not self.name.isprintable():
            tokens.back()
            raise tokens.refuse(
                f"an effect's name needs letters or digits, and 1 to {LONGEST} characters"
            )

    def read_more(self, tokens: TokenStream) -> bool:
        """Read `note "TEXT"`, or a modifier such as `attack -2`; False if neither is next."""
        if tokens.take("note"):
            self.note = " ".join(tokens.next("the text of the note").split())
            return True
        what = tokens.peek()
        if what not in self._choices or not tokens.has_number(1):
            tokens.offered.extend(("note", *self._choices) if tokens.done else ())
            return False
        tokens.next("the roll or number it changes")
        self._add(tokens, what)
        return True

    def _add(self, tokens: TokenStream, what: str) -> None:
        amount = tokens.number(f"the bonus or penalty to {what}", -MOST, MOST)
        if not amount or what in self.modifiers:
            tokens.back()
            raise tokens.refuse(f"{what} is given twice" if amount else "0 changes nothing")
        self.modifiers[what] = amount

    def refuse_unknown(self, tokens: TokenStream) -> None:
        """Raises Refused, with what is close, for a modifier of a number that the game lacks."""
        if tokens.has_number():
            row = suggest_or_list("", self._choices)
            raise tokens.refuse(f"expected a roll or number before the amount{row}")
        if tokens.has_number(1):
            near = suggest_or_list(tokens.peek(), self._choices)
            raise tokens.refuse(f"{tokens.peek()!r} is not a roll or number it could change{near}")

    def apply(
        self,
        ctx: Context,
        combatant: Combatant,
        until: Duration,
        terms: EffectSpec,
        is_bestowed: bool = False,
    ) -> None:
        """Begin the effect on a combatant, or change it if they have it already.

        Raises Refused when they have it already and the command changes nothing.
        """
        helps = is_bestowed or sum(self.modifiers.values()) > 0
        kind = OWN_BOON if helps else OWN_BANE
        old, source = _own_of(combatant, self.name), terms.source
        hangs = str(terms.attached_to or "")
        if old is None:
            key, note = to_id(self.name), self.note or ""
            new = Effect(key, self.name, kind, until, source, self.modifiers, note, hangs=hangs)
            gain_effect(ctx, combatant.id, new)
            return
        new = replace(
            old,
            kind=kind if self.modifiers else old.kind,
            until=until if terms.is_timed else old.until,
            source=source or old.source,
            modifiers=self.modifiers or old.modifiers,
            note=old.note if self.note is None else self.note,
            hangs=hangs if terms.is_timed else old.hangs,
        )
        if new == old:
            lasts = until_in_words(ctx.state, combatant, old.until) or "until it is removed"
            raise Refused(f"{combatant.name}: {old.name} {lasts} already; say what to change")
        ctx.emit(EffectChanged(combatant.id, new, "changed"))


def apply_bane(ctx: Context, combatant: Combatant, name: str, until: Duration, source: str) -> None:
    """Begin a bane that a sheet names, without modifiers; one that lasts already gets a new end."""
    old = _own_of(combatant, name)
    if old is None:
        gain_effect(ctx, combatant.id, Effect(to_id(name), name, OWN_BANE, until, source))
    elif old.until != until:
        ctx.emit(EffectChanged(combatant.id, replace(old, until=until, source=source), "again"))


def _own_of(combatant: Combatant, name: str) -> Effect | None:
    return next(
        (e for e in combatant.effects if is_custom(e) and to_id(e.name) == to_id(name)), None
    )
