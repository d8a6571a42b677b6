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
"""The word that has affray roll in a command."""
ACTOR = "by"
"""The word before the actor; both come at the very end of a command."""


class KeyResult(Enum):
    """The result of giving a key to a field."""

    KEPT = auto()  # taken; the field may want more
    NEXT = auto()  # taken, and the answer is whole
    PASS = auto()  # not meant for this field, whose answer is whole: the next one may have it
    REFUSED = auto()  # no answer here


class AnswerOption(NamedTuple):
    """One possible answer: its key, its label, and True if it is chosen."""

    key: str
    label: str
    picked: bool = False


def keys_for(words: Sequence[str], taken: Collection[str] = ()) -> dict[str, str]:
    """A letter for each word: the first free one of its own, else a digit."""
    keys: dict[str, str] = {}
    for number, word in enumerate(words, 1):
        letters = [c for c in fold(word) if c.isalpha()]
        free = (c for c in letters if c not in keys and c not in taken)
        keys[next(free, str(number))] = word
    return keys


class FieldRow(list["PromptField"]):
    """The fields of a prompt, and results worked out from their answers, kept until one changes."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[tuple[PromptField, str], str] = {}
        self.asked: dict[PromptField, bool] = {}

    def put(self, at: int, fields: Iterable[PromptField] = ()) -> None:
        """Replace all fields from an index on."""
        self[at:] = fields
        self.forget()

    def forget(self) -> None:
        """Drop the kept results, since an answer has changed."""
        self.lines.clear()
        self.asked.clear()


class PromptField:
    """The place for one answer. `earlier` are the fields before it, on which it may depend."""

    is_whom = False
    """True if it asks for one combatant, shown beside the label if nobody has to ask."""
    can_be_gone_to = True
    """True if keys can go back to it from a later field."""
    is_rolled = False
    """True if dice answer it."""
    is_amount = False
    """True if dice for an amount answer it, not those of a check."""
    rolls = False
    """True if affray is to roll the answer."""
    repeated = False
    """True if its answer was read from an earlier command: digits replace it."""
    trouble = ""
    """Why the last key was refused, if there is more to say than `wants`."""
    command, by = "", ""
    """The beginning of the prompt's line, and its end ` by mira`; the prompt sets both."""
    row = FieldRow()
    """All fields of the prompt, which sets it."""
    asks_on = False
    """True if the parser, and not the prompt's own row, says what comes next."""
    stands_behind = False
    """True if its words come after those that letters add."""
    put_aside: tuple[PromptField, ...] = ()
    """The fields that its answer has removed from the prompt."""
    followed_by = ""
    """The answer for which the parser was last asked what comes next."""

    def __init__(self, spec: Field, view: PromptContext, earlier: Sequence[PromptField]) -> None:
        self.spec = spec
        self.view = view
        self.earlier = tuple(earlier)

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        self.row.forget()

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
        """The line of the fields before this one, with an answer here."""
        lines = self.row.lines
        if (self, answer) not in lines:
            lines[self, answer] = command_of_fields(self.command, self.earlier, answer)
        return lines[self, answer]

    def look(self, answer: str) -> Decision | None:
        """Preview the command with an answer here; None when it is refused."""
        return self.view.decide(self.so_far(answer) + self.by)

    def barred_by(self, answer: str) -> str:
        """The reason why an answer here is refused, whatever comes later; empty if it isn't."""
        return self.view.barred(self.so_far(answer) + self.by)

    @property
    def takes_another(self) -> bool:
        """True if the command takes another one after a comma."""
        return False

    def takes_behind(self, others: Sequence[str]) -> bool:
        """True if the command takes one of these after the answer and a comma."""
        return any(not self.barred_by(f"{self.answer},{each}") for each in others[:3])

    # -- keys --------------------------------------------------------------------------------------

    def feed(self, key: str) -> KeyResult:
        """Take a key: a character, or a name such as `space` or `up`."""
        return KeyResult.REFUSED

    def erase(self) -> bool:
        """Delete the last key; False if there is nothing to delete."""
        return False

    def clear(self) -> None:
        """Delete the whole answer."""
        while self.erase():
            pass

    def falls_back(self, key: str) -> bool:
        """Take a key that was passed on and that no other field wanted; False if not taken."""
        return False

    def begins_name(self, key: str) -> bool:
        """Take a key that no field wanted as the first letter of somebody's name; False if not
        taken."""
        return False

    def asks_to_roll(self, die: PlayersDie) -> bool:
        """True if the answer here asks affray to make this roll of the command."""
        if not self.is_amount:
            return ROLL in self.answer.split()
        return (self.rolls or "d" in self.answer) and self.is_asked_for(die)

    def is_asked_for(self, die: PlayersDie) -> bool:
        """True if this roll of the command could be answered here."""
        return self.is_amount and not die.is_check

    def handle_toggle_key(self, key: str) -> bool:
        """Take a key that adds a word while another field is asked; False if not taken."""
        return False

    def toggle_options(self) -> list[AnswerOption]:
        """The words that letters can add while another field is asked."""
        return []

    @staticmethod
    def by_letter(words: Mapping[str, str], *picked: str) -> list[AnswerOption]:
        """Answers by their letters, the chosen ones marked."""
        row = words.items()
        return [AnswerOption(key, IN_FULL.get(word, word), word in picked) for key, word in row]

    def offers_with(self, field: PromptField) -> list[AnswerOption]:
        """The words that letters add while that field is asked and empty."""
        return []

    def read(self, words: Sequence[Token]) -> int:
        """Read the answer from the words of an earlier command; returns the number of words."""
        return 0

    def read_tail(self, words: Sequence[Token]) -> list[Token]:
        """Read its words from the end of a command, wherever they are; returns the other words."""
        return list(words)

    @property
    def answer(self) -> str:
        """The answer as words of the command; empty if there is none."""
        return ""

    @property
    def shown(self) -> str:
        """The answer on the screen."""
        return self.answer

    @property
    def preset(self) -> bool:
        """True if it has its answer from the beginning, and is skipped."""
        return False

    @property
    def enter_may_finish(self) -> bool:
        """True if enter at an earlier field may end the prompt without it."""
        return self.preset or bool(self.spec.optional and not self.spec.asked)

    @property
    def missing(self) -> str:
        """A short complaint about the missing answer; empty if it may be missing."""
        return "" if self.answer or self.spec.optional else f"{self.label}: {self.wants}"

    @property
    def wants(self) -> str:
        """A description of valid answers, shown after an invalid one."""
        hints = " · ".join(filter(None, (self.hint, self.tip)))
        return self._keys_in_words or hints or f"the {self.label}"

    @property
    def _keys_in_words(self) -> str:
        return ", ".join(f"{o.key} {o.label}" for o in self.offers() if o.key)

    @property
    def is_told_in_row(self) -> bool:
        """True if its row in the prompt already says what is wanted."""
        return self.wants == self._keys_in_words

    def why_not(self, key: str) -> str:
        """The reason why a key that works elsewhere doesn't here; empty for any other key."""
        return ""

    @property
    def touched(self) -> bool:
        """True if the GM has answered something here."""
        return bool(self.shown)

    @property
    def only_by_tab(self) -> bool:
        """True if only tab goes to it, so that no key of an earlier answer strays into it."""
        return False

    @property
    def tail(self) -> str:
        """Words that belong at the end of the command."""
        return f"{ACTOR} {self.answer}" if self.answer and self.spec.before == ACTOR else ""

    @property
    def replaces_command(self) -> str:
        """A command that replaces the prompt's own."""
        return ""

    @property
    def takes_space(self) -> bool:
        """True if a space is part of the answer."""
        return False

    @property
    def barred(self) -> str:
        """The reason why the answer here is impossible, whatever comes later; empty if it is
        possible."""
        return ""

    @property
    def leads_elsewhere(self) -> bool:
        """True if the command goes on after the answer in another way than the prompt asks."""
        return False

    def need(self, needed: bool) -> None:
        """Make an optional answer required, or optional again."""
        self.spec = replace(self.spec, optional=not needed)

    def accept(self) -> None:
        """The GM goes on: the offer becomes the answer."""

    @property
    def candidates(self) -> dict[str, int]:
        """The combatants to choose from now, id -> number; empty for another question."""
        return {}

    @property
    def is_named(self) -> bool:
        """True once it names somebody, and no further name is begun."""
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
        """A few words on what can be typed, if `offers` doesn't say it."""
        return ""

    @property
    def tip(self) -> str:
        """A hint behind that, which gives way to the answers."""
        return ""

    def applies(self) -> bool:
        """True if the earlier answers and combatants make this question necessary."""
        asked = self.row.asked
        if self not in asked:
            asked[self] = self.is_needed()
        return asked[self]

    def is_needed(self) -> bool:
        """Work out whether it applies, as `applies` tells it."""
        wanted = self.spec.only_if
        if not wanted:
            return True
        words = [s for s in self.earlier if s.applies()]
        words = [s for s in words if wanted in s.spec.options] or words  # who offers it decides
        if any(wanted in (s.answer, s.replaces_command, s.answer and s.spec.before) for s in words):
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
    """The command of these fields, with one more answer; the actor comes at its end."""
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
    """A piece of the prompt's row, with its kind for drawing: `key` is the key of an answer,
    `aside` that of an optional word, `tip` a hint that gives way first.

    An `optional` answer may be left out.
    """

    text: str
    role: Role
    optional: bool = False


MORE = "more"
"""The label of the optional rest of a command."""
ANY_ROOM = 10_000
"""More cells than any window has."""
LEAST_OF_AN_OFFER = 2
"""The fewest cells that an offer takes in a row: a key, and a blank before it."""


def prompt_parts(label: str, fields: Sequence[PromptField], at: int, room: int) -> list[PromptPart]:
    """The row of a prompt that asks for the field at that index, at that width."""
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
    """The current question with its answers, and the optional words if there is room: after
    letters, but before a long list of names. A list of people leaves no room. The actor's attacks
    come first.
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
    """The first of many offers, and those near the chosen one, as many as fit. If several are
    chosen, all of them.
    """
    picked = [place for place, offer in enumerate(offers) if offer.picked] or [0]
    if len(picked) > 1:
        return offers
    first, last = max(most, picked[0] - most), max(most, picked[0] + most)
    return offers[:most] + offers[first:last]
