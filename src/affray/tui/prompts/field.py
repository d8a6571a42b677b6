"""The base class of prompt fields, and the row that they are shown in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import Literal, NamedTuple

from msgspec.structs import replace

from affray.core.engine.decide import Decision
from affray.core.engine.dice_owners import PlayersDie
from affray.core.engine.state import Combatant
from affray.core.parser.prompt_fields import IN_FULL, PERSON_KINDS, SEVERAL, Field
from affray.core.parser.spelling import fold
from affray.core.parser.tokens import Token
from affray.tui.prompts.context import PromptContext

ROLL = "roll"
"""The word by which a command has the app roll."""
ACTOR = "by"
"""The word before somebody who acts; both stand at the very end of a command."""


class KeyResult(Enum):
    """The result of giving a key to a field."""

    KEPT = auto()  # taken; the field may want more
    NEXT = auto()  # taken, and the answer is whole
    PASS = auto()  # not meant for this field, whose answer is whole: the next one may have it
    REFUSED = auto()  # no answer here


class AnswerOption(NamedTuple):
    """One answer that could be given: the key for it, what it says, and whether it is the one."""

    key: str
    label: str
    picked: bool = False


def keys_for(words: Sequence[str], taken: Collection[str] = ()) -> dict[str, str]:
    """A letter for each word: the first of its own that is free, else a digit."""
    keys: dict[str, str] = {}
    for number, word in enumerate(words, 1):
        letters = [c for c in fold(word) if c.isalpha()]
        free = (c for c in letters if c not in keys and c not in taken)
        keys[next(free, str(number))] = word
    return keys


class PromptField:
    """The place for one answer. `earlier` are the fields before it, for what depends on them."""

    is_whom = False
    """True if it asks for one combatant, who stands beside the label where nobody has to ask."""
    can_be_gone_to = True
    """True if one can go back to it from a later one."""
    is_rolled = False
    """True if dice answer it."""
    is_amount = False
    """True if other dice than those of a check answer it: an amount."""
    rolls = False
    """True if the app is to roll what is asked for."""
    repeated = False
    """True if its answer was read from a command that was given: digits replace it."""
    trouble = ""
    """Why the last key was refused, where there is more to say than `wants`."""
    command, by = "", ""
    """How the prompt's line begins, and who acts: ` by mira`, at its end; the prompt sets both."""
    row: Sequence[PromptField] = ()
    """All fields of the prompt, which sets it."""
    asks_on = False
    """True if the parser says what is asked behind it, and not the prompt's own row."""
    stands_behind = False
    """True if its words stand behind those that letters add."""
    put_aside: tuple[PromptField, ...] = ()
    """The fields that its answer has taken out of the prompt."""
    followed_by = ""
    """The answer behind which the parser was asked what comes next."""

    def __init__(self, spec: Field, view: PromptContext, earlier: Sequence[PromptField]) -> None:
        self.spec = spec
        self.view = view
        self.earlier = tuple(earlier)

    @property
    def label(self) -> str:
        """The name of the field, in a word or two."""
        return self.spec.kind.replace("-", " ")

    # -- what came before it -----------------------------------------------------------------------

    def people_before(self) -> list[Combatant]:
        """The combatants that earlier fields name, one or several."""
        named = [s.answer for s in self.earlier if s.spec.kind in (*PERSON_KINDS, SEVERAL)]
        ids = named[0].split(",") if named else []
        return [
            found
            for combatant_id in ids
            if (found := self.view.state.find(combatant_id)) is not None
        ]

    def person_before(self, kinds: Sequence[str] = PERSON_KINDS) -> Combatant | None:
        """The combatant that an earlier field names, first of these kinds."""
        named = [s.answer for s in self.earlier if s.spec.kind in kinds]
        return self.view.state.find(named[0]) if named else None

    def so_far(self, answer: str = "") -> str:
        """The line as far as the fields before this one make it, with an answer here."""
        return command_of_fields(self.command, self.earlier, answer)

    def look(self, answer: str) -> Decision | None:
        """Preview the command with an answer here; None when it is refused."""
        return self.view.decide(self.so_far(answer) + self.by)

    def barred_by(self, answer: str) -> str:
        """The reason why an answer here is refused, whatever comes later; empty when it isn't."""
        return self.view.barred(self.so_far(answer) + self.by)

    @property
    def takes_another(self) -> bool:
        """True if a comma behind what is chosen begins another, which the command takes as well."""
        return False

    def takes_behind(self, others: Sequence[str]) -> bool:
        """True if the command takes one of these behind the answer, with a comma between."""
        return any(not self.barred_by(f"{self.answer},{each}") for each in others[:3])

    # -- keys --------------------------------------------------------------------------------------

    def feed(self, key: str) -> KeyResult:
        """Take a key: a character, or a name such as `space` or `up`."""
        return KeyResult.REFUSED

    def erase(self) -> bool:
        """Take back the last key; False when there is nothing to take back."""
        return False

    def clear(self) -> None:
        """Take back all of it."""
        while self.erase():
            pass

    def falls_back(self, key: str) -> bool:
        """Take a key that was passed on and that nobody else wanted; False for not taken."""
        return False

    def begins_name(self, key: str) -> bool:
        """Take a key that no field wanted as the first letter of somebody's name; False for not."""
        return False

    def asks_to_roll(self, die: PlayersDie) -> bool:
        """True if what is answered here asks the app for a roll that the command makes."""
        if not self.is_amount:
            return ROLL in self.answer.split()
        return (self.rolls or "d" in self.answer) and self.is_asked_for(die)

    def is_asked_for(self, die: PlayersDie) -> bool:
        """True if a roll that the command makes is what could be answered here."""
        return self.is_amount and not die.is_check

    def handle_toggle_key(self, key: str) -> bool:
        """Take a key that adds a word beside another field; False if it doesn't."""
        return False

    def toggle_options(self) -> list[AnswerOption]:
        """The words that letters can add beside another field."""
        return []

    @staticmethod
    def by_letter(words: Mapping[str, str], *picked: str) -> list[AnswerOption]:
        """Words to choose from by their letters, those that are picked among them."""
        row = words.items()
        return [AnswerOption(key, IN_FULL.get(word, word), word in picked) for key, word in row]

    def offers_with(self, field: PromptField) -> list[AnswerOption]:
        """The words that letters add beside that field while it is empty."""
        return []

    def read(self, words: Sequence[Token]) -> int:
        """Take the answer from the words of a command that was given; tells how many they were."""
        return 0

    def read_tail(self, words: Sequence[Token]) -> list[Token]:
        """Take what it says at the end of a command, wherever it stands; gives the words left."""
        return list(words)

    @property
    def answer(self) -> str:
        """The answer as words of the command; empty when there is none."""
        return ""

    @property
    def shown(self) -> str:
        """The answer as it is shown."""
        return self.answer

    @property
    def preset(self) -> bool:
        """True if it has its answer from the beginning, and is passed over."""
        return False

    @property
    def enter_may_finish(self) -> bool:
        """True if an enter before it may end the prompt, leaving it as it is."""
        return self.preset or bool(self.spec.optional and not self.spec.asked)

    @property
    def missing(self) -> str:
        """The complaint when the answer is missing, in a few words; empty when it may be."""
        return "" if self.answer or self.spec.optional else f"{self.label}: {self.wants}"

    @property
    def wants(self) -> str:
        """A description of valid answers, for somebody who has just typed an invalid one."""
        hints = " · ".join(filter(None, (self.hint, self.tip)))
        return self._keys_in_words or hints or f"the {self.label}"

    @property
    def _keys_in_words(self) -> str:
        return ", ".join(f"{o.key} {o.label}" for o in self.offers() if o.key)

    @property
    def is_told_in_row(self) -> bool:
        """True if its row in the prompt says already what is wanted."""
        return self.wants == self._keys_in_words

    def why_not(self, key: str) -> str:
        """The reason why a key that answers elsewhere doesn't here; empty for any other key."""
        return ""

    @property
    def touched(self) -> bool:
        """True if the GM has answered something here."""
        return bool(self.shown)

    @property
    def only_by_tab(self) -> bool:
        """True if only tab goes to it, so that no key of an answer before can stray into it."""
        return False

    @property
    def tail(self) -> str:
        """Words that belong at the end of the command."""
        return f"{ACTOR} {self.answer}" if self.answer and self.spec.before == ACTOR else ""

    @property
    def replaces_command(self) -> str:
        """A word that stands in for the command's own beginning."""
        return ""

    @property
    def takes_space(self) -> bool:
        """True if a space is part of the answer."""
        return False

    @property
    def barred(self) -> str:
        """The reason why the answer here can't be done, whatever comes later; empty when it can."""
        return ""

    @property
    def leads_elsewhere(self) -> bool:
        """True if the command goes on otherwise behind the answer than the prompt asks."""
        return False

    def need(self, needed: bool) -> None:
        """An answer that may be left out is needed after all, or no longer."""
        self.spec = replace(self.spec, optional=not needed)

    def accept(self) -> None:
        """The GM goes on: what is offered becomes the answer."""

    @property
    def candidates(self) -> dict[str, int]:
        """The combatants to choose from now, id -> number; empty for another question."""
        return {}

    @property
    def is_named(self) -> bool:
        """True once somebody is named in it, behind whom nobody else is begun."""
        return self.touched

    def choose(self, combatant_id: str) -> None:
        """Take the combatant under the cursor or the mouse, if the question is about one."""

    def offers(self) -> list[AnswerOption]:
        """The answers to choose from."""
        return []

    @property
    def first_letters(self) -> Collection[str]:
        """The letters that answer it while nothing is typed."""
        return [offer.key for offer in self.offers()]

    @property
    def hint(self) -> str:
        """A few words on what can be typed, where `offers` does not say it."""
        return ""

    @property
    def tip(self) -> str:
        """A hint behind that, which gives way to the answers."""
        return ""

    def applies(self) -> bool:
        """True if the earlier answers and combatants make this question necessary."""
        wanted = self.spec.only_if
        words = [s for s in self.earlier if s.applies()] if wanted else []
        words = [s for s in words if wanted in s.spec.options] or words  # who offers it decides
        is_told_already = any(
            wanted in (s.answer, s.replaces_command, s.answer and s.spec.before) for s in words
        )
        if not wanted or is_told_already:
            return True
        actor = self.view.state.find(self.view.actor)
        people = self.people_before() or filter(None, [actor])
        return any(self.view.true_of(combatant, wanted) for combatant in people)

    @property
    def words(self) -> str:
        """The words that the answer adds to the command."""
        answer = self.answer
        if not answer or self.spec.before == ACTOR:
            return ""
        return " ".join(part for part in (self.spec.before, answer, self.spec.after) if part)


def command_of_fields(command: str, fields: Iterable[PromptField], answer: str = "") -> str:
    """The command as these fields make it, with one more answer; who acts stands at its end."""
    asked = [field for field in fields if field.applies()]
    verb = next((field.replaces_command for field in asked if field.replaces_command), command)
    tails = [field.tail for field in asked]
    letters = [tail for tail in tails if not tail.startswith(f"{ACTOR} ")]
    actor = [tail for tail in tails if tail.startswith(f"{ACTOR} ")]
    own = [field.words for field in asked if not field.stands_behind]
    more = [field.words for field in asked if field.stands_behind]
    rest = [*letters, *more, answer] if more else [answer, *letters]
    return " ".join(part for part in (verb, *own, *rest, *actor) if part)


# -------------------------------------------------------------------------------------------------
# The pieces of a prompt's row

Role = Literal[
    "label",
    "whom",
    "done",
    "now",
    "blank",
    "key",
    "aside",
    "offer",
    "picked",
    "hint",
    "tip",
    "later",
    "refused",
]


class PromptPart(NamedTuple):
    """A piece of the prompt's row, and what it is, so that it can be drawn: `key` is the key of an
    answer, `aside` that of what can be said besides the answer, `tip` a hint that gives way first.

    An answer that is `optional` may be left out.
    """

    text: str
    role: Role
    optional: bool = False


MORE = "more"
"""The label of what may be said at the end of a command, which nobody has to."""
ANY_ROOM = 10_000
"""More cells than any window has."""
LEAST_OF_AN_OFFER = 2
"""The fewest cells that an offer takes in a row: a key, and a blank before it."""


def prompt_parts(label: str, fields: Sequence[PromptField], at: int, room: int) -> list[PromptPart]:
    """The row of a prompt that asks for the field at that place, for so many cells."""
    row = [PromptPart(label, "label")]
    for index, field in enumerate(fields):
        if not field.applies():
            continue
        if field.is_whom and field.preset and index != at:
            row.append(PromptPart(field.shown, "whom"))
        elif index == at:
            row += _asked_now(field, [s for s in fields[:at] if s.applies()], room)
        elif index < at or field.preset:
            row.append(PromptPart(_filled(field), "done"))
        elif field.repeated and field.shown:
            row.append(PromptPart(_filled(field), "later"))
        elif not field.spec.optional:
            row.append(PromptPart(field.label, "later"))
    return [piece for piece in row if piece.text]


def _filled(field: PromptField) -> str:
    if not field.shown:
        return ""
    return " ".join(part for part in (field.spec.before, field.shown, field.spec.after) if part)


def _asked_now(
    field: PromptField, others: Sequence[PromptField], room: int
) -> Iterator[PromptPart]:
    """The current question with its answers; and the optional words, where there is room.

    People's own list leaves none for that. It stands behind letters, but before a list of names,
    which may be as long as it likes. The actor's attacks stand before all.
    """
    shown = field.shown
    optional = bool(field.spec.optional) and field.label != MORE
    yield PromptPart(shown, "now") if shown else PromptPart(field.label, "blank", optional)
    answers = _near(field.offers(), room // LEAST_OF_AN_OFFER + 1)
    others = sorted(others, key=lambda other: not other.spec.only_if)  # what is special, first
    is_open = not field.candidates or field.is_named  # for what letters say of the roll behind it
    rolls = [other for other in field.row if other.is_rolled and other.applies()]
    asked = next(iter(rolls), field) if field.candidates else field
    row = field.row if is_open else ()
    first = [o for other in row if other.applies() for o in other.offers_with(asked)]
    others = [] if field.candidates else [o for o in others if not o.offers_with(asked)]
    besides = [offer for other in others for offer in other.toggle_options()]
    has_letters = all(offer.key for offer in answers)
    own: list[tuple[Role, AnswerOption]] = [("key", offer) for offer in (*first, *answers)]
    aside: list[tuple[Role, AnswerOption]] = [("aside", offer) for offer in besides]
    for role, offer in own + aside if has_letters else aside + own:
        yield from (
            PromptPart(offer.key, role),
            PromptPart(offer.label, "picked" if offer.picked else "offer"),
        )
    yield PromptPart(field.hint, "hint")
    yield PromptPart(field.tip, "tip")


def _near(offers: list[AnswerOption], most: int) -> list[AnswerOption]:
    """The first of many offers, and those near the picked one, as many as there is room for.

    While several are picked it is all of them.
    """
    picked = [place for place, offer in enumerate(offers) if offer.picked] or [0]
    if len(picked) > 1:
        return offers
    first, last = max(most, picked[0] - most), max(most, picked[0] + most)
    return offers[:most] + offers[first:last]
