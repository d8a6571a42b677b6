"""Checks: reading dice, bonuses, advantage, the outcome, and deciding a check again.

A game has words for the outcomes of its rolls, and a subclass of `Check` that finds the outcome:

    class Strike(Check, frozen=True):
        numbers = STATS                              # the game's numbers (`mechanics/stats.py`)

        def outcome(self, roller, natural, total, dc):
            return "hit" if total >= dc else "miss"

    ATTACK = OutcomeWords({"miss": "miss", "hit": "hit", "crit": "crit", "critical": "crit"})
    die = parse_die(tokens, ATTACK)                  # `hit`, `natural 15`, `natural 4,15`, `roll`
    Strike("mira", "bow", die, 14, "ogre", pro=("hidden",)).make(ctx).outcome

    hit = redecide(ctx, ctx.previous, Forced(("hit",)))    # the entry before, had its roll been one
    emit_difference(ctx, ctx.before, hit.state, "blocked")   # `ctx.state` has this command's price
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import add, le
from typing import Annotated, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import (
    USUAL_DICE,
    Dice,
    DiceSource,
    DieInput,
    Forced,
    dice_sides,
    parse_dice,
    roll as roll_dice,
    total_of,
)
from affray.core.engine.advantage import RollAdvantage
from affray.core.engine.events import Rolled, Step
from affray.core.engine.state import Combatant, Encounter, Slot
from affray.core.late_pattern import late_pattern
from affray.core.parser import arguments
from affray.core.parser.clauses import parse_faces, read_one_roll, require_no_more
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused, join_or, suggest_or_list
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.parser.tokens import Token, TokenStream
from affray.core.rules.ruleset import (
    Context,
    DecisionOption,
    InitiativeRules,
    PendingDecision,
)
from affray.mechanics import stats
from affray.mechanics.rerolls import (
    emit_difference as emit_difference,
    forced_by as forced_by,
    other_rolls as other_rolls,
    redecide as redecide,
    redecide_roll as redecide_roll,
)
from affray.mechanics.sheet import owner_of
from affray.mechanics.stats import CombatantSituation, Reasons, StatPart, StatRules

# -- the die ---------------------------------------------------------------------------------------

_ANY_DIE = ("natural", "roll")
"""The words for every die, besides its outcomes."""


class OutcomeWords(Struct, frozen=True):
    """The words by which rolls of one kind are called out: word -> the outcome that it stands for,
    as `critical` -> `crit`; and their list in refusals, if it needn't name all. `dice` are the
    largest and the most that such a roll can have; `besides` are words other than outcomes, such as
    rolling it later."""

    means: Mapping[str, str]
    refusal_text: str = ""
    dice: str = USUAL_DICE
    besides: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words that can begin the argument for a die."""
        return (*self.means, *_ANY_DIE)

    @property
    def alike(self) -> tuple[str, ...]:
        """The words that are synonyms of another."""
        return tuple(w for w, outcome in self.means.items() if w != outcome in self.means)

    @property
    def listed(self) -> str:
        """The accepted words for a refusal: "miss, hit, natural N or roll"."""
        means = self.refusal_text or ", ".join(self.means)
        return f"{means}, natural N or roll" if means else "natural N or roll"


def left_to_program(ctx: Context, combatant_id: str, against: str = "") -> DieInput:
    """Return the die of a roll without an argument: rolled, or forced."""
    key, forced = (combatant_id, against), ctx.forced or Forced()
    outcome = forced.rolls.get(key, "")
    return DieInput(outcome, faces=forced.lying.get(key, ()), final=bool(outcome))


_AS_IN_PROMPTS = late_pattern(r"n\d+(,\d+)*$")
"""The number on the die as prompts take it: `n15`."""


def is_die_input(tokens: TokenStream, outcomes: OutcomeWords) -> bool:
    """True if the next word is an outcome, several with commas, `natural` or `roll`."""
    word = tokens.peek()
    if tokens.done:
        tokens.offered += outcomes.words
        tokens.alike.update(outcomes.alike)
    if "," in word:
        return all(each in outcomes.means for each in word.split(","))
    return word in outcomes.means or word in _ANY_DIE


def parse_die(tokens: TokenStream, outcomes: OutcomeWords, what: str = "an outcome") -> DieInput:
    """Read an outcome, `natural N[,M]` or `roll`; a refusal names `what`."""
    words = outcomes.words
    tokens.alike.update(outcomes.alike)
    if _AS_IN_PROMPTS.match(tokens.upcoming):
        tokens.words[tokens.at : tokens.at + 1] = map(Token, ("natural", tokens.upcoming[1:]))
    word = tokens.take(*words)
    if not word:
        wanted, face = f"{what}: {outcomes.listed}", tokens.peek()
        if face.isdecimal():
            hint = f"a die that shows {face} is `natural {face}`"
            raise tokens.refuse(f"expected {wanted}; {hint}", words)
        word = tokens.choice(wanted, words)
    faces = parse_faces(tokens, dice=outcomes.dice)[0] if word == "natural" else ()
    return DieInput(outcomes.means.get(word, ""), faces)


def parse_dice_inputs(
    tokens: TokenStream, outcomes: OutcomeWords, count: int, what: str = "an outcome"
) -> list[DieInput]:
    """Read the dice of so many rolls: `hit,miss`, `natural 15,7`, one word for all of them, or one
    after the other: `hit natural 9 natural 4,15`. One face can't be for all, since each roll has
    its own die. Raises Refused for another number of dice."""
    typed = tokens.peek().split(",")
    if len(typed) > 1 and is_die_input(tokens, outcomes):
        if len(typed) != count:
            wanted = "one outcome" if count == 1 else f"{count} outcomes, one for each"
            raise tokens.refuse(f"expected {wanted}, found {len(typed)}")
        tokens.next(what)
        return [DieInput(outcomes.means[word]) for word in typed]
    if count > 1 and _stand_one_by_one(tokens, outcomes):
        return [_read_next(tokens, outcomes, what) for _ in range(count)]
    if count > 1 and tokens.take("natural"):
        return [DieInput(faces=faces) for faces in parse_faces(tokens, count, outcomes.dice)]
    return [parse_die(tokens, outcomes, what)] * count


def _stand_one_by_one(tokens: TokenStream, outcomes: OutcomeWords) -> bool:
    """True if several follow each other, not all of them `natural`."""
    ahead, found = 0, []
    while tokens.peek(ahead) in outcomes.words:
        found.append(tokens.peek(ahead))
        ahead += 2 if found[-1] == "natural" else 1
    return len(found) > 1 and set(found) != {"natural"}


def _read_next(tokens: TokenStream, outcomes: OutcomeWords, what: str) -> DieInput:
    """Read one of several dice: for two rolls `crit miss` is an outcome each, and no crit-miss."""
    stands = tokens.peek() in outcomes.words
    wanted = f"{what}: {outcomes.listed}"
    word = tokens.next(what).casefold() if stands else tokens.choice(wanted, outcomes.words)
    faces = read_one_roll(tokens, outcomes.dice) if word == "natural" else ()
    return DieInput(outcomes.means.get(word, ""), faces)


# -- what a command says of a roll -----------------------------------------------------------------


def die_arg(
    outcomes: OutcomeWords,
    of: str = "",
    what: str = "an outcome",
    field: Field = Field("outcome"),
    may_lack: Callable[[ParseState], bool] = lambda reading: False,
) -> Argument:
    """Declare the argument that calls a die.

    `of` names the field of those with a roll each: then it is a list of dice. `may_lack` returns
    True if the actor may leave it out, and have it rolled.
    """

    def read(reading: ParseState) -> DieInput | list[DieInput]:
        if not of:
            return parse_die(reading.words, outcomes, what)
        return parse_dice_inputs(reading.words, outcomes, len(reading.values[of]), what)

    def stands(reading: ParseState) -> bool:
        tokens = reading.words
        tokens.offered += outcomes.words if tokens.done else ()
        return is_die_input(tokens, outcomes) or not (reading.is_over or tokens.has_amount())

    def lacking(reading: ParseState) -> DieInput | list[DieInput] | None:
        if not may_lack(reading):
            return None
        return [DieInput() for _ in reading.values[of]] if of else DieInput()

    words = {*outcomes.means.values()}.difference(outcomes.besides)
    return Argument(read, "OUTCOME", stands, lacking, field=field, outcomes=words)


def is_rolled_for(reading: ParseState) -> bool:
    """True if the actor's die may be left to affray: for all but players' characters."""
    return reading.ctx.actor().kind != "pc"


class RollModifiers(Struct, frozen=True):
    """The options of a roll in a game with advantage; a game adds its own words."""

    adv: Annotated[bool, arguments.flag_arg("advantage", heard="adv")] = False
    dis: Annotated[bool, arguments.flag_arg("disadvantage", heard="dis")] = False
    plus: Annotated[
        int, arguments.keyword_arg("plus", arguments.number_arg("the bonus", -99, 99), add)
    ] = 0

    @property
    def parts(self) -> list[StatPart]:
        """The bonus in the command."""
        return [StatPart(self.plus, "said")] if self.plus else []

    @property
    def pro(self) -> list[str]:
        """Advantage in the command, as a reason."""
        return ["said"] if self.adv else []

    @property
    def con(self) -> list[str]:
        """Disadvantage in the command, as a reason."""
        return ["said"] if self.dis else []


DC = arguments.keyword_arg(
    "dc", arguments.number_arg("the DC", 1, 99), field=Field("number", before="dc")
)
"""The argument for the number to roll against."""
SAID_DC = replace(DC, field=ANY_MORE)
"""The same, which a prompt lists last."""


# -- other dice ------------------------------------------------------------------------------------


def roll_extra_dice(
    ctx: Context,
    combatant_id: str,
    dice: str | Dice,
    what: str,
    against: str = "",
    parts: Sequence[StatPart] = (),
) -> int:
    """Roll dice for something such as damage: emit the roll, and return the total.

    `parts` are the parts of the bonus that aren't the weapon's own, such as an ability.
    """
    source = ctx.dice_of(combatant_id, what, against)
    rolled = roll_dice(parse_dice(dice) if isinstance(dice, str) else dice, source)
    event = Rolled(
        combatant_id, rolled.dice, rolled.faces, rolled.total, for_=what, against=against
    )
    ctx.emit(replace(event, parts=parts_of_total(parts)))
    return rolled.total


def deferred_roll(
    combatant: Combatant,
    command: str,
    says: str,
    roll: str,
    answers: Iterable[tuple[str, str, str]],
    of: str = "",
    dice: str = "",
) -> PendingDecision:
    """Make the decision for a check that waits for the GM, and is rolled at the turn's end if
    nobody gives the die.

        answers = [("s", "success", "success"), ("f", "failure", "failure")]
        deferred_roll(mira, "death", "is dying: death save", "death save", answers)

    Args:
        command: The command that makes the roll; the combatant's id is added.
        says: The text after the name.
        roll: The name of the roll.
        answers: Key, label, and the outcome's word in the command.
        of: The words after the id, if any, such as an effect.
        dice: The dice of the check, if not the usual.
    """
    line = f"{command} {combatant.id} {of}".rstrip()
    return PendingDecision(
        combatant.id,
        f"{combatant.name} {says}",
        tuple(DecisionOption(key, label, f"{line} {word}") for key, label, word in answers),
        missed=f"{combatant.name}'s {roll} was rolled",
        holds=True,
        die=f"{line} natural" if dice else line,
        dice=dice,
    )


# -- the check -------------------------------------------------------------------------------------

_SINGLE = "just one die, taken as the one that counts"
"""The remark on a roll with one die in place of two."""


class Check(Struct, frozen=True):
    """A roll to be made, with its dice and the rules for its outcome.

    A game subclasses it, and overrides the methods in which its rules differ. `make` calls them in
    the order of this class. `roller` is the situation of the combatant who rolls.

    Attributes:
        who: The id of the combatant who rolls.
        stat: The ability, skill or weapon used.
        die: The die: its outcome, its faces, or left to affray.
        dc: The number to roll against; None if unknown.
        against: The id of the target; empty for none.
        modifiers: The options in the command.
        name: Its name in the log; empty for its `stat`.
        more: Bonuses of this check alone.
        pro: Reasons for advantage of this check alone.
        con: Reasons for disadvantage of this check alone.
    """

    who: str
    stat: str = ""
    die: DieInput = DieInput()
    dc: int | None = None
    against: str = ""
    modifiers: RollModifiers = RollModifiers()
    name: str = ""
    more: tuple[StatPart, ...] = ()
    pro: tuple[str, ...] = ()
    con: tuple[str, ...] = ()

    numbers: ClassVar[StatRules] = StatRules({})
    """The numbers of the game."""
    one_die_if_cancelled: ClassVar[bool] = True
    """True if two dice are always refused when advantage and disadvantage cancel out; else the
    first counts if the command itself says `adv` or `dis`."""
    low_is_good: ClassVar[bool] = False
    """True if the lower roll is the better one, as under a number: advantage takes that."""
    hint: ClassVar[str] = ""
    """A hint on what to give in place of two dice without advantage or disadvantage."""

    @property
    def label(self) -> str:
        """The name of the check in the log: "dex save"."""
        return self.name or self.stat

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds by which rows and effects name such a roll, the one of its number first."""
        return ()

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags by which an effect can count in this check alone, as one for a single weapon."""
        return ()

    @property
    def step(self) -> int:
        """Places by which its outcome is moved along, in games that have that."""
        return 0

    def parts(self, ctx: Context, roller: CombatantSituation) -> Sequence[StatPart]:
        """List the parts that count (`StatRules.counted`)."""
        in_force = (
            stats.stat_parts(roller, kind, self.tags, self.against) for kind in self.kinds[:1]
        )
        return [*self.more, *chain(*in_force), *self.modifiers.parts]

    def reasons(self, ctx: Context, roller: CombatantSituation) -> Reasons:
        """List the reasons for advantage, and those for disadvantage."""
        pro, con = (
            stats.own_roll_reasons(roller, side, self.kinds, self.against, self.tags)
            for side in stats.SIDES
        )
        return [*self.modifiers.pro, *self.pro, *pro], [*self.modifiers.con, *self.con, *con]

    def target_situation(self, ctx: Context) -> CombatantSituation:
        """Return the target with its effects in force, for `target_number` and `reasons`."""
        return stats.situation_in_command(self.numbers, ctx, ctx.state[self.against])

    def target_number(self, ctx: Context) -> int | None:
        """The DC, or the target's number."""
        return self.dc

    def dice(self, ctx: Context, roller: CombatantSituation) -> str:
        """The dice that are thrown: `2d6`, a pool of as many as an ability has, a step die. With
        advantage or disadvantage falls one more, and as many count; not of dice that explode."""
        return USUAL_DICE

    def counted(self, faces: Sequence[int]) -> int:
        """The result of the dice that count: their sum, or a pool's successes. It is `natural` in
        `outcome`; a single number called for several dice means this as well."""
        return sum(faces)

    def note(self, ctx: Context) -> str:
        """Return further remarks for the log, besides the parts."""
        return ""

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        """The outcome for the die that counts and the total; empty if only the total matters, as
        for initiative."""
        return ""

    def outcome_of_dice(
        self,
        roller: CombatantSituation,
        faces: Sequence[int],
        natural: int,
        total: int,
        dc: int | None,
    ) -> str:
        """The outcome where single dice matter, for doubles or two sixes of a pool: `faces` are
        those that count, or the one number that was called. By default it is `outcome`."""
        return self.outcome(roller, natural, total, dc)

    def bend(self, ctx: Context, roller: CombatantSituation, outcome: str) -> str:
        """Change an outcome, called or rolled, by the situation; a `final` one stays."""
        return outcome

    def uses_up(self, outcome: str) -> Collection[str]:
        """The kinds of rolls and numbers that use up effects of the roller."""
        return self.kinds

    @property
    def exposes(self) -> Collection[str]:
        """The target's numbers rolled against; the roll ends effects in them that last until
        used."""
        return ()

    def follow(self, ctx: Context, rolled: Rolled) -> None:
        """End effects that the roll has used up; a game adds other consequences of every roll."""
        spent = self.uses_up(rolled.outcome)
        stats.use_up(ctx, self.numbers, self.who, spent, self.tags, self.against)
        if self.exposes:
            stats.use_up(ctx, self.numbers, self.against, self.exposes, against=self.who)

    def damage_bonus(self, ctx: Context) -> int:
        """The number that the situation adds to damage, before the roll may use that up."""
        roller = stats.situation_in_command(self.numbers, ctx, ctx.state[self.who])
        return stats.stat_value(roller, "damage", self.tags, self.against)

    def make(self, ctx: Context) -> Rolled:
        """Make the check: emit the roll and its consequences, and return the roll with its outcome.
        Raises Refused for two dice without advantage or disadvantage, or with both.
        """
        roller = stats.situation_in_command(self.numbers, ctx, ctx.state[self.who])
        parts = self.numbers.counted(self.parts(ctx, roller))
        pro, con = self.reasons(ctx, roller)
        dc, die, outcome = self.target_number(ctx), self.die, self.die.outcome
        reasons = tuple(dict.fromkeys(pro)), tuple(dict.fromkeys(con))
        ctx.advantages.append(RollAdvantage(self.who, self.label, self.against, *reasons))
        thrown = self.dice(ctx, roller)
        rolled = Rolled(self.who, thrown, for_=self.label, against=self.against, dc=dc)
        if not outcome:
            lean, dice = bool(pro) - bool(con), parse_dice(thrown)
            if dice.is_rolled_on:
                lean = 0
            elif die.faces:
                self._require_faces(die.faces, thrown, pro, con)
            bonus = sum(part.amount for part in parts)
            source = ctx.dice_of(self.who, self.label, self.against)
            faces, counting, natural, notation = self._thrown(die.faces, thrown, lean, source)
            outcome = self.outcome_of_dice(roller, counting, natural, natural + bonus, dc)
            single = _SINGLE if lean and len(faces) == len(dice_sides(thrown)) == 1 else ""
            note = ", ".join(filter(None, (self.note(ctx), single)))
            rolled = replace(
                rolled,
                dice=f"{notation}{bonus:+d}" if bonus else notation,
                faces=faces,
                natural=natural,
                total=natural + bonus,
                why=format_reasons(pro, con, note),
                lean=lean,
                parts=parts_of_total(parts),
            )
        outcome = outcome if die.final else self.bend(ctx, roller, outcome)
        self._require_known(ctx, outcome)
        by_hand = not die.rolled_here
        rolled = replace(rolled, outcome=outcome, by_hand=by_hand, step=self.step)
        ctx.emit(rolled)
        self.follow(ctx, rolled)
        return rolled

    def _thrown(
        self, lying: tuple[int, ...], thrown: str, lean: int, source: DiceSource
    ) -> tuple[tuple[int, ...], Sequence[int], int, str]:
        """Throw the dice, or take given ones; return all faces, those that count, their result, and
        the notation."""
        sides = dice_sides(thrown)
        if parse_dice(thrown).is_rolled_on:
            faces = lying or roll_dice(parse_dice(thrown), source).faces
            return faces, faces, total_of(thrown, faces), thrown
        faces = lying or tuple(map(source.die, (*sides, sides[0]) if lean else sides))
        if len(faces) == 1 < len(sides):  # what they come to
            return faces, faces, faces[0], thrown
        high = (lean > 0) != self.low_is_good
        counting = (sorted(faces, reverse=high) if lean else faces)[: len(sides)]
        is_more = lean != 0 and len(faces) > len(sides)
        return (
            faces,
            counting,
            self.counted(counting),
            _one_more(thrown, high) if is_more else thrown,
        )

    def _require_faces(
        self, faces: Sequence[int], thrown: str, pro: Sequence[str], con: Sequence[str]
    ) -> None:
        """Raise Refused for faces that the dice don't have, for some of them alone, and for one
        more if nothing gives advantage or disadvantage, or both do."""
        sides, is_said = dice_sides(thrown), self.modifiers.adv != self.modifiers.dis
        leans = bool(pro) != bool(con)
        if not leans and (self.one_die_if_cancelled or not (pro and is_said)):
            hint, why = "" if pro else self.hint, _why_they_cancel(pro, con)
            require_no_more(faces, thrown, hint, why)
        if len(faces) == 1 < len(sides):
            least = len(sides) if type(self).counted is Check.counted else 0
            fits, most = least <= faces[0] <= sum(sides), f"{least} to {sum(sides)}"
        else:
            fits = len(faces) >= len(sides) and all(map(le, faces, (*sides, sides[0])))
            most = f"{'each ' if len(sides) > 1 else ''}1 to {max(sides)}"
        if not fits:
            shown = ",".join(map(str, faces))
            raise Refused(f"`natural {shown}`: the {self.label} is {thrown}, {most}")

    def _require_known(self, ctx: Context, outcome: str) -> None:
        """Raise Refused for an outcome outside the game's tables: a mistake in its code, which
        would make the roll meaningless."""
        outcomes = ctx.tables.outcomes
        if outcome and outcomes and outcome not in outcomes:
            check = f"the check {type(self).__name__} of {ctx.ruleset.name} ({self.label})"
            near = suggest_or_list(outcome, outcomes)
            raise Refused(f"{check} came out as {outcome!r}, which is not an outcome{near}")

    def roll_total(self, ctx: Context) -> int:
        """Make a check without an outcome, and return its total."""
        return self.make(ctx).total or 0


def _why_they_cancel(pro: Sequence[str], con: Sequence[str]) -> str:
    """Say that advantage and disadvantage cancel out; empty without both."""
    if not pro:
        return ""
    both = f"advantage ({join_or(pro, 'and')}) and disadvantage ({join_or(con, 'and')})"
    return f"{both} cancel out"


OWN_ATTACK = "attack of their own"


def no_bonus(roller: Combatant, example: str, lacks: str = OWN_ATTACK) -> Refused:
    """The refusal of a roll to hit with an unknown bonus; `example` is a valid input."""
    hint = f"give the outcome, or the bonus: `{example}`"
    return Refused(f"{roller.name} has no {lacks} to roll with: {hint}")


def no_damage(roller: Combatant, example: str, lacks: str = OWN_ATTACK) -> Refused:
    """The refusal of a hit with unknown dice; `example` is a valid input."""
    hint = f"give a number, such as `{example}`"
    return Refused(f"how much damage? {roller.name} has no {lacks} to roll: {hint}")


def no_damage_note(weapon: str) -> str:
    """Tell that a hit deals nothing, as nobody knows how much it would."""
    return f"{weapon}: no damage on the sheet, so give it"


@lru_cache(maxsize=256)  # for every check with advantage
def _one_more(dice: str, high: bool) -> str:
    """The notation of dice with one more, of which the same number counts: the higher of two d8 is
    `2d8kh1`."""
    sides = dice_sides(dice)
    if len(set(sides)) > 1:
        return f"{dice}+1d{sides[0]}"
    return f"{len(sides) + 1}d{sides[0]}{'kh' if high else 'kl'}{len(sides)}"


def parts_of_total(parts: Iterable[StatPart]) -> tuple[Step, ...]:
    """The parts of a total as a roll has them."""
    return tuple(
        Step(" ".join(filter(None, (part.type_beside, part.source))), by=part.amount)
        for part in parts
        if part.amount
    )


def format_reasons(pro: Sequence[str], con: Sequence[str], note: str) -> str:
    """Describe a roll's notes besides its parts: "advantage: hidden and said, at long range"."""
    lines = [note] if note else []
    if pro and con:
        lines.insert(0, "advantage and disadvantage cancel out")
    elif pro or con:
        lines.insert(0, f"{'advantage' if pro else 'disadvantage'}: {join_or(pro or con, 'and')}")
    return ", ".join(lines)


# -------------------------------------------------------------------------------------------------
# Initiative by a check: the roll, who goes first of those who tie, companions.


class InitiativeCheck(Check, frozen=True):
    """The dice and the sheet's `init`, with active effects."""

    stat: str = "init"
    name: str = "initiative"

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind of number that counts in it."""
        return ("initiative",)

    def parts(self, ctx: Context, roller: CombatantSituation) -> Sequence[StatPart]:
        """List the sheet's bonus and those of the effects in force."""
        own = StatPart(self.own_bonus(roller.who), "own initiative")
        return [own, *super().parts(ctx, roller)]

    def own_bonus(self, combatant: Combatant) -> int:
        """The bonus on somebody's sheet."""
        return combatant.number(self.stat)


class TiesByInit(InitiativeRules):
    """Initiative whose ties go by `init`, then to characters, then in the order of adding."""

    def tie_rank(
        self, ctx: Context, combatant_id: str, total: int, placed: Sequence[Slot]
    ) -> tuple[int, ...]:
        newcomer = ctx.state[combatant_id]
        return (
            -newcomer.number("init"),
            int(newcomer.kind != "pc"),
            ctx.state.place_of(combatant_id) or 0,
        )


def companion_initiative(
    state: Encounter,
    people: Iterable[str],
    found: dict[str, int],
    leader: Callable[[Combatant], str] = owner_of,
) -> dict[str, int]:
    """The initiative of those who share their owner's or another `leader`'s: the new or the current
    one; without those whose owner has none yet, since they get it with the owner."""
    by_id: dict[str, int | None] = {s.who: s.initiative for s in state.slots} | {**found}
    totals = {combatant_id: by_id.get(leader(state[combatant_id])) for combatant_id in people}
    return {combatant_id: total for combatant_id, total in totals.items() if total is not None}
