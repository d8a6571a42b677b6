"""How a d20 is known, which of two dice counts, what is added and how a roll comes out."""

from typing import Annotated

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.core.conftest import Play
from tests.fallen_dice import FallenDice
from tests.mechanics.situations import NUMBERS, USED, modifier, person

from affray.core.dice import DieInput, Forced
from affray.core.engine.events import Rolled
from affray.core.engine.state import Encounter
from affray.core.formatting.pieces import why_in_words
from affray.core.parser import arguments
from affray.core.parser.declarations import parse_arguments
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import TokenStream, tokenize
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import OutcomeRow, Tables
from affray.mechanics import checks
from affray.mechanics.checks import Check
from affray.mechanics.stats import StatPart

OUTCOMES = checks.OutcomeWords({"miss": "miss", "hit": "hit", "success": "hit"}, "miss, hit")


def _context(*faces, forced=None, people=()):
    there = tuple(person(who) if isinstance(who, str) else who for who in people)
    state = Encounter(combatants=there)
    return Context(state, Play().ruleset, FallenDice(faces), forced=forced)


def _read(line, count=1):
    words = TokenStream(tokenize(line), Encounter())
    found = checks.parse_dice_inputs(words, OUTCOMES, count)
    words.finish()
    return found


# -- the die ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "count", "found"),
    [
        ("hit", 1, [DieInput("hit")]),
        ("SUCCESS", 1, [DieInput("hit")]),
        ("roll", 1, [DieInput()]),
        ("natural 15", 1, [DieInput(faces=(15,))]),
        ("natural 4,15", 1, [DieInput(faces=(4, 15))]),
        ("miss", 2, [DieInput("miss")] * 2),
        ("roll", 3, [DieInput()] * 3),
        ("miss,success", 2, [DieInput("miss"), DieInput("hit")]),
        ("natural 4,15", 2, [DieInput(faces=(4,)), DieInput(faces=(15,))]),
        ("natural 4,15 natural 9", 2, [DieInput(faces=(4, 15)), DieInput(faces=(9,))]),
        ("miss success", 2, [DieInput("miss"), DieInput("hit")]),
        ("miss natural 4,15 roll", 3, [DieInput("miss"), DieInput(faces=(4, 15)), DieInput()]),
    ],
)
def test_a_die_is_said_lies_there_or_is_rolled_for_one_roll_or_several(line, count, found):
    """Every game, ruling 2."""
    assert _read(line, count) == found


@pytest.mark.parametrize(
    ("line", "count", "saying"),
    [
        ("hot", 1, "expected an outcome: miss, hit, natural N or roll, found 'hot'"),
        ("hit,miss,hit", 2, "expected 2 outcomes, one for each, found 3"),
        ("hit,miss", 1, "expected one outcome, found 2"),
        ("hit,hot", 2, "found 'hit,hot'"),
        ("natural 4", 2, "2 rolls: one die for each"),
        ("miss hit", 3, "expected an outcome"),
        ("miss natural 4,15,9", 2, "at most two"),
        ("natural 4,15,9", 1, "at most two"),
    ],
)
def test_dice_that_do_not_go_with_the_rolls_are_refused(line, count, saying):
    """Every game, ruling 2."""
    with pytest.raises(Refused, match=saying):
        _read(line, count)


@pytest.mark.parametrize(
    ("words", "stands"),
    [("hit hit,miss natural roll", True), ("hit,9 roll,hit natural,9 mira", False)],
)
def test_whether_a_die_stands_next(words, stands):
    for word in words.split():
        assert checks.is_die_input(TokenStream(tokenize(word), Encounter()), OUTCOMES) == stands
    assert not checks.is_die_input(TokenStream([], Encounter()), OUTCOMES)


# -- what a command says of a roll -----------------------------------------------------------------


class _Said(Struct, frozen=True):
    terms: Annotated[checks.RollModifiers, arguments.keyword_args(checks.RollModifiers)]
    dc: Annotated[int | None, checks.DC] = None


def test_what_is_said_of_a_roll_are_reasons_and_parts():
    said = parse_arguments(
        _Said, _context(), TokenStream(tokenize("dc 12 adv plus 2 plus 1"), Encounter())
    )
    assert (said.dc, said.terms.pro, said.terms.con) == (12, ["said"], [])
    assert said.terms.parts == [StatPart(3, "said")]
    said = parse_arguments(_Said, _context(), TokenStream(tokenize("disadvantage"), Encounter()))
    assert (said.terms.pro, said.terms.con, said.terms.parts) == ([], ["said"], [])


def test_other_dice_are_thrown_and_told():
    ctx = _context(3, 5)
    assert checks.roll_extra_dice(ctx, "ann", "2d6+1", "damage", "bob") == 9
    assert ctx.events == [Rolled("ann", "2d6+1", (3, 5), 9, for_="damage", against="bob")]


# -- the roll --------------------------------------------------------------------------------------


class Strike(Check, frozen=True):
    """An attack that hits from 14 on: with more, a note and effect steps."""

    text: str = ""
    steps: int = 0
    numbers = NUMBERS
    hint = ", or `adv`"

    @property
    def step(self):
        return self.steps

    def note(self, ctx):
        return self.text

    def outcome(self, roller, natural, total, dc):
        return "crit" if natural == 20 else "hit" if total >= 14 else "miss"


class Doomed(Strike, frozen=True):
    """An attack of which the situation makes a miss, whatever falls."""

    def bend(self, ctx, roller, outcome):
        return "miss"


def _make(check, *faces):
    ctx = _context(*faces, people=("mira", "ogre"))
    rolled = check.make(ctx)
    assert ctx.events == [rolled]
    return rolled


def test_a_roll_is_rolled_here_with_its_parts_and_comes_out_as_the_game_says():
    parts = (StatPart(5, "bow"), StatPart(0, "nothing"), StatPart(-2, "bless", "power"))
    rolled = _make(
        Strike("mira", "attack", dc=14, against="ogre", more=parts, text="at long range"), 12
    )
    assert (rolled.dice, rolled.faces, rolled.natural, rolled.total) == ("1d20+3", (12,), 12, 15)
    assert (rolled.outcome, rolled.dc, rolled.against) == ("hit", 14, "ogre")
    assert why_in_words(rolled) == "+5 bow, −2 power bless, at long range"
    assert not rolled.by_hand


@pytest.mark.parametrize(
    ("pro", "con", "natural", "dice", "lean", "why"),
    [
        (("hidden",), (), 15, "2d20kh1+1", 1, "advantage: hidden"),
        (("hidden", "said"), (), 15, "2d20kh1+1", 1, "advantage: hidden and said"),
        ((), ("prone",), 4, "2d20kl1+1", -1, "disadvantage: prone"),
    ],
)
def test_of_two_dice_one_counts(pro, con, natural, dice, lean, why):
    die, more = DieInput(faces=(4, 15)), (StatPart(1, "bow"),)
    rolled = _make(Strike("mira", "attack", die, more=more, pro=pro, con=con))
    assert (rolled.natural, rolled.dice, rolled.lean, rolled.by_hand) == (natural, dice, lean, True)
    assert why_in_words(rolled) == f"+1 bow, {why}"


def test_two_dice_where_both_cancel_are_refused_and_one_counts():
    strike = Strike("mira", "attack", pro=("hidden",), con=("prone",))
    with pytest.raises(
        Refused, match=r"advantage \(hidden\) and disadvantage \(prone\) cancel out"
    ):
        replace(strike, die=DieInput(faces=(4, 15))).make(_context(people=("mira", "ogre")))
    rolled = _make(replace(strike, die=DieInput(faces=(4,))))
    assert (rolled.natural, why_in_words(rolled)) == (4, "advantage and disadvantage cancel out")


def test_two_dice_are_rolled_where_one_of_them_counts_and_one_where_both_cancel():
    assert _make(Strike("mira", "attack", pro=("hidden",)), 4, 20).outcome == "crit"
    assert _make(Strike("mira", "attack", pro=("hidden",), con=("prone",)), 4).faces == (4,)


def test_one_die_of_an_advantage_may_lie_there_alone():
    rolled = _make(Strike("mira", "attack", DieInput(faces=(9,)), pro=("hidden",)))
    assert (rolled.dice, rolled.natural, rolled.lean) == ("1d20", 9, 1)


def test_two_dice_are_refused_where_nothing_says_which_counts():
    """Every game, ruling 2."""
    with pytest.raises(Refused, match="there is neither: give the one die that counts, or `adv`"):
        _make(Strike("mira", "attack", DieInput(faces=(4, 15))))


def test_a_game_may_refuse_two_dice_where_both_cancel():
    class Strict(Strike, frozen=True):
        one_die_if_cancelled = True

    both = Strict("mira", "attack", DieInput(faces=(4, 15)), pro=("hidden",), con=("prone",))
    with pytest.raises(Refused, match="give the one die that counts"):
        _make(both)
    assert _make(replace(both, con=())).natural == 15


def test_what_was_called_out_is_the_outcome_and_no_die_is_known():
    die, more = DieInput("miss"), (StatPart(9, "bow"),)
    rolled = _make(Strike("mira", "attack", die, 14, "ogre", more=more, steps=1))
    assert (rolled.outcome, rolled.faces, rolled.total, rolled.why) == (
        "miss",
        (),
        None,
        "",
    )
    assert (rolled.by_hand, rolled.dc, rolled.step, rolled.dice) == (True, 14, 1, "1d20")


def test_an_outcome_is_bent_whether_it_was_called_or_rolled_unless_it_stands():
    assert _make(Doomed("mira", "attack"), 20).outcome == "miss"
    assert _make(Doomed("mira", "attack", DieInput("crit"))).outcome == "miss"
    assert _make(Doomed("mira", "attack", DieInput("crit", final=True))).outcome == "crit"


def test_of_some_rolls_the_total_alone_matters():
    ctx = _context(7, people=("mira",))
    check = Check("mira", "initiative", more=(StatPart(2, "own"),))
    assert check.roll_total(ctx) == 9
    assert [(e.outcome, e.total, why_in_words(e)) for e in ctx.events] == [("", 9, "+2 own")]


def test_a_check_counts_and_uses_up_what_is_in_force_on_both_sides():
    class Shot(Strike, frozen=True):
        kinds = ("attack",)
        exposes = ("ac",)

        def uses_up(self, outcome):
            return ("attack", "damage") if outcome == "hit" else ("attack",)

    mira = person(
        "mira",
        modifier("aim", {"attack": 2}, until=USED),
        modifier("edge", {"damage": 1}, until=USED),
        modifier("blessing", {"attack": 1}),
    )
    odo = person("odo", modifier("guard", {"ac": 2}, until=USED))
    for natural, left in ((10, ["edge", "blessing"]), (11, ["blessing"])):
        ctx = _context(natural, people=(mira, odo))
        rolled = Shot("mira", "bow", against="odo").make(ctx)
        assert (rolled.total, why_in_words(rolled)) == (natural + 3, "+2 modifier, +1 modifier")
        assert [effect.id for effect in ctx.state["mira"].effects] == left
        assert ctx.state["odo"].effects == ()


# -- as an argument --------------------------------------------------------------------------------


class One(Struct):
    """A command with one roll, which monsters may leave to be rolled."""

    die: Annotated[DieInput, checks.die_arg(OUTCOMES, may_lack=lambda r: r.ctx.by == "ogre")]
    amount: Annotated[int, arguments.number_arg("an amount")] = 0


class Each(Struct):
    """A command with a roll for each of some."""

    people: Annotated[list[str], arguments.choices_arg("who", ("a", "b"), "A,B")]
    dice: Annotated[list[DieInput], checks.die_arg(OUTCOMES, "people", may_lack=lambda r: True)]


def _said(struct, line, by="", forced=None):
    ctx = _context(forced=forced)
    ctx.by = by
    return parse_arguments(struct, ctx, TokenStream(tokenize(line), Encounter()))


def test_a_die_can_be_declared_for_one_or_for_each_of_some():
    assert _said(One, "hit 5") == One(DieInput("hit"), 5)
    assert _said(Each, "a,b natural 3,4").dice == [DieInput(faces=(3,)), DieInput(faces=(4,))]


def test_who_may_leave_it_out_has_it_rolled_and_all_others_are_asked():
    assert _said(Each, "a,b").dice == [DieInput(), DieInput()]
    assert _said(One, "5", "ogre").amount == 5
    with pytest.raises(Refused, match="expected an outcome"):
        _said(One, "5")
    with pytest.raises(Refused, match="did you mean hit"):
        _said(One, "hitt", "ogre")


# -- forced ----------------------------------------------------------------------------------------


class _Both(Struct):
    """A command with a die of its own, and several in a part of it."""

    die: Annotated[DieInput, checks.die_arg(OUTCOMES)]
    each: Annotated[Each, arguments.struct_arg(Each)]


def test_a_command_that_is_decided_again_has_its_outcome_whatever_its_words_say():
    crit = Forced(("crit",))
    for words in ("natural 4", "roll", "hit"):
        assert _said(One, words, forced=crit).die == DieInput("crit", final=True)
    assert _said(One, "5", "ogre", crit) == One(DieInput("crit", final=True), 5)


def test_each_of_several_dice_has_its_own_outcome_in_the_order_of_the_fields():
    found = _said(_Both, "hit a,b natural 4,9", forced=Forced(("crit", "miss", "hit")))
    assert found.die == DieInput("crit", final=True)
    assert found.each.dice == [DieInput("miss", final=True), DieInput("hit", final=True)]


def test_forced_faces_are_those_of_the_first_die_and_the_others_stay_as_they_were_said():
    assert _said(One, "hit", forced=Forced(faces=(7, 12))).die == DieInput(faces=(7, 12))
    found = _said(_Both, "hit a miss", forced=Forced(faces=(7,)))
    assert (found.die, found.each.dice) == (DieInput(faces=(7,)), [DieInput("miss")])


@pytest.mark.parametrize("forced", [Forced(("crit",)), Forced(faces=(7,))])
def test_dice_of_one_argument_are_forced_all_or_none(forced):
    with pytest.raises(Refused, match="several rolls were made at once"):
        _said(Each, "a,b hit,miss", forced=forced)


def test_nothing_is_used_up_by_forcing():
    forced = Forced(("crit", "miss"), rolls={("bob", "ann"): "hit"})
    ctx = _context(forced=forced)
    for _ in range(2):
        words = TokenStream(tokenize("a,b natural 3,4"), Encounter())
        dice = parse_arguments(Each, ctx, words).dice
        assert dice == [DieInput("crit", final=True), DieInput("miss", final=True)]
        assert checks.left_to_program(ctx, "bob", "ann") == DieInput("hit", final=True)
    assert ctx.forced == forced


def test_a_roll_of_which_no_argument_says_anything_is_the_programs_unless_it_is_forced():
    assert checks.left_to_program(_context(), "bob") == DieInput()
    ctx = _context(forced=Forced(("crit",), rolls={("bob", ""): "hit"}))
    assert checks.left_to_program(ctx, "bob") == DieInput("hit", final=True)
    assert checks.left_to_program(ctx, "bob", "ann") == DieInput()


@pytest.mark.parametrize("slip", ["outcome", "bend"])
def test_an_outcome_that_the_game_does_not_have_is_refused_with_the_checks_name(slip: str) -> None:
    class Save(Check, frozen=True):
        def outcome(self, roller, natural, total, dc):
            return "pas" if slip == "outcome" else "pass"

        def bend(self, ctx, roller, outcome):
            return "pas" if slip == "bend" else outcome

    tables = Tables(outcomes={"pass": OutcomeRow("p"), "fail": OutcomeRow("f")})
    rules = replace(Play().ruleset, name="Hedge", tables=tables)
    ctx = Context(Encounter(combatants=(person("mira"),)), rules, FallenDice([15]))
    with pytest.raises(
        Refused,
        match=r"^the check Save of Hedge \(con save\) came out as 'pas', which is not an outcome; "
        r"did you mean pass\?$",
    ):
        Save("mira", "con", name="con save").make(ctx)
    assert Save("mira", die=DieInput("fail", final=True)).make(ctx).outcome == "fail"
