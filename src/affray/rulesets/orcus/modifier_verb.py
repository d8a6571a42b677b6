"""The command that gives a modifier. Seed 003: Modifiers (Stacking, Modifier Types), Tags."""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.language.clauses import names
from affray.core.language.refusal import close_to, listed, signed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit.placing import begin, read_placing, until_for
from affray.rulesets.orcus.conditions import LASTING
from affray.rulesets.orcus.creatures import ALIASES, DEFENSES, MODES
from affray.rulesets.orcus.sheet import read_tags

TYPES = ("armor", "enhancement", "feat", "power", "ancestry", "shield", "ability", "untyped")
WHAT = (
    "attack",
    "damage",
    *DEFENSES,
    "defenses",
    "speed",
    *MODES,
    "save",
    "check",
    "initiative",
    "perception",
)
_LIMIT = 99


def _modifier(ctx: Context, words: Words) -> None:
    """`modifier NAME[,NAME] +N WHAT[,WHAT] [TYPE] [with TAG] [DURATION] [from NAME] ["NOTE"]`."""
    people = words.combatants("who gets the modifier")
    amount = words.number("the bonus or penalty, such as +2", -_LIMIT, _LIMIT)
    if not amount:
        words.back()
        raise words.refuse("a modifier of 0 changes nothing")
    what = read_what(words)
    only_with = read_only_with(words, what)
    kind = read_modifier_type(words)
    only_with = only_with or read_only_with(words, what)
    note = _read_note(words)
    placing = read_placing(LASTING, ctx, words)
    note = note or _read_note(words)
    for who in people:
        until = until_for(LASTING, ctx, who.id, placing)
        given = {"modifiers": dict.fromkeys(what, amount), "type": kind, "only_with": only_with}
        begin(ctx, who.id, "modifier", until, placing, note=note, **given)
    typed = f" ({kind})" if kind else ""
    limit = f" with {listed(only_with)}" if only_with else ""
    ctx.text = f"{names(people)}: {signed(amount)} {listed(_said(what), 'and')}{limit}{typed}"


def read_what(words: Words) -> list[str]:
    """Read what a modifier is to, such as `ac,reflex` or `ac reflex`; all four for `defenses`."""
    found: list[str] = []
    while not found or _is_what(words):
        said = words.next("what it is to", WHAT).casefold()
        for part in (ALIASES.get(p, p) for p in said.split(",") if p):
            if part not in WHAT:
                words.back()
                near = close_to(part, WHAT)
                hint = f"did you mean {listed(near)}?" if near else f"one of {listed(WHAT)}"
                raise words.refuse(
                    f"expected what the modifier is to, found {part!r}: {hint}", WHAT
                )
            found += DEFENSES if part == "defenses" else (part,)
    return list(dict.fromkeys(found))


def read_only_with(words: Words, what: list[str]) -> tuple[str, ...]:
    """Read `with TAG[,TAG]`: tags or types of the attacks with which a modifier counts.

    Raises Refused where it is not to attack rolls or damage. Seed 003: Tags.
    """
    if not words.take("with"):
        return ()
    tags = tuple(read_tags(words))
    others = [one for one in what if one not in ("attack", "damage")]
    if others:
        raise words.refuse(f"only attack and damage go `with` a tag, not {listed(others)}")
    return tags


def _is_what(words: Words) -> bool:
    """Whether the next word says more of what a modifier is to; `save ends` is a duration."""
    parts = [ALIASES.get(part, part) for part in words.peek().split(",") if part]
    ends = words.peek() == "save" and words.peek(1) == "ends"
    return not ends and not words.upcoming.quoted and bool(parts) and parts[0] in WHAT


def read_modifier_type(words: Words) -> str:
    """Read the type of a modifier; empty for an untyped one (seed 003: Modifier Types)."""
    kind = words.take(*TYPES)
    return "" if kind == "untyped" else kind


def _said(what: list[str]) -> list[str]:
    if all(defense in what for defense in DEFENSES):
        return ["all defences", *(w for w in what if w not in DEFENSES)]
    return what


def _read_note(words: Words) -> str:
    return str(words.next("a note")) if words.upcoming.quoted else ""


MODIFIER_VERBS: tuple[Verb, ...] = (
    Verb(
        "modifier",
        "modifier NAME[,NAME] +N WHAT[,WHAT] [with TAG[,TAG]] [TYPE] [DURATION] [from NAME] "
        '["NOTE"]',
        "gives a bonus or a penalty, typed or not, to all rolls or to some attacks",
        _modifier,
    ),
)
