"""A question in its parts: whom it names, what it is about, and which words of the game it has.

The words that questions are made of are in `questions.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from affray.core.engine.effects import effect_name
from affray.core.engine.state import Combatant
from affray.core.formatting import spoken_lines
from affray.core.formatting.spoken_answers import LIVES, STANDINGS
from affray.core.parser.spelling import fold
from affray.core.parser.targets import MOST_OF_NAME, called_like, is_for_several, resolve_many
from affray.data_text import read_toml
from affray.store.open_encounter import OpenEncounter

_DATA = read_toml((Path(__file__).parent / "questions.toml").read_text("utf-8"))
ASKS, YES_OR_NO, ABLE, WHO, FILLERS, OWN, NOT_OF_THE_GAME = (
    frozenset(_DATA[name].split())
    for name in ("asks", "yes_or_no", "able", "who", "fillers", "own", "not_of_the_game")
)
SUBJECTS: dict[str, frozenset[str]] = {
    name: frozenset(words.split()) for name, words in _DATA["subjects"].items()
}
OF_SUBJECTS = frozenset().union(*SUBJECTS.values(), _DATA["of_several_subjects"].split())
"""The words that mean somebody only as a whole name."""
_SIDES = {word: side for side, words in _DATA["sides"].items() for word in words.split()}
_MEANS = [(re.compile(rf"\b(?:{phrase})\b"), to) for phrase, to in _DATA["means"].items()]


class Question(NamedTuple):
    """A question in its parts, as `does the ogre have a reaction`.

    Attributes:
        asks: Its first word: does.
        words: The words that say what it is about, folded: reaction.
        people: Those it names, or whoever's turn it is for `I`: the ogre.
        is_of_side: True if it names them by their side, as `which foes`.
        is_own: True if it names nobody but `I`.
    """

    asks: str
    words: tuple[str, ...]
    people: tuple[Combatant, ...]
    is_of_side: bool = False
    is_own: bool = False

    def has(self, *words: str) -> bool:
        """True if one of the words is in it."""
        return any(word in self.words for word in words)

    @property
    def is_of_one(self) -> bool:
        """True if it names somebody alone."""
        return len(self.people) == 1 and not self.is_of_side

    @property
    def other_words(self) -> list[str]:
        """Its words that belong to no subject."""
        return [word for word in self.words if word not in OF_SUBJECTS]


class Vocabulary:
    """The words that a question about a fight may have.

    Attributes:
        fight: The open fight.
    """

    def __init__(self, fight: OpenEncounter) -> None:
        self.fight = fight

    def read(self, line: str) -> Question:
        """Take a question apart."""
        spellings = self._spellings()
        text = _in_affrays_words(_spelt_out(line), spellings)
        typed = [word.strip('".!') for word in re.sub(r"'s?(?=\s|$)", "", text).split()]
        words, people, is_of_side, place = list[str](), list[Combatant](), False, 1
        while place < len(typed):
            word, after_filler = typed[place], typed[place - 1] in FILLERS
            found, length = self._named(typed[place:], after_filler)
            people += [each for each in found if each not in people]
            is_of_side |= bool(found) and _is_side(word)
            is_last = place == len(typed) - 1 > 1  # `the potter's will`
            if not found and (word not in FILLERS or (is_last and word in spellings)):
                words += word.replace("-", " ").split()
            place += length
        if {*words}.isdisjoint((*LIVES, "down", "left")):
            people = [each for each in people if not each.is_out] or people
        up = self.fight.state.up
        is_own = not people and up is not None and bool(OWN & {*typed})
        if is_own and up is not None:
            people = [up]
        asks = typed[0] if typed else ""
        words[:0] = [asks] if asks in OF_SUBJECTS or asks not in FILLERS else []
        return Question(asks, tuple(words), tuple(people), is_of_side, is_own)

    def _named(self, typed: Sequence[str], after_filler: bool) -> tuple[list[Combatant], int]:
        """The people whom the first words name, and how many words that takes."""
        for length in range(min(MOST_OF_NAME, len(typed)), 0, -1):
            word = " ".join(typed[:length])
            if found := self._called(word, length == 1, after_filler):
                return found, length
        return [], 1

    def _called(self, word: str, is_one: bool, after_filler: bool) -> list[Combatant]:
        state = self.fight.state
        exact = [c for c in state.combatants if word in (fold(c.name), c.id)]
        if exact:
            return exact
        if word.isdecimal() and not after_filler:
            return []
        several = _SIDES.get(word, word)
        if "," in word or word.isdecimal() or is_for_several(state, several):
            return resolve_many(state, several)
        if is_one and (len(word) < 3 or word in (*FILLERS, *OF_SUBJECTS) or self.terms((word,))):
            return []
        found = called_like(word, state.combatants)
        return found or called_like(word.removesuffix("s"), state.combatants)

    def terms(self, words: Sequence[str], people: Sequence[Combatant] = ()) -> dict[str, str]:
        """The tracks, numbers, effects and standings that words name, with their kind; or else the
        tracks of these people that have a word of them."""
        tables, state = self.fight.ruleset.tables, self.fight.state
        if _has_in_a_row(words, ("death", "saves"), is_alike):
            return {name: "track" for name, rule in tables.tracks.items() if rule.when == "dying"}
        spellings = self._spellings()
        for alike in ALIKE:
            found = [each for each in spellings if _has_in_a_row(words, each.split(), alike)]
            if found:
                longest = [a for a in found if not any(a in b for b in found if a != b)]
                return {name: kind for kind, name in map(spellings.__getitem__, longest)}
        owned = {name: tables.track(name).label for each in people for name in each.tracks}
        effects = [effect for each in state.combatants for effect in each.effects]
        begun = {each.name: f"{effect_name(tables, each.name)} {each.note}" for each in effects}
        for kind, labels in (("track", owned), ("effect", begun)):
            fit = [n for n, label in labels.items() if words and _has_all(label, words)]
            if fit:
                return dict.fromkeys(fit, kind)
        return {}

    def _spellings(self) -> dict[str, tuple[str, str]]:
        """The spellings of the game's tracks, numbers, effects and standings, with kind and id."""
        tables, state = self.fight.ruleset.tables, self.fight.state
        spellings: dict[str, tuple[str, str]] = {word: ("standing", word) for word in STANDINGS}
        for name, track in tables.tracks.items():
            for each in (name, track.label, track.spoken, track.one):
                spellings.setdefault(plainly(each), ("track", name))
        for name, total in tables.totals.items():
            for each in (name, total.label):
                spellings.setdefault(plainly(each), ("total", name))
        effects = (effect for each in state.combatants for effect in each.effects)
        names = (name for e in effects for name in spoken_lines.names_of_effect(tables, e))
        for name in (*tables.effects, *names):
            spellings.setdefault(plainly(effect_name(tables, name)), ("effect", name))
            spellings.setdefault(plainly(name), ("effect", name))
        spellings.pop("", None)
        return spellings


def is_question(line: str) -> bool:
    """True if a line begins with a word that asks: `what's`, `is`."""
    return _spelt_out(line).partition(" ")[0] in ASKS


def _spelt_out(line: str) -> str:
    """`what is left` for `What’s left?`; the first word asks."""
    text = fold(line.rstrip("? ")).replace("’", "'")
    text = re.sub(r"^(?:at|for|from|in|of|on|to|with) (?=wh)", "", text)
    return re.sub(r"^(who|what|where|when|how)'?s\b", r"\1 is", text)


def _in_affrays_words(text: str, spellings: Collection[str]) -> str:
    """A text with affray's words in place of others, unless the game knows these."""
    text = re.sub(r"\b(can)'t\b|n't\b", r"\1 not", text)

    def meant(found: re.Match[str], to: str) -> str:
        return found[0] if found[0] in spellings else to

    for phrase, to in _MEANS:
        text = phrase.sub(partial(meant, to=to), text)
    return text


def is_alike(word: str, other: str) -> bool:
    """True for two forms of a word: recoveries and recovery, frightened and frighten."""
    shorter, longer = sorted((len(word), len(other)))
    alike = next((n for n in range(shorter) if word[n] != other[n]), shorter)
    return word == other or (alike >= 4 and (alike == shorter or alike >= 0.7 * longer))


ALIKE: tuple[Callable[[str, str], bool], ...] = (str.__eq__, is_alike)
"""The comparisons to compare two words, the strict one first."""


def _is_side(word: str) -> bool:
    return word in _SIDES or word in ("all", "foes", "party", "others")


def plainly(name: str) -> str:
    """A name without signs: `fallen back`."""
    return fold(name).replace("-", " ").replace("_", " ").replace(".", "").strip()


def _has_all(label: str, words: Sequence[str]) -> bool:
    """True if a label has every word, or a form of it."""
    parts = plainly(label).split()
    return all(any(is_alike(word, part) for part in parts) for word in words)


def _has_in_a_row(
    words: Sequence[str], wanted: Sequence[str], alike: Callable[[str, str], bool]
) -> bool:
    """True if the words have all that is wanted, one after the other."""
    return any(
        all(map(alike, words[place : place + len(wanted)], wanted))
        for place in range(len(words) - len(wanted) + 1)
    )
