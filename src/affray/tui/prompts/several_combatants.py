"""The field answered by several combatants: numbers, ranges and sides, with a half for some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from affray.core.late_pattern import late_pattern
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import TWICE, Field
from affray.core.parser.targets import ALL, is_on_side, resolve
from affray.core.parser.tokens import Token
from affray.tui.prompts.combatant_fields import MOVES, NAMES, CombatantFieldBase, is_number_prefix
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.field import AnswerOption, KeyResult, PromptField

HALF = "half"
"""The option of a field that lets some of those named take half."""
FOE = "foe"
"""The option of a field that offers a likely foe in place of the one under the cursor."""

OFFERS_NOBODY = "several"
"""The option of a field that offers nobody, since it is hardly ever just one."""

MOST_NAMED = 12
"""The most chosen combatants that the row names."""

GROUPS = {"f": "foes", "p": "party", "a": ALL}
"""The letters for a side, and for everybody still in the fight.

Capitals always mean this; small letters only if no other field of the prompt takes the letter.
"""
WHOLE = {"f": "all {} foes", "p": "all {} of the party", "a": "all {}"}
"""A whole side in words, shown in place of many names."""
LEAST_OF_ALL = 3

EVERYBODY = "*"
"""The key for everybody in every prompt; `A` may mean advantage."""
AS_BEFORE = "="
"""The key for the combatants that the last command was about."""
_PART = late_pattern(r"([fpa=]|\d+(?:-\d*)?)?(h?)$")
"""A number, a range, the letter of a side or `=`; an `h` after it means half."""


class NamedCombatants(NamedTuple):
    """Several combatants in the order of naming, and those of them who take half."""

    people: tuple[str, ...] = ()
    halved: tuple[str, ...] = ()

    @property
    def wholly(self) -> tuple[str, ...]:
        """The ids of those who don't take half."""
        return tuple(
            combatant_id for combatant_id in self.people if combatant_id not in self.halved
        )


class CombatantsField(CombatantFieldBase):
    """Several combatants: `2,4-6` or the letter of a side; `h` gives half to those named last."""

    hint = "1,3-5"
    text = ""
    """The numbers and letters that were typed."""
    _whole = ""
    """The text after a name was last put into it, which no digit may change."""
    _by_letter = _begun = ""
    """The small letter with which the last key named a side, and the key before it."""

    def __init__(self, spec: Field, view: PromptContext, earlier: Sequence[PromptField]) -> None:
        super().__init__(spec, view, earlier)
        if not spec.legal:
            self.begin()

    def _likely(self) -> str:
        """The likely target, if foes are wanted; else the one under the cursor."""
        offers_nobody = self.spec.named or OFFERS_NOBODY in self.spec.options
        if self.no_foe_stands or self.spec.optional or offers_nobody:
            return ""
        at_cursor = "" if self.at_foes or self.view.reaction else self.view.cursor
        likely = at_cursor or self.view.likely("target")
        if likely in self.candidates or not (self.spec.legal or self.view.reaction):
            return likely
        return next(iter(self.candidates), "") if self.spec.legal else ""

    @property
    def at_foes(self) -> bool:
        """True if foes are offered first."""
        return self.spec.others or FOE in self.spec.options

    def need(self, needed: bool) -> None:
        """Offer somebody once the field must be answered."""
        super().need(needed)
        self.pick = self._likely()

    # -- keys --------------------------------------------------------------------------------------

    def feed(self, key: str) -> KeyResult:
        """Take digits, names, a comma for another, `-` for a range; other keys are for the next
        field."""
        begun, self.ended, self._by_letter = self._by_letter, None, ""
        self._begun = begun
        if self.typed is not None:
            fed = self.type_name(key)
            if fed is not None:
                return self._end_name() if fed is KeyResult.NEXT else fed
            if self.unnamed:
                self.trouble = self.unnamed
                return KeyResult.REFUSED
            self.ended = self.typed if self.quoted else None
            self._end_name()
        elif key == NAMES and (self._wants_another or not self._last):
            self.begin_name(quoted=True)
            return KeyResult.KEPT
        if key.isdecimal() and begun and self.could_name(begun + key):
            self.text = self.text[: -len(begun)]
            self.typed = begun
            return self.feed(key)  # no side, but somebody's name
        if key.isdecimal():
            return self._digit(key)
        if key == ",":
            self._settle_offer()
            self.text = f"{self.text.rstrip(',')},"
            return KeyResult.KEPT
        if key == "-" and self._last.isdecimal():
            self.text += key
            return KeyResult.KEPT
        if key in MOVES and not self.text:
            self.offer_next(MOVES[key])
            return KeyResult.KEPT
        if key == "h" and HALF in self.spec.options:
            self._settle_offer()
            self.text = self.text.rstrip(",")
            self.text = self.text[:-1] if self.text.endswith("h") else f"{self.text}h"
            return KeyResult.KEPT
        if key == EVERYBODY:
            return self._group("a")
        if key in GROUPS and (self.text.endswith(",") or not (self.text or self.pick)):
            return self._side_or_name(key)
        if key == AS_BEFORE or (key.isupper() and key.casefold() in GROUPS):
            return self._group(key)
        if self.text.endswith(",") and self.begins_name(key):
            return KeyResult.KEPT
        if self.missing:
            self.trouble = self.missing if self.touched else ""
            return KeyResult.REFUSED
        self.text = self.text.rstrip(",")
        return KeyResult.PASS

    def begins_name(self, key: str) -> bool:
        """Take a letter as the first of a name, at the start and after a comma; never one of a
        side, but behind one as the second of a name that begins with both. After a complete name it
        is one letter too many, and stays there."""
        if self._begun and len(key) == 1 and key.isalpha() and self.could_name(self._begun + key):
            self.text = self.text[: -len(self._begun)]
            self.typed = self._begun
            self.type_name(key)
            return True
        if self.ended is not None and len(key) == 1 and key.isalnum():
            self.text = self.text[: self.text.rfind(",") + 1]
        return key not in GROUPS and super().begins_name(key)

    @property
    def _is_open(self) -> bool:
        return not self._last and self.typed is None

    def _end_name(self) -> KeyResult:
        """Replace a typed name by the combatant's number."""
        self.text += self._number(self.pick)
        self.typed, self.quoted, self.pick, self._whole = None, False, "", self.text
        return KeyResult.KEPT

    def falls_back(self, key: str) -> bool:
        """Take the small letter of a side that no other field took."""
        return key in GROUPS and self._side_or_name(key) is KeyResult.KEPT

    def _side_or_name(self, key: str) -> KeyResult:
        """Take the small letter of a side; a digit that follows may make somebody's name of it."""
        taken = self._group(key)
        self._by_letter = key if taken is KeyResult.KEPT else ""
        return taken

    def _group(self, key: str) -> KeyResult:
        if self.text and not self._wants_another:
            return KeyResult.REFUSED
        side = key.casefold()
        if not self._of_part(side):
            whom = "targeted before" if side == AS_BEFORE else "on that side"
            self.trouble = f"nobody {whom} can be chosen"
            return KeyResult.REFUSED
        self.text += side
        return KeyResult.KEPT

    def _digit(self, key: str) -> KeyResult:
        if self.text and self.text == self._whole:
            return KeyResult.PASS  # after a name it is no digit of a number
        begun, fit = self._last.rpartition("-")[2], self.view.by_number
        if self._wants_another or not self._last or self._last.endswith("-"):
            begun = ""
        elif not begun.isdecimal():  # a side, or a half: nothing more can belong to it
            return KeyResult.PASS
        if not is_number_prefix(begun + key, fit):
            if begun and is_number_prefix(begun, fit):
                return KeyResult.PASS
            self.trouble, self.pick = self.nobody_has(begun + key), ""
            return KeyResult.REFUSED
        self.text += key
        return KeyResult.KEPT

    @property
    def _last(self) -> str:
        return self.text.rpartition(",")[2]

    @property
    def _wants_another(self) -> bool:
        return not self.text or self.text.endswith(",")

    def accept(self) -> None:
        """Take the offered combatants as the answer."""
        self._settle_offer()
        self.text = self.text.rstrip(",")

    def _settle_offer(self) -> None:
        if self.typed is not None and self.pick:
            self._end_name()
        elif not self.text and self.pick:
            self.text = self._number(self.pick)

    def _number(self, combatant_id: str) -> str:
        return next((str(n) for n, c in self.view.by_number.items() if c.id == combatant_id), "")

    def choose(self, combatant_id: str) -> None:
        """Add the clicked combatant, or remove one already named."""
        people, halved = self._named
        others = tuple(each for each in people if each != combatant_id)
        self.name_people(
            NamedCombatants(others if combatant_id in people else (*others, combatant_id), halved)
        )

    def name_people(self, named: NamedCombatants) -> None:
        """Take these combatants as the answer."""
        half = dict.fromkeys(named.halved, "h")
        self.text = ",".join(
            self._number(combatant_id) + half.get(combatant_id, "") for combatant_id in named.people
        )

    def read(self, words: Sequence[Token]) -> int:
        """Read the combatants in the first word, with commas between them."""
        try:
            named = [resolve(self.view.state, part).id for part in words[0].split(",") if part]
        except Refused:
            return 0
        self.name_people(NamedCombatants(tuple(named)))
        return 1

    def erase(self) -> bool:
        """Take back the last key."""
        if self.untype("" if self.text else self._likely()):
            return True
        if not (self.text or self.pick):
            self.pick = self._likely()
            return bool(self.pick)
        taken, self.text = bool(self.text), self.text[:-1]
        return taken

    # -- the answer --------------------------------------------------------------------------------

    @property
    def _named(self) -> NamedCombatants:
        people: list[str] = []
        halved: list[str] = []
        parts = self.text.split(",")
        for at, part in enumerate(parts):
            found = _PART.match(part)
            named = self._of_part(found.group(1) or "") if found is not None else []
            twice = TWICE in self.spec.options and part.isdecimal() and part in parts[:at]
            people += [who for who in named if twice or who not in people]
            if found is not None and found.group(2):  # typed again, it is taken back
                again = [combatant_id for combatant_id in named if combatant_id in halved]
                halved = [
                    combatant_id for combatant_id in (*halved, *named) if combatant_id not in again
                ]
        return NamedCombatants(tuple(people), tuple(halved))

    def _of_part(self, part: str) -> list[str]:
        """The ids that a number, a range or the letter of a side means: of a range those who still
        stand, if any of them does."""
        if part == AS_BEFORE:
            before = map(self.view.state.find, self.view.memory.people)
            return [c.id for c in before if c is not None and not self.unfit(c)]
        if part in GROUPS:
            standing = [c for c in self.view.people if not c.is_out]
            return [c.id for c in standing if is_on_side(c, GROUPS[part]) and not self.unfit(c)]
        first, dash, last = part.partition("-")
        row = self.view.by_number
        if not dash or not last:
            found = row.get(int(first)) if first else None
            return [found.id] if found is not None else []
        low, high = sorted((int(first), int(last)))
        within = [row[n] for n in sorted(row) if low <= n <= high and not self.unfit(row[n])]
        return [c.id for c in within if not c.is_out] or [c.id for c in within]

    @property
    def _who(self) -> tuple[str, ...]:
        """The ids of those named, plus the one on offer while nothing, or half a name, is typed."""
        named = self._named.people if self.text else ()
        offered = self.pick and (not self.text or self.typed is not None)
        return (*named, self.pick) if offered and self.pick not in named else named

    @property
    def missing(self) -> str:
        """The reason why the answer isn't complete; empty if it is."""
        last = self._last.removesuffix("h")
        if last.endswith("-") or (last.isdecimal() and int(last) not in self.view.by_number):
            return f"{last} is not a complete number"
        return self.unnamed or super().missing

    @property
    def touched(self) -> bool:
        """True if somebody was named."""
        return bool(self.text) or self.typed is not None

    @property
    def is_named(self) -> bool:
        """True once somebody is named, and no further name is begun."""
        return bool(self.text) and not self.text.endswith((",", "-")) and self.typed is None

    @property
    def answer(self) -> str:
        """The ids, with commas between."""
        return ",".join(self._who)

    @property
    def is_whole(self) -> bool:
        """True if a whole side of at least `LEAST_OF_ALL` was named."""
        return self.text in WHOLE and len(self._who) >= LEAST_OF_ALL

    @property
    def ids(self) -> list[str]:
        """The ids of everybody chosen so far."""
        return [*self._who]

    @property
    def shown(self) -> str:
        """The chosen names, or `all 6 foes`; half damage has ½."""
        name, people, halved = self.view.state.name, self._who, self._named.halved
        if self.is_whole:
            return WHOLE[self.text].format(len(people))
        row = [
            name(combatant_id) + (" ½" if combatant_id in halved else "")
            for combatant_id in people[:MOST_NAMED]
        ]
        row += [f"{len(people) - MOST_NAMED} more"] if len(people) > MOST_NAMED else []
        named = ", ".join(row)
        if self.unnamed:
            return ", ".join(filter(None, (named, self.typed)))
        return f"{named} …" if self.text.endswith(("-", ",")) else named

    @property
    def tail(self) -> str:
        """The clause `half NAME,NAME` for the end of the command; empty for nobody."""
        people, halved = self._named
        return f"half {','.join(w for w in people if w in halved)}" if halved else ""

    def offers(self) -> list[AnswerOption]:
        """The letters for sides, `=` and `h`, then all candidates by number."""
        keys = {**GROUPS, EVERYBODY: ALL}
        row = [AnswerOption(key.upper(), word) for key, word in keys.items() if key != "a"]
        row += [AnswerOption(AS_BEFORE, "as before")] if self.view.memory.people else []
        row += [AnswerOption("h", HALF)] if HALF in self.spec.options else []
        return row + self.by_number({*self._who})

    @property
    def wants(self) -> str:
        """The forms of an answer, for a refusal."""
        half = "; h for half damage to the last" if HALF in self.spec.options else ""
        why = "no foe is standing; " if self.no_foe_stands else ""
        return f"{why}numbers such as 1,3-5, or F P * for foes, party, all{half}"
