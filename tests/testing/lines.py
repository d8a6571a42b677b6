"""The commands of the rule cases, each with the fight in which it is given, and by which keys.

What is typed before play, and of the log, is left out: a form and other keys are for that.
"""

from __future__ import annotations

import pickle
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from affray import Fight
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import Token, join_tokens, tokenize
from affray.store import LogError
from affray.testing import NoKeys, Typed, keys_for
from affray.testing.conformance import OF_THE_LOG, TYPED_ALONE, faults_of
from affray.testing.keyboard import Keyboard
from affray.testing.wanted_line import WantedLine, plain

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
SEED = 7
EXCEPTIONS = Path(__file__).with_name("exceptions.toml")


class Given(NamedTuple):
    """A command of a rule case, and the keys for it; `shown` is why not, where there are none.

    `typed` is what is typed behind `:` in a prompt then; None where no prompt goes on to it.
    `wrong` is what is wrong besides: a prompt that is barred, words that quotes change.
    """

    game: str
    case: str
    line: str
    pressed: int
    shown: str
    nearest: str
    typed: str | None = None
    wrong: tuple[str, ...] = ()

    @property
    def by_keys(self) -> bool:
        """True if keys come to the same."""
        return bool(self.pressed)


def given(path: Path, every: int = 1) -> list[Given]:
    """The commands of each so-manieth case of a file that are decided, with their keys; one that is
    given anew in the same fight once."""
    document = tomllib.loads(path.read_text("utf-8"))
    seen: dict[tuple[str, int], Encounter] = {}  # which stay, so that no other has the id of one
    found = []
    for case, fight, line in played(document, every):
        stands = (line, id(fight.state))
        if line.split()[0] not in TYPED_ALONE and stands not in seen:
            seen[stands] = fight.state
            try:
                keys = keys_for(fight, line)
            except Refused:
                continue
            wrong = [wrongly_barred(fight, line), *read_otherwise(fight, line, keys)]
            of_keys = _of(document["ruleset"], case, line, keys)
            found.append(of_keys._replace(wrong=tuple(filter(None, wrong))))
    return found


def faults_of_cases(path: Path, every: int = 1) -> list[str]:
    """What doesn't hold of the commands of each so-manieth case of a file, beside their keys."""
    found = []
    for case, fight, line in played(tomllib.loads(path.read_text("utf-8")), every):
        try:
            is_asked = line.split()[0] in OF_THE_LOG or fight.ask(line) is not None
        except Refused:
            is_asked = False
        if not is_asked:
            here, dice = fight.history.head, pickle.dumps(fight.dice)
            found += [f"{case}: {fault}" for fault in faults_of(fight, line, by_keys=False)]
            if fight.history.head != here:
                fight.do(f"goto {here}")
            fight.dice = pickle.loads(dice)  # so that the case goes on as it does by itself
    return list(dict.fromkeys(found))


def _of(game: str, case: str, line: str, found: Typed | NoKeys) -> Given:
    if isinstance(found, Typed):
        return Given(game, case, line, found.pressed, found.shown, found.line)
    typed = found.typed_on.words if found.typed_on is not None else None
    return Given(game, case, line, 0, found.why, found.nearest, typed)


def wrongly_barred(fight: Fight, line: str) -> str:
    """Why all keys of a command are barred for the one who can give it; empty where one isn't."""
    keyboard, wanted = Keyboard(fight), WantedLine(line, fight.state)
    decision = keyboard.decide(line)
    actor = wanted.actor or fight.state.turn
    openings = keyboard.openings(decision.verb, wanted) if decision is not None else ()
    prompts = [keyboard.begin(each) for each in openings if each.cursor == actor]
    words = [(prompt, [*map(plain, prompt.spec.command.split())]) for prompt in prompts]
    own = [prompt for prompt, row in words if row and row == [*wanted.words[: len(row)]]]
    return own[0].barred if own and all(prompt.barred for prompt in own) else ""


def read_otherwise(fight: Fight, line: str, found: Typed | NoKeys) -> list[str]:
    """The words of a line that are read otherwise in quotes, as its prompt writes them."""
    if isinstance(found, NoKeys):  # what is near was written into a name
        return []
    quoted = {word.casefold() for word in tokenize(found.line) if word.quoted}
    words, keyboard = tokenize(line), Keyboard(fight)
    decision, wrong = keyboard.decide(line), []
    for at, word in enumerate(words):
        if not word.quoted and word.casefold() in quoted:
            other = Token(word)
            other.quoted = True
            read = keyboard.decide(join_tokens([*words[:at], other, *words[at + 1 :]]))
            same = read is not None and decision is not None and read.events == decision.events
            wrong += [] if same else [f'"{word}" is read otherwise than {word}']
    return wrong


def played(document: Mapping[str, Any], every: int) -> Iterator[tuple[str, Fight, str]]:
    """Each command of the cases before it is given, in its fight."""
    begun = Fight(document["ruleset"], "case", SEED)
    for line in document.get("setup", ()):
        begun.do(line)
    dice = pickle.dumps(begun.dice)
    for case in document["case"][::every]:
        fight = Fight(document["ruleset"], "case", SEED)
        if not case.get("bare"):
            fight.dice = pickle.loads(dice)
            for seq, entry in begun.history.entries.items():
                fight.history.apply(entry, begun.history.states[seq])
        for line in case.get("commands", ()):
            yield case["name"], fight, line
            try:
                fight.do(line)
            except (Refused, LogError):
                fight.ask(line)


def exceptions(instant: bool | None = None) -> set[tuple[str, str]]:
    """The lines of exceptions.toml, which says of each what its key would have to be.

    With `instant` only those whose key gives something at once, so that no prompt opens; or only
    the others.
    """
    rows = tomllib.loads(EXCEPTIONS.read_text("utf-8"))["exception"]
    asked = [row for row in rows if instant in (None, row.get("instant", False))]
    return {(row["game"], line) for row in asked for line in row["lines"]}


def refused_words() -> set[tuple[str, str, str]]:
    """The words of exceptions.toml that a prompt offers and no case has a use for: in which game,
    by which key."""
    rows = tomllib.loads(EXCEPTIONS.read_text("utf-8")).get("word", ())
    return {(row["game"], row["key"], word) for row in rows for word in row["words"]}


def faults(
    found: Iterable[Given], allowed: set[tuple[str, str]], of_all: bool = False
) -> list[str]:
    """What is wrong: lines that no keys give and no exception names, and exceptions that keys give.

    `of_all` tells that all fights were looked at, so that a line that keys give in each of them is
    no longer an exception.
    """
    lines, left, asked = [], set(allowed) if of_all else set(), exceptions(instant=False)
    for each in found:
        key = each.game, each.line
        where = f"{each.line!r} ({each.game}, {each.case})"
        if not each.by_keys or each.wrong:
            left.discard(key)
        if key not in allowed:
            lines += [f"{where}: {wrong}" for wrong in each.wrong]
            nearest = f"{each.shown}; the nearest is {each.nearest!r}"
            lines += [] if each.by_keys else [f"no keys give {where}: {nearest}"]
        elif key in asked and not each.by_keys and each.typed is None:
            lines.append(f"no prompt goes on to {where} behind `:`")
    return [*dict.fromkeys(lines), *(f"no longer an exception: {g}: {line}" for g, line in left)]
