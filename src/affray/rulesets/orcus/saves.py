"""Saving throws: against every effect that a save ends, and of the dying.

Orcus, Saving Throws, Duration, The End of Your Turn, Death Saving Throws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine import durations
from affray.core.engine.effects import EffectSpec, remove_effect
from affray.core.engine.events import EffectChanged, EffectLost, TrackChanged, UseCounted, UsesReset
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.formatting.effects import effect_label
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision
from affray.mechanics import checks as shared_checks, dying as shared_dying, powers, stats
from affray.mechanics.conditions import end_with_all
from affray.mechanics.stats import CombatantSituation, StatPart
from affray.rulesets.orcus import checks, companions, conditions, damage, healing, settings, sheet
from affray.rulesets.orcus.sheet import Attack

# -------------------------------------------------------------------------------------------------
# What follows an effect of an attack or a power: on the first failed save, and after its end.
#
# The row of the attack says it: `inflicts immobile save-ends failed stunned save-ends aftereffect
# rattled save-ends`. The bearer's uses hold the row of each effect, under the effect's id.
# Orcus, Saving Throws, Duration, The End of Your Turn.

_SPAN = "follows "
"""The prefix of the span that holds the row of an effect: `follows dazed`."""
_FAILED = "failed"
_RAN_OUT = ("saved against", "its time is up")
"""The reasons of an end that an aftereffect follows; an effect taken away by hand has none."""


def afflict(ctx: Context, by: str, target: str, row: Attack) -> None:
    """Apply the conditions that an attack's row inflicts, and remember the row for later."""

    def apply(ctx: Context, combatant_id: str, what: Sequence[EffectSpec]) -> None:
        applied = conditions.apply_together(ctx, combatant_id, what)
        if applied and (row.failed or row.aftereffect):
            ctx.emit(UseCounted(combatant_id, f"{by}/{row.name}", f"{_SPAN}{applied[0].id}"))

    powers.apply_inflicted(ctx, by, target, row.inflicts, apply)


def save_failed(ctx: Context, combatant_id: str, effect: Effect, early: bool) -> None:
    """A save against an effect failed: the first time it gets worse, when the turn is over."""
    for _, row in _rows_behind(ctx, ctx.state[combatant_id], effect.id):
        if row.failed and early:
            ctx.emit(UseCounted(combatant_id, _FAILED, f"{_SPAN}{effect.id}"))
        elif row.failed:
            _worsen(ctx, combatant_id, effect.id)


def turn_ending(ctx: Context, combatant_id: str) -> None:
    """Worsen the effects whose save has failed in this turn."""
    for effect in ctx.state[combatant_id].effects:
        if ctx.state[combatant_id].used(_FAILED, f"{_SPAN}{effect.id}"):
            _worsen(ctx, combatant_id, effect.id)


def _worsen(ctx: Context, combatant_id: str, effect: str) -> None:
    """Replace an effect by the worse one of its row."""
    rows = list(_rows_behind(ctx, ctx.state[combatant_id], effect))
    ctx.emit(UsesReset(combatant_id, f"{_SPAN}{effect}"))
    for by, row in rows:
        end_with_all(ctx, combatant_id, effect, "the first failed save")
        powers.apply_inflicted(ctx, by, combatant_id, row.failed, conditions.apply_together)


def apply_invariants(ctx: Context) -> None:
    """Begin the aftereffects of effects that have run out or were saved against."""
    for event in tuple(ctx.events):
        combatant = ctx.state.find(event.who) if isinstance(event, EffectLost) else None
        if (
            not isinstance(event, EffectLost)
            or combatant is None
            or combatant.effect(event.effect) is not None
        ):
            continue
        rows = list(_rows_behind(ctx, combatant, event.effect))
        if not rows:
            continue
        ctx.emit(UsesReset(combatant.id, f"{_SPAN}{event.effect}"))
        for by, row in rows if event.why in _RAN_OUT else ():
            powers.apply_inflicted(
                ctx, by, combatant.id, row.aftereffect, conditions.apply_together
            )


def _rows_behind(ctx: Context, combatant: Combatant, effect: str) -> Iterator[tuple[str, Attack]]:
    """Yield the attacker's id with the row that an effect came by, while the attacker is here."""
    begins = f"{_SPAN}{effect}/"
    for key in combatant.uses:
        by, _, name = key.removeprefix(begins).partition("/")
        maker = ctx.state.find(by) if key.startswith(begins) and name else None
        if maker is not None:
            own = sheet.powers_of(maker)
            each = [*sheet.attacks_of(maker), *(p.attack for p in own), *(p.brings for p in own)]
            yield from ((by, row) for row in each if row is not None and row.name == name)


TREATED = "treated"
"""A treatment that waits for a save at the end of a turn."""
SAVED = shared_checks.OutcomeWords(checks.SAID, "success, failure")
"""How a save comes out; other words for it are understood."""
_EXTRA = "`extra` makes one more"


# -- what there is to save against -----------------------------------------------------------------


def _savable(combatant: Combatant) -> list[tuple[Effect, Effect]]:
    """List the effects that a save ends, or will end with the turn, each with its save's effect.

    Effects that came at once share the save of the first; any other has its own."""
    each = ((effect, _shared_with(combatant, effect)) for effect in combatant.effects)
    return [(effect, first) for effect, first in each if _has_save(combatant, first)]


def _shared_with(combatant: Combatant, effect: Effect) -> Effect:
    """The effect whose save ends this one as well; mostly itself."""
    on = effect.attached_to
    first = combatant.effect(on.effect) if on is not None and on.bearer == combatant.id else None
    if first is not None and first.until == effect.until and _has_save(combatant, first):
        return first
    return effect


def _has_save(combatant: Combatant, effect: Effect) -> bool:
    """True if a save ends the effect, or was made in this turn, so that it ends with the turn."""
    return effect.until.ends == "save" or bool(combatant.used(_save_use(effect)))


def _save_use(effect: Effect) -> str:
    return f"save {effect.id}"


def _each_save(combatant: Combatant) -> list[Effect]:
    """The effects with a save of their own, that is one for each save to make."""
    return [effect for effect, first in _savable(combatant) if effect is first]


def to_save(combatant: Combatant) -> list[Effect]:
    """List the effects still to be saved against in this turn, one for each save."""
    return [effect for effect in _each_save(combatant) if not combatant.used(_save_use(effect))]


def _effects_sharing(combatant: Combatant, effect: Effect) -> list[Effect]:
    """The effects that the save of this one ends."""
    return [each for each, first in _savable(combatant) if first is effect]


def _against(combatant: Combatant, effect: Effect) -> str:
    """The effect that the save is against: "dazed and immobile" when they share it."""
    return join_or(map(effect_label, _effects_sharing(combatant, effect)), "and")


# -- a save ----------------------------------------------------------------------------------------


def roll_missing(ctx: Context, combatant_id: str) -> None:
    """Roll every save that nobody made, at the turn's end."""
    if ctx.state[combatant_id].is_out:
        return
    for effect in to_save(ctx.state[combatant_id]):
        make(ctx, combatant_id, effect, DieInput())


def make(
    ctx: Context,
    combatant_id: str,
    effect: Effect,
    die: DieInput,
    plus: int = 0,
    early: bool = False,
) -> bool:
    """Make a save against an effect; a success ends it with all that is attached to it.

    A save made `early`, in the bearer's turn, takes effect when that turn ends.
    """
    against = _against(ctx.state[combatant_id], effect)
    more = [StatPart(plus, "said")]
    if eased := _treatment_now(ctx.state, ctx.state[combatant_id]):
        more.append(StatPart(eased.amount, eased.note))
        remove_effect(ctx, combatant_id, eased.id, "used")
    save = SavingThrow(combatant_id, die=die, name=f"save against {against}", more=tuple(more))
    saved = save.come_out(ctx) != "miss"
    if saved and early:
        until = durations.this_turn(ctx.state, combatant_id)
        for shared in _effects_sharing(ctx.state[combatant_id], effect):
            ctx.emit(EffectChanged(combatant_id, replace(shared, until=until), "saved against"))
    elif saved:
        end_with_all(ctx, combatant_id, effect.id, "saved against")
    else:
        save_failed(ctx, combatant_id, effect, early)
    return saved


class SavingThrow(checks.CheckRequest, frozen=True):
    """A save: its own bonus, the effects in force, and the bonus that the command says."""

    kinds = ("save",)

    def parts(self, ctx: Context, roller: CombatantSituation) -> list[StatPart]:
        """List the bonuses."""
        own = StatPart(roller.who.number("save"), "own bonus")
        return [own, *stats.stat_parts(roller, "save"), *self.more]

    def target_number(self, ctx: Context) -> int:
        """The number that all saves are made against."""
        return int(ctx.tables.economy["save"])


def _treatment_now(state: Encounter, combatant: Combatant) -> Effect | None:
    """The treatment that helps the saves of this turn, if there is one.

    Orcus, Treat Ally (Additional Saving Throw).
    """
    slot = state.slot(combatant.id)
    turn = slot.turns if slot is not None and state.takes_turn(combatant.id) else 0
    return next((e for e in combatant.all_named(TREATED) if e.until.count <= turn), None)


def _read_against(reading: ParseState) -> list[Effect | str]:
    """Read the effect that each saves against, or other words."""
    people = reading.values["people"]
    return reading.words.for_each(people, lambda _, who: _against_one(reading, who))


def _against_one(reading: ParseState, combatant: Combatant) -> Effect | str:
    """Read an effect, or in quotes another reason to save, such as the edge of a pit.

    A die alone is for an unnamed reason, if there is no effect to save against.

    Orcus, Saving Throws, Unwilling Movement.
    """
    tokens = reading.words
    if tokens.upcoming.quoted and tokens.peek() not in _names(combatant):
        return str(tokens.next("the effect it is against")).strip()
    is_bare = not _names(combatant) and (tokens.done or tokens.peek() in ("natural", "roll"))
    return "" if is_bare else _read_effect(reading, combatant)


_WHO = Argument(
    lambda r: r.words.bearers("the combatant who saves", _names),
    "NAME[,NAME]",
    field=Field("self", legal=True),
)
_AGAINST = Argument(_read_against, '[EFFECT | "WHAT"]', field=Field("effect", ("save",)))
_DICE = shared_checks.die_arg(SAVED, "people", field=checks.OUTCOME_FIELD)


class SaveArgs(Struct, frozen=True):
    """The arguments of `save`; `extra`: a save that comes on top of the one at the turn's end."""

    people: Annotated[list[Combatant], _WHO]
    against: Annotated[list[Effect | str], _AGAINST]
    dice: Annotated[list[DieInput], _DICE]
    plus: Annotated[int, replace(checks.BONUS, field=ANY_MORE)] = 0
    extra: arguments.Flag = False


def _save(ctx: Context, args: SaveArgs) -> None:
    rows = zip(args.people, args.against, args.dice, strict=True)
    lines = (
        _save_one(ctx, ctx.state[combatant.id], what, die, args) for combatant, what, die in rows
    )
    ctx.text = ", ".join(lines)


def _save_one(
    ctx: Context, combatant: Combatant, effect: Effect | str, die: DieInput, args: SaveArgs
) -> str:
    """Make one combatant's save; return the sentence for the log."""
    if isinstance(effect, str):
        what = f" against {effect}" if effect else ""
        roll = f"save{what}" if what else "saving throw"
        more = (StatPart(args.plus, "said"),)
        outcome = SavingThrow(combatant.id, die=die, name=roll, more=more).come_out(ctx)
        return f"{combatant.name} saves{what}{', without success' if outcome == 'miss' else ''}"
    against = _against(combatant, effect)
    of_this_turn = ctx.state.takes_turn(combatant.id) and not args.extra
    if of_this_turn and combatant.used(_save_use(effect)):
        raise Refused(
            f"{combatant.name} has made this turn's save against {against} already: {_EXTRA}"
        )
    saved = make(ctx, combatant.id, effect, die, args.plus, early=of_this_turn)
    if of_this_turn:
        ctx.emit(UseCounted(combatant.id, _save_use(effect)))
    ends = "it ends with the turn" if of_this_turn else "it ends"
    return (
        f"{combatant.name} saves against {against}{f': {ends}' if saved else ', without success'}"
    )


def _read_effect(reading: ParseState, combatant: Combatant) -> Effect:
    """Read the effect to save against, which may be left out when only one save is left.

    A word for several effects means the first still to be saved against in this turn."""
    if not _each_save(combatant):
        raise Refused(f"{combatant.name} has nothing that a save ends")
    tokens, names = reading.words, _names(combatant)
    if tokens.done or shared_checks.is_die_input(tokens, checks.OUTCOMES):
        tokens.offered.extend(names)
        left = to_save(combatant) or _each_save(combatant)
        if len(left) == 1:
            return left[0]
        raise tokens.refuse(
            f"expected the effect {combatant.name} saves against: {join_or(names)}", names
        )
    word = tokens.choice(f"the effect {combatant.name} saves against", names)
    row = _effects_meant(reading, combatant, word)
    return next((effect for effect in row if not combatant.used(_save_use(effect))), row[0])


def _names(combatant: Combatant) -> list[str]:
    """The words for the effects that a save ends: their ids and names."""
    ids = [effect.id for effect in _each_save(combatant)]
    return list(
        dict.fromkeys([*ids, *(effect.name.casefold() for effect, _ in _savable(combatant))])
    )


def _effects_meant(reading: ParseState, combatant: Combatant, word: str) -> list[Effect]:
    """The effects whose saves a word can mean: by the effect's id, or by its name.

    The first instance has the bare name for its id, so that word means all instances.
    """
    savable = _savable(combatant)
    exact = next((effect for effect, _ in savable if effect.id == word), None)
    if exact is not None:
        kind = (exact.name, exact.type)
        alike = [pair for pair in savable if (pair[0].name, pair[0].type) == kind]
        is_first = alike[0][0] is exact
        return [first for effect, first in alike if is_first or effect is exact]
    named = {first.id: first for effect, first in savable if effect.name.casefold() == word}
    if len({effect.type for effect in named.values()}) > 1:
        reading.words.back()
        several = f"{combatant.name} is {word} more than once: {join_or(named)}"
        raise reading.words.refuse(several, named)
    return list(named.values())


# -- death saves -----------------------------------------------------------------------------------


DEATH_SAVE = "death save"
"""Counted in a turn when the death save was made."""


def _is_death_save_due(state: Encounter, combatant: Combatant) -> bool:
    """True if somebody still has a death save to make in a turn of theirs."""
    return (
        combatant.life == "dying"
        and _turn_has_death_save(state, combatant)
        and not combatant.used(DEATH_SAVE)
    )


def _turn_has_death_save(state: Encounter, combatant: Combatant) -> bool:
    """True if the combatant's turn has a death save of its own.

    At the start of turns only those who start it dying make one, at the end all who are dying."""
    return _at_turn_end(state) or not combatant.used(shared_dying.FELL)


def _at_turn_end(state: Encounter) -> bool:
    return settings.DEATH_SAVES.value(state) == "end"


def roll_deferred_saves(ctx: Context, combatant_id: str) -> None:
    """Roll the death save of this turn's start, if nobody made it, before the turn ends.

    A combatant that it revives has that turn.
    """
    if not _at_turn_end(ctx.state):
        roll_death_save(ctx, combatant_id)


def roll_death_save(ctx: Context, combatant_id: str) -> None:
    """Roll a turn's death save if it is still due."""
    if _is_death_save_due(ctx.state, ctx.state[combatant_id]):
        _save_from_death(ctx, combatant_id, DeathSaveArgs(die=DieInput()))


def _save_from_death(ctx: Context, combatant_id: str, args: DeathSaveArgs) -> checks.Outcome:
    """Make a death save; 20 or higher spends a recovery, if there is one, and revives.

    Only the turn's own death save is counted, and no `extra` one (Orcus, Death Saving Throws).
    """
    save = SavingThrow(
        combatant_id,
        die=args.die,
        name=DEATH_SAVE,
        more=(StatPart(args.plus, "said"),),
        high=ctx.tables.economy["death_save_high"],
    )
    outcome = save.come_out(ctx)
    if (
        ctx.state.takes_turn(combatant_id)
        and not args.extra
        and _turn_has_death_save(ctx.state, ctx.state[combatant_id])
    ):
        ctx.emit(UseCounted(combatant_id, DEATH_SAVE))
    payer = companions.recovers_for(ctx.state, ctx.state[combatant_id])
    if outcome == "crit" and payer.track("recoveries") > 0:
        healing.spend_recovery(ctx, combatant_id, "a death save of 20")
        return outcome
    track = "death_failures" if outcome == "miss" else "death_successes"
    ctx.emit(TrackChanged(combatant_id, track, 1, why="a death save"))
    shared_dying.count_death_saves(ctx, combatant_id, damage.die, damage.stabilise)
    return outcome


_TOLD = {"miss": "failure", "hit": "success", "crit": "20 or higher"}


_DYING = arguments.combatant_arg(
    "the dying combatant", field=Field("person", ("dying",), optional=False)
)
_DEATH_SAVE = shared_checks.die_arg(
    checks.OUTCOMES, what="the death save", field=checks.OUTCOME_FIELD
)


class DeathSaveArgs(Struct, frozen=True, kw_only=True):
    """The arguments of `death`; `extra`: a save that comes on top of the one at the turn's end."""

    who: Annotated[Combatant | None, _DYING] = None
    die: Annotated[DieInput, _DEATH_SAVE]
    plus: Annotated[int, replace(checks.BONUS, field=ANY_MORE)] = 0
    extra: arguments.Flag = False


def _death(ctx: Context, args: DeathSaveArgs) -> None:
    dier = args.who or ctx.actor()
    if dier.life != "dying":
        raise Refused(f"{dier.name} is not dying but {dier.life}")
    if ctx.state.takes_turn(dier.id) and dier.used(DEATH_SAVE) and not args.extra:
        raise Refused(f"{dier.name} has already made a death save this turn: {_EXTRA}")
    outcome = _save_from_death(ctx, dier.id, args)
    ctx.text = f"{dier.name}'s death save, {_TOLD[outcome]}"


# -- what waits for the GM -------------------------------------------------------------------------

_ANSWERS = (("s", "success", "success"), ("f", "failure", "failure"), ("r", "roll", "roll"))
_OF_DEATH = (*_ANSWERS[:2], ("c", "20 or higher", "crit"), _ANSWERS[2])


def pending_decisions(state: Encounter) -> list[PendingDecision]:
    """The death saves of this turn, and the other saves of player characters before it ends."""
    dying = (up for up in state.all_up() if _is_death_save_due(state, up))
    saving = (up for up in state.all_up() if up.kind == "pc" and not up.is_out)
    return [
        *(
            shared_checks.deferred_roll(
                up, "death", f"is dying: {DEATH_SAVE}", DEATH_SAVE, _OF_DEATH
            )
            for up in dying
        ),
        *(_pending(up, effect) for up in saving for effect in to_save(up)),
    ]


def _pending(up: Combatant, effect: Effect) -> PendingDecision:
    save = f"save {up.id} {effect.id}"
    what = f"{up.name} saves against {_against(up, effect)}"
    choices = tuple(DecisionOption(key, label, f"{save} {word}") for key, label, word in _ANSWERS)
    return PendingDecision(up.id, what, choices, holds=True, die=save)


COMMANDS = (
    declare_command(
        "save", "makes a saving throw, against an effect or anything else", SaveArgs, _save
    ),
    declare_command(
        "death", "makes a death save; 20 or higher spends a recovery", DeathSaveArgs, _death
    ),
)
