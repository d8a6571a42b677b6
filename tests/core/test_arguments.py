"""A command's arguments are declared once: parser, usage, completion and prompt come of that."""

from __future__ import annotations

from operator import add
from typing import Annotated

import pytest
from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.decide import complete, decide
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.declarations import (
    Argument,
    NoArgs,
    arguments_usage,
    declare_command,
    fields_of,
    read_within,
    spec_of_prompt,
    spec_of_technique,
)
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.tables import PromptRow, TechniqueRow

TYPES = ("cold", "fire")


class Terms(Struct, frozen=True):
    """What is said of a roll, in any order."""

    adv: Annotated[bool, arguments.flag_arg("advantage", heard="adv")] = False
    plus: Annotated[
        int, arguments.keyword_arg("plus", arguments.number_arg("the bonus", -99), add)
    ] = 0
    cover: Annotated[
        str, arguments.anywhere_choice_arg("cover", "wall", alike={"half-cover": "cover"})
    ] = ""
    weapon: Annotated[
        str,
        arguments.keyword_arg("with", arguments.text_arg("the attack", lambda r: ["bow"], "NAME")),
    ] = ""


class Blow(Struct, frozen=True, kw_only=True):
    """The first kind of form that a command has: one hits somebody."""

    targets: Annotated[
        list[Combatant], arguments.combatants_arg("who is hit", field=Field("targets", ("half",)))
    ]
    outcome: Annotated[
        str, arguments.choice_arg("an outcome", ("hit", "miss"), field=Field("outcome"))
    ]
    amount: Annotated[int | None, arguments.amount_arg("the damage")] = None
    type: Annotated[str, arguments.damage_type_arg(lambda ctx: TYPES, requires="amount")] = ""
    terms: Annotated[Terms, arguments.keyword_args(Terms)]
    half: Annotated[tuple[str, ...], arguments.half_damage_arg()] = ()
    never_said: int = 7


class Spell(Struct, frozen=True):
    """What `act` says: a spell, perhaps at somebody."""

    name: Annotated[
        str, arguments.text_arg("the spell", lambda r: ["fog"], "SPELL", field=Field("spell"))
    ]
    action: Annotated[str, arguments.choice_arg("an action", ("bonus", "none"))] = ""
    at: Annotated[Blow | None, arguments.keyword_arg("at", arguments.struct_arg(Blow))] = None


class Cut(Struct, frozen=True):
    """What else there is: any of some words, an amount whose dice wait, other words for a word."""

    fallen: Annotated[int | str, arguments.damage_arg()]
    how: Annotated[tuple[str, ...], arguments.any_of("deep", "wide", alike={"broad": "wide"})] = ()
    where: Annotated[
        str,
        arguments.keyword_arg(
            "at", arguments.choice_arg("a place", ("arm",), alike={"elbow": "arm"}), alike=("into",)
        ),
    ] = ""


class Mood(Struct, frozen=True):
    """A command whose first argument may be left out."""

    moods: Annotated[
        list[str], arguments.choices_arg("a mood", ("sad", "glad"), "MOOD[,MOOD]")
    ] = []
    loudly: Annotated[bool, arguments.flag_arg()] = False
    why: Annotated[str, arguments.text_arg("why")] = ""


class Find(Struct, frozen=True):
    """One of the uses of a command: its own arguments, and any words behind them."""

    number: Annotated[int, arguments.number_arg("how many", 1)] = 1
    inspired: Annotated[bool, arguments.flag_arg()] = False
    what: Annotated[str, arguments.rest_arg("WHAT")] = ""


class Keep(Struct, frozen=True):
    """Another use of it."""

    which: Annotated[str, arguments.choice_arg("the result to keep", ("old", "new"))]


class Thread(Struct, frozen=True):
    """A command of several uses, each with arguments of its own."""

    use: Annotated[Find | Keep, arguments.subcommand_arg("a use", {"find": Find, "keep": Keep})]


class Together(Struct, frozen=True):
    """What is said as often as it is meant, in a way of its own each time."""

    cuts: Annotated[list[Cut], arguments.repeated_arg(Cut, "CUT [CUT ...]")]


class Hours(Struct, frozen=True):
    """What keywords alone say, where nothing else is said of it."""

    long: Annotated[bool, arguments.flag_arg()] = False
    supplies: Annotated[
        int, arguments.keyword_arg("supplies", arguments.number_arg("the supplies"))
    ] = 0


class Gift(Struct, frozen=True):
    """A part of a command that goes by what was said before it."""

    what: Annotated[
        str, arguments.choice_arg("a gift", lambda r: [f"{r.value_of('who').id}s-hat"], "GIFT")
    ]


class Feast(Struct, frozen=True):
    """What has parts that may be left out."""

    who: Annotated[Combatant, arguments.combatant_arg("whose feast")]
    hours: Annotated[Hours, arguments.struct_arg(Hours)] = Hours()
    gifts: Annotated[list[Gift], arguments.repeated_arg(Gift, "GIFT [GIFT ...]")] = []


class Ending(Struct, frozen=True):
    """Something that ends in a cut, or, where it is said so, in a mood."""

    end: Annotated[
        Cut | Mood,
        arguments.variant_arg(lambda r: Mood if r.words.take("moody") else Cut, Cut, Mood),
    ]


class Verse(Struct, frozen=True):
    """What is sung once."""

    amount: Annotated[int, arguments.amount_arg("verses", usage="N")]


_VERSES = arguments.repeated_arg(Verse, "N [N ...]", to_the_end=False)


class Chorus(Struct, frozen=True):
    """What each of some sings, and something behind it."""

    who: Annotated[list[Combatant], arguments.combatants_arg("who sings")]
    verses: Annotated[list[list[Verse]], arguments.each_arg("who", _VERSES)]
    end: Annotated[str, arguments.text_arg("how it ends", usage="END")] = ""


class Fogbound(Struct, frozen=True):
    """A spell that is known before its other words are read."""

    spell: Annotated[
        Spell, Argument(lambda r: read_within(Spell, r, name="fog"), "[bonus|none]", field=ANY_MORE)
    ]


def _marks(who: Combatant) -> dict[str, int]:
    """What each of them has, in the tests: monsters a mark of their kind."""
    return {"claw": 1} if who.kind == "monster" else {}


class Lift(Struct, frozen=True):
    """What is done to something that each of several has."""

    people: Annotated[list[Combatant], arguments.bearers_arg("who is freed", _marks)]
    names: Annotated[list[str], arguments.borne_arg("a mark", _marks, "has no marks", "MARK")]


class Count(Struct, frozen=True):
    """What is done to what somebody has, or the GM."""

    people: Annotated[list[Combatant], arguments.owners_arg("whose marks")]
    number: Annotated[int, arguments.number_arg("how many", 1)] = 1


class Listener:
    """A fight of two with some declared commands, which keep what was said."""

    def __init__(self, play) -> None:
        play("add pc Mira", "add monster Ghoul x2")
        self.state, self.dice, self.heard = play.state, play.dice, None
        commands = [
            declare_command("blow", "hits", Blow, self._hear),
            declare_command("act", "acts", Spell, self._hear, acts=True),
            declare_command("mood", "feels", Mood, self._hear),
            declare_command("cut", "cuts", Cut, self._hear),
            declare_command("lift", "frees", Lift, self._hear),
            declare_command("count", "counts", Count, self._hear),
            declare_command("thread", "bends luck", Thread, self._hear),
            declare_command("together", "cuts all over", Together, self._hear),
            declare_command("feast", "feasts", Feast, self._hear),
            declare_command("bow", "bows", NoArgs, self._hear),
            declare_command("chorus", "sings", Chorus, self._hear),
            declare_command("ending", "ends in a way", Ending, self._hear),
            declare_command("fogbound", "acts in fog", Fogbound, self._hear),
        ]
        self.ruleset = replace(
            play.ruleset, commands={command.name: command for command in commands}
        )

    def _hear(self, ctx, said) -> None:
        self.heard = said

    def __call__(self, line):
        decide(self.state, line, self.ruleset, self.dice)
        return self.heard

    def refusal(self, line) -> str:
        with pytest.raises(Refused) as refused:
            self(line)
        return refused.value.message.partition(" (usage")[0]

    def offers(self, line) -> list[str]:
        return complete(self.state, line, self.ruleset)


@pytest.fixture
def listen(play) -> Listener:
    return Listener(play)


# -- reading ---------------------------------------------------------------------------------------


def test_what_stands_in_its_place_is_read_in_that_order(listen):
    said = listen("blow ghoul-1,mira hit 8 fire")
    assert [who.id for who in said.targets] == ["ghoul-1", "mira"]
    assert (said.outcome, said.amount, said.type) == ("hit", 8, "fire")


def test_what_may_be_left_out_has_its_default(listen):
    said = listen("blow ghoul-1 miss")
    assert (said.amount, said.type, said.half, said.terms) == (None, "", (), Terms())
    assert said.never_said == 7


@pytest.mark.parametrize(
    "line",
    [
        "blow mira hit 8 fire adv plus 2 wall with bow",
        "blow mira with bow wall hit plus 2 8 adv fire",
        "blow mira advantage plus 1 hit wall plus 1 8 with bow fire",
    ],
)
def test_what_a_keyword_begins_stands_anywhere_behind_the_first(listen, line):
    said = listen(line)
    assert said.terms == Terms(adv=True, plus=2, cover="wall", weapon="bow")
    assert (said.outcome, said.amount, said.type) == ("hit", 8, "fire")


def test_other_words_for_a_keyword_mean_the_same(listen):
    assert listen("blow mira hit half cover").terms.cover == "cover"


def test_a_quoted_word_is_no_keyword(listen):
    assert listen('mood "loudly"') == Mood(why="loudly")
    assert listen("mood loudly singing") == Mood(loudly=True, why="singing")


def test_half_of_one_needs_no_name_and_half_of_several_adds_up(listen):
    assert listen("blow mira hit 8 half adv").half == ("mira",)
    assert listen("blow all hit 8 half mira half ghoul-1,mira").half == ("mira", "ghoul-1")


def test_a_type_is_nothing_without_an_amount(listen):
    assert "did not expect 'fire'" in listen.refusal("blow mira hit fire")


def test_dice_in_place_of_an_amount_are_rolled(new_play):
    play = new_play((3,))
    listen = Listener(play)
    assert listen("blow mira hit 1d6+1").amount == 4


def test_a_struct_stands_behind_a_keyword(listen):
    said = listen("act fog none at ghoul-1 hit 5 cold plus 1 by mira")
    assert (said.name, said.action, said.at.amount, said.at.terms.plus) == ("fog", "none", 5, 1)


def test_several_words_are_read_each_once(listen):
    assert listen("mood sad,glad,sad").moods == ["sad", "glad"]


def test_words_for_the_same_mean_it_and_of_some_words_any_can_be_said(listen):
    assert listen("cut 2d6+1 broad deep wide into elbow") == Cut("2d6+1", ("wide", "deep"), "arm")
    assert listen("cut 7") == Cut(7)
    assert arguments_usage(Cut) == "DAMAGE [deep] [wide] [at arm]"


# -- refusals --------------------------------------------------------------------------------------


def test_a_text_takes_all_words_that_are_left(listen):
    assert listen("thread find 2 a rope, and 3 nails").use == Find(2, what="a rope, and 3 nails")
    assert listen("thread find inspired 'long rope'").use == Find(inspired=True, what="long rope")


def test_each_word_has_arguments_of_its_own(listen):
    assert listen("thread keep old").use == Keep("old")
    assert listen.refusal("thread kept").startswith("expected a use, found 'kept'")
    assert listen.offers("thread ") == ["find", "keep"]
    assert listen.offers("thread find ") == ["inspired"]
    assert listen.offers("thread keep ") == ["old", "new"]
    assert arguments_usage(Thread) == "find [N] [WHAT] [inspired] | keep old|new"
    words = ("find", "keep")
    asked = [(field.kind, field.options, field.only_if) for field in fields_of(Thread)]
    assert asked == [
        ("choice", words, ""),
        ("number", (), "find"),
        ("choice", ("old", "new"), "keep"),
    ]


def test_a_field_that_is_known_is_not_read(listen):
    assert listen("fogbound none").spell == Spell("fog", "none")
    assert listen.offers("fogbound ")[:2] == ["bonus", "none"]


def test_what_is_said_may_be_one_of_several_structs(listen):
    assert listen("ending 7 wide").end == Cut(7, ("wide",))
    assert listen("ending moody sad loudly").end == Mood(["sad"], loudly=True)
    assert "moody" in listen.offers("ending ")
    assert arguments_usage(Ending) == f"{arguments_usage(Cut)} | {arguments_usage(Mood)}"


def test_what_each_of_several_has_is_named_once_for_all(listen):
    assert listen("lift ghoul-1,ghoul-2 claw").names == ["claw", "claw"]
    assert [who.id for who in listen("lift all claw").people] == ["ghoul-1", "ghoul-2"]
    assert listen.refusal("lift ghoul-1,mira claw") == "Mira has no marks"
    assert listen.offers("lift ghoul-1 ") == ["claw"]
    assert arguments_usage(Lift) == "NAME[,NAME] MARK"


def test_nobody_is_named_for_what_the_gm_has(listen):
    assert listen("count gm 3") == Count([], 3)
    assert [who.id for who in listen("count foes").people] == ["ghoul-1", "ghoul-2"]
    assert listen.offers("count g") == ["ghoul-1", "ghoul-2", "gm"]


def test_a_struct_may_be_said_several_times(listen):
    assert listen("together 4 deep at arm 1d6").cuts == [Cut(4, ("deep",), "arm"), Cut("1d6")]
    assert arguments_usage(Together) == "CUT [CUT ...]"


def test_a_part_goes_by_what_was_said_before_it(listen):
    assert listen("feast mira miras-hat miras-hat").gifts == [Gift("miras-hat")] * 2
    assert listen.refusal("feast ghoul-1 miras-hat").startswith("expected a gift")
    assert listen.offers("feast mira miras-hat ") == ["miras-hat"]


def test_a_part_of_keywords_alone_stands_in_its_place(listen):
    assert listen("feast mira supplies 2 long miras-hat").hours == Hours(True, 2)
    assert listen.offers("feast mira ")[:2] == ["long", "supplies"]
    assert listen.offers("feast mira miras-hat ") == ["miras-hat"]
    assert arguments_usage(Feast) == "NAME [long] [supplies N] [GIFT [GIFT ...]]"


def test_what_each_does_is_read_for_one_after_the_other(new_play):
    listen = Listener(new_play((1, 2, 3, 4)))
    said = listen("chorus mira,ghoul-1 1d6 1d6 loudly")
    assert said.verses == [[Verse(1), Verse(2)], [Verse(3), Verse(4)]]
    assert said.end == "loudly"
    assert listen.refusal("chorus mira loudly").startswith("expected the verses")
    assert arguments_usage(Chorus) == "NAME[,NAME] N [N ...] [END]"


def test_a_command_may_say_nothing(listen):
    assert listen("bow") == NoArgs()
    assert listen.ruleset.commands["bow"].usage == "bow"
    assert listen.refusal("bow mira") == "did not expect 'mira'"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("blow", "expected who is hit"),
        ("blow mira", "expected an outcome"),
        ("blow mira hitt", "expected an outcome, found 'hitt': did you mean hit?"),
        ("blow mira hit 5 fir", "'fir' is no known damage type; did you mean fire?"),
        ("blow mira hit 5 fire advv", "did not expect 'advv'; did you mean adv?"),
        ("blow mira hit plus", "expected the bonus"),
        ("blow mira hit cover wall", "wall is given twice"),
        ("blow mira hit with bow with bow", "with is given twice"),
        ("act", "expected the spell"),
        ("mood sad,gladd", "expected a mood, found 'gladd': did you mean glad?"),
    ],
)
def test_a_mistake_is_told_in_a_line_with_what_is_close(listen, line, answer):
    assert listen.refusal(line) == answer


def test_a_refusal_names_the_usage(listen):
    with pytest.raises(Refused) as refused:
        listen("blow mira")
    assert refused.value.usage == listen.ruleset.commands["blow"].usage


# -- usage -----------------------------------------------------------------------------------------


def test_the_usage_comes_of_the_declaration(listen):
    terms = "[adv] [plus N] [cover|wall] [with NAME]"
    blow = f"NAME[,NAME] hit|miss [AMOUNT [TYPE]] {terms} [half [NAME[,NAME]]]"
    assert arguments_usage(Terms) == terms
    assert listen.ruleset.commands["blow"].usage == f"blow {blow}"
    assert listen.ruleset.commands["act"].usage == f"act SPELL [bonus|none] [at {blow}] [by NAME]"


def test_words_that_are_too_many_to_list_have_a_name_for_all():
    class Short(Struct):
        target: Annotated[Combatant, arguments.combatant_arg("a combatant")]
        terms: Annotated[Terms, arguments.keyword_args(Terms, "WORDS")]

    assert arguments_usage(Short) == "NAME [WORDS]"


# -- completion ------------------------------------------------------------------------------------


def test_completion_offers_what_could_stand_there(listen):
    assert listen.offers("blow ") == ["mira", "ghoul-1", "ghoul-2", "party", "foes", "all"]
    assert listen.offers("blow mira ") == ["hit", "miss"]
    assert listen.offers("blow mira hit 5 ")[:2] == ["cold", "fire"]
    assert listen.offers("blow mira hit with ") == ["bow"]
    assert listen.offers("act fog ")[:3] == ["bonus", "none", "at"]
    assert listen.offers("mood s") == ["sad"]


def test_completion_offers_keywords_once_each(listen):
    terms = ["adv", "plus", "cover", "wall", "with", "half"]
    assert listen.offers("blow mira hit ") == terms
    assert listen.offers("blow mira hit adva") == ["advantage"]
    assert listen.offers("blow mira hit plus 2 wall adv ") == ["plus", "with", "half"]


# -- the prompt ------------------------------------------------------------------------------------


def test_a_prompt_asks_what_is_declared_and_lists_the_rest():
    """What letters say stands right behind whoever is named first."""
    blow, spell = fields_of(Blow), fields_of(Spell)
    assert [field.kind for field in blow] == ["targets", "said", "outcome", "damage", "more"]
    assert [field.name for field in blow[:4]] == ["targets", "adv", "outcome", "amount"]
    assert [field.optional for field in spell] == [False, True, True]


def test_a_row_that_says_nothing_asks_as_its_command_is_declared(listen):
    chant = {"chant": TechniqueRow(command="act")}
    ruleset = replace(listen.ruleset, tables=replace(listen.ruleset.tables, techniques=chant))
    row, commands = PromptRow(command="blow"), ruleset.commands
    spec = spec_of_prompt("blow", row, ruleset, commands)
    assert spec.fields == fields_of(Blow)
    own = spec_of_prompt("blow", replace(row, fields=("target",)), ruleset, commands)
    assert [field.kind for field in own.fields] == ["target"]
    assert spec_of_technique("chant", ruleset, commands).fields == fields_of(Spell)
