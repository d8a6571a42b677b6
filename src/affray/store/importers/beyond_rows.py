"""What no row has of the texts of attacks and saves, by its kind, for the report to name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from affray.core.dice import WRITTEN, to_notation
from affray.core.rules.imported_creature import ImportedCreature, ImportedFeature
from affray.mechanics.import_creature import FOOT_BY_FOOT, unique_names
from affray.store.importers.values import has_any

_LONGER = "text beyond its attack"
"""What a game says of a longer text, which a kind says better."""
_BY_TURNS = "damage turn by turn"
_KINDS = {  # of texts in small letters
    kind: re.compile(words)
    for kind, words in {
        "a push or a pull": r"\b(?:push|pull|drag|hurl|shove|slide)(?:s|e[ds]|ed|d)?\b[^.]{0,60}?"
        r"\b\d+[ -](?:feet|foot|ft)|\b(?:flung|thrown|flings|knocked|moved|knocks)\b"
        r"[^.]{0,40}?\b\d+ (?:feet|ft)",
        "advantage or disadvantage": r"\b(?:dis)?advantage on\b"
        r"|\b(?:attack rolls?|checks?|saving throws?)\b[^.]{0,40}? with (?:dis)?advantage\b",
        "a lower speed": r"\bspeeds?\b[^.]{0,40}?\b(?:halved|half|reduced|0|zero|decreases?)\b"
        r"|\bcan(?:'t|’t|not) move\b",
        "what it can't do": r"\bcan(?:'t|’t|not) (?:take (?:a )?(?:re)?actions?|speak|cast"
        r"|attack)\b"
        r"|\beither (?:an action or a bonus action|a bonus action or an action|move or)\b",
        "no healing": r"\b(?:can['’]t|cannot|can not) regain\b",
        "death": r"\b(?:or|to) die\b|\binstantly (?:dies|killed)\b"
        r"|\b(?:target|creature|victim|humanoid|beast|host) (?:also )?dies\b"
        r"|(?<!until )(?<!when )(?<!if )\bit dies\b",
        "what follows at 0 HP": r"\b(?:reduce[sd]?|drop(?:s|ped)?)\b[^.]{0,40}? to 0"
        r" (?:hit points|hp)\b",
        "a lower maximum of HP": r"\bhit point maximum\b",
        _BY_TURNS: r"\bdamage\b[^.]{0,60}\bat the (?:start|end) of (?:each|every|its)\b"
        r"|\bat the (?:start|end) of (?:each of )?(?:its|their|the [\w ]+['’]s) (?:next )?turns?\b"
        r"[^.]{0,90}?\b(?:takes?|taking|loses?) \d|(?:^|[.,;] )(?:each|every) (?:turn|round)\b"
        r"[^.]{0,60}?\b(?:takes?|loses?) \d|\b(?:it|the (?:target|creature))"
        r" (?:start|begin|end)s its turn\b[^.]{0,60}?\b(?:takes?|loses?) \d",
        "its own healing": r"(?<!t )\bregains? (?:\d|hit points|a number|half|the same|as many)",
        "a penalty": r"\bpenalty\b|\bsubtracts? (?:\d|a d|the number)"
        r"|\b(?:score|ac)\b[^.]{0,20}? (?:reduced|decreases?|drops)\b",
        "what follows its end": r"\bwhen (?:the|this|that) \w+ ends\b",
        "swallowing": r"\b(?:swallow|engulf)(?:s|ed)\b",
    }.items()
}
_NEEDLES = {
    "a push or a pull": (
        "push", "pull", "drag", "hurl", "shov", "slid", "flung", "fling", "thrown", "knock", "moved"
    ),
    "advantage or disadvantage": ("advantage on", "with advantage", "with disadvantage"),
    "a lower speed": ("speed", "t move"),
    "what it can't do": ("can't", "can’t", "cannot", "either "),
    "no healing": ("regain",),
    "death": (" die", "killed"),
    "what follows at 0 HP": (" to 0 ",),
    "a lower maximum of HP": ("maximum",),
    _BY_TURNS: (
        "at the start of", "at the end of", "s its turn", "each turn", "each round", "every turn",
        "every round",
    ),
    "its own healing": ("regain",),
    "a penalty": ("penalty", "subtract", "reduced", "decrease", "drops"),
    "what follows its end": (" ends",),
    "swallowing": ("swallow", "engulf"),
}  # fmt: skip
"""Kind -> words of which one must be in a text, since they are found sooner than all of it."""
_ENDS = re.compile(
    r"\b(?:until|wakes?|cured?|free[ds]?|dispelled|lesser restoration|greater restoration)\b"
    r"|\b(?:effect|condition|curse|spell) ends?\b|\bending (?:the|this) \w+|\bno longer\b",
    re.IGNORECASE,
)
_ENDS_SOONER = re.compile(
    r"\b(?:effect|condition|spell|charm|it) ends?\b[^.]{0,40}? (?:if|when)\b|\bwakes?\b"
    r"|\bends early\b"
    r"|\b(?:if|whenever) [^.]{0,40}? takes? (?:any )?damage\b[^.]*\b(?:ends?|ending|repeat)",
    re.IGNORECASE,
)
_DEALT = re.compile(rf"\(({WRITTEN})\) (?:\w+ )?damage", re.IGNORECASE)
_SAVE = re.compile(r"\bDC ?\d{1,2} [a-z]+ (?:saving throw|save)\b", re.IGNORECASE)
_WITHOUT_ENDS = ("prone", "grappled", "ongoing")
"""What ends in ways of its own."""


def with_kinds(creature: ImportedCreature, left: Collection[str]) -> tuple[str, ...]:
    """Return what a row left of a creature, and what no row has by kind: `Bite: death`. A feature
    that isn't in the row at all is among what was left by its name."""
    if creature.game not in ("", *FOOT_BY_FOOT):
        return tuple(left)
    named = [
        (row.name, kind)
        for row in unique_names(creature.features)
        if row.name not in left
        for kind in kinds_of(row)
    ]
    better = {f"{name}: {_LONGER}" for name, _ in named}
    rest = (line for line in left if line not in better)
    return tuple(dict.fromkeys([*rest, *(f"{name}: {kind}" for name, kind in named)]))


def kinds_of(row: ImportedFeature) -> Iterator[str]:
    """The kinds of what no row has of a feature that rolls, deals damage or asks for a save."""
    text, plain = row.text, row.text.casefold()
    if row.save is None and "dc" in plain and "sav" in plain and _SAVE.search(text):
        yield "a save that only some case asks for"
    is_by_turns = "turn" in plain or "round" in plain  # not by hours
    if is_by_turns and row.aura is None and _tells(_BY_TURNS, plain):
        yield _BY_TURNS
    if row.attack is None and row.save is None and not row.damage:
        return
    for kind in _KINDS:
        if kind != _BY_TURNS and _tells(kind, plain):
            yield kind
    dealt = {part.dice for part in (*row.damage, *row.failed)}
    if row.save is not None and not (row.failed or row.binds):
        yield "what failing its save means"
    elif row.attack is None and {to_notation(dice) for dice in _DEALT.findall(text)} - dealt:
        yield "damage in some case"
    if "grapple" not in plain:
        yield from _ends_in_the_text(row, text)


def _tells(kind: str, plain: str) -> bool:
    """True if a text in small letters has words of a kind."""
    return has_any(plain, _NEEDLES[kind]) and _KINDS[kind].search(plain) is not None


def _ends_in_the_text(row: ImportedFeature, text: str) -> Iterable[str]:
    """The ends of conditions that a text tells of and the feature lacks."""
    for laid in (*row.inflicts, *row.binds):
        if not laid.until and laid.condition not in _WITHOUT_ENDS:
            after = re.split(rf"\b{laid.condition}\b", text, maxsplit=1, flags=re.IGNORECASE)[-1]
            if _ENDS.search(after):
                yield f"the end of {laid.condition}"
            continue
        is_single = not re.search(r"\bor\b|\bturn\b|^repeat$|^escape$", laid.until)
        if laid.until and is_single and _ENDS_SOONER.search(text):
            yield f"another end of {laid.condition}"
