"""Fields answered by numbers, dice, free words or names, and the rest of a command."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from string import digits

from affray.core.parser.errors import join_or
from affray.core.parser.prompt_fields import WORLD
from affray.core.parser.spelling import begun_so, called_so
from affray.core.parser.tokens import Token
from affray.tui.prompts.command_bar import MOST_CHARACTERS, common_prefix, split_last
from affray.tui.prompts.field import MORE, ROLL, AnswerOption, KeyResult, PromptField, keys_for

# -------------------------------------------------------------------------------------------------
# Numbers and dice

SIGNS, REROLLS, EXPLODES = "+-", "r", "!"
DICE_SIGNS = f"d{SIGNS}{REROLLS}{EXPLODES}"
"""The signs in dice, besides digits: `2d6r1!+3`."""
MOVES = {"down": 1, "up": -1}
DIGITS = "digits"
"""The hint of a number."""
MOST_IN_DICE = 12
"""The most characters of dice."""
MOST_DIGITS = 6
"""The most characters of a number, its sign included."""


class NumberField(PromptField):
    """A whole number, with a sign if need be; its options are words in its place."""

    text = word = ""
    """The typed text, or the word in its place."""

    @property
    def label(self) -> str:
        """The words around it, if any; else the track that it changes."""
        around = " ".join(filter(None, (self.spec.before, self.spec.after)))
        track = self.view.ruleset.tables.tracks.get(self.spec.name)
        return around or (track.label if track is not None else super().label)

    @property
    def words_by_key(self) -> dict[str, str]:
        """Letter -> a word in its place: its options, and other words that the command takes
        there."""
        words = [*self.spec.options]
        if not self.spec.optional and self.between is None:
            offered = self.view.follow(self.so_far() + self.by).words
            words += (word for word in offered if word not in words and word.isalpha())
        return {key: word for key, word in keys_for(words).items() if key.isalpha()}

    @property
    def leads_elsewhere(self) -> bool:
        """True for a word after which the command goes on."""
        if not self.word or self.word in self.spec.options:
            return False
        return self.look(self.word) is None

    @property
    def between(self) -> tuple[str, frozenset[str]] | None:
        """The kind of the amount, and the two it is between, for offering it again; None for
        others."""
        combatant = self.person_before(("ally", "target"))
        if combatant is None or self.spec.kind in ("number", "dice"):
            return None
        actor = self.person_before(("anyone", "self"))
        return self.spec.kind, frozenset((actor.id if actor else self.view.actor, combatant.id))

    def _as_before(self) -> str:
        if self.between is None:
            return ""
        return self.view.memory.amounts.get(self.between, "")

    def takes(self, number: str) -> bool:
        """Take a number typed in another field; False if it is too long."""
        fits = len(number) <= MOST_DIGITS
        self.text = number if fits else self.text
        return fits

    def read(self, words: Sequence[Token]) -> int:
        """A number, or a word in its place."""
        if words[0] in self.words_by_key.values():
            self.word = str(words[0])
        elif words[0].lstrip(SIGNS).isdecimal() and len(words[0]) <= MOST_DIGITS:
            self.text = str(words[0])
        return 1 if self.word or self.text else 0

    def feed(self, key: str) -> KeyResult:
        """Collect digits; another key goes to the next field."""
        if key.isdecimal() or (key in SIGNS and not self.text):
            if len(self.text) >= MOST_DIGITS:
                self.trouble = f"{self.text}{key} is too long a number"
                return KeyResult.REFUSED
            self.text, self.word = self.text + key, ""
            return KeyResult.KEPT
        word = self.words_by_key.get(key, "") if not self.text else ""
        if word:
            self.word = word
            return KeyResult.NEXT
        return KeyResult.PASS if self.answer or self.spec.optional else KeyResult.REFUSED

    def erase(self) -> bool:
        """Take back a digit or the word."""
        if self.word:
            self.word = ""
            return True
        if not self.text:
            return False
        self.text = self.text[:-1]
        return True

    @property
    def answer(self) -> str:
        """The number, or the word in its place."""
        return self.word or (self.text if self.text.strip(SIGNS) else self._as_before())

    @property
    def shown(self) -> str:
        """The digits typed so far, or the amount of the last time."""
        return self.word or self.text or self._as_before()

    @property
    def touched(self) -> bool:
        """True if something was typed."""
        return bool(self.word or self.text)

    @property
    def missing(self) -> str:
        """A complaint, unless the command needs no number: it knows the bond between two, or marks
        one."""
        can_lack = self.answer or self.spec.optional or self.look("") is not None
        return "" if can_lack else f"type {self.wants}"

    @property
    def wants(self) -> str:
        """A number, or a word in its place."""
        words = [f"{key} {word}" for key, word in self.words_by_key.items()]
        return join_or(["a number", *words])

    @property
    def is_told_in_row(self) -> bool:
        """True: the row shows the words and that digits are possible."""
        return self.hint == DIGITS

    def offers(self) -> list[AnswerOption]:
        """The words that may stand in its place."""
        return self.by_letter(self.words_by_key, self.word)

    @property
    def hint(self) -> str:
        """The hint that digits are possible."""
        if self.text or self.word:
            return ""
        return "as before" if self._as_before() else DIGITS


AS_ROLLED = "as rolled"
"""The hint where the numbers on the dice are asked for."""


class DiceField(NumberField):
    """A number, or dice for affray to roll: `12` or `2d6+3`."""

    is_rolled = is_amount = True
    wants = "a number, or dice such as 2d6"

    def feed(self, key: str) -> KeyResult:
        """Digits, `d`, plus and minus, `r` and `!`, as long as they make dice."""
        if self.text and key in DICE_SIGNS and len(self.text) < MOST_IN_DICE:
            if self._goes_on(key):
                self.text += key
                return KeyResult.KEPT
            self.trouble = f"{self.text}{key} is neither a number nor dice such as 2d6+3"
            return KeyResult.REFUSED
        if key == "r" and not self.text and self.spec.optional:
            self.rolls = True
            return KeyResult.NEXT
        self.rolls = False
        return super().feed(key)

    def _goes_on(self, key: str) -> bool:
        """True if the sign can follow the typed text."""
        last = self.text.replace("-", "+").rpartition("+")[2]
        if key in SIGNS:
            return self.text[-1].isdecimal() or self.text[-1] == EXPLODES
        if not self.text[-1].isdecimal():
            return False
        return "d" not in self.text if key == "d" else "d" in last and key not in last

    def erase(self) -> bool:
        """Take back a digit, or the `r`."""
        rolls, self.rolls = self.rolls, False
        return super().erase() or rolls

    @property
    def shown(self) -> str:
        """The typed amount, or the note that affray rolls."""
        return super().shown or (ROLL if self.rolls else "")

    @property
    def hint(self) -> str:
        """The meaning of an empty answer, if it may be empty."""
        if not self.spec.optional or self.text or self.rolls:
            return "" if self.rolls else super().hint
        return AS_ROLLED

    @property
    def tip(self) -> str:
        """The key that rolls."""
        rolls = "↵ rolls" if self.view.by_the_app() else "r rolls"
        return rolls if self.hint == AS_ROLLED else ""

    def read(self, words: Sequence[Token]) -> int:
        """A number, or dice."""
        whole = words[0][:1].isdecimal() and all(c.isdecimal() or c in DICE_SIGNS for c in words[0])
        self.text = str(words[0]) if whole and len(words[0]) <= MOST_IN_DICE else ""
        return 1 if self.text else 0

    @property
    def answer(self) -> str:
        """The number or the dice, once they are whole."""
        return self.text if self.text and self.text[-1] in f"{digits}{EXPLODES}" else ""


class TextField(PromptField):
    """A text, which goes into the command in quotes."""

    text = ""
    takes_space = True

    @property
    def label(self) -> str:
        """The name of the text in question."""
        return next(iter(self.spec.options), self.spec.kind).replace("-", " ")

    def feed(self, key: str) -> KeyResult:
        """Add any character; but a digit begins no optional text: it answers the next field."""
        if key.isdecimal() and not self.text and self.spec.optional and self.spec.asked:
            return KeyResult.PASS
        return self._put(key)

    def falls_back(self, key: str) -> bool:
        """Let a digit begin the text after all, if it answers nothing else."""
        return self._put(key) is KeyResult.KEPT

    def _put(self, key: str) -> KeyResult:
        character = " " if key == "space" else key
        if len(character) != 1 or not character.isprintable():
            return KeyResult.REFUSED
        if len(self.text) >= MOST_CHARACTERS:
            self.trouble = f"no more than {MOST_CHARACTERS} characters"
            return KeyResult.REFUSED
        self.text += character
        return KeyResult.KEPT

    def read(self, words: Sequence[Token]) -> int:
        """One word, or several in quotes."""
        self.text = str(words[0])
        return 1

    def paste(self, text: str) -> None:
        """Add pasted words, as many as fit."""
        self.text = (self.text + text)[:MOST_CHARACTERS]

    def hand_on(self, later: Sequence[PromptField]) -> None:
        """Hand words at its end that answer a later field, such as `ap 3`, on to that."""
        for field in later:
            if isinstance(field, NumberField) and field.spec.before:
                words, before, number = self.text.rpartition(f" {field.spec.before} ")
                if before and number.isdecimal() and field.takes(number):
                    self.text = words

    @property
    def wants(self) -> str:
        """Words."""
        return "words" + (", or nothing" if self.spec.optional else "")

    def erase(self) -> bool:
        """Take back a character."""
        if not self.text:
            return False
        self.text = self.text[:-1]
        return True

    @property
    def answer(self) -> str:
        """The words in quotes."""
        text = self.text.strip().replace('"', "'")
        return f'"{text}"' if text else ""

    @property
    def shown(self) -> str:
        """The words as they are typed."""
        return self.text


class FacesField(TextField):
    """The numbers on dice, `7` or `7,3`, if the picked option rolls any; it takes nothing else."""

    is_amount = True
    takes_space = False

    def feed(self, key: str) -> KeyResult:
        """Collect digits, and commas between them."""
        if key.isdecimal() or (key == "," and self.text and not self.text.endswith(",")):
            self.rolls = False
            return self._put(key)
        if key == "r" and not self.text:
            self.rolls = True
            return KeyResult.NEXT
        return KeyResult.PASS if self.spec.optional and not self.missing else KeyResult.REFUSED

    def erase(self) -> bool:
        """Take back a character, or the `r`."""
        rolls, self.rolls = self.rolls, False
        return super().erase() or rolls

    @property
    def shown(self) -> str:
        """The faces, or the note that affray rolls."""
        return self.text or ("roll" if self.rolls else "")

    def falls_back(self, key: str) -> bool:
        """False: only digits start this field."""
        return False

    def paste(self, text: str) -> None:
        """Take the digits and commas of a pasted text."""
        if text.replace(",", "").isdecimal():
            super().paste(text)

    @property
    def only_by_tab(self) -> bool:
        """True, since a number there names a target."""
        return bool(self.spec.optional)

    def is_needed(self) -> bool:
        """True if the command rolls such dice."""
        may = not self.spec.optional or bool(self.text)
        return super().is_needed() and (may or not self.barred_by(self._words("1")))

    def _words(self, faces: str) -> str:
        return f"{self.spec.before} {faces}".strip()

    @property
    def answer(self) -> str:
        """The faces, with commas between."""
        return self.text.strip(",")

    @property
    def missing(self) -> str:
        """The complaint about impossible dice."""
        return self.barred_by(self._words(self.text.strip(","))) if self.text else super().missing

    @property
    def wants(self) -> str:
        """A description of valid answers: the faces of the dice."""
        return "the numbers on the dice, such as 7 or 7,3" + (
            ", or nothing" if self.spec.optional else ""
        )

    @property
    def hint(self) -> str:
        """The meaning of an empty answer, until something is typed."""
        return "" if self.text or self.rolls else AS_ROLLED

    @property
    def tip(self) -> str:
        """The key that rolls."""
        rolls = "↵ rolls" if self.view.by_the_app() else "r rolls"
        return rolls if self.hint else ""


_ONE_WORD = ("named-effect", "counter", "feature", "environment")
"""The kinds of names that are one word, read without quotes."""

OWN_KINDS = ("spell", "item", "kept")
"""The kinds of names that are somebody's own."""


class NameField(TextField):
    """A name; the beginning of a known one is enough. A space after it takes it as typed."""

    at: int | None = None
    """The index of the selected name among those that fit; None for the typed beginning."""

    def feed(self, key: str) -> KeyResult:
        """Letters begin a name, `up` and `down` go through those that fit. A digit begins a spell's
        name only if one begins so: otherwise it is for the next field."""
        row = self._row
        if key in MOVES and row:
            begun = 0 if self.text.strip() else -1 if key == "down" else 0
            self.at = ((begun if self.at is None else self.at) + MOVES[key]) % len(row)
            return KeyResult.KEPT
        is_stray = key.isdecimal() and self.spec.kind == "spell" and self.choices
        if is_stray and not self.text and not begun_so(key, self.choices):
            self.trouble = f"no spell of theirs begins with {key}: {self.wants}"
            return KeyResult.REFUSED
        self.at = None
        return super().feed(key)

    def paste(self, text: str) -> None:
        """Add pasted letters to the typed ones, dropping the selection."""
        self.at = None
        super().paste(text)

    def erase(self) -> bool:
        """Drop the selection, or delete a character."""
        at, self.at = self.at, None
        return at is not None or super().erase()

    @property
    def shown(self) -> str:
        """The typed words, or the selected name."""
        return self.text if self.at is None else self.name

    @property
    def _row(self) -> Sequence[str]:
        return self._fitting() if self.text.strip() else self.choices

    @property
    def label(self) -> str:
        """The kind of thing to name."""
        if self.spec.kind == "kept":
            return super().label
        labels = {"clock": "name", "named-effect": "condition"}
        return labels.get(self.spec.kind, self.spec.kind)

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """The names there are, each once."""
        return tuple(dict.fromkeys(self._find_choices()))

    def _find_choices(self) -> list[str]:
        if self.spec.kind == "kept":
            return list(self._kept_up)
        if self.spec.kind == "counter" or "carried" in self.spec.options:
            return self.view.complete(f"{self.so_far()} ")
        own = self._names_there()
        before = self.view.memory.names.get(self.remembered_as, ())
        return [*self._kept_up, *own, *(name for name in before if name not in own)]

    def _names_there(self) -> list[str]:
        """The names of the fight, the tables and the actor's sheet; features of the surroundings
        first."""
        kind, state, ruleset = self.spec.kind, self.view.state, self.view.ruleset
        rows, actor = ruleset.tables.environments, state.find(self.view.actor)
        if kind == "clock":
            return [clock.name for clock in state.clocks]
        if kind in ("named-effect", "environment"):
            return list(rows if kind == "environment" else ruleset.tables.effects)
        if kind == "feature":
            world = (each for each in state.combatants if each.side == WORLD)
            present = (
                effect.name for each in world for effect in each.effects if effect.name in rows
            )
            return [name for key in dict.fromkeys([*present, *rows]) for name in rows[key].features]
        if actor is None:
            return []
        if kind == "item":
            at = self.spec.options
            return [name for where in at for name in ruleset.actions.items(actor, where)]
        return list(ruleset.actions.spells(actor)) if kind == "spell" else []

    @property
    def remembered_as(self) -> tuple[str, str]:
        """The key of its remembered names: their kind and owner; nobody is offered others'
        spells."""
        return self.spec.kind, self.view.actor if self.spec.kind in OWN_KINDS else ""

    @cached_property
    def _kept_up(self) -> tuple[str, ...]:
        """The maintained effects of the actor that the command takes now."""
        actor, spec = self.view.state.find(self.view.actor), self.spec
        effects = actor.effects if actor is not None else ()
        if spec.kind != "kept":
            effects = tuple(e for e in effects if spec.kind == "spell" and e.name in spec.options)
        notes = dict.fromkeys(effect.note for effect in effects if effect.note)
        return tuple(note for note in notes if not self.barred_by(f'"{note}"'))

    def _fitting(self) -> list[str]:
        same = called_so(self.text, self.choices)
        return [*same, *(n for n in begun_so(self.text, self.choices) if n not in same)]

    @property
    def name(self) -> str:
        """The known name that fits, or the typed one; without either the only clock, or the only
        maintained effect."""
        if self.at is not None:
            return self._row[self.at]
        if not self.text.strip():
            only = self.choices if self.spec.kind == "clock" else self._kept_up
            return only[0] if len(only) == 1 else ""
        fits = self._fitting()
        return fits[0] if fits else self.text.strip()

    @property
    def wants(self) -> str:
        """A known one, or any."""
        if self.choices:
            return "the first letters of one of these, or another"
        return "its name" if self.spec.kind in OWN_KINDS else super().wants

    def accept(self) -> None:
        """Complete the name."""
        self.text, self.at = self.name, None

    @property
    def answer(self) -> str:
        """The name in quotes."""
        name = self.name.replace('"', "'")
        bare = self.spec.kind in _ONE_WORD and name in self.choices
        return name if bare else f'"{name}"' if name else ""

    def offers(self) -> list[AnswerOption]:
        """The names that begin with the typed letters; the first is taken."""
        picked = self.name
        return [AnswerOption("", name, name == picked) for name in self._fitting()]


class CommandTailField(TextField):
    """The rest of the command as typed; tab completes a begun last word, as far as it is
    unambiguous.
    """

    @property
    def label(self) -> str:
        """The name of the rest of the command: `words`, or `more` where it may be left out."""
        return MORE if self.spec.optional else "words"

    def read(self, words: Sequence[Token]) -> int:
        """Read the rest of the line."""
        self.text = " ".join(f'"{word}"' if word.quoted else word for word in words)
        return len(words)

    def offers(self) -> list[AnswerOption]:
        """The words that the last, begun word could become."""
        words = self.view.complete(f"{self.so_far()} {self.text}")
        return [AnswerOption("", word) for word in words if word != "by"]

    def finish_word(self) -> None:
        """Complete a begun word, as far as it is unambiguous."""
        stem, begun = split_last(self.text)
        fits = [offer.label for offer in self.offers()] if begun else []
        if fits:
            word = common_prefix(fits) if fits[1:] else f"{fits[0]} "
            self.text = f"{stem}{max(word, begun, key=len)}"
        else:
            self.trouble = (
                "nothing starts with that" if begun else "type the first letters: tab completes"
            )

    def accept(self) -> None:
        """Complete the last word, if only one fits."""
        stem, begun = split_last(self.text)
        fits = [offer.label for offer in self.offers()] if begun else []
        if len(fits) == 1 and fits[0] != begun and self.barred_by(self.answer):
            self.text = f"{stem}{fits[0]}"

    @property
    def answer(self) -> str:
        """The words as they are."""
        return self.text.strip()

    hint = "tab completes"
