"""Saving throws: against every effect that a save ends, and of the dying.

Seed 003: Saving Throws, Duration, The End of Your Turn, Death Saving Throws.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.events import Altered, Changed, Used
from affray.core.heart.state import Combatant, Effect, Encounter
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Choice, Pending, declare
from affray.core.telling.effect_words import called
from affray.rulekit import life, numbers, rolls
from affray.rulekit.numbers import Part
from affray.rulekit.rolls import Die, Roll
from affray.rulesets.orcus import aftermath, checks, companions, conditions, damage, healing

TREATED = "treated"
"""A treatment that waits for a save at the end of a turn."""
SAVED = rolls.Outcomes(checks.SAID, "success, failure")
"""How a save comes out; other words for it are understood."""
_EXTRA = "`extra` says that this is one more"


# -- what there is to save against -----------------------------------------------------------------


def _savable(who: Combatant) -> list[tuple[Effect, Effect]]:
    """Each effect that a save of somebody's ends, or will when the turn ends; behind it the one
    whose save that is: of those that came at once and share one the first, else itself."""
    each = ((effect, _shared_with(who, effect)) for effect in who.effects)
    return [(effect, first) for effect, first in each if _has_save(who, first)]


def _shared_with(who: Combatant, effect: Effect) -> Effect:
    """The effect whose save ends this one as well; mostly itself."""
    bearer, _, effect_id = effect.hangs.partition("/")
    first = who.effect(effect_id) if bearer == who.id else None
    if first is not None and first.until == effect.until and _has_save(who, first):
        return first
    return effect


def _has_save(who: Combatant, effect: Effect) -> bool:
    """Whether a save ends it, or one that was made in this turn will when the turn ends."""
    return effect.until.ends == "save" or bool(who.used(_use(effect)))


def _use(effect: Effect) -> str:
    return f"save {effect.id}"


def _each_save(who: Combatant) -> list[Effect]:
    """The effects against which somebody saves; of those that share a save the first."""
    return [effect for effect, first in _savable(who) if effect is first]


def to_save(who: Combatant) -> list[Effect]:
    """The effects that are still to be saved against in this turn; of those that share a save the
    first."""
    return [effect for effect in _each_save(who) if not who.used(_use(effect))]


def _sharing(who: Combatant, effect: Effect) -> list[Effect]:
    """All that one save is against."""
    return [each for each, first in _savable(who) if first is effect]


def _against(who: Combatant, effect: Effect) -> str:
    """What the save is against: "dazed and immobile" when they share it."""
    return listed(map(called, _sharing(who, effect)), "and")


# -- a save ----------------------------------------------------------------------------------------


def roll_missing(ctx: Context, who: str) -> None:
    """At the turn's end: every save that nobody made is rolled."""
    if ctx.state[who].is_out:
        return
    for effect in to_save(ctx.state[who]):
        make(ctx, who, effect, Die())


def make(
    ctx: Context, who: str, effect: Effect, die: Die, plus: int = 0, early: bool = False
) -> bool:
    """Make a save against an effect; a success ends it with all that hangs on it.

    One that is made `early`, before one's turn is over, takes effect when it is.
    """
    against = _against(ctx.state[who], effect)
    more = []
    if eased := _eased(ctx.state, ctx.state[who]):
        more = [Part(eased.amount, eased.note)]
        end(ctx, who, eased.id, "used")
    saved = _roll(ctx, who, f"save against {against}", die, plus, *more) != "miss"
    if saved and early:
        until = timing.this_turn(ctx.state, who)
        for shared in _sharing(ctx.state[who], effect):
            ctx.emit(Altered(who, replace(shared, until=until), "saved against"))
    elif saved:
        conditions.end_with_all(ctx, who, effect.id, "saved against")
    else:
        aftermath.save_failed(ctx, who, effect, early)
    return saved


def _roll(
    ctx: Context, who: str, what: str, die: Die, plus: int, *more: Part, high: int | None = None
) -> checks.Outcome:
    """Roll a save with its own bonus, what is in force, what was said (`plus`), and `more`; from
    `high` on it comes to more than a success."""
    here = checks.here(ctx, ctx.state[who])
    own, said = Part(here.who.number("save"), "own bonus"), Part(plus, "said")
    parts = [own, *numbers.parts(here, "save"), said, *more]
    outcome = checks.make(ctx, Roll(who, what, die, parts), ctx.tables.economy["save"], high=high)
    checks.use_up(ctx, who, ("save",))
    return outcome


def _eased(state: Encounter, who: Combatant) -> Effect | None:
    """The treatment that helps a save now: one at the end of the turn that ends it, in that turn.

    Seed 003: Treat Ally (Additional Saving Throw).
    """
    slot = state.slot(who.id)
    turn = slot.turns if slot is not None and state.takes_turn(who.id) else 0
    return next((e for e in who.all_named(TREATED) if e.until.count <= turn), None)


def _read_against(reading: Reading) -> list[Effect | str]:
    """What each of them saves against: an effect of theirs, or in words something else."""
    words, people = reading.words, reading.said["people"]
    return words.for_each(people, lambda _, who: _against_one(words, who))


def _against_one(words: Words, who: Combatant) -> Effect | str:
    """A text in quotes that is no effect, and a die of somebody who has nothing that a save ends,
    is for something that the table asks for, such as the edge of a pit.

    Seed 003: Saving Throws, Unwilling Movement.
    """
    if words.upcoming.quoted and words.peek() not in _names(who):
        return str(words.next("what it is against")).strip()
    is_bare = words.peek() in ("natural", "roll") and not _names(who)
    return "" if is_bare else _read_effect(words, who)


class _Said(Struct, frozen=True):
    """What `save` says; `extra`: a save that comes on top of the one at the turn's end."""

    people: Annotated[
        list[Combatant], Argument(lambda r: r.words.bearers("who saves", _names), "NAME[,NAME]")
    ]
    against: Annotated[list[Effect | str], Argument(_read_against, '[EFFECT | "WHAT"]')]
    dice: Annotated[list[Die], rolls.die_said(SAVED, "people")]
    plus: Annotated[int, checks.BONUS] = 0
    extra: Annotated[bool, arguments.flag()] = False


def _save(ctx: Context, said: _Said) -> None:
    rows = zip(said.people, said.against, said.dice, strict=True)
    told = (_save_one(ctx, ctx.state[who.id], what, die, said) for who, what, die in rows)
    ctx.text = ", ".join(told)


def _save_one(ctx: Context, who: Combatant, effect: Effect | str, die: Die, said: _Said) -> str:
    """Make the save of one of them, which may be against no effect; gives what came of it."""
    if isinstance(effect, str):
        what = f" against {effect}" if effect else ""
        roll = f"save{what}" if what else "saving throw"
        outcome = _roll(ctx, who.id, roll, die, said.plus)
        return f"{who.name} saves{what}{' in vain' if outcome == 'miss' else ''}"
    against = _against(who, effect)
    of_this_turn = ctx.state.takes_turn(who.id) and not said.extra
    if of_this_turn and who.used(_use(effect)):
        raise Refused(f"{who.name} has made this turn's save against {against} already: {_EXTRA}")
    saved = make(ctx, who.id, effect, die, said.plus, early=of_this_turn)
    if of_this_turn:
        ctx.emit(Used(who.id, _use(effect)))
    ends = "it ends with the turn" if of_this_turn else "it ends"
    return f"{who.name} saves against {against}{f': {ends}' if saved else ' in vain'}"


def _read_effect(words: Words, who: Combatant) -> Effect:
    """Read what is saved against, which may be left out when only one is, or is left in a turn. Of
    several that a word means it is the first that is left in this turn; else the first of all."""
    if not _each_save(who):
        raise Refused(f"{who.name} has nothing that a save ends")
    names = _names(who)
    if words.done or rolls.is_die(words, checks.OUTCOMES):
        words.offered.extend(names)
        left = to_save(who) or _each_save(who)
        if len(left) == 1:
            return left[0]
        raise words.refuse(f"expected what {who.name} saves against: {listed(names)}", names)
    row = _named(words, who, words.choice(f"what {who.name} saves against", names))
    return next((effect for effect in row if not who.used(_use(effect))), row[0])


def _names(who: Combatant) -> list[str]:
    """What the effects can be called that a save of somebody's ends."""
    ids = [effect.id for effect in _each_save(who)]
    return list(dict.fromkeys([*ids, *(effect.name.casefold() for effect, _ in _savable(who))]))


def _named(words: Words, who: Combatant, word: str) -> list[Effect]:
    """The saves that a word can mean: of the effect of that id, or of all of that name and type.

    The first instance has the bare name for its id, and means all that are like it.
    """
    savable = _savable(who)
    exact = next((effect for effect, _ in savable if effect.id == word), None)
    if exact is not None:
        kind = (exact.name, exact.type)
        alike = [pair for pair in savable if (pair[0].name, pair[0].type) == kind]
        is_first = alike[0][0] is exact
        return [first for effect, first in alike if is_first or effect is exact]
    named = {first.id: first for effect, first in savable if effect.name.casefold() == word}
    if len({effect.type for effect in named.values()}) > 1:
        words.back()
        raise words.refuse(f"{who.name} is {word} more than once: {listed(named)}", named)
    return list(named.values())


# -- death saves -----------------------------------------------------------------------------------


DEATH_SAVE = "death save"
"""What is counted in a turn: the death save that was made."""
COUNTS = ("death_failures", "death_successes")
"""The tracks in which death saves are counted, until there are three of a kind."""


def _is_death_save_due(state: Encounter, who: Combatant) -> bool:
    """Whether somebody still has a death save to make in a turn of theirs."""
    return who.life == "dying" and _has_one(state, who) and not who.used(DEATH_SAVE)


def _has_one(state: Encounter, who: Combatant) -> bool:
    """Whether the turn that is or was theirs has a death save of its own: at the start of the turn
    it is for those who start it dying; at its end for all who are."""
    return _at_the_end(state) or not who.used(life.FELL)


def _at_the_end(state: Encounter) -> bool:
    return state.settings.get("death-saves") == "end"


def roll_owed(ctx: Context, who: str) -> None:
    """Before a turn may end: the death save that was to be made at its start is rolled.

    Whoever comes to by it has that turn.
    """
    if not _at_the_end(ctx.state):
        roll_death_save(ctx, who)


def roll_death_save(ctx: Context, who: str) -> None:
    """The death save that nobody made in a turn is rolled."""
    if _is_death_save_due(ctx.state, ctx.state[who]):
        _save_from_death(ctx, who, _DeathSave(die=Die()))


def _save_from_death(ctx: Context, who: str, said: _DeathSave) -> checks.Outcome:
    """Make a death save; 20 or higher spends a recovery, if there is one, and brings back.

    An `extra` one is made beside that of the turn; so is every one where the turn has none.
    Seed 003: Death Saving Throws.
    """
    high = ctx.tables.economy["death_save_high"]
    outcome = _roll(ctx, who, DEATH_SAVE, said.die, said.plus, high=high)
    if ctx.state.takes_turn(who) and not said.extra and _has_one(ctx.state, ctx.state[who]):
        ctx.emit(Used(who, DEATH_SAVE))
    payer = companions.recovers_for(ctx.state, ctx.state[who])
    if outcome == "crit" and payer.track("recoveries") > 0:
        healing.spend_recovery(ctx, who, "a death save of 20")
        return outcome
    track = "death_failures" if outcome == "miss" else "death_successes"
    ctx.emit(Changed(who, track, 1, why="a death save"))
    count_up(ctx, who)
    return outcome


def count_up(ctx: Context, who: str) -> None:
    """The third failure kills; the third success stabilises, and what was counted has counted."""
    enough = ctx.tables.economy["death_saves"]
    full = life.full_count(ctx.state[who], COUNTS, enough)
    if full == "death_failures":
        damage.die(ctx, who, f"{enough} failed death saves")
    elif full:
        damage.stabilise(ctx, who, f"{enough} death saves")
        life.begin_counts_anew(ctx, who, COUNTS, "three of a kind")


_TOLD = {"miss": "failure", "hit": "success", "crit": "20 or higher"}


class _DeathSave(Struct, frozen=True, kw_only=True):
    """What `death` says; `extra`: a save that comes on top of the one at the turn's end."""

    who: Annotated[Combatant | None, arguments.person("who is dying")] = None
    die: Annotated[Die, rolls.die_said(checks.OUTCOMES, what="the death save")]
    plus: Annotated[int, checks.BONUS] = 0
    extra: Annotated[bool, arguments.flag()] = False


def _death(ctx: Context, said: _DeathSave) -> None:
    dier = said.who or ctx.actor()
    if dier.life != "dying":
        raise Refused(f"{dier.name} is not dying but {dier.life}")
    if ctx.state.takes_turn(dier.id) and dier.used(DEATH_SAVE) and not said.extra:
        raise Refused(f"{dier.name} has made a death save in this turn already: {_EXTRA}")
    outcome = _save_from_death(ctx, dier.id, said)
    ctx.text = f"{dier.name}'s death save, {_TOLD[outcome]}"


# -- what waits for the GM -------------------------------------------------------------------------

_ANSWERS = (("s", "success", "success"), ("f", "failure", "failure"), ("r", "roll", "roll"))
_OF_DEATH = (*_ANSWERS[:2], ("c", "20 or higher", "crit"), _ANSWERS[2])


def pending(state: Encounter) -> list[Pending]:
    """The death saves of this turn, and the other saves of player characters before it ends."""
    dying = (up for up in state.all_up() if _is_death_save_due(state, up))
    saving = (up for up in state.all_up() if up.kind == "pc" and not up.is_out)
    return [
        *(life.owed(up, "death", f"is dying: {DEATH_SAVE}", DEATH_SAVE, _OF_DEATH) for up in dying),
        *(_pending(up, effect) for up in saving for effect in to_save(up)),
    ]


def _pending(up: Combatant, effect: Effect) -> Pending:
    save = f"save {up.id} {effect.id}"
    what = f"{up.name} saves against {_against(up, effect)}"
    choices = tuple(Choice(key, label, f"{save} {word}") for key, label, word in _ANSWERS)
    return Pending(up.id, what, choices, holds=True, die=save)


VERBS = (
    declare("save", "makes a saving throw, against an effect or anything else", _Said, _save),
    declare("death", "makes a death save; 20 or higher spends a recovery", _DeathSave, _death),
)
