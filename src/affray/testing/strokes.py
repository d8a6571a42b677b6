"""The keys to press next in a prompt, by what its field offers and the words wanted.

There is no branch for every field: a field offers words by letters, people by numbers, a list that
letters narrow, or takes text. The resulting line shows if a key was any good.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from itertools import pairwise

from affray.testing.wanted_line import AMOUNT, WantedLine, plain
from affray.tui.prompts.choice_fields import PickField
from affray.tui.prompts.field import AnswerOption, PromptField
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.value_fields import CommandTailField, TextField

Keys = tuple[str, ...]

_TYPED = "<"
"""The beginning of a list's word for something to be typed."""
MOST_DOWN = 3
"""The most steps down before another letter of a name."""
MOST_LETTERS = 12
"""The most words of which each with a letter is tried, as for outcomes."""
ANOTHER = (",",)
"""The key that begins another combatant, if several are wanted."""
GO_ON: tuple[Keys, ...] = (("enter",), ("tab",), ANOTHER, ("+",), ("r",))
"""The keys that may work anywhere: to go on, for another of the kind, to roll."""


def written(text: str) -> Keys:
    """The keys that type a text."""
    return tuple("space" if letter == " " else letter for letter in text)


def strokes(prompt: Prompt, wanted: WantedLine) -> Iterator[Keys]:
    """Keys that may be pressed next, the likeliest first."""
    field = prompt.field
    lacking = wanted.lacking(prompt.line)
    if isinstance(field, TextField):
        yield from _texts(field, wanted)
    elif isinstance(field, PickField):
        yield from _picks(field, wanted)
    else:
        yield from _offered(prompt, wanted)
    if field is not None and field.candidates:
        yield from _several(field, wanted)
    if field is None or not field.takes_space:
        yield from _amounts(wanted, lacking)
    if field is not None and not field.takes_space:
        yield from ((key,) for key in _letters(field, lacking))
        yield from ((o.key,) for o in _added(prompt) if not o.picked and wanted.names(o.label))
    is_alone = field is not None and field.candidates and not wanted.several
    on = [keys for keys in GO_ON if not (is_alone and keys == ANOTHER)]
    yield from on[:2] if field is not None and field.takes_space else on
    answered = (each.preset and each.can_be_gone_to for each in prompt.fields[: prompt.at])
    if prompt.whom is not None or any(answered):
        yield ("shift+tab",)
    yield from ((key,) for key in getattr(prompt, "ends", ()))


def _offered(prompt: Prompt, wanted: WantedLine) -> Iterator[Keys]:
    """The keys that the prompt shows; of people, and of many words, only the wanted ones."""
    people = wanted.state.by_number()
    shown = [part for part in prompt.pieces() if part.role in ("key", "offer", "picked")]
    pairs = [(key.text, word.text) for key, word in pairwise(shown) if key.role == "key"]
    letters = [(key, word) for key, word in pairs if not key.isdecimal()]
    if len(letters) > MOST_LETTERS:
        letters = [(key, word) for key, word in letters if wanted.names(word)]
    yield from (written(key) for key, _ in letters)
    numbers = (int(key) for key, _ in pairs if key.isdecimal())
    found = (number for number in numbers if number in people)
    yield from (written(str(n)) for n in found if people[n].id in wanted.people)


def _several(field: PromptField, wanted: WantedLine) -> Iterator[Keys]:
    """The numbers of those named together, with commas between, and of an actor whom the prompt
    doesn't offer, though a spell may target its caster."""
    numbers = {each.id: str(number) for number, each in wanted.state.by_number().items()}
    unseen = [(who,) for who in wanted.people if who in numbers and who not in field.candidates]
    for row in (*wanted.several, *unseen):
        if all(who in numbers for who in row):
            yield written(",".join(numbers[who] for who in row))


def _added(prompt: Prompt) -> Iterator[AnswerOption]:
    """The words that letters add beside any field."""
    for field in prompt.fields:
        if field.applies():
            yield from field.toggle_options()


def _amounts(wanted: WantedLine, lacking: list[str]) -> Iterator[Keys]:
    """The wanted digits, dice and faces that the line lacks."""
    found = (str(token) for token in wanted.tokens if AMOUNT.match(token))
    left = (each for each in found if any(part in lacking for part in each.split(",")))
    yield from dict.fromkeys(map(written, left))


def _letters(field: PromptField, lacking: list[str]) -> list[str]:
    """Letters that begin a missing word, or narrow the choice of one begun."""
    letters = dict.fromkeys(word[0] for word in lacking if word[0].isalpha())
    begun = [plain(offer.label) for offer in field.offers() if not offer.key]
    offered = [word for word in lacking if word in begun]
    letters |= dict.fromkeys(letter for word in offered for letter in word[1:4])
    return list(letters)


def _texts(field: TextField, wanted: WantedLine) -> Iterator[Keys]:
    """The words of the line as they are typed; the beginning of a known name is enough."""
    if isinstance(field, CommandTailField) or field.text:
        return
    words = sorted(wanted.tokens[1:], key=lambda token: not token.quoted)
    names = [offer.label for offer in field.offers()] or list(getattr(field, "choices", ()))
    yield from (_beginning(name, names) for name in names if wanted.names(name))
    pairs = (f"{one} {other}" for one, other in pairwise(wanted.tokens[1:]) if one.isalpha())
    yield from dict.fromkeys(map(written, (*words, *pairs)))


def _beginning(name: str, names: list[str]) -> Keys:
    """The fewest letters that make a name the first of those beginning with them."""
    for count in range(1, len(name)):
        begun = name[:count].casefold()
        if next(each for each in names if each.casefold().startswith(begun)) == name:
            return written(name[:count])
    return written(name)


def _picks(field: PickField, wanted: WantedLine) -> Iterator[Keys]:
    """The keys that pick an item of a list: letters of its name, then down; or a name of one's
    own."""
    if not field.letters:
        for word, label in field.rows():
            if word.startswith(_TYPED) or wanted.names(word.strip('"')) or wanted.names(label):
                yield _pick(field, word, label)
    yield from (('"', *written(token), '"') for token in wanted.tokens[1:] if token.quoted)


def _pick(field: PickField, word: str, label: str) -> Keys:
    narrowing = copy(field)
    for count in range(len(label) + 1):
        if count and not (label[count - 1].isalnum() or label[count - 1] == "-"):
            break
        narrowing.letters, narrowing.at = label[:count], 0
        row = [each for each, _ in narrowing.narrowed()]
        if word in row and row.index(word) <= MOST_DOWN and (count or row.index(word)):
            return (*label[:count].casefold(), *["down"] * row.index(word))
    row = [each for each, _ in field.narrowed()]
    return ("down",) * row.index(word)
