"""Fields answered by one of a few words or a long list, and words added by capital letters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from affray.core.parser.prompt_fields import IN_FULL
from affray.core.parser.spelling import fold
from affray.core.parser.tokens import Token
from affray.tui.prompts.field import (
    ACTOR,
    AnswerOption,
    KeyResult,
    PromptField,
    command_of_fields,
    keys_for,
)
from affray.tui.prompts.several_combatants import GROUPS, CombatantsField


class ConstantField(PromptField):
    """A fixed word, never asked for."""

    can_be_gone_to = False
    preset = True
    shown = ""
    """Empty: the prompt's label says it."""

    @property
    def answer(self) -> str:
        """The word."""
        return self.spec.options[0]

    def feed(self, key: str) -> KeyResult:
        """Pass every key on."""
        return KeyResult.PASS

    def read(self, words: Sequence[Token]) -> int:
        """Read that very word."""
        return int(words[0] == self.answer)


class ConfirmField(PromptField):
    """A field without a word, for confirming: an enter says yes."""

    label = "sure?"
    missing = ""
    """Empty: an enter is enough."""
    hint = "enter: yes · esc: no"


class ChoiceField(PromptField):
    """A choice of a few words, each by its own letter; a comma adds another, where the command
    takes several."""

    label = "which"
    word = ""
    before: tuple[str, ...] = ()
    """The words that were chosen already, where a comma stands after them."""
    typed = ""
    """The typed letters of a word."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that can be chosen."""
        return self.spec.options

    @property
    def keys(self) -> dict[str, str]:
        """The words by their letters."""
        return keys_for(self.choices)

    def feed(self, key: str) -> KeyResult:
        """A letter chooses; the rest of its word may follow without effect."""
        if key == "," and self.takes_another:
            self.before, self.word, self.typed = (*self.before, self.word), "", ""
            return KeyResult.KEPT
        if self.word and self.word.startswith(self.typed + key):
            self.typed += key
            return KeyResult.KEPT
        if key in self.keys and not self.typed[1:]:
            self.word, self.typed = self.keys[key], key
            return KeyResult.NEXT
        return KeyResult.PASS if self.word or self.spec.optional else KeyResult.REFUSED

    def read(self, words: Sequence[Token]) -> int:
        """Read one of the words, or several with commas between."""
        parts = words[0].split(",")
        if all(part in self.choices for part in parts):
            *before, self.word = parts
            self.before = tuple(before)
        return 1 if self.word else 0

    def erase(self) -> bool:
        """Take the choice back; after a comma the comma."""
        taken, self.typed = bool(self.word or self.before), ""
        self.before, self.word = (self.before, "") if self.word else _without_last(self.before)
        return taken

    @property
    def answer(self) -> str:
        """The chosen word, after those chosen before."""
        return ",".join(filter(None, (*self.before, self.word)))

    @property
    def takes_another(self) -> bool:
        """True if the command takes several in one, and one was chosen already."""
        return bool(self.word) and self.takes_behind(
            [each for each in self.choices if each not in (*self.before, self.word)]
        )

    def offers(self) -> list[AnswerOption]:
        """The words with their letters."""
        return self.by_letter(self.keys, *self.before, self.word)


def _without_last(words: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The words before the last, and the last; of none an empty one."""
    *before, last = words or ("",)
    return tuple(before), last


class ListedField(ChoiceField):
    """The optional words as a list, if no field lets letters add them."""

    def read(self, words: Sequence[Token]) -> int:
        """Read nothing: the words may be anywhere after the command."""
        return 0

    def read_tail(self, words: Sequence[Token]) -> list[Token]:
        """Read its word, wherever it is."""
        self.word = next((str(word) for word in words if word in self.choices), "")
        return [word for word in words if word != self.word]


class CompletionField(ChoiceField):
    """A choice of the words that the command itself takes here now."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that completion offers after the line so far."""
        return tuple(self.view.complete(f"{self.so_far()} "))

    @property
    def hint(self) -> str:
        """The reason why there is no answer on offer."""
        return "" if self.choices else self.view.barred(self.so_far())

    def read(self, words: Sequence[Token]) -> int:
        """Any word: it was one of them when it was given."""
        self.word = str(words[0])
        return 1


# -------------------------------------------------------------------------------------------------
# Long lists: letters narrow them, up and down move


def no_name_has(letters: str, besides: str = "") -> str:
    """The complaint that nothing fits the letters, and how to go on; `besides` is another way."""
    more = f"{besides}; " if besides else ""
    return f"nothing here is called {letters}: {more}backspace deletes a letter; esc leaves"


class PickField(PromptField):
    """A choice from a long list: letters narrow it, up and down move in it."""

    letters = ""
    """The typed part of a name."""
    at = 0
    """The index of the highlighted choice among those that match."""
    before: tuple[str, ...] = ()
    """The words that were chosen already, where a comma stands after them."""

    def rows(self) -> list[tuple[str, str]]:
        """The rows of the list, as (word of the command, words on the screen)."""
        return []

    def narrowed(self) -> list[tuple[str, str]]:
        """The choices that match the typed letters: words that begin with them, then words that
        contain them."""
        part = fold(self.letters)
        rows = self.rows()
        begins = [row for row in rows if fold(row[1]).startswith(part)]
        exact = [row for row in begins if row[1].casefold() == self.letters.casefold()]
        begins = [*exact, *(row for row in begins if row not in exact)]
        return begins + [r for r in rows if r not in begins and part in fold(r[1]) and part]

    def begins(self, key: str) -> bool:
        """True if a name in the list begins with a key."""
        return any(fold(label).startswith(fold(key)) for _, label in self.rows())

    def has(self, key: str) -> bool:
        """True if anything in the list matches with one more letter."""
        part = fold(self.letters + key)
        return any(part in fold(label) for _, label in self.rows())

    def feed(self, key: str) -> KeyResult:
        """Letters narrow the list, and a comma begins another choice, if the command takes several.
        Once no name has the letters, nothing is chosen until some are deleted."""
        if key == "," and self.takes_another:
            self.before += (self._last,)
            self.letters, self.at = "", 0
            return KeyResult.KEPT
        if key in ("up", "down") and not self._fits_nothing:
            count = len(self.narrowed())
            self.at = (self.at + (1 if key == "down" else -1)) % count if count else 0
            return KeyResult.KEPT
        if len(key) == 1 and (key.isalnum() or key == "-") and self.rows():
            return self._letter(key)
        self.trouble = self._fits_nothing
        return KeyResult.PASS if self.answer else KeyResult.REFUSED

    def _letter(self, key: str) -> KeyResult:
        letters, at, left = self.letters, self.at, len(self.narrowed())
        self.letters, self.at = letters + key, 0
        if self.narrowed():
            return KeyResult.KEPT
        if key.isdecimal() or (letters and left == 1):  # a digit is no letter of another one
            self.letters, self.at = letters, at
            self.trouble = self._fits_nothing
            return KeyResult.PASS if letters and left else KeyResult.REFUSED
        self.trouble = self._fits_nothing
        return KeyResult.REFUSED

    @property
    def _besides(self) -> str:
        """Another way to go on, for letters that fit nothing in the list."""
        return ""

    @property
    def _fits_nothing(self) -> str:
        """The complaint about letters that fit nothing; empty when they fit."""
        return (
            "" if not self.letters or self.narrowed() else no_name_has(self.letters, self._besides)
        )

    def read(self, words: Sequence[Token]) -> int:
        """Read a row by its word."""
        word = f'"{words[0]}"' if words[0].quoted else str(words[0])
        names = [name for name, _ in self.rows()]
        label = next((label for name, label in self.rows() if name == word), "")
        if label:
            self.letters = label
            self.at = [name for name, _ in self.narrowed()].index(word)
        return 1 if word in names else 0

    def erase(self) -> bool:
        """Take back a letter; after a comma the comma."""
        if self.letters or self.at:
            self.letters, self.at = self.letters[:-1], 0
            return True
        self.before, self.letters = _without_last(self.before)
        return bool(self.letters)

    @property
    def answer(self) -> str:
        """The word of the highlighted choice, after those chosen before."""
        return ",".join(filter(None, (*self.before, self._last)))

    @property
    def _last(self) -> str:
        """The word of the highlighted choice; for an optional one, or after a comma, empty until it
        is typed or chosen."""
        rows = self.narrowed()
        may_lack = self.spec.optional or self.before
        if not rows or (may_lack and not self.letters and not self.at):
            return ""
        return rows[min(self.at, len(rows) - 1)][0]

    @property
    def takes_another(self) -> bool:
        """True if the command takes several in one, and one was chosen already."""
        last = self._last
        if not (self.letters or self.at) or not last[:1].isalpha():
            return False
        words = (word for word, _ in self.rows() if word[:1].isalpha())
        return self.takes_behind([word for word in words if word not in (*self.before, last)])

    @property
    def missing(self) -> str:
        """The complaint while the letters match nothing."""
        return self._fits_nothing or super().missing

    @property
    def shown(self) -> str:
        """The highlighted choice, or letters that match none."""
        labels = dict(self.rows())
        chosen = [labels.get(word, word) for word in filter(None, (*self.before, self._last))]
        return ", ".join([*chosen, *([self.letters] if self._fits_nothing else [])])

    def offers(self) -> list[AnswerOption]:
        """The choices that match the typed letters."""
        word = self._last
        return [AnswerOption("", label, key == word) for key, label in self.narrowed()]

    @property
    def wants(self) -> str:
        """A hint on how to pick a row."""
        return "the first letters, or ↑ ↓"

    @property
    def touched(self) -> bool:
        """True if anything was typed or chosen."""
        return bool(self.letters or self.at or self.before)


QUOTE = '"'
"""The key that begins and ends a name outside the tables."""
MOST_IN_A_NAME = 40
"""The most characters of such a name."""


class OwnNameField(PickField):
    """A choice from a list, or any name if the command takes one: a quote begins it, or turns
    letters without a match into it."""

    own: str | None = None
    """The typed part of such a name; None if none was begun."""

    @property
    def takes_own(self) -> bool:
        """True if the command takes any name here, in quotes."""
        return not self.before and not self.barred_by(f"{QUOTE}{self.label}{QUOTE}")

    @property
    def _besides(self) -> str:
        return f"{QUOTE} for a word of your own" if self.takes_own else ""

    def feed(self, key: str) -> KeyResult:
        """Letters narrow the list; after a quote they are a name, up to the next quote."""
        if self.own is None:
            if key != QUOTE or (self.letters and not self._fits_nothing) or not self.takes_own:
                return super().feed(key)
            self.own, self.letters = self.letters, ""
            return KeyResult.KEPT
        if key == QUOTE and self.own.strip():
            return KeyResult.NEXT
        character = " " if key == "space" else key
        if key == QUOTE or len(character) != 1 or len(self.own) >= MOST_IN_A_NAME:
            return KeyResult.REFUSED
        self.own += character
        return KeyResult.KEPT

    def erase(self) -> bool:
        """Take back a letter, then the quote."""
        if self.own is None:
            return super().erase()
        self.own = self.own[:-1] or None
        return True

    def read(self, words: Sequence[Token]) -> int:
        """Read a row of the list, or any name in quotes."""
        if not words[0].quoted:
            return super().read(words)
        self.own = str(words[0])
        return 1

    @property
    def takes_space(self) -> bool:
        """A name may have several words."""
        return self.own is not None

    @property
    def answer(self) -> str:
        """The word of the highlighted choice, or a name in quotes."""
        if self.own is None:
            return super().answer
        return f'"{self.own.strip()}"' if self.own.strip() else ""

    @property
    def shown(self) -> str:
        """The choices, or the typed name."""
        return super().shown if self.own is None else f'"{self.own}'

    @property
    def touched(self) -> bool:
        """True if anything was typed or chosen."""
        return super().touched or self.own is not None

    def offers(self) -> list[AnswerOption]:
        """The choices that match the typed letters; none for a name of one's own."""
        return super().offers() if self.own is None else []

    @property
    def hint(self) -> str:
        """The quote that begins a name, until a key is typed, or that ends it."""
        if self.own is not None:
            return f"its name, then {QUOTE}"
        return "" if self.letters or not self.takes_own else f"{QUOTE} your own"


class TrackField(PickField):
    """A choice of the tracks of the combatant named before."""

    def rows(self) -> list[tuple[str, str]]:
        """The combatant's tracks that the command takes, by their labels."""
        combatant = self.person_before()
        tables = self.view.ruleset.tables
        names = combatant.tracks if combatant else tables.tracks
        taken = {*self.view.follow(self.so_far() + self.by).words} & {*names} or names
        return [(name, tables.track(name).label) for name in names if name in taken]


class TechniqueField(PickField):
    """A choice of the ruleset's techniques."""

    def rows(self) -> list[tuple[str, str]]:
        """The techniques of one's own turn, those marked `first` in the prompts' rows at the top;
        then the other words that the command takes there, such as `power`. If the field names
        tracks, only techniques paid with one of these.
        """
        tables, paid = self.view.ruleset.tables, {*self.spec.options}
        rows = tables.techniques.items()
        keys = [n for n, r in rows if not r.reaction and (not paid or paid & {*r.cost})]
        offered = self.view.follow(self.so_far() + self.by).words
        keys = [key for key in keys if key in offered] or keys
        keys.sort(key=lambda key: key not in tables.prompts or not tables.prompts[key].first)
        others = {*offered} - {"", ACTOR, *tables.techniques}
        more = [(word, word) for word in offered if word in others]
        return [*((key, tables.techniques[key].name or key) for key in keys), *more]


class DamageTypeField(OwnNameField):
    """A choice of the ruleset's damage types, or the table's own in quotes."""

    def rows(self) -> list[tuple[str, str]]:
        """All types."""
        return [(word, word) for word in self.view.ruleset.tables.damage_types]


# -------------------------------------------------------------------------------------------------
# Words added by capital letters while another field is asked for

LEANS = {"adv": "a", "advantage": "a", "dis": "d", "disadvantage": "d"}
"""The letters of advantage and disadvantage: the same in every game, and for nothing else."""


class ToggleField(PromptField):
    """Words that their capital letters add to the command, and remove again. Several can be added;
    of alternatives only the last.
    """

    can_be_gone_to = False
    preset = True
    one_alone = False
    chosen: tuple[str, ...] = ()

    @property
    def keys(self) -> dict[str, str]:
        """The words that can be added, by capital letters that no earlier field uses."""
        return self._capitals

    @cached_property
    def _capitals(self) -> dict[str, str]:
        leans = {LEANS[word]: word for word in self.choices if word in LEANS}
        rest = keys_for([word for word in self.choices if word not in LEANS], self._taken)
        return {key.upper(): word for key, word in {**leans, **rest}.items()}

    @cached_property
    def _taken(self) -> list[str]:
        """The letters whose capitals mean something else."""
        others = [field for field in self.earlier if isinstance(field, ToggleField)]
        taken = [*LEANS.values(), *(key.casefold() for field in others for key in field.keys)]
        groups = any(isinstance(field, CombatantsField) for field in self.earlier)
        return [*taken, *(GROUPS if groups else ())]

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that can be added."""
        return self.spec.options

    def handle_toggle_key(self, key: str) -> bool:
        """Add the word, or remove it again."""
        word = self.keys.get(key) if key.isalpha() else None
        if word is None or not self._is_heard(word):
            return False
        others = () if self.one_alone else tuple(each for each in self.chosen if each != word)
        self.chosen = others if word in self.chosen else (*others, word)
        return True

    def toggle_options(self) -> list[AnswerOption]:
        """The words that can be added, by their capital letters."""
        row = self.keys.items()
        heard = {key: word for key, word in row if key.isalpha() and self._is_heard(word)}
        return self.by_letter(heard, *self.chosen)

    def _is_heard(self, word: str) -> bool:
        """False if the word would change no roll of the command, now that its target is known."""
        rolls = [field for field in self.row if field.spec.kind in ("outcome", "die")]
        if word in self.chosen or not rolls or any(field.applies() for field in rolls):
            return True
        found = self.view.follow(command_of_fields(self.command, self.row) + self.by)
        is_open = not all(field.answer for field in self.row if field.candidates)
        return is_open or word in found.words or word in found.alike

    def read_tail(self, words: Sequence[Token]) -> list[Token]:
        """Read its words, wherever they are."""
        self.chosen = tuple(str(word) for word in words if word in self.keys.values())
        return [word for word in words if word not in self.chosen]

    def feed(self, key: str) -> KeyResult:
        """Pass every key on."""
        return KeyResult.PASS

    @property
    def shown(self) -> str:
        """The chosen words, in full."""
        return ", ".join(IN_FULL.get(word, word) for word in self.chosen)

    @property
    def tail(self) -> str:
        """The chosen words, for the end of the command."""
        return " ".join(self.chosen)


class WordOfField(ToggleField):
    """A word that its capital letter adds, followed by one of several by its own letter: `save`
    `cunning`. The capital letter removes both."""

    begun = False
    """True if the letter of the second word is still to come."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The word that comes first."""
        return (self.spec.before,)

    @property
    def _options_by_key(self) -> dict[str, str]:
        return keys_for(self.spec.options)

    def handle_toggle_key(self, key: str) -> bool:
        """Add the first word, choose the second, or remove both."""
        begun, self.begun = self.begun, False
        word = self._options_by_key.get(key.casefold()) if begun else None
        if word is None and key not in self.keys:
            return False
        is_taken_back = word is None and bool(begun or self.chosen)
        self.chosen = (word,) if word is not None else ()
        self.begun = word is None and not is_taken_back
        return True

    def toggle_options(self) -> list[AnswerOption]:
        """The first word by its capital letter; once it is there, the second ones by theirs."""
        if self.begun:
            return self.by_letter(self._options_by_key)
        key = next(iter(self.keys))
        return [AnswerOption(key, self.tail or self.spec.before, bool(self.chosen))]

    def read_tail(self, words: Sequence[Token]) -> list[Token]:
        """Read both words, wherever they are."""
        for at, pair in enumerate(pairwise(words)):
            if pair[0] == self.spec.before and pair[1] in self.spec.options:
                self.chosen = (str(pair[1]),)
                return [*words[:at], *words[at + 2 :]]
        return list(words)

    @property
    def shown(self) -> str:
        """The word that is chosen, in front of which the other stands."""
        return " ".join(self.chosen)

    @property
    def tail(self) -> str:
        """Both words, for the end of the command."""
        return f"{self.spec.before} {self.shown}" if self.chosen else ""


class WeaponField(ToggleField):
    """The attack to use, if the actor has several: an enter takes the first. While a roll is still
    without an answer, an attack's small initial chooses it, unless the letter is an answer there. A
    capital chooses it at any time.
    """

    one_alone = True

    @property
    def choices(self) -> tuple[str, ...]:
        """The actor's attacks by name; none if only one could be meant."""
        combatant = self.view.state.find(self.view.actor)
        row = self.view.ruleset.actions.weapons(combatant) if combatant is not None else ()
        return tuple(row) if self.spec.options or len(row) > 1 else ()

    @property
    def letters(self) -> dict[str, str]:
        """The attacks by the small letters that choose them."""
        asked = self.row if self.choices else ()
        rolls = (field for field in asked if field.is_rolled and field.applies())
        taken = {letter for field in rolls for letter in field.first_letters}
        return {key: name for key, name in keys_for(self.choices, taken).items() if key.isalpha()}

    @property
    def keys(self) -> dict[str, str]:
        """The attacks by the capitals of their letters, unless these mean something else."""
        taken = self._taken
        return {key.upper(): name for key, name in self.letters.items() if key not in taken}

    def choose_by(self, key: str, field: PromptField) -> bool:
        """Take the letter of an attack in that field; False if it isn't one."""
        name = self.letters.get(key) if self.offers_with(field) else None
        if name is not None:
            self.chosen = () if self.chosen == (name,) else (name,)
        return name is not None

    def offers_with(self, field: PromptField) -> list[AnswerOption]:
        """The attacks, next to a roll without an answer."""
        if not field.is_rolled or field.touched:
            return []
        return self.by_letter(self.letters, *self.chosen)

    def clear(self) -> None:
        """Clear the chosen attack."""
        self.chosen = ()

    def read_tail(self, words: Sequence[Token]) -> list[Token]:
        """`with` and the name, or its beginning."""
        left = list(words)
        for index in range(len(left) - 1):
            begun = left[index + 1].casefold()
            names = tuple(w for w in self.choices if w.casefold().startswith(begun))
            if left[index] == "with" and not left[index].quoted and names:
                self.chosen = names[:1]
                del left[index : index + 2]
                break
        return left

    @property
    def shown(self) -> str:
        """The chosen attack: `with longsword`."""
        return f"with {self.chosen[0]}" if self.chosen else ""

    @property
    def tail(self) -> str:
        """`with bow`."""
        name = self.chosen[0] if self.chosen else ""
        return f'with "{name}"' if " " in name else f"with {name}" if name else ""
