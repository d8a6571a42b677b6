"""The forms of players' phones, filled in and sent in the sample fights: the table takes them, and
the fight does what they say. DESIGN §8."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from affray.core.dice import SeededDice, StubDice
from affray.core.parser.errors import Refused
from affray.serve.table import Table
from affray.store.inbox import Inbox, Proposal
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones

SAMPLES = Path(__file__).parents[2] / "campaigns"
PHONE = "aa11"
Form = dict[str, Any]
Answers = dict[str, str | list[str]]


class Sent(NamedTuple):
    """A fight of the samples, and the table that phones send to."""

    fight: OpenEncounter
    table: Table
    inbox: Inbox

    def until_up(self, who: str) -> None:
        for _ in range(20):
            if self.fight.state.takes_turn(who):
                return
            self.fight.do("next")
        raise AssertionError(f"{who} never acts")

    def party_in_turn(self) -> Iterator[str]:
        """The characters, each when it is up if the fight goes on."""
        rest = {each.id for each in self.fight.state.combatants if each.is_character}
        for _ in range(20):
            state = self.fight.state
            up = {each for each in rest if state.phase != "combat" or state.takes_turn(each)}
            yield from sorted(up)
            rest -= up
            if not rest or state.phase != "combat":
                return
            self.fight.do("next")

    def forms(self, who: str) -> dict[str, Form]:
        Phones(self.fight.path).revoke(who)
        Phones(self.fight.path).grant(PHONE, who)
        return {form["id"]: form for form in self.told()["forms"]}

    def told(self) -> Any:
        return msgspec.json.decode(self.table.view_of(PHONE))

    def send(self, form: str, answers: Mapping[str, Any]) -> Proposal | str:
        """What waits for the GM then, or why it was not taken."""
        self.table.has_news()
        reply = self.table.propose(PHONE, {"id": form, "form": form, "answers": answers})
        return self.inbox.waiting()[-1] if reply.ok else reply.words

    def cast(self, spell: str, **answers: Any) -> str:
        """Have the phone's cast done by the GM's program; returns what came of it."""
        row = self.send("do:cast", {"spell": spell, **answers})
        assert isinstance(row, Proposal), row
        do = self.fight.do
        return self.inbox.accept(
            row, lambda: do(row.command, proposal=row.id), self.fight.history
        ).text


@contextmanager
def sample(folder: Path, name: str) -> Iterator[Sent]:
    campaign, _, fight_name = name.partition("/")
    shutil.copytree(SAMPLES / campaign, folder / campaign, dirs_exist_ok=True)
    log = folder / campaign / "encounters" / f"{fight_name}.toml"
    with OpenEncounter.open(log, SeededDice(1)) as fight:
        if fight.state.phase == "setup":
            fight.do("start")
        fight.do("setting players-act ask")
        yield Sent(fight, Table(fight, Inbox(log), Phones(log)), Inbox(log))


# -- casting in 5e ---------------------------------------------------------------------------------


@pytest.fixture
def cart(tmp_path: Path) -> Iterator[Sent]:
    with sample(tmp_path, "ash-road/the-black-cart") as found:
        yield found


def test_the_spells_of_the_sheet_are_offered_to_the_phone(cart: Sent) -> None:
    spell = cart.forms("mira")["do:cast"]["fields"][0]
    assert [name for name, _ in spell["options"]] == [
        "Cinder Bolt",
        "Furnace Breath",
        "Still as Glass",
    ]


def test_a_spell_that_attacks_is_cast_with_its_die_and_its_damage(cart: Sent) -> None:
    cart.until_up("mira")
    cart.forms("mira")
    told = cart.cast("Cinder Bolt", at=["Clinker Hound 1"], outcome="18", damage="11 fire")
    assert told == "Mira uses Cinder Bolt on Clinker Hound 1, hit 11 fire"


def test_of_a_spell_that_is_saved_from_no_save_is_asked_of_the_player(cart: Sent) -> None:
    cart.until_up("mira")
    fields = {field["name"]: field for field in cart.forms("mira")["do:cast"]["fields"]}
    assert fields["outcome"]["optional"]
    hounds = ["Clinker Hound 1", "Clinker Hound 2"]
    told = cart.cast("Furnace Breath", at=hounds, damage="28 fire")
    assert told.startswith("Mira casts Furnace Breath on Clinker Hound 1 and Clinker Hound 2")


def test_a_spell_is_cast_on_allies_and_oneself_and_on_nobody(cart: Sent) -> None:
    cart.until_up("odo")
    cart.forms("odo")
    assert cart.cast("Watchfire", at=["Odo", "Mira"]) == "Odo casts Watchfire on Odo and Mira"
    cart.until_up("mira")
    cart.forms("mira")
    assert cart.cast("Some Ritual of Hers") == "Mira casts Some Ritual of Hers"


# -- every form ------------------------------------------------------------------------------------

CAMPAIGNS = sorted(path.name for path in SAMPLES.iterdir())
NOT_IN_THE_SAMPLES = {
    "ash-road": {
        *("do:cleave", "do:dismount", "do:escape", "do:release"),
        *("say:inspiration", "say:mount-save", "say:recharge"),
    },
    "kiln-road": {"do:move-grappled", "do:release", "do:stand-up"},
    "salt-stair": {
        *("do:block", "do:escape", "do:fall-back", "do:release", "do:stand", "say:massive"),
    },
    "winter-term": {"do:douse", "do:reload", "do:stand"},
}
"""The forms for which no sample has what the rule asks for: somebody who is held, mounted, prone,
burning, pressed or hit just now, inspiration, a power that recharges, a weapon to reload."""
FILLED = [  # which are answered, which of what there is to choose, of how many, the die
    *(("needed", n, 1, "4") for n in range(3)),
    *(("aimed", n, 1, "4") for n in range(2)),
    *(("undiced", n, 1, "15") for n in (0, 3, 6)),
    *(("all", n, 1, "15") for n in (0, 1, 6)),
    ("all", 0, 2, "15,7"),
]
ANSWERED = {"needed": (), "aimed": ("combatant", "die"), "undiced": ("combatant", "damage", "text")}
"""The kinds of those fields that are answered though they may be left out."""


def is_asked(field: Form, form: Form, answers: Answers) -> bool:
    """As the page asks it."""
    if not field["only_if"]:
        return True
    return any(
        field["only_if"] in [answer] + (answer if isinstance(answer, list) else [])
        or (name == field["only_if"] and bool(answer))
        for name, answer in answers.items()
    )


def fill(form: Form, how: str, which: int, many: int, die: str) -> Answers:
    answers: Answers = {}
    for field in form["fields"]:
        is_answered = not field["optional"] or field["kind"] in ANSWERED.get(how, (field["kind"],))
        if is_answered and is_asked(field, form, answers):
            others = len(answers) if field["kind"] == "combatant" else 0  # nobody twice
            found = answer(field, which + others, many, die)
            answers |= {field["name"]: found} if found else {}
    return answers


def answer(field: Form, which: int, many: int, die: str) -> str | list[str]:
    values: list[str] = [value for value, _ in field["options"]]
    if field["several"]:
        return values[which : which + many]
    if field["kind"] == "damage":
        return " ".join(["3", *values[:1]]) if values[:1] != ["roll"] else "3"
    typed = {"die": die, "number": "1", "text": "4" if "roll" in field["name"] else "from behind"}
    if field["kind"] in ("die", "number") or not values:
        return typed.get(field["kind"], "")
    return values[which % len(values)]


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_every_form_can_be_filled_in_so_that_the_fight_does_it(
    tmp_path: Path, campaign: str
) -> None:
    offered, done = set[str](), set[str]()
    for log in sorted((SAMPLES / campaign / "encounters").iterdir()):
        with sample(tmp_path, f"{campaign}/{log.stem}") as sent:
            for who in sent.party_in_turn():
                forms = sent.forms(who)
                offered |= set(forms)
                done |= {
                    form_id
                    for form_id, form in forms.items()
                    if form_id not in done and not form["reason"] and is_done(sent, form)
                }
    assert offered - done == NOT_IN_THE_SAMPLES.get(campaign, set())


def is_done(sent: Sent, form: Form) -> bool:
    """True if one way of filling in a form makes a proposal that the fight would do."""
    for how in FILLED:
        row = sent.send(form["id"], fill(form, *how))
        if not isinstance(row, Proposal):
            continue
        try:
            sent.fight.preview(row.command, StubDice(high=False))
        except Refused:
            continue
        finally:
            sent.inbox.take(row.id)
            sent.inbox.forget(row.id)
        return True
    return False


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_no_two_fields_of_a_form_have_one_label(tmp_path: Path, campaign: str) -> None:
    alike = defaultdict[str, set[str]](set)
    for log in sorted((SAMPLES / campaign / "encounters").iterdir()):
        with sample(tmp_path, f"{campaign}/{log.stem}") as sent:
            for who in (c for c in sent.fight.state.combatants if c.is_character):
                for form_id, form in sent.forms(who.id).items():
                    labels = [field["label"] for field in form["fields"]]
                    alike[form_id] |= {each for each in labels if labels.count(each) > 1}
    assert {form_id: labels for form_id, labels in alike.items() if labels} == {}
