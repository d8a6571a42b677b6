"""What phones may send to the server, and what it answers: nothing without a right, nothing about
anybody hidden, and nothing from another page."""

from __future__ import annotations

import asyncio
import json
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests.serve.phone import Phone, phone_at

from affray.cli import main
from affray.core.dice import SeededDice
from affray.core.formatting.players_view import players_view
from affray.core.parser.errors import Refused
from affray.serve import Address, server
from affray.serve.server import NOT_TAKEN, Board, Served, begin, follow, load_certificate
from affray.serve.table import MOST_OF_STRANGERS, NO_CHARACTER, Table
from affray.store.inbox import MOST_OF_ONE, Inbox
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones

HERE = Address("127.0.0.1", 0)
SETUP = (
    "add pc Mira hp 30 ac 14 attack blade +5 1d8+3 slashing",
    "add pc Odo hp 20 ac 12",
    "add pc Shade hp 20 hidden",
    "add monster Ghoul hp 22 ac 12",
    "add monster Lurker hp 22 ac 12 hidden",
    *("init mira 20", "init lurker 17", "init odo 15", "init ghoul 10", "init shade 1"),
    *("start", "setting players-act ask"),
)
STRIKE = {"form": "do:attack", "answers": {"target": "Ghoul", "die": "15"}}
Sent = dict[str, Any]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(server, "LOOK_EVERY", 0.01)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    campaign = tmp_path / "vale"
    (campaign / "encounters").mkdir(parents=True)
    (campaign / "campaign.toml").write_text('name = "Vale"\n', "utf-8")
    return campaign / "encounters" / "ford.toml"


class Evening:
    """A fight with its GM, the server that follows it, and the phones."""

    def __init__(
        self, log: Path, gm: OpenEncounter, table: Table, board: Board, served: Served
    ) -> None:
        self.gm, self.table, self.board = gm, table, board
        self.inbox, self.phones = Inbox(log), Phones(log)
        self.time = 0.0
        self.base = f"http://127.0.0.1:{served.port}"

    @asynccontextmanager
    async def phone(self, plays: str = "", keep: str = "") -> AsyncIterator[Phone]:
        async with phone_at(self.base, keep) as phone:
            if plays:
                self.phones.grant(phone.hash, plays)
            yield phone

    def look(self) -> None:
        """Let the server see what was saved, which else comes with its next look."""
        self.table._fight.follow()
        self.table.has_news()

    def accept(self, command: str = "") -> None:
        """Accept the last thing that waits, or do another command in its place."""
        row = self.inbox.waiting()[-1]
        self.inbox.accept(
            row, lambda: self.gm.do(command or row.command, proposal=row.id), self.gm.history
        )

    def told(self, phone: Phone) -> Any:
        return json.loads(self.table.view_of(phone.hash))


@asynccontextmanager
async def evening(log: Path, *more: str) -> AsyncIterator[Evening]:
    """A fight that is begun, or the one that was; the clock of the phones' haste stands still, and
    each request is a second later."""
    gm = None
    if log.exists():
        gm = OpenEncounter.open(log)
    else:
        gm = OpenEncounter.create(log, "level-up", "The Ford", SeededDice(1))
        gm.do(*SETUP, *more)
    with gm:
        seen = OpenEncounter.view(log)
        table = Table(seen, Inbox(log), Phones(log))
        board = Board(players_view(seen.history, seen.ruleset))
        place = await begin(board, "token", HERE, table)
        result = Evening(log, gm, table, board, place)

        def later() -> float:
            result.time += 1.0
            return result.time

        table._now = later
        yield result
        await place.end()


# -- who may ---------------------------------------------------------------------------------------


async def test_without_a_right_a_phone_proposes_nothing(log: Path) -> None:
    async with evening(log) as at, at.phone() as phone:
        assert await phone.post("propose", **STRIKE) == (
            403,
            b'{"ok": false, "words": "the GM hasn\'t let this phone play anybody"}',
        )
        assert at.inbox.waiting() == () and at.told(phone) is None
        assert await phone.words("play", character="Mira") == "sent to the GM"
        assert (await phone.post("propose", **STRIKE))[0] == 403, "it has only asked"
        assert at.told(phone) == {"asks": "mira"}


async def test_with_a_right_it_proposes_in_words_what_waits_for_the_gm(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        assert await phone.words("propose", **STRIKE) == "sent to the GM"
        [row] = at.inbox.waiting()
        assert (row.sender, row.character) == (phone.hash, "mira")
        assert row.command == "attack ghoul natural 15 by mira"
        assert row.words == "Attack Ghoul, 15 on the die"
        [told] = at.told(phone)["proposals"]
        assert (told["words"], told["state"]) == (row.words, "waiting")


async def test_a_question_waits_and_its_answer_reaches_the_phone(log: Path) -> None:
    ask = {"form": "question", "answers": {"text": "Is the door locked?"}}
    async with evening(log) as at, at.phone("mira") as phone:
        empty = {"form": "question", "answers": {"text": " "}}
        assert await phone.words("propose", **empty) == "the question is missing"
        assert await phone.words("propose", **ask) == "sent to the GM"
        [row] = at.inbox.waiting()
        assert (row.asks, row.command, row.words) == (True, "", "Is the door locked?")
        [told] = at.told(phone)["proposals"]
        assert (told["words"], told["state"]) == ("Is the door locked?", "waiting")
        assert at.inbox.for_gm(at.gm.history, at.phones) == [row]
        assert at.inbox.reply(row, "Yes, and it is warm.", at.gm.history)
        at.look()
        [told] = at.told(phone)["proposals"]
        assert (told["state"], told["answer"]) == ("answered", "Yes, and it is warm.")
        assert at.inbox.waiting() == () and not at.gm.history.proposals


async def test_what_the_fight_refuses_is_told_to_its_player_as_far_as_players_know(
    log: Path,
) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        await phone.post("propose", **STRIKE)
        at.gm.do("next", "next")
        at.look()
        [row] = at.inbox.waiting()
        with pytest.raises(Refused):
            at.accept()
        assert at.inbox.tell_refused(row, at.gm)
        at.look()
        [told] = at.told(phone)["proposals"]
        assert (told["words"], told["state"]) == (row.words, "refused")
        assert told["answer"] and "Lurker" not in told["answer"]


async def test_what_the_rules_refuse_comes_back_at_once_and_waits_for_nobody(log: Path) -> None:
    """The form stays open on the phone, with all that is filled in."""
    async with evening(log, "inflict mira prone") as at, at.phone("mira") as phone:
        status, reply = await phone.post("propose", form="do:move", answers={"feet": "400"})
        words = "Mira can't use Move: 30 Movement left, needs 800"
        assert (status, json.loads(reply)) == (200, {"ok": False, "words": words})
        assert at.inbox.waiting() == ()


@pytest.mark.parametrize(
    "sent",
    [
        {"form": "turn-end", "answers": {}, "character": "mira"},
        {**STRIKE, "answers": {"target": "ghoul", "die": "15", "by": "mira"}},
        {**STRIKE, "answers": {"target": "ghoul by mira", "die": "15"}},
        {**STRIKE, "answers": {"target": "ghoul", "die": "15 by mira"}},
        {
            **STRIKE,
            "command": "damage ghoul 99",
            "answers": {"target": "ghoul", "die": "roll; next"},
        },
        {"form": "note", "answers": {"text": 'x" by mira'}},
        {"form": "damage ghoul 99", "answers": {}},
        {"form": "do:attack\nnext", "answers": {}},
        {"form": ["do:attack"], "answers": ["target"]},
        {"form": None, "answers": None},
    ],
    ids=range(10),
)
async def test_it_never_acts_for_another_nor_sends_a_command(log: Path, sent: Sent) -> None:
    async with evening(log) as at, at.phone("odo") as phone:
        await phone.post("propose", **sent)
        for row in at.inbox.waiting():
            assert row.character == "odo"
            decided = at.gm.preview(row.command)
            assert row.command.startswith(("attack ghoul", "note on odo ")), row.command
            assert "mira" not in {getattr(event, "by", "") for event in decided.events}


async def test_it_learns_nothing_of_another_phones_proposals(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as mira, at.phone("odo") as odo:
        await mira.post("propose", form="note", answers={"text": "I betray Odo"})
        assert "betray" in json.dumps(at.told(mira))
        assert "betray" not in json.dumps(at.told(odo))
        at.inbox.decline(at.inbox.waiting()[0], "not so loud", at.gm.history)
        at.look()
        assert "not so loud" in json.dumps(at.told(mira))
        assert "not so loud" not in json.dumps(at.told(odo))


async def test_nobody_somebody_hidden_and_somebody_unknown_have_the_same_answer(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        targets = ("lurker", "Lurker", "shade", "nobody", "ghoul-7", "../ghoul")
        replies = {
            await phone.post("propose", form="do:attack", answers={"target": name, "die": "15"})
            for name in targets
        }
        assert len(replies) == 1
        characters = ("Shade", "shade", "Lurker", "lurker", "Ghoul", "Nobody", "")
        replies = {await phone.post("play", character=name) for name in characters}
        assert replies == {(200, json.dumps({"ok": False, "words": NO_CHARACTER}).encode())}
        assert at.inbox.waiting() == ()


# -- from where ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "broken",
    [
        {"headers": {"Origin": "https://evil.example"}},
        {"headers": {"Origin": "null"}},
        {"headers": {"Origin": ""}},
        {"headers": {"Sec-Fetch-Site": "cross-site"}},
        {"headers": {"Content-Type": "text/plain"}},
        {"headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        {"token": ""},
        {"token": "x" * 16},
        {"token": None},
        {"data": b'{"token": '},
        {"data": b"[" * 1_500},
        {"data": b"[]"},
        {"data": b"\xff\xfe{}"},
        {"data": b'{"token": "\\ud800"}'},
        {"note": "x" * 2_048},
    ],
    ids=str,
)
async def test_what_another_page_sends_or_is_broken_or_too_long_is_nothing(
    log: Path, broken: Sent
) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        status, words = await phone.post("propose", **{**STRIKE, **broken})
        assert (status, words) == (403, json.dumps({"ok": False, "words": NOT_TAKEN}).encode())
        assert (await phone.post("play", character="Odo", **broken))[0] == 403
        assert at.inbox.waiting() == ()


async def test_the_cookie_is_the_pages_own_and_kept_by_nobody_as_it_is(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        async with aiohttp.ClientSession() as other, other.get(f"{at.base}/token/") as page:
            cookie = page.headers["Set-Cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and "Secure" not in cookie
        await phone.post("propose", **STRIKE)
        kept = [path.read_text("utf-8") for path in log.parent.rglob("*.toml")]
        kept.append(at.phones.path.read_text("utf-8"))
        assert phone.hash in "".join(kept) and phone.secret not in "".join(kept)


async def test_without_a_cookie_there_is_no_phone(log: Path) -> None:
    async with evening(log) as at, at.phone() as phone:
        phone.client.cookie_jar.clear()
        assert (await phone.post("play", character="Mira"))[0] == 403


# -- how much --------------------------------------------------------------------------------------


async def test_of_two_of_one_name_neither_is_played_without_a_question(log: Path) -> None:
    async with evening(log, "rename mira Ash", "rename odo Ash") as at, at.phone() as phone:
        said = await phone.words("play", character="Ash")
        assert said == "2 are called Ash: the GM can rename one"
        assert at.inbox.waiting() == ()


async def test_two_a_second_of_a_phone_are_taken_and_the_rest_is_told_to_wait(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone, at.phone("odo") as other:
        at.table._now = lambda: at.time
        note = {"form": "note", "answers": {"text": "x"}}
        assert [(await phone.post("propose", **note))[0] for _ in range(4)] == [200, 200, 429, 429]
        assert (await other.post("propose", **note))[0] == 200
        at.time += 1.0
        assert (await phone.post("propose", **note))[0] == 200


async def test_strangers_have_so_many_a_second_together_and_those_who_play_their_own(
    log: Path,
) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        at.table._now = lambda: at.time
        taken = 0
        for _ in range(MOST_OF_STRANGERS + 5):
            async with at.phone() as stranger:
                taken += (await stranger.post("play", character="nobody"))[0] == 200
        assert taken == MOST_OF_STRANGERS
        assert (await phone.post("propose", **STRIKE))[0] == 200


async def test_five_wait_of_a_phone(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        for number in range(MOST_OF_ONE + 2):
            note = {"form": "note", "answers": {"text": f"note {number}"}}
            status, words = await phone.post("propose", **note)
        assert status == 429 and b"too many proposals are already waiting" in words
        assert len(at.inbox.waiting()) == MOST_OF_ONE


async def test_what_is_sent_again_waits_once_and_is_never_played_again(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        assert await phone.words("propose", **STRIKE, id="7") == "sent to the GM"
        assert await phone.words("propose", **STRIKE, id="7") == "that was already sent"
        [row] = at.inbox.waiting()
        assert at.inbox.take(row.id)
        assert await phone.words("propose", **STRIKE, id="7") == "that was already sent"
        at.gm.do(row.command, proposal=row.id)
        at.inbox.forget(row.id)
        at.gm.do("undo")
        at.look()
        assert await phone.words("propose", **STRIKE, id="7") == "that was already sent"
        assert at.inbox.waiting() == ()


async def test_what_is_sent_again_after_the_fight_has_gone_on_was_already_sent(log: Path) -> None:
    """Its form is gone by then, or the GM takes nothing any longer: only the answer was lost."""
    async with evening(log) as at, at.phone("mira") as phone:
        turn_end = {"form": "turn-end", "answers": {}}
        for number, sent in enumerate((STRIKE, turn_end)):
            assert await phone.words("propose", **sent, id=f"{number}") == "sent to the GM"
            at.accept()
            at.gm.do("next")
            at.look()
            assert await phone.words("propose", **sent, id=f"{number}") == "that was already sent"
            while at.gm.state.turn != "mira":
                at.gm.do("next")
            at.look()
        assert await phone.words("propose", **STRIKE, id="7") == "sent to the GM"
        at.gm.do("setting players-act off")
        at.look()
        assert await phone.words("propose", **STRIKE, id="7") == "that was already sent"
        assert (
            await phone.words("propose", **STRIKE, id="8") == "the GM is not taking proposals now"
        )


# -- how long --------------------------------------------------------------------------------------


async def test_a_right_lasts_through_restarts_and_the_next_fight_of_the_campaign(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        secret = phone.secret
    for path in (log, log.with_name("mill.toml")):
        async with evening(path) as at, at.phone(keep=secret) as phone:
            assert at.told(phone)["character"] == "mira"
            assert await phone.words("propose", **STRIKE) == "sent to the GM"


async def test_in_another_campaign_there_is_no_right(log: Path, tmp_path: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        secret = phone.secret
    async with evening(tmp_path / "elsewhere.toml") as at, at.phone(keep=secret) as phone:
        assert at.told(phone) is None
        assert (await phone.post("propose", **STRIKE))[0] == 403


async def test_a_right_that_is_taken_back_is_gone_at_once(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        assert (await phone.post("propose", **STRIKE))[0] == 200
        at.phones.revoke("mira")
        assert (await phone.post("propose", **STRIKE))[0] == 403
        assert at.told(phone) is None


async def test_off_takes_no_proposals_and_shows_no_forms(log: Path) -> None:
    async with evening(log, "setting players-act off") as at, at.phone("mira") as phone:
        assert await phone.words("propose", **STRIKE) == "the GM is not taking proposals now"
        told = at.told(phone)
        assert told["forms"] == [] and told["sheet"]["name"] == "Mira" and not told["acts"]


# -- what it is told -------------------------------------------------------------------------------


async def test_news_of_ones_own_come_to_that_phone_alone(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as mira, at.phone() as nobody:
        following = asyncio.create_task(follow(at.table._fight, at.board, at.table))
        [told] = await mira.news()
        assert told["name"] == "Mira" and told["call"] == "up"
        async with nobody.client.get(f"{at.base}/token/events") as news:
            await mira.post("propose", **STRIKE)
            seen = ""
            with suppress(TimeoutError):
                async with asyncio.timeout(0.3):
                    while True:
                        seen += (await news.content.readuntil(b"\n\n")).decode()
        assert "Ghoul" in seen and "event: me" not in seen and "forms" not in seen
        following.cancel()


async def test_whoever_ends_their_turn_before_somebody_hidden_is_told_when_the_turn_seems_to_pass(
    log: Path,
) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        await phone.post("propose", form="turn-end", answers={})
        before = at.told(phone)
        at.accept()
        assert at.gm.state.turn == "lurker"
        at.look()
        assert at.told(phone) == before
        assert await phone.words("propose", form="turn-end", answers={}) == "sent to the GM"
        at.gm.do("next")
        at.look()
        told = at.told(phone)
        assert at.gm.state.turn == "odo" and told["call"] != "up"
        assert "accepted" in [each["state"] for each in told["proposals"]]


@pytest.mark.parametrize("accepts_first", [False, True])
async def test_a_server_that_is_begun_anew_tells_no_more_of_whoever_is_hidden(
    log: Path, accepts_first: bool
) -> None:
    """Whether it ended before the GM accepted, or after that."""
    async with evening(log) as at, at.phone("mira") as phone:
        await phone.post("propose", form="turn-end", answers={})
        before, secret = at.told(phone), phone.secret
        if accepts_first:
            at.accept()
    async with evening(log) as at, at.phone(keep=secret) as phone:
        if not accepts_first:
            at.accept()
        at.look()
        assert at.gm.state.turn == "lurker"
        assert at.told(phone) == before
        at.gm.do("damage mira 3")  # which all see, in a turn that seems to be Mira's
        at.look()
        assert at.told(phone)["proposals"] == before["proposals"]
        assert at.told(phone)["call"] == "up"
        at.gm.do("next")
        at.look()
        [told] = at.told(phone)["proposals"]
        assert (told["state"], told["words"]) == ("accepted", "End my turn")
        at.gm.do("next", "next", "next", "next")  # Shade, hidden too, is up, and then Lurker
        at.look()
        assert at.gm.state.turn == "lurker"
        assert at.told(phone)["proposals"] == [told], "what was told is not taken back"
    async with evening(log) as at, at.phone(keep=secret) as phone:
        at.look()
        assert at.told(phone)["proposals"] == [told]


async def test_an_answer_waits_until_the_server_has_read_what_came_of_it(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        await phone.post("propose", form="turn-end", answers={})
        before = at.told(phone)
        at.accept()
        at.table.has_news()  # it has looked into the inbox before the log
        assert at.told(phone) == before


async def test_what_a_phone_was_told_is_not_taken_back_by_undo_and_redo(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        await phone.post("propose", form="turn-end", answers={})
        at.accept()
        at.gm.do("undo")
        at.look()
        told = at.told(phone)
        assert told["proposals"][0]["state"] == "accepted"
        at.gm.do("redo")
        at.look()
        assert at.gm.state.turn == "lurker" and at.told(phone) == told


async def test_a_turn_that_was_over_already_is_no_news_while_somebody_hidden_is_up(
    log: Path,
) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        await phone.post("propose", form="turn-end", answers={})
        before, secret = at.told(phone), phone.secret
        at.gm.do("next")
        assert at.inbox.for_gm(at.gm.history, at.phones) == []
        at.look()
        assert at.told(phone) == before
    async with evening(log) as at, at.phone(keep=secret) as phone:
        at.look()
        assert at.told(phone) == before


async def test_a_command_that_the_gm_has_changed_tells_nothing_of_whoever_is_hidden(
    log: Path,
) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        await phone.post("propose", **STRIKE)
        before = at.told(phone)
        at.accept("delay by mira")
        at.look()
        assert at.gm.state.turn == "lurker"
        assert at.told(phone)["proposals"] == before["proposals"]


async def test_what_is_sent_again_has_the_same_words_whatever_became_of_it(log: Path) -> None:
    """As that is a secret while somebody hidden is up."""
    async with evening(log) as at, at.phone("mira") as phone:
        end = {"form": "turn-end", "answers": {}, "id": "1"}
        for number in range(MOST_OF_ONE - 1):
            await phone.post("propose", form="note", answers={"text": f"{number}"})
        await phone.post("propose", **end)

        async def replies() -> list[tuple[int, bytes]]:
            more = {"form": "note", "answers": {"text": "one more"}}
            return [await phone.post("propose", **sent) for sent in (end, more)]

        before = await replies()
        at.accept()
        at.look()
        assert at.gm.state.turn == "lurker"
        assert await replies() == before


async def test_every_server_of_a_fight_tells_what_became_of_a_proposal(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        servers = at.table, Table(OpenEncounter.view(log), Inbox(log), Phones(log))
        for number in range(6):
            await phone.post("propose", form="note", answers={"text": f"{number}"})
            at.gm.do("note the fight goes on")
            at.inbox.decline(at.inbox.waiting()[0], f"no {number}", at.gm.history)
            for server in servers if number % 2 else reversed(servers):
                server._fight.follow()
                assert server.has_news()
        for server in servers:
            told = json.loads(server.view_of(phone.hash))["proposals"]
            assert [each["answer"] for each in told] == [f"no {number}" for number in range(1, 6)]


# -- what came of it -------------------------------------------------------------------------------


async def test_what_came_of_an_accepted_proposal_is_told_as_far_as_players_know(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        await phone.post("propose", form="do:attack", answers={"target": "Ghoul", "die": "18"})
        at.accept("attack ghoul natural 18 7 by mira")
        at.look()
        [told] = at.told(phone)["proposals"]
        assert (told["state"], told["answer"]) == ("accepted", "at Ghoul: hit · Ghoul is hurt")


async def test_what_the_gm_has_changed_is_said_to_be_changed(log: Path) -> None:
    async with evening(log, "add monster Wolf hp 30 ac 5") as at, at.phone("mira") as phone:
        await phone.post("propose", form="do:attack", answers={"target": "Ghoul", "die": "18"})
        at.accept("attack wolf natural 18 7 by mira")
        at.look()
        [told] = at.told(phone)["proposals"]
        assert told["answer"] == "changed by the GM: at Wolf: hit · Wolf is hurt"


async def test_how_a_save_of_ones_own_came_out_is_told(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        at.gm.do("next", *["damage mira 10"] * 3, *["next"] * 4)
        at.look()
        await phone.post(
            "propose", form="wait:death:mira-is-dying-death-save", answers={"die": "12"}
        )
        at.accept()
        at.look()
        [told] = at.told(phone)["proposals"]
        assert (told["state"], told["answer"]) == ("accepted", "success")


async def test_nothing_is_told_of_a_turn_that_has_passed_to_somebody_else(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        await phone.post("propose", form="turn-end", answers={})
        at.accept()
        at.gm.do("damage mira 3", "next")
        at.look()
        [told] = at.told(phone)["proposals"]
        assert (told["state"], told["answer"]) == ("accepted", "")


async def test_a_proposal_is_taken_back_while_it_waits(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        await phone.post("propose", **STRIKE)
        [told] = at.told(phone)["proposals"]
        assert await phone.words("withdraw", proposal=told["id"]) == "withdrawn"
        assert at.inbox.waiting() == ()
        assert [each["state"] for each in at.told(phone)["proposals"]] == ["withdrawn"]
        assert await phone.words("withdraw", proposal=told["id"]) == "that is no longer waiting"
        assert await phone.words("propose", **STRIKE) == "sent to the GM"


async def test_what_the_gm_has_taken_meanwhile_is_not_taken_back(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        await phone.post("propose", **STRIKE)
        at.accept()
        at.look()
        [told] = at.told(phone)["proposals"]
        assert await phone.words("withdraw", proposal=told["id"]) == "that is no longer waiting"
        assert [each["state"] for each in at.told(phone)["proposals"]] == ["accepted"]


async def test_no_phone_takes_back_what_another_has_sent(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as phone, at.phone("odo") as other:
        await phone.post("propose", **STRIKE)
        [row] = at.inbox.waiting()
        assert await other.words("withdraw", proposal=row.id) == "that is no longer waiting"
        assert at.inbox.waiting() == (row,)


async def test_taking_back_does_not_tell_that_it_is_done_while_that_is_a_secret(log: Path) -> None:
    """Somebody hidden is up once it is accepted: until they are seen it is as if it waited."""
    told = []
    for accepts, name in ((False, "ford.toml"), (True, "mill.toml")):
        async with evening(log.with_name(name)) as at, at.phone("mira") as phone:
            await phone.post("propose", form="turn-end", answers={}, id="1")
            [row] = at.inbox.waiting()
            if accepts:
                at.accept()
                at.look()
            words = await phone.words("withdraw", proposal=row.id)
            states = [each["state"] for each in at.told(phone)["proposals"]]
            told.append((words, states, await phone.words("withdraw", proposal=row.id)))
            if accepts:
                at.gm.do("next")
                at.look()
                assert [e["state"] for e in at.told(phone)["proposals"]] == ["accepted"], "too late"
    assert told[0] == told[1] == ("withdrawn", ["withdrawn"], "that is no longer waiting")


# -- two phones of one character -------------------------------------------------------------------


async def test_a_second_phone_sees_what_the_first_has_sent_and_what_became_of_it(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as first, at.phone("mira") as second:
        await first.post("propose", **STRIKE)
        [seen] = at.told(second)["proposals"]
        assert (seen["words"], seen["state"], seen["own"]) == (
            "Attack Ghoul, 15 on the die",
            "waiting",
            False,
        )
        at.accept()
        at.look()
        [seen] = at.told(second)["proposals"]
        assert (seen["state"], seen["own"]) == ("accepted", False)
        assert [each["own"] for each in at.told(first)["proposals"]] == [True]


async def test_the_same_act_of_a_second_phone_is_said_to_be_of_that(log: Path) -> None:
    async with evening(log) as at, at.phone("mira") as first, at.phone("mira") as second:
        await first.post("propose", **STRIKE)
        assert await second.words("propose", **STRIKE) == (
            "sent to the GM; your other phone has sent the same"
        )
        whose = [at.phones.called(row.sender, "Mira") for row in at.inbox.waiting()]
        assert whose == ["Mira", "Mira's second phone"]


async def test_what_a_phone_sent_for_another_character_is_not_for_the_phones_of_this_one(
    log: Path,
) -> None:
    """Odo's player asked in private, and then was let in as Mira's second phone."""
    async with evening(log) as at, at.phone("mira") as first, at.phone("odo") as second:
        for words in ("who is the traitor?", "is it Ash?"):
            assert (
                await second.words("propose", form="question", answers={"text": words})
                == "sent to the GM"
            )
        assert at.inbox.reply(at.inbox.waiting()[0], "Mira", at.gm.history)
        at.phones.grant(second.hash, "mira")
        at.look()
        assert [each["own"] for each in at.told(second)["proposals"]] == [True, True]
        assert at.told(first)["proposals"] == []
        await second.post("propose", **STRIKE)
        await second.words("withdraw", proposal=at.inbox.waiting()[-1].id)
        at.look()
        [seen] = at.told(first)["proposals"]
        assert (seen["words"], seen["state"]) == ("Attack Ghoul, 15 on the die", "withdrawn")


# -- asked at once ---------------------------------------------------------------------------------


async def test_a_fight_that_is_over_asks_nobody_for_initiative(log: Path) -> None:
    """A player may give it in case the fight begins anew."""
    async with evening(log, "end") as at, at.phone("mira") as phone:
        told = at.told(phone)
        groups = {form["id"]: form["group"] for form in told["forms"]}
        assert (told["call"], groups["init"]) == ("", "other")


# -- whom it plays ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "joins",
    [
        "add monster Wolf hp 777 ac 19 text SECRET",
        "add monster Wolf hp 777 ac 19 text SECRET side party",
        "add pc Wolf hp 777 ac 19 text SECRET side others",
        "add pc Wolf hp 777 ac 19 text SECRET side foes",
        "add pc Wolf hp 777 ac 19 text SECRET hidden",
    ],
)
async def test_a_right_gives_nothing_of_anybody_else_who_has_the_characters_id(
    log: Path, joins: str
) -> None:
    async with evening(log, "add pc Wolf hp 12") as at, at.phone("wolf") as phone:
        assert at.told(phone)["character"] == "wolf"
        secret = phone.secret
    for mill in (log.with_name("mill.toml"), log):
        more = () if mill == log else (joins, "setting players-act trusted")
        async with evening(mill, *more) as at, at.phone(keep=secret) as phone:
            if mill == log:
                at.gm.do("remove wolf", joins)
                at.look()
            assert at.told(phone) is None
            for form in ("turn-end", "do:attack", "note", "init"):
                status, words = await phone.post("propose", form=form, answers={})
                assert (status, b"play anybody" in words) == (403, True)
            assert at.inbox.waiting() == ()


async def test_a_character_who_is_charmed_is_the_gms_until_they_are_of_the_party_again(
    log: Path,
) -> None:
    async with evening(log) as at, at.phone("mira") as phone:
        await phone.post("propose", **STRIKE)
        at.gm.do("set mira side foes")
        at.look()
        assert at.told(phone) is None
        assert (await phone.post("propose", **STRIKE))[0] == 403
        assert at.inbox.for_gm(at.gm.history, at.phones) == []
        at.gm.do("set mira side party")
        at.look()
        assert at.told(phone)["character"] == "mira"
        assert await phone.words("propose", **STRIKE) == "sent to the GM"


async def test_a_request_for_whoever_is_no_character_any_more_is_declined(log: Path) -> None:
    async with evening(log, "add pc Wolf hp 12") as at, at.phone() as phone:
        assert await phone.words("play", character="Wolf") == "sent to the GM"
        at.gm.do("remove wolf", "add monster Wolf hp 5")
        assert at.inbox.for_gm(at.gm.history, at.phones) == []
        assert [answer.words for answer in at.inbox.answers()] == [NO_CHARACTER]


# -- encrypted -------------------------------------------------------------------------------------


@pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl here")
async def test_with_a_certificate_it_is_https_and_the_cookie_secure(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"),
            *("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", key, "-out", cert),
        ],
        check=True,
        capture_output=True,
    )
    OpenEncounter.create(log, "level-up", "The Ford").close()
    seen = OpenEncounter.view(log)
    place = await begin(
        Board(players_view(seen.history, seen.ruleset)),
        "token",
        HERE,
        Table(seen, Inbox(log), Phones(log)),
        load_certificate(cert, key),
    )
    trust = ssl.create_default_context(cafile=str(cert))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=trust)) as client:
        async with client.get(f"https://127.0.0.1:{place.port}/token/") as page:
            assert page.status == 200 and "Secure" in page.headers["Set-Cookie"]
        with pytest.raises(aiohttp.ClientError):
            await client.get(f"http://127.0.0.1:{place.port}/token/")
    await place.end()
    broken = tmp_path / "broken.pem"
    broken.write_text("no certificate", "utf-8")
    args = ["watch", str(log), "--players", "--serve", "127.0.0.1:0", "--tls-cert", str(broken)]
    assert main(args) == 2
    said = capsys.readouterr().err
    assert "can't be used as a certificate" in said and said.count("\n") == 1


async def test_the_server_goes_on_beside_what_is_no_proposal_and_tells_of_it_once(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nested = log.with_suffix(".inbox") / "waiting" / "beef.toml"
    nested.parent.mkdir(parents=True)
    nested.write_text(f"a = {'[' * 2000}", "utf-8")
    with OpenEncounter.create(log, "level-up", "Ford", SeededDice(1)) as fight:
        fight.do(*SETUP)
        table = Table(fight, Inbox(log), Phones(log))
        looks = iter([False, False, False, True])
        board = Board(players_view(fight.history, fight.ruleset))
        await follow(OpenEncounter.view(log), board, table, lambda: next(looks))
    told = "affray: not proposals from phones, so left in ford.inbox: waiting/beef.toml\n"
    assert capsys.readouterr().err == told
    assert nested.exists()
