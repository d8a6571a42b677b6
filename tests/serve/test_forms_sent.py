"""The forms of players' phones, filled in and sent in the sample fights: the table takes them, and
the fight does what they say."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from affray.core.dice import SeededDice
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
    assert told == "Mira casts Cinder Bolt at Clinker Hound 1, hit 11 fire"


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


def test_a_slot_is_said_for_a_spell_and_what_else_the_command_takes_is_asked(cart: Sent) -> None:
    cart.until_up("mira")
    fields = {field["name"]: field for field in cart.forms("mira")["do:cast"]["fields"]}
    also = dict(fields["more"]["options"])
    assert fields["slot"]["aside"] and {"ritual", "reaction", "concentration"} <= {*also}
    more = cart.send("do:cast", {"spell": "Alarm", "more": ["ritual", "nonsense"]})
    assert more == "more: choose one of those offered"
    before = cart.fight.state["mira"].track("slots_3")
    told = cart.cast("Furnace Breath", at=["Clinker Hound 1"], damage="28 fire", slot="3")
    assert told.startswith("Mira casts Furnace Breath on Clinker Hound 1")
    assert cart.fight.state["mira"].track("slots_3") == before - 1


def test_a_spell_is_readied_with_its_name(cart: Sent) -> None:
    cart.until_up("mira")
    fields = {field["name"]: field for field in cart.forms("mira")["do:ready"]["fields"]}
    assert fields["spell"]["only_if"] == "cast"
    answers = {"action": "cast", "spell": "Cinder Bolt", "trigger": "it moves"}
    row = cart.send("do:ready", answers)
    assert isinstance(row, Proposal)
    assert row.command == 'ready cast "Cinder Bolt" "it moves" by mira'
    assert cart.fight.do(row.command).by == "mira"
