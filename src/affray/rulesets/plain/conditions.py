"""Conditions of any name, with an end, a note and modifiers as they are said."""

from __future__ import annotations

from affray.core.heart import own_effects
from affray.core.heart.decide import Context
from affray.core.language.clauses import names
from affray.core.language.refusal import close_to, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import placing
from affray.rulekit.placing import Lasting

LASTING = Lasting()
"""`for 2 turns`, `until end of mira` and the like; else it lasts until it is removed."""


def _inflict(ctx: Context, words: Words) -> None:
    people = placing.read_takers(words)
    words.offered += ctx.tables.effects if words.done else []
    name = words.peek()
    if name not in ctx.tables.effects:
        _refuse_slip(ctx, words)
        placing.lay_own(LASTING, ctx, words, people, ctx.by)
        return
    words.next("a condition")
    said = placing.read_placing(LASTING, ctx, words)
    for who in people:
        until = placing.until_for(LASTING, ctx, who.id, said, name)
        placing.renew(ctx, who.id, name, until, source=said.source, hangs=said.hangs)
    ctx.text = f"{names(people)}: {name}"


def _refuse_slip(ctx: Context, words: Words) -> None:
    """Raises Refused for a slip, or the beginning, of a condition that the campaign knows: one of
    the table's own that looks like it stands in quotes."""
    word, known = words.peek(), ctx.tables.effects
    near = [name for name in known if word and name.startswith(word)] or close_to(word, known)
    if near and not words.upcoming.quoted:
        hint = "one of your own stands in quotes"
        raise words.refuse(f"{word!r} is no condition; did you mean {listed(near)}? {hint}", near)


CONDITION_VERBS = (
    Verb(
        "inflict",
        f"inflict NAME[,NAME] CONDITION | {own_effects.USAGE} [for N turns] "
        "[until start|end of NAME | freed | removed | rest | fight | round N] [from NAME]",
        "lays a condition of any name on somebody",
        _inflict,
        True,
    ),
)
