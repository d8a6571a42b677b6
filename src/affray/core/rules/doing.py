"""Techniques that need no code: what stands in their row is what they do (`Technique.does`).

They pay their cost, mark what the row marks, name whom the row asks for, and leave the effects that
it names. A campaign's own techniques are all of this kind. How something is paid for, and how an
effect is laid, the ruleset hands in (`Ruleset.doing`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from affray.core.heart.state import Combatant, Duration
from affray.core.language.asks import Ask, read_ask
from affray.core.language.clauses import names, refuse_dead
from affray.core.language.refusal import listed
from affray.core.language.who import standing
from affray.core.language.words import Words
from affray.core.rules.ruleset import Doing, Laying, Verb
from affray.core.rules.tables import Does, Tables, Technique

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

ONE, SEVERAL = ("target", "ally", "anyone"), "targets"
SAID = ("text", "choice")
ASKS = (*ONE, SEVERAL, *SAID)
"""What such a technique can ask for: whom it is done to, and words that are only said."""


def all_in_rows(tables: Tables, reaction: bool = False) -> list[str]:
    """The techniques that are all in their rows: the actions, or the reactions."""
    rows = tables.techniques.items()
    return [name for name, row in rows if row.does is not None and row.reaction is reaction]


def asks_for_nothing(tables: Tables, name: str) -> bool:
    """Whether such a technique can be done with no word behind its name."""
    row = tables.techniques[name]
    return row.does is not None and all(read_ask(ask).optional for ask in row.asks)


def verb_of_row(name: str, row: Technique, doing: Doing) -> Verb:
    """The command of a technique that is all in its row."""

    def run(ctx: Context, words: Words) -> None:
        who = ctx.actor()
        do_row(ctx, words, who, name, lambda: doing.pay(ctx, who.id, name))

    again = [f"[{' | '.join(doing.again)}]"] if doing.again and row.does != Does() else []
    usage = " ".join((name, *map(_usage, map(read_ask, row.asks)), *again, "[by NAME]"))
    return Verb(name, usage, f"the technique {name}", run, True)


def _usage(ask: Ask) -> str:
    """An ask as a usage has it: TARGET, [ALLY], `this|that`, "WHAT"."""
    if ask.kind == "choice":
        said = "|".join(ask.options)
    elif ask.kind == "text":
        said = f'"{(ask.options or ("text",))[0].upper()}"'
    else:
        said = {SEVERAL: "TARGET[,TARGET]", "anyone": "NAME"}.get(ask.kind, ask.kind.upper())
    said = " ".join(part for part in (ask.before, said, ask.after) if part)
    return f"[{said}]" if ask.optional else said


def do_row(ctx: Context, words: Words, who: Combatant, name: str, pay: Callable[[], None]) -> None:
    """Do what a technique's row says. `pay` pays for it, or has seen to that before.

    Raises Refused for what is missing, for the dead, and for what can't be paid.
    """
    row, doing = ctx.tables.techniques[name], ctx.ruleset.doing
    assert doing is not None
    people, said = _read_asks(words, row, who, {again.split()[0] for again in doing.again})
    refuse_dead(people)
    pay()
    for track, amount in row.marks.items():
        doing.mark(ctx, who.id, track, amount, row.name)
    done = [doing.lay(ctx, words, laying) for laying in _layings(row, who, people)]
    on = f" on {names(people)}" if people else ""
    told = f" ({', '.join(said)})" if said else ""
    ctx.text = f"{who.name} uses {row.name}{on}{told}{': ' if done else ''}{', '.join(done)}"


def _layings(row: Technique, who: Combatant, people: list[Combatant]) -> list[Laying]:
    does = row.does or Does()
    until = Duration(does.ends) if does.ends else None
    asked, own = tuple(person.id for person in people), (who.id,)
    bestowed = own if does.inflict or not asked else asked
    rows = ((does.inflict, asked), (does.bestow, bestowed))
    return [Laying(name, on, who.id, until, does.turns) for name, on in rows if name and on]


def _read_asks(
    words: Words, row: Technique, who: Combatant, again: Collection[str]
) -> tuple[list[Combatant], list[str]]:
    """Read what the row asks for, in that order: whom it is done to, and what is said of it.

    A text that may be left out is none of the words with which it may go on (`again`).
    """
    people: list[Combatant] = []
    said: list[str] = []
    for ask in map(read_ask, row.asks):
        for word in ask.before.split():
            words.take(word)
        if ask.kind in (*ONE, SEVERAL):
            people += _read_people(words, ask, "" if row.targets == "allies" else who.id)
        elif ask.kind == "choice":
            what = f"one of {listed(ask.options)}"
            taken = words.take(*ask.options) if ask.optional else words.choice(what, ask.options)
            said += [taken] if taken else []
        elif not (ask.optional and (words.done or words.peek() in again)):
            said.append(str(words.next((ask.options or ("what it is",))[0])))
        for word in ask.after.split():
            words.take(word)
    return people, said


def _read_people(words: Words, ask: Ask, but: str) -> list[Combatant]:
    """Read whom it is done to; `but` is whom `all` and the like leave out, such as its user."""
    what = {SEVERAL: "the targets", "anyone": "whom it is for"}.get(ask.kind, f"the {ask.kind}")
    if ask.optional and not words.is_people():
        return []
    if ask.kind != SEVERAL:
        return [words.combatant(what)]
    return words.combatants(what, standing(words.state, but))
