"""Ready: what is paid now, waits for a trigger, and is done when that comes; with its terms.

What is readied is an effect, `readied`, which keeps what was said of it:

    because    the technique's id
    note       what it is and what it waits for, in words: "Strike: the door opens"
    type       what it is of, as `Terms.of` has it: the spell
    amount     how much was paid for it, where a game wants to know
    modifiers  numbers that were said: a bond

    READYING = Readying(_read, _pay, _next_start, _take_reaction, _act)
    verbs(READYING, 'ready TECHNIQUE ["TRIGGER"]')       # `ready` and `trigger`
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.state import Combatant, Duration, Effect, Encounter
from affray.core.language.clauses import who_has
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import doing
from affray.rulekit.acts import Cost, Pay
from affray.rulekit.doing import Techniques
from affray.rulekit.placing import Placing, begin

READIED = "readied"
"""The effect of whoever waits with something, and its kind."""


class Terms(Struct, frozen=True):
    """What is readied, with all that is said of it then.

    name       the technique's id, or what else it is kept under
    called     how it is called: "Cast a Spell"
    of         what it is of, as the effect keeps it; `subject` as paying has it (`acts.Pay`)
    cost       its price with these terms; None for its usual one
    modifiers  numbers that are said
    says       all of it in words
    """

    name: str = ""
    called: str = ""
    of: str = ""
    subject: str = ""
    cost: Cost | None = None
    modifiers: dict[str, int] = {}
    says: str = ""

    def __str__(self) -> str:
        """In words: "Cast a Spell (spark, 2 AP)"."""
        return f"{self.called} ({self.says})" if self.says else self.called


class Readying(Struct, frozen=True):
    """How a game lets actions be readied.

    read   reads what is readied, up to the trigger; empty terms where that is said when it is done
    pay    pays for it, and gives how much that was, for the effect to keep
    until  when it is lost
    take   pays for doing it, when its trigger has come; raises Refused for who can't
    act    does it: the words are what is left of the command, the effect is what was readied
    """

    read: Callable[[Context, Words], Terms]
    pay: Callable[[Context, Combatant, Terms], int]
    until: Callable[[Encounter, str], Duration]
    take: Callable[[Context, Combatant], None]
    act: Callable[[Context, Words, Combatant, Effect], None]


def verbs(game: Readying, usage: str, pays: str, takes: str) -> tuple[Verb, Verb]:
    """`ready` and `trigger`; the texts say how the first is written, and what both come to."""
    usage_of_trigger = "trigger [what the technique asks for] [by NAME]"
    return (
        Verb("ready", f"{usage} [by NAME]", pays, partial(_ready, game), True),
        Verb("trigger", usage_of_trigger, takes, partial(_trigger, game), True),
    )


def do(game: Techniques, ctx: Context, words: Words, who: Combatant, name: str, pay: Pay) -> None:
    """Do a readied technique. Where words are missing, only that it goes off is said."""
    if name not in doing.actions(ctx.tables):
        raise Refused(f"{who.name} has readied {name!r}, which is no technique")
    if words.done and not doing.asks_for_nothing(game, ctx.tables, name):
        words.offered.extend(c.id for c in ctx.state.combatants)
        ctx.text = f"{who.name}'s readied {ctx.tables.techniques[name].name} goes off"
        return
    doing.act_of(game, name)(ctx, words, who, pay)
    ctx.text += ", as readied"


def _ready(game: Readying, ctx: Context, words: Words) -> None:
    terms = game.read(ctx, words)
    trigger = words.rest().strip()
    who = ctx.actor()
    if ctx.state.phase != "combat":
        raise Refused("an action can be readied only in a fight")
    if who.named(READIED) is not None:
        raise Refused(f"{who.name} has an action readied already")
    paid = game.pay(ctx, who, terms)
    note = ": ".join(filter(None, (str(terms), trigger)))
    until, by = game.until(ctx.state, who.id), Placing(source=who.id)
    kept = {"because": terms.name, "amount": paid, "type": terms.of, "modifiers": terms.modifiers}
    begin(ctx, who.id, READIED, until, by, kind=READIED, note=note, **kept)
    ctx.text = f"{who.name} readies {str(terms) or 'an action'}{f': {trigger}' if trigger else ''}"


def _trigger(game: Readying, ctx: Context, words: Words) -> None:
    who = who_has(ctx, READIED, "an action readied", "readied")
    readied = who.named(READIED)
    if readied is None:
        raise Refused(f"{who.name} has nothing readied")
    words.take(readied.because)
    ctx.by = who.id
    game.take(ctx, who)
    end(ctx, who.id, readied.id, "triggered")
    game.act(ctx, words, ctx.state[who.id], readied)
