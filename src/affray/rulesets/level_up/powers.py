"""Level Up: spells and powers.

Level Up, Actions in Combat, Saving Throws; recharging as for the world's actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import ParseState, fields_behind
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context
from affray.mechanics import checks as shared_checks, saves
from affray.mechanics.actions import PayFunction
from affray.mechanics.checks import SAID_DC
from affray.mechanics.damage import Part
from affray.rulesets.level_up import dying
from affray.rulesets.level_up.attacks import AttackArgs, AttackModifiers
from affray.rulesets.srd import attacks, powers
from affray.rulesets.srd.checks import ATTACK_OUTCOMES, OUTCOMES
from affray.rulesets.srd.sheet import ABILITIES, PAID_WITH, Power, Save, said_save_arg

_CHOICE = replace(
    arguments.anywhere_choice_arg(*dying.CHOICES),
    begins=lambda r: r.values["power"].bonus is not None,
)


class PowerModifiers(AttackModifiers, frozen=True):
    """The options of an attack; for a power without one, `failure` is the outcome of a save."""

    choice: Annotated[str, _CHOICE] = ""


class PowerArgs(powers.PowerArgs, frozen=True):
    words: Annotated[
        PowerModifiers, arguments.keyword_args(PowerModifiers, "WORDS", is_asked=False)
    ]


# -- spells ----------------------------------------------------------------------------------------

_TAKES = arguments.anywhere_choice_arg(
    *PAID_WITH, field=Field("choice", ("bonus", "reaction", "none"))
)
_CONCENTRATION = Field("choice", ("concentration",))


def _is_saved(reading: ParseState) -> bool:
    """True if the targets save against a spell, and nobody rolls to hit."""
    is_further_on = "save" in reading.words.words[reading.words.at :]
    return is_further_on or reading.value_of("save") is not None


def _outcomes(reading: ParseState) -> shared_checks.OutcomeWords:
    return OUTCOMES if _is_saved(reading) else ATTACK_OUTCOMES


class AimModifiers(AttackModifiers, frozen=True):
    """The options of a spell's attack; if its targets save, `failure` is the outcome of that."""

    choice: Annotated[str, replace(_CHOICE, begins=lambda r: not _is_saved(r))] = ""


class SpellSave(Save, frozen=True):
    """A save that a command says: without a DC of its own."""

    dc: Annotated[int, SAID_DC] = 0


_PEOPLE = arguments.combatants_arg(
    "the target of the attack", arguments.other_combatants_arg, usage="TARGET[,TARGET]"
)


class AimArgs(Struct, frozen=True):
    """The words behind `at`: the targets, how each one's attack roll or save came out, and the
    damage."""

    people: Annotated[list[Combatant], _PEOPLE]
    dice: Annotated[
        list[DieInput | None], saves.dice_arg("people", _outcomes, _is_saved, powers.OUTCOME_FIELD)
    ]
    words: Annotated[AimModifiers, arguments.keyword_args(AimModifiers, "WORDS")]
    amount_rolled: Annotated[int | str, arguments.damage_arg(usage="AMOUNT")] = ""
    type: Annotated[str, arguments.damage_type_arg(requires="amount_rolled")] = ""
    more: Annotated[tuple[tuple[int | str, str], ...], attacks.MORE] = ()


_AT = arguments.keyword_arg(
    "at", arguments.struct_arg(AimArgs), field=fields_behind("at", AimArgs, ("foe",))
)
_SAVE = arguments.keyword_arg(
    "save",
    said_save_arg(SpellSave),
    field=Field("said-of", ABILITIES, before="save", only_if="at"),
)


class CastArgs(Struct, frozen=True):
    """`cast SPELL [bonus|reaction|none] [concentration] [save ...] [dc N] [at TARGETS ...]`.

    dc    what a save is made against, if that isn't said behind `save`
    half  likewise whether those who save take half of the damage
    """

    spell: Annotated[str, arguments.phrase_arg("the spell", "SPELL", Field("spell"))]
    takes: Annotated[str, _TAKES] = ""
    concentration: Annotated[bool, arguments.flag_arg(field=_CONCENTRATION)] = False
    at: Annotated[AimArgs | None, _AT] = None
    save: Annotated[SpellSave | None, _SAVE] = None
    dc: Annotated[int | None, shared_checks.DC] = None
    half: Annotated[bool, arguments.flag_arg(field=Field("said", ("half",), only_if="at"))] = False


def cast(ctx: Context, args: CastArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Cast a spell, with attack rolls or with its targets' saves."""
    pay_for_it = partial(pay, PAID_WITH.get(args.takes))
    if args.at is None:
        pay_for_it()
        ctx.text = f"{combatant.name} casts {args.spell}"
    elif args.save is None:
        if args.half:
            raise Refused("`half` is only for saves: an attack that misses does nothing")
        _attack_each(ctx, args.spell, args.at, combatant, pay_for_it)
    else:
        pay_for_it()
        _ask_saves(ctx, args, args.at, args.save, ctx.state[combatant.id])
    if args.concentration:
        powers.concentrate(ctx, combatant.id, args.spell)


def _attack_each(
    ctx: Context, spell: str, aim: AimArgs, combatant: Combatant, pay: PayFunction
) -> None:
    """Attack each target; damage is rolled once for all that are hit."""
    amounts: Sequence[Part] = ()
    sentences: list[str] = []
    for target, die in zip(aim.people, aim.dice, strict=True):
        assault = AttackArgs(
            target, die or DieInput(), aim.words, aim.amount_rolled, aim.type, aim.more
        )
        request = attacks.with_spell(ctx.state[combatant.id], assault, spell)
        request = replace(request, amounts_rolled=amounts)
        pays = pay if not sentences else lambda *_: None
        amounts = attacks.attack(ctx, ctx.state[combatant.id], assault, request, pays)
        sentences.append(ctx.text)
    ctx.text = "; ".join(sentences)


def _ask_saves(
    ctx: Context, args: CastArgs, aim: AimArgs, save: SpellSave, combatant: Combatant
) -> None:
    """Ask the targets for their saves. Raises Refused if nobody knows against what."""
    dc = args.dc or save.dc
    if not dc and not (aim.dice and all(die is not None and die.outcome for die in aim.dice)):
        raise Refused("give the DC of the save: `dc N`")
    power = Power(args.spell, save=replace(save, dc=dc, half=save.half or args.half))
    rolled = (aim.dice, aim.amount_rolled, aim.type, aim.more)
    sent = powers.PowerArgs(power, aim.words, aim.people, *rolled)
    powers.reach_targets(ctx, sent, combatant, power)
    ctx.text = f"{combatant.name} casts {args.spell} on {join_names(aim.people)}"
