"""Every form of every game, for every character of the samples: a phone fills it in and sends it
over the server in a state where its rule allows it, and the GM's program does it. No two fields of
one are called alike."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from tests.serve.phone import Phone, phone_at

from affray.core.dice import SeededDice
from affray.core.formatting.players_view import players_view
from affray.core.parser.errors import Refused
from affray.core.rules.proposals import may_go_by_itself
from affray.serve import Address
from affray.serve.forms import ProposalForm
from affray.serve.server import Board, begin
from affray.serve.table import Table
from affray.store.inbox import Inbox
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones
from affray.testing.phone_forms import WAYS, fill_in

SAMPLES = Path(__file__).parents[2] / "campaigns"
CAMPAIGNS = sorted(path.name for path in SAMPLES.iterdir())
Form = dict[str, Any]
Answers = dict[str, str | list[str]]


class State(NamedTuple):
    """A state in which forms may be sent that no sample begins in: the fight of the samples, and
    what is done there for each character, who is `WHO`; `FOE` and `ALLY` are others of it."""

    fight: str
    lines: tuple[str, ...]


STATES: Mapping[str, tuple[State, ...]] = {
    "ash-road": (
        State("the-black-cart", ("UNTIL FOE", "grapple WHO failure by FOE", "UNTIL WHO")),
        State("the-black-cart", ("inflict FOE grappled from WHO", "damage ALLY 60")),
        State("the-black-cart", ("inflict WHO prone", "cast Vigil concentration by WHO")),
        State("the-black-cart", ("set WHO inspiration 1", "attack FOE natural 3 by WHO")),
        State("the-black-cart", ("attack FOE natural 19 5 with ash-pole by WHO",)),
        State("the-black-cart", ("add monster Mule hp 20 size large side party", "mount mule")),
    ),
    "drowned-vale": (State("the-sluice-gate", ("free WHO restrained", "heal WHO 40")),),
    "kiln-road": (
        State("the-ninth-kiln", ("heal WHO 40", "inflict WHO grappled from FOE")),
        State("the-ninth-kiln", ("heal WHO 40", "inflict FOE grappled from WHO")),
        State("the-ninth-kiln", ("heal WHO 40", "inflict WHO prone", "damage ALLY 60")),
        State("the-ninth-kiln", ("heal WHO 40", "damage FOE 20")),
    ),
    "salt-stair": (
        State("the-bell-in-the-gale", ("heal WHO 40", "damage ALLY 60")),
        State("the-bell-in-the-gale", ("heal WHO 40", "inflict WHO prone")),
        State("the-bell-in-the-gale", ("heal WHO 40", "inflict FOE grappled from WHO")),
        State(
            "the-bell-in-the-gale",
            ("heal WHO 40", "UNTIL FOE", "grapple WHO success by FOE", "UNTIL WHO"),
        ),
        State("the-bell-in-the-gale", ("heal WHO 40", "UNTIL FOE", "press-the-attack by FOE")),
        State("the-bell-in-the-gale", ("heal WHO 40", "UNTIL FOE", "attack WHO crit 3 by FOE")),
    ),
    "winter-term": (
        State("the-boiler-house", ("heal WHO 40", "inflict WHO grabbed from FOE")),
        State("the-boiler-house", ("inflict WHO prone", "inflict WHO burning 1d6")),
        State("the-boiler-house", ("heal WHO 40", "inflict FOE grabbed from WHO")),
        State(
            "the-boiler-house",
            (
                "remove WHO",
                "add pc WHO hp 30 attack crossbow +6 vs ac 1d8 blunt ranged loading",
                "attack FOE hit 3 by WHO",
            ),
        ),
    ),
}
"""What no sample has: who is held, or holds, is prone, burning, mounted, dying, hit just now, has a
weapon to reload."""


class Served(NamedTuple):
    """A sample fight, its GM, and a phone at the server that has it."""

    fight: OpenEncounter
    table: Table
    inbox: Inbox
    phones: Phones
    phone: Phone

    async def forms(self, who: str) -> dict[str, Form]:
        self.phones.revoke(who)
        self.phones.grant(self.phone.hash, who)
        [me] = await self.phone.news()
        return {form["id"]: form for form in me["forms"]}

    async def is_accepted(self, form: Form, answers: Answers) -> bool:
        """True if what was filled in is taken by the server, and done by the GM's program."""
        self.table.has_news()  # as the server looks each moment
        status, _ = await self.phone.post("propose", form=form["id"], answers=answers)
        rows = self.inbox.waiting()
        assert len(rows) == (status == 200 and bool(rows))
        if not rows:
            return False
        [row] = rows
        if row.asks:
            return self.inbox.reply(row, "yes", self.fight.history)
        try:
            do = self.fight.do
            self.inbox.accept(row, lambda: do(row.command, proposal=row.id), self.fight.history)
        except Refused:
            self.inbox.decline(row, "", self.fight.history)
            return False
        self.fight.do("undo")
        return True


@asynccontextmanager
async def sample(folder: Path, campaign: str, fight_name: str) -> AsyncIterator[Served]:
    shutil.copytree(SAMPLES / campaign, folder / campaign, dirs_exist_ok=True)
    log = folder / campaign / "encounters" / f"{fight_name}.toml"
    seconds = count()
    with OpenEncounter.open(log, SeededDice(1)) as fight:
        fight.do("setting players-act ask")
        inbox, phones = Inbox(log), Phones(log)
        table = Table(fight, Inbox(log), Phones(log), lambda: float(next(seconds)))
        board = Board(players_view(fight.history, fight.ruleset))
        place = await begin(board, "token", Address("127.0.0.1", 0), table)
        async with phone_at(f"http://127.0.0.1:{place.port}") as phone:
            yield Served(fight, table, inbox, phones, phone)
        await place.end()


def party(fight: OpenEncounter) -> list[str]:
    return [each.id for each in fight.state.combatants if each.is_character]


def until_up(fight: OpenEncounter, who: str) -> None:
    for _ in range(40):
        if fight.state.phase != "combat" or fight.state.takes_turn(who):
            return
        fight.do("next")


def in_turn(fight: OpenEncounter, lines: tuple[str, ...]) -> Iterator[str]:
    """Each character, when it is up if the fight goes on, and in the state that the lines make."""
    for who in party(fight):
        start = fight.history.head
        until_up(fight, who)
        foes = [c.id for c in fight.state.in_order() if c.side == "foes" and c.life == "up"]
        ally = next(c for c in party(fight) if c != who)
        for line in lines:
            line = line.replace("WHO", who).replace("FOE", foes[0]).replace("ALLY", ally)
            if line.startswith("UNTIL "):
                until_up(fight, line.removeprefix("UNTIL "))
                continue
            with suppress(Refused):  # as not each of them has such a weapon
                fight.do(line)
        yield who
        if fight.history.head != start:
            fight.do(f"goto {start}")


async def is_done(served: Served, form: Form) -> bool:
    """True if one way of filling in a form is accepted."""
    shown = msgspec.convert(form, ProposalForm)
    for way in WAYS:
        if await served.is_accepted(form, fill_in(shown, way)):
            return True
    return False


def has_two_alike(form: Form) -> bool:
    """True if two fields of a form have one accessible name."""
    labels = [field["label"] for field in form["fields"]]
    return len(labels) > len({*labels})


@pytest.mark.parametrize("campaign", CAMPAIGNS)
async def test_every_form_is_sent_by_every_character_and_accepted(
    tmp_path: Path, campaign: str
) -> None:
    offered, able, done = (defaultdict[str, set[str]](set) for _ in range(3))
    fights = sorted(log.stem for log in (SAMPLES / campaign / "encounters").iterdir())
    states = [*(State(name, ()) for name in fights), *STATES.get(campaign, ())]
    for fight_name, lines in states:
        async with sample(tmp_path, campaign, fight_name) as served:
            for character in in_turn(served.fight, lines):
                forms = await served.forms(character)
                who = f"{character} in {served.fight.state.phase}"
                now = {form_id for form_id, form in forms.items() if not form["reason"]}
                assert [each["id"] for each in forms.values() if has_two_alike(each)] == []
                offered[who] |= set(forms)
                able[who] |= now
                for form_id in now - done[who]:
                    if await is_done(served, forms[form_id]):
                        done[who].add(form_id)
    left = {who: sorted(able[who] - done[who]) for who in able if able[who] - done[who]}
    assert left == {}, "offered, and never accepted"
    assert set().union(*offered.values()) == set().union(*done.values()), "of no sample"


async def test_a_save_that_is_asked_of_several_is_asked_on_all_their_phones(tmp_path: Path) -> None:
    """Each has the outcomes to choose from and a field for the die; trusted, it is made at once."""
    async with (
        sample(tmp_path, "ash-road", "the-bed-of-the-drake") as served,
        phone_at(served.phone.base) as other,
    ):
        fight, phones = served.fight, {"mira": served.phone, "teasel": other}
        until_up(fight, "cinder-drake")
        fight.do("setting players-act trusted", 'power "Ash Breath" mira,teasel 20 by cinder-drake')
        for (who, phone), answers in zip(
            phones.items(), ({"answer": "f"}, {"die": "18"}), strict=True
        ):
            served.phones.grant(phone.hash, who)
            [me] = await phone.news()
            [form] = [each for each in me["forms"] if each["group"] == "waiting"]
            assert me["call"] == "asked"
            assert [field["name"] for field in form["fields"]] == ["die", "answer"]
            assert [label for _, label in form["fields"][1]["options"]] == [
                "success",
                "failure",
                "roll",
            ]
            await phone.post("propose", form=form["id"], answers=answers)
        lost = {who: fight.state[who].track("hp") for who in phones}
        for row in served.inbox.waiting():
            assert may_go_by_itself(fight.history, fight.ruleset, row.character, row.command)
            fight.do(row.command, proposal=row.id)
        assert [lost[who] - fight.state[who].track("hp") for who in phones] == [20, 0]


OLD, HELD = "setting edition 2014", "grappled"


@pytest.mark.parametrize(
    ("campaign", "fight_name", "asks", "who", "answer", "brings"),
    [
        ("ash-road", "the-black-cart", "grapple WHO", "brannoc", "failure", HELD),
        ("ash-road", "the-black-cart", "shove WHO prone", "brannoc", "failure", "prone"),
        ("ash-road", "the-black-cart", "grapple WHO", "brannoc", "success", ""),
        ("drowned-vale", "the-sluice-gate", "grapple WHO", "tamsin", "miss", "restrained"),
        ("drowned-vale", "the-sluice-gate", "grapple WHO", "tamsin", "strong", ""),
        ("ash-road", "the-black-cart", f"{OLD}; grapple WHO natural 9", "mira", "failure", HELD),
        ("ash-road", "the-black-cart", f"{OLD}; shove WHO prone roll", "mira", "success", ""),
        ("winter-term", "the-frozen-conservatory", "trip WHO natural 10", "pim", "fail", "prone"),
        ("winter-term", "the-frozen-conservatory", "trip WHO natural 10", "pim", "pass", ""),
    ],
)
async def test_a_grapple_or_a_contest_asks_the_phone_of_whoever_is_seized(
    tmp_path: Path, campaign: str, fight_name: str, asks: str, who: str, answer: str, brings: str
) -> None:
    async with sample(tmp_path, campaign, fight_name) as served:
        fight, phone = served.fight, served.phone
        foe = next(each.id for each in fight.state.in_order() if each.side == "foes")
        until_up(fight, foe)
        fight.do("setting players-act trusted", *asks.replace("WHO", who).split("; "))
        served.phones.grant(phone.hash, who)
        [me] = await phone.news()
        [form] = [each for each in me["forms"] if each["group"] == "waiting"]
        assert me["call"] == "asked"
        keys = {word: key for key, word in form["fields"][1]["options"]}
        await phone.post("propose", form=form["id"], answers={"answer": keys[answer]})
        [row] = served.inbox.waiting()
        assert may_go_by_itself(fight.history, fight.ruleset, row.character, row.command)
        before = {effect.name for effect in fight.state[who].effects}
        fight.do(row.command, proposal=row.id)
        gained = {effect.name for effect in fight.state[who].effects} - before
        assert gained == ({brings} if brings else set())
        assert not fight.state[who].named("threatened")
