"""The commands forward and ongoing: bonuses and penalties with a scope, and an end.

Seed 004: Ongoing, Forward, and Hold.
"""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Duration
from affray.core.language.clauses import they
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit.placing import begin, read_placing, until_for
from affray.rulesets.monsters_and_magic import conditions, forwards
from affray.rulesets.monsters_and_magic.conditions import LASTING
from affray.rulesets.monsters_and_magic.forwards import EVERY, NUMBERS, SCOPES

ONGOING = "ongoing"


def _forward(ctx: Context, words: Words) -> None:
    people = words.combatants("who gets it")
    amount = words.number("the bonus or penalty", -20, 20)
    note = _read_note(words)
    placing = read_placing(LASTING, ctx, words)
    note = note or words.rest()
    modifiers = {forwards.scope_of(note) or EVERY: amount}
    for who in people:
        conditions.give_forward(ctx, who.id, modifiers, note, placing)
    ctx.text = _given(people, amount)


def _given(people: list[Combatant], amount: int) -> str:
    return f"{they(people, 'gets', 'get')} a {'bonus' if amount >= 0 else 'penalty'}"


def _read_note(words: Words) -> str:
    """Read the words up to those on how long it lasts: `next attack until end of mira`."""
    parts = []
    while not words.done:
        timed = words.peek() == "until" or (words.peek() == "for" and words.peek(1).isdecimal())
        if timed and not words.upcoming.quoted:
            break
        parts.append(str(words.next("what it is for")))
    return " ".join(parts)


def _ongoing(ctx: Context, words: Words) -> None:
    people = words.combatants("who gets it")
    amount = words.number("the bonus or penalty", -99, 99)
    scope = _read_scope(words)
    placing = read_placing(LASTING, ctx, words)
    note = words.rest()
    # What is for some rolls alone is a modifier to checks that counts with those (`only_with`).
    what, only = (scope, ()) if scope in NUMBERS else (EVERY, (scope,))
    for who in people:
        until = until_for(LASTING, ctx, who.id, placing, otherwise=Duration())
        more = {"modifiers": {what: amount}, "only_with": only, "note": note}
        begin(ctx, who.id, ONGOING, until, placing, kind=ONGOING, **more)
    ctx.text = _given(people, amount)


def _read_scope(words: Words) -> str:
    """Read which rolls it is for: `attack`, `save cunning`, `"saving throws with cunning"`."""
    if words.upcoming is not None and words.upcoming.quoted and " " in words.peek():
        said = str(words.next("what it changes"))
        scope = forwards.scope_of(said)
        if not scope:
            words.back()
            raise words.refuse(f"expected what it changes, found {said!r}", SCOPES)
        return scope
    said = words.choice("what it changes", SCOPES)
    while more := words.take(*SCOPES):
        said += f" {more}"
    return forwards.scope_of(said)


BONUS_VERBS = (
    Verb(
        "forward",
        'forward NAME[,NAME] +N ["next attack"] [for N turns | until ...]',
        "a bonus for the next fitting roll",
        _forward,
    ),
    Verb(
        "ongoing",
        "ongoing NAME[,NAME] +N check|attack|save|initiative|ABILITY|ac|speed "
        "[for N turns | until ...] [NOTE]",
        "a bonus that lasts",
        _ongoing,
    ),
)
