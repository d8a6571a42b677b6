"""Whether a game plays by what a campaign's techniques say.

A row with the id of one of the game's own techniques changes what that costs and how it is called;
what it does stays. A row with a new id is all in its row (`Technique.does`).
"""

from __future__ import annotations

import re

from affray.core.commands.session_verbs import SESSION_VERBS
from affray.core.heart.decide import verbs_of
from affray.core.language.asks import SAID, WITHOUT_CODE, read_ask
from affray.core.language.refusal import Refused, close_or_all, listed
from affray.core.rules.checking import check_amounts, check_bounds, check_words
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Does, Tables, Technique

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+){0,3}")
_IN_CODE = ("reaction", "command", "marks", "does")
"""The fields that say what a technique of the game's own does, which is not for a row to change."""


def check_techniques(ruleset: Ruleset, more: Tables) -> None:
    """Raises Refused for the first technique that the game wouldn't play as it says."""
    for name, row in more.techniques.items():
        where, base = f"[techniques.{name}]", ruleset.tables.techniques.get(name)
        if any(text.isspace() for text in (row.key, row.command)):
            raise Refused(f"{where}: `key` and `command` must hold a word")
        _check_cost(ruleset, where, row, base)
        if base is None:
            _check_repeat(ruleset, where, row)
            _check_new(ruleset, more, where, name, row)
        else:
            if row.repeat != base.repeat:
                _check_repeat(ruleset, where, row)
            _check_as_in_code(where, row, base)


def _check_cost(ruleset: Ruleset, where: str, row: Technique, base: Technique | None) -> None:
    """The price: of what is paid with in this game, and what the rules take it to name."""
    free = any(not known.cost for known in ruleset.tables.techniques.values())
    fixed = base.cost if base is not None and not ruleset.reads.one_action else {}
    missing = [track for track in fixed if track not in row.cost]
    if missing or not (row.cost or free):
        what = listed(missing, "and") if missing else "what it takes"
        raise Refused(f"{where} needs a `cost` that names {what}")
    for track in row.cost:
        if track not in ruleset.reads.cost:
            raise Refused(f"{where} cost: {_no_price(ruleset, track)}")
    check_amounts(f"{where} cost", row.cost, 0 if base is not None else 1)
    if ruleset.reads.one_action and sum(row.cost.values()) > 1:
        known = listed(ruleset.reads.cost)
        raise Refused(f"{where} cost: in {ruleset.name} a technique costs 1 of one track: {known}")


def _no_price(ruleset: Ruleset, track: str) -> str:
    known = ruleset.reads.cost
    if track in ruleset.reads.marks:
        return f"{track} is marked, not paid: write it as `marks`"
    return f"nothing is paid with {track!r} in {ruleset.name}{close_or_all(track, known)}"


def _check_repeat(ruleset: Ruleset, where: str, row: Technique) -> None:
    known = ruleset.reads.repeat
    if row.repeat not in known:
        raise Refused(
            f"{where} repeat: {ruleset.name} has no techniques of the kind {row.repeat!r}; "
            f"there are {listed(known, 'and')}"
        )


def _check_as_in_code(where: str, row: Technique, base: Technique) -> None:
    """What it does stays: a row may leave that out, and say nothing else."""
    for field in _IN_CODE:
        is_left_out = field == "does" and row.does is None
        if getattr(row, field) != getattr(base, field) and not is_left_out:
            raise Refused(
                f"{where} {field}: what the rules' own technique does can't be changed; it must be "
                f"as it was, {_as_toml(getattr(base, field))}, or the technique must have a new id"
            )
    if base.does is not None and row.asks:
        _check_when(where, base.does, row.asks)


def _as_toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {amount}" for key, amount in value.items()) + " }"
    return f'"{value}"' if value else "left out"


# -- techniques of a new id ------------------------------------------------------------------------


def _check_new(ruleset: Ruleset, more: Tables, where: str, name: str, row: Technique) -> None:
    if ruleset.doing is None:
        raise Refused(f"{where}: {ruleset.name} knows no techniques but its own")
    if not _ID.fullmatch(name):
        raise Refused(
            f"{where}: no command could name it; its id must be one to four words in small "
            "letters with - between, such as shield-wall"
        )
    if name in {**verbs_of(ruleset), **SESSION_VERBS}:
        raise Refused(f"{where}: {name!r} is a command already; call it something else")
    if row.command:
        raise Refused(f"{where} command: its id is its command; leave `command` out")
    _check_marks(ruleset, f"{where} marks", row.marks)
    kinds = [_check_ask(where, ask) for ask in row.asks]
    if row.does is not None:
        _check_does(ruleset, more, where, row.does, [k for k in kinds if k not in SAID])
        _check_when(where, row.does, row.asks)


def _check_when(where: str, does: Does, asks: tuple[str, ...]) -> None:
    """The word of `when`, on which its effect depends, must be one that the technique asks for."""
    words = [word for ask in asks for word in read_ask(ask).options]
    check_words(f"{where} does when", filter(None, [does.when]), words, "is not asked for")


def _check_marks(ruleset: Ruleset, where: str, marks: dict[str, int], done: str = "marked") -> None:
    check_words(where, marks, ruleset.reads.marks, f"is {done} by no technique of {ruleset.name}")
    check_amounts(where, marks, 1)


def _check_ask(where: str, text: str) -> str:
    """The kind of an ask, which must be one that can be answered without code."""
    ask, known = read_ask(text), WITHOUT_CODE
    if ask.only_if:
        raise Refused(f"{where} asks: {text!r} hangs on another answer, which takes code")
    if ask.kind not in known:
        near = close_or_all(ask.kind, known)
        raise Refused(f"{where} asks: {text!r} is for techniques that have code{near}")
    return ask.kind


def _check_does(ruleset: Ruleset, more: Tables, where: str, does: Does, people: list[str]) -> None:
    game = ruleset.doing
    assert game is not None
    where += " does"
    tables = ruleset.tables.merged(more)
    known = game.lays(tables)
    for field in ("inflict", "bestow"):
        name = getattr(does, field)
        if name and name not in known:
            raise Refused(
                f"{where} {field}: no effect {name!r} can be laid{close_or_all(name, known)}"
            )
    if does.inflict and not people:
        raise Refused(f'{where} inflict: on whom? The technique needs asks = ["target"]')
    if (does.turns or does.ends) and not (does.inflict or does.bestow):
        named = "an effect that `inflict` or `bestow` names"
        raise Refused(f"{where}: `turns` and `ends` are for {named}")
    if does.turns and does.ends:
        raise Refused(f"{where}: either `turns` or `ends`, not both")
    if does.turns:
        check_bounds(f"{where} turns", does.turns, 1, 99)
    ends = ("start", "end", "turn", *game.ends)
    if does.ends and does.ends not in ends:
        said = f"nothing ends by {does.ends!r}, but {listed(ends)}"
        raise Refused(f"{where} ends: in {ruleset.name} {said}")
    for name in does.lifts:
        if name not in tables.effects:
            near = close_or_all(name, tables.effects)
            raise Refused(f"{where} lifts: there is no effect {name!r}{near}")
    _check_marks(ruleset, f"{where} recovers", does.recovers, "recovered")
