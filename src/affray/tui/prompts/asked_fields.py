"""The questions of a prompt: the fields of its row, and those that the parser wants after their
answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from affray.core.engine.decide import commands_of
from affray.core.parser.declarations import (
    PromptSpec,
    at_allies,
    leaves_out_actor,
    spec_of_technique,
)
from affray.core.parser.prompt_fields import (
    ANY_MORE,
    ANY_WORD,
    NOTED,
    SEVERAL,
    TEXT,
    Field,
    names_somebody,
)
from affray.mechanics.techniques import TRIGGER_COMMAND
from affray.tui.prompts import choice_fields
from affray.tui.prompts.causes import REACT
from affray.tui.prompts.combatant_fields import (
    WHO_CAN,
    CombatantField,
    CombatantFieldBase,
    EligibleCombatantField,
)
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.dice_fields import EACH, DamageField, OutcomeField
from affray.tui.prompts.die_field import DieField
from affray.tui.prompts.effect_fields import (
    CommandField,
    CurrentEffectField,
    DurationField,
    EffectField,
    OwnActionField,
    ReapplyField,
)
from affray.tui.prompts.field import (
    ACTOR,
    FieldRow,
    PromptField,
    command_of_fields,
)
from affray.tui.prompts.more_field import MoreField, called
from affray.tui.prompts.several_combatants import CombatantsField
from affray.tui.prompts.value_fields import (
    CommandTailField,
    DiceField,
    FacesField,
    NameField,
    NumberField,
    TextField,
)

# -------------------------------------------------------------------------------------------------
# Stored techniques: `noted` stands for all fields of a technique that was readied or picked


class StoredActionTerms(NamedTuple):
    """A technique, its user, and True if it is another's turn; empty if unknown."""

    who: str = ""
    technique: str = ""
    reacts: bool = False


def stored_action_terms(fields: Sequence[PromptField], view: PromptContext) -> StoredActionTerms:
    """The stored technique of the combatant chosen in these fields, if any."""
    chosen = next((field for field in fields if isinstance(field, CombatantField)), None)
    if chosen is None:
        return StoredActionTerms()
    if isinstance(chosen, EligibleCombatantField):
        return StoredActionTerms(chosen.answer, chosen.what, True)
    picked = next(
        (field.answer for field in fields if isinstance(field, choice_fields.TechniqueField)), ""
    )
    combatant = view.state.find(chosen.answer)
    stored = (e for e in combatant.effects if chosen.what in (e.name, e.kind)) if combatant else ()
    return StoredActionTerms(chosen.answer, picked or next((e.because for e in stored), ""))


def spec_of_noted(
    found: StoredActionTerms, spec: PromptSpec, view: PromptContext
) -> PromptSpec | None:
    """The prompt of a stored technique, from a row such as `trigger cast`; None for no prompt."""
    tables = view.ruleset.tables
    name = found.technique
    if name not in tables.techniques:
        return None
    followers = tables.prompts.get(f"{spec.command} {name}")
    own = followers or tables.prompts.get(name)
    asked = spec_of_technique(name, view.ruleset, commands_of(view.ruleset), own)
    return asked if followers is None or followers.fields else replace(asked, fields=())


# -------------------------------------------------------------------------------------------------
# The field for each kind of spec

FIELDS: dict[str, type[PromptField]] = {
    "word": choice_fields.ConstantField,
    "target": CombatantField,
    "ally": CombatantField,
    "self": CombatantField,
    "anyone": CombatantField,
    "person": CombatantField,
    WHO_CAN: EligibleCombatantField,
    "targets": CombatantsField,
    "outcome": OutcomeField,
    "die": DieField,
    "damage": DamageField,
    "damage-type": choice_fields.DamageTypeField,
    "number": NumberField,
    "dice": DiceField,
    "text": TextField,
    "faces": FacesField,
    "spell": NameField,
    "kept": NameField,
    "item": NameField,
    "clock": NameField,
    "environment": NameField,
    "feature": NameField,
    "named-effect": NameField,
    "counter": NameField,
    "line": CommandTailField,
    "more": MoreField,
    "choice": choice_fields.ChoiceField,
    "offered": choice_fields.CompletionField,
    "sure": choice_fields.ConfirmField,
    "again": ReapplyField,
    "until": DurationField,
    "verb": CommandField,
    "effect": CurrentEffectField,
    "own": OwnActionField,
    "track": choice_fields.TrackField,
    "technique": choice_fields.TechniqueField,
    "weapon": choice_fields.WeaponField,
    "said": choice_fields.ToggleField,
    "said-of": choice_fields.WordOfField,
}


def field_for(
    asked: Field,
    spec: PromptSpec,
    view: PromptContext,
    earlier: list[PromptField],
    at_once: bool = False,
) -> PromptField:
    """The prompt's field for a field of a row; the actor is not among its targets. `at_once` as in
    `AskedFields`."""
    asked = at_allies(asked, spec)
    if leaves_out_actor(asked, spec):
        asked = replace(asked, others=True)
    if asked.kind == "said" and not at_once and not _is_heard(asked, spec.fields):
        return choice_fields.ListedField(replace(asked, optional=True), view, earlier)
    row_type = FIELDS.get(asked.kind)
    if row_type is None:
        kinds = {rule.kind for rule in view.ruleset.tables.effects.values()}
        # What is neither known nor a kind of effect is an amount of something: a track's, a bond's.
        row_type = EffectField if asked.kind in kinds else NumberField
    return row_type(asked, view, earlier)


def _is_heard(words: Field, fields: Sequence[Field]) -> bool:
    """True if letters add these words in another field."""
    silent = (TextField, choice_fields.ConstantField, choice_fields.ToggleField, MoreField)
    rest = fields[fields.index(words) :]
    is_open = any(names_somebody(each) or each.kind == NOTED for each in fields)
    return is_open or any(
        not issubclass(FIELDS.get(each.kind, NumberField), silent) for each in rest
    )


ROLLED = ("roll", "adv", "dis")
"""The words for a die, besides its number."""


class AskedFields:
    """The fields of a prompt: those of its row, of a stored technique, and those that the parser
    asks after their answers."""

    at_once = False
    """True for a form, which asks everything at once: it offers every word, and its line always
    names the actor."""

    def __init__(self, spec: PromptSpec, view: PromptContext) -> None:
        self.spec = spec
        reaction = _reaction_of(spec, view)
        self.view = view = replace(view, reaction=reaction) if reaction else view
        is_named = spec.acts and (self.at_once or view.actor != view.state.turn)
        self._by = f" {ACTOR} {view.actor}" if is_named and view.actor else ""
        self.fields = FieldRow()
        self.at = -1  # which of them is asked for now
        self._asked_for_one = ""  # who was named alone, behind whom a comma can name no others
        self._own = 0  # so many fields are of its own, those behind them of what was noted
        self._stored_terms = StoredActionTerms()
        for asked in spec.fields:
            if asked.kind != NOTED and not is_more(asked):
                self._add(asked, spec, view)
        self._own = len(self.fields)
        self._ask_more()
        self.take_noted()

    def _add(self, asked: Field, spec: PromptSpec, view: PromptContext) -> None:
        field = field_for(asked, spec, view, self.fields, self.at_once)
        field.command, field.by, field.row = self.spec.command, self._by, self.fields
        if isinstance(field, CombatantFieldBase) and asked.legal:
            field.begin()
        self.fields.put(len(self.fields), [field])

    @property
    def line(self) -> str:
        """The command as it stands so far."""
        return command_of_fields(self.spec.command, self.fields) + self._by

    @property
    def answered(self) -> str:
        """The line of the answers given or passed, without mere proposals."""
        at = self.at if self.at >= 0 else len(self.fields)
        answers = [f for n, f in enumerate(self.fields) if n < at or f.touched or f.preset]
        return command_of_fields(self.spec.command, answers) + self._by

    @property
    def _own_field(self) -> OwnActionField | None:
        """The field for the actor's own option, if there is one."""
        return next((s for s in self.fields if isinstance(s, OwnActionField) and s.applies()), None)

    def take_noted(self) -> None:
        """Ask the questions of the chosen combatant's stored technique. If it is clear who caused a
        reaction, that isn't asked. Whoever triggered a readied action is only proposed.
        """
        if all(asked.kind != NOTED for asked in self.spec.fields):
            return
        found = stored_action_terms(self.fields, self.view)
        if found == self._stored_terms:
            return
        self._stored_terms = found
        self.fields.put(self._own)
        spec = spec_of_noted(found, self.spec, self.view)
        reaction = found.technique if found.reacts else TRIGGER_COMMAND
        for asked in spec.fields if spec is not None else ():
            if not is_more(asked):
                view = replace(self.view, actor=found.who, reaction=reaction)
                self._add(asked, spec or self.spec, view)
        self._ask_more()
        for field in self.fields[self._own :]:
            if found.reacts and isinstance(field, CombatantField) and field.pick:
                field.given = True

    # -- what the parser asks ----------------------------------------------------------------------

    def _ask_more(self) -> None:
        """Add a field for everything else that the command takes, after all others."""
        if self.spec.fields:
            is_asked = any(is_more(each) and each.asked for each in self.spec.fields)
            self._add(replace(ANY_MORE, asked=is_asked), self.spec, self.view)
            self.fields[-1].asks_on = self.fields[-1].stands_behind = True

    def _follow_up(self, field: PromptField | None) -> None:
        """After an answer that changes how the command goes on, ask what the parser takes; without
        such an answer, ask the prompt's own fields again."""
        picked = picked_in(field) if field is not None else None
        if field is None or not (field.answer or picked or field.put_aside):
            return
        answer = called(picked) if picked is not None else field.answer
        at = self.fields.index(field) + 1
        if field.followed_by == answer:
            return
        asks_on = field.asks_on or field.leads_elsewhere or self._needs_more_than_asked(field)
        if asks_on and answer:
            if not field.asks_on and not field.put_aside:
                field.put_aside = tuple(self.fields[at:])
            self.fields.put(at)
            field.followed_by = answer
            self._ask_next(field)
        elif field.put_aside:
            self.fields.put(at, field.put_aside)
            field.put_aside, field.followed_by = (), ""

    def _needs_more_than_asked(self, field: PromptField) -> bool:
        """True if a chosen word needs something after it that no field asks for: a readied
        technique its spell, `save-ends` the ability."""
        words = (choice_fields.PickField, choice_fields.ChoiceField, DurationField)
        if not isinstance(field, words):
            return False
        later = self.fields[self.fields.index(field) + 1 :]
        asked = [each.spec for each in later if each.applies() and not each.preset]
        needed = self.view.follow(field.so_far(field.answer) + self._by).needed
        return needed is not None and not any(_asks_for(each, needed) for each in asked)

    def _ask_next(self, before: PromptField) -> None:
        """Ask for the item picked, or for what the parser requires next; else for more."""
        if isinstance(before, MoreField):
            before.is_followed()
        found, picked = self.view.follow(self.line), picked_in(before)
        needed = picked or found.needed
        if needed is not None and (picked or not _is_one_of(needed, found.words)):
            bare = replace(needed, before="", after="", only_if="", name="")
            asked = replace(bare, optional=False, asked=True)
        else:
            asked = replace(ANY_MORE, optional=needed is None)
        self._add(asked, self.spec, self.view)
        self.fields[-1].asks_on = True
        self.fields[-1].stands_behind = before.stands_behind or needed is None

    def _ask_otherwise(self, field: PromptField) -> bool:
        """Replace a field without an answer by everything that the parser takes there."""
        words = self.view.follow(field.so_far() + self._by).words
        is_more = isinstance(field, MoreField)
        if is_more or field.touched or field.candidates or not words:
            return False
        at = self.fields.index(field)
        later = tuple(self.fields[at:])
        self.fields.put(at)
        self._add(replace(ANY_MORE, optional=False), self.spec, self.view)
        self.fields[at].asks_on, self.fields[at].put_aside = True, later
        self.at = at
        return True

    def _take_back_otherwise(self, field: PromptField) -> bool:
        """Bring back the field that `_ask_otherwise` replaced."""
        if not (isinstance(field, MoreField) and field.put_aside):
            return False
        at = self.fields.index(field)
        self.fields.put(at, field.put_aside)
        return True

    def _name_several(self, field: PromptField) -> PromptField:
        """Let a comma after one combatant begin several, after a word another word; if the command
        takes only one, `_asked_for_one` names the role."""
        asked_now, before = field, self.fields[: self.fields.index(field)]
        asked = [each for each in before if not isinstance(each, choice_fields.ToggleField)]
        if not field.touched and asked and asked[-1].takes_another:
            self.at = self.fields.index(asked[-1])
            return asked[-1]
        if not field.touched and asked and isinstance(asked[-1], CombatantField):
            field = asked[-1]
        others = (each for each in field.candidates if each != field.answer)
        pair = f"{field.answer},{next(others, '')}"
        if not isinstance(field, CombatantField) or not field.answer or asked_now.takes_space:
            return asked_now
        if type(field) is not CombatantField or field.barred_by(pair):
            self._asked_for_one = self.view.state.name(field.answer)
            return asked_now
        at = self.fields.index(field)
        number = field.candidates.get(field.answer)
        specs = [each for each in self.spec.fields if each.kind != NOTED and not is_more(each)]
        self.fields.put(at)
        self._add(replace(field.spec, kind=SEVERAL, options=()), self.spec, self.view)
        for each in specs[at + 1 :]:
            of_each = (*each.options, EACH) if each.kind == "outcome" else each.options
            self._add(replace(each, options=of_each), self.spec, self.view)
        self._own = len(self.fields)
        self._ask_more()
        self.at = at
        self.fields[at].feed(str(number))
        return self.fields[at]


def _asks_for(asked: Field, needed: Field) -> bool:
    """True if the parser needs this field of the prompt there."""
    return not asked.optional or (asked.kind == needed.kind and asked.kind != TEXT)


def _is_one_of(needed: Field, words: Sequence[str]) -> bool:
    """True if the parser takes other words there than this kind of field gives."""
    if needed.kind == "die":
        return not {*words} <= {"natural", *ROLLED}
    return bool(words) and needed.kind in ANY_WORD


def is_more(asked: Field) -> bool:
    """True for the field of everything else that the command takes, which comes last."""
    return bool(asked.optional) and asked.kind == ANY_MORE.kind


def picked_in(field: PromptField) -> Field | None:
    """The field of something picked from `more` that is typed, such as a number."""
    return field.picked if isinstance(field, MoreField) else None


def _reaction_of(spec: PromptSpec, view: PromptContext) -> str:
    """The id of the reaction that a prompt asks for; empty for none."""
    technique = view.ruleset.tables.techniques.get(spec.technique)
    if technique is not None and technique.reaction:
        return spec.technique
    return REACT if spec.command.partition(" ")[0] == REACT else ""
