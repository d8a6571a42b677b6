"""What phones propose, on the GM's screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from affray.beside import BesideServer
from affray.core.dice import SeededDice
from affray.store.inbox import Inbox, Proposal
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones
from affray.tui.app import AffrayApp
from affray.tui.fight_view import get_app
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.fight_proposals import MOST_SHOWN
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.timers import TimersPane

PHONE = "f00dface"
SETUP = (
    "add pc Mira hp 30 ac 14 attack blade +5 1d8+3 slashing",
    "add pc Odo hp 20 ac 12",
    "add monster Ghoul x2 hp 22 ac 12 attack claws +4 1d6 slashing",
    "init mira 20",
    "init odo 15",
    "init ghoul-1 10",
    "init ghoul-2 9",
    "start",
)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))


class Table:
    def __init__(self, pilot: Pilot[None], screen: FightScreen, fight: OpenEncounter) -> None:
        self.pilot, self.screen, self.fight = pilot, screen, fight
        self.inbox = Inbox(fight.path)

    def send(self, number: int, character: str, command: str = "", words: str = "") -> None:
        at = f"2026-11-20T19:30:{number:02}Z"
        phone = PHONE if character == "mira" else "0ddface"
        if command:
            Phones(self.fight.path).grant(phone, character)
        self.inbox.write(Proposal(f"{number:04x}", phone, character, command, at, words))
        self.screen.proposals.look()

    def ask(self, number: int, words: str) -> None:
        """Let Mira's player ask something."""
        Phones(self.fight.path).grant(PHONE, "mira")
        at = f"2026-11-20T19:30:{number:02}Z"
        self.inbox.write(Proposal(f"{number:04x}", PHONE, "mira", "", at, words, asks=True))
        self.screen.proposals.look()

    @property
    def line(self) -> PromptWidget:
        return self.screen.query_one(PromptWidget)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    @property
    def waiting(self) -> list[str]:
        return [decision.what for decision in self.screen.proposals.decisions]

    @property
    def commands(self) -> list[str]:
        history = self.fight.history
        return [history.entries[seq].command for seq in history.path][len(SETUP) + 1 :]


@asynccontextmanager
async def table(folder: Path, acts: str = "ask", game: str = "level-up") -> AsyncIterator[Table]:
    fight = OpenEncounter.create(folder / "ford.toml", game, "The Ford", SeededDice(1))
    with fight:
        fight.do(*SETUP, f"setting players-act {acts}")
        app = AffrayApp(fight)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            assert isinstance(app.screen, FightScreen)
            yield Table(pilot, app.screen, fight)


async def test_enter_lets_a_phone_in_and_the_list_takes_it_back(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        at.send(1, "mira")
        assert at.waiting == ["Mira's phone?"]
        await at.press("enter")
        assert Phones(at.fight.path).plays(PHONE, at.fight.state) is at.fight.state["mira"]
        assert at.waiting == [] and at.inbox.answers(PHONE)[0].state == "accepted"
        await at.press("ctrl+b", "1", "escape")
        assert Phones(at.fight.path).plays(PHONE, at.fight.state) is None


async def test_the_screen_says_how_phones_that_are_let_in_may_propose(tmp_path: Path) -> None:
    ask = "`setting players-act ask` lets phones propose acts"
    async with table(tmp_path, acts="off") as at:
        at.send(1, "mira")
        await at.press("enter")
        assert at.line.message.text == f"Mira's phone is in; {ask}"
        await at.press("ctrl+b")
        listed = at.pilot.app.screen.query_one("#phones", Static)
        assert ask in str(listed.render())
        await at.press("escape", *":setting players-act ask", "enter", "ctrl+b")
        assert ask not in str(at.pilot.app.screen.query_one("#phones", Static).render())
    async with table(tmp_path.parent) as at:
        at.send(1, "mira")
        await at.press("enter")
        assert at.line.message.text == "Mira's phone is in"


async def test_a_screen_that_serves_says_at_once_that_phones_of_another_evening_only_look(
    tmp_path: Path,
) -> None:
    ask = "`setting players-act ask` lets phones propose acts"
    with OpenEncounter.create(tmp_path / "ford.toml", "level-up", "The Ford") as fight:
        fight.do(*SETUP)
        for phones, says in (("", ""), ("mira", ask)):
            if phones:
                Phones(fight.path).grant(PHONE, phones)
            app = AffrayApp(fight)
            app.served = served = BesideServer(fight.path, "127.0.0.1:0")
            try:
                async with app.run_test(size=(120, 40)) as pilot:
                    await pilot.pause()
                    assert pilot.app.screen.query_one(PromptWidget).message.text == says
            finally:
                served.end()


async def test_the_list_gives_no_monster_the_phone_of_a_character_with_its_id(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as at:
        Phones(at.fight.path).grant(PHONE, "ghoul-1")
        await at.press("ctrl+b")
        text = str(at.pilot.app.screen.query_one("#phones", Static).render())
        assert "ghoul-1, 1 phone" in text and "Ghoul 1" not in text


async def test_a_proposal_waits_with_its_preview_and_one_key_does_it(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        line = "attack ghoul-1 natural 15 8 by mira"
        at.send(1, "mira", line, "Attack: Ghoul 1, 15, 8")
        assert at.waiting[0].startswith("Mira: Attack: Ghoul 1, 15, 8 → ")
        assert "hit" in at.waiting[0]
        pane = at.pilot.app.screen.query_one(TimersPane)
        rows = [line.text for line in pane.head]
        first = rows[rows.index("From the phones") + 1]
        assert first.startswith("▸ Mira: ") and "↵" not in "".join(rows)  # its keys are others
        assert pane.title == "Waiting · Condition timers"
        await at.press("ctrl+a")
        told = at.pilot.app.screen.query_one(PromptWidget).message.text
        assert told.startswith("Mira attacks Ghoul 1, hit") and "−8 HP, 14 left" in told
        assert at.fight.state["ghoul-1"].track("hp") == 14
        entry = at.fight.history.entries[at.fight.history.head]
        assert (entry.command, entry.proposal, entry.by) == (line, "0001", "mira")
        assert at.waiting == [] and at.inbox.answers(PHONE)[0].state == "accepted"


async def test_an_open_prompt_stays_open_and_keeps_its_keys(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        await at.press(":")
        at.send(1, "mira", "dash by mira")
        await at.press(*"note a", "enter")
        assert at.commands == ["note a"]
        assert at.waiting[0].startswith("Mira: dash by mira")
        await at.press("ctrl+a")
        assert at.commands == ["note a", "dash by mira"]


async def test_it_can_be_changed_before_it_is_done(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        at.send(1, "mira", "attack ghoul-1 natural 15 8 by mira")
        await at.press("ctrl+s")
        assert at.screen.prompt_line.bar is not None
        await at.press(*" cover", "enter")
        assert at.commands == ["attack ghoul-1 natural 15 8 by mira cover"]
        assert at.fight.history.entries[at.fight.history.head].proposal == "0001"
        assert at.waiting == []


async def test_what_is_left_is_no_longer_of_the_proposal(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        at.send(1, "mira", "dash by mira")
        await at.press("ctrl+s", "escape", ":", *"note b", "enter")
        assert at.fight.history.entries[at.fight.history.head].proposal == ""
        assert len(at.waiting) == 1


@pytest.mark.parametrize("words", ["", "Not through the wall."])
async def test_it_is_declined_with_a_word_or_without(tmp_path: Path, words: str) -> None:
    async with table(tmp_path) as at:
        at.send(1, "mira", "dash by mira")
        await at.press("ctrl+w", *words)
        assert at.line.render_line(1).text.strip().startswith("Mira: dash by mira → ")
        await at.press("enter")
        [answer] = at.inbox.answers(PHONE)
        assert (answer.state, answer.words) == ("declined", words)
        assert at.commands == [] and at.waiting == []


async def test_a_question_is_answered_in_words_and_plays_nothing(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        at.ask(1, "Is the door locked?")
        assert at.waiting == ["Mira asks: Is the door locked?"]
        [decision] = at.screen.proposals.decisions
        assert [choice.label for choice in decision.choices] == ["answer", "decline"]
        await at.press("ctrl+a", "enter")
        assert at.waiting and at.inbox.answers(PHONE) == (), "no words, no answer"
        await at.press("ctrl+a", *"Yes, it is.")
        rows = [strip.text.strip() for strip in map(at.line.render_line, range(2))]
        assert rows == [": answer Yes, it is.", "Mira asks: Is the door locked?"]
        await at.press("enter")
        [answer] = at.inbox.answers(PHONE)
        assert (answer.state, answer.words) == ("answered", "Yes, it is.")
        assert at.commands == [] and at.waiting == []


async def test_keys_of_ones_own_stand_beside_what_a_phone_proposes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CONFIG", str(tmp_path))
    (tmp_path / "keys.toml").write_text('proposal.accept = "ctrl+k"\n', "utf-8")
    async with table(tmp_path) as at:
        at.send(1, "mira", "dash by mira")
        [decision] = at.screen.proposals.decisions
        assert [choice.key for choice in decision.choices] == ["ctrl+k", "ctrl+s", "ctrl+w"]
        await at.press("ctrl+k")
        assert at.commands == ["dash by mira"]


async def test_a_word_declines_the_one_for_which_it_was_begun(tmp_path: Path) -> None:
    """Whoever is up may come before it while the word is typed."""
    async with table(tmp_path) as at:
        at.send(1, "odo", "note from Odo")
        await at.press("ctrl+w", *"no")
        at.fight.do("note the fight goes on")
        at.send(2, "mira", "dash by mira")
        await at.press("enter")
        assert [what.partition(":")[0] for what in at.waiting] == ["Mira"]
        assert [answer.id for answer in at.inbox.answers()] == ["0001"]


async def test_a_word_that_is_not_sent_is_no_longer_for_that_one(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        at.send(1, "odo", "note from Odo")
        await at.press("ctrl+w", "escape")
        at.fight.do("note the fight goes on")
        at.send(2, "mira", "dash by mira")
        await at.press(":", *"decline no", "enter")
        assert [what.partition(":")[0] for what in at.waiting] == ["Odo"]


@pytest.mark.parametrize("is_typing", [False, True])
async def test_the_screen_tells_that_its_server_has_ended(tmp_path: Path, is_typing: bool) -> None:
    """It waits for what is being typed, and goes on without the server."""
    async with table(tmp_path) as at:
        if is_typing:
            await at.press(":", *"note a")
        served = BesideServer(at.fight.path, "192.0.2.1:1")  # an address that no machine has
        try:
            for _ in range(200):
                if served.trouble:
                    break
                await at.pilot.pause(0.05)
            assert "192.0.2.1:1 is not available" in served.trouble
        finally:
            served.end()
        get_app(at.screen).served = served
        at.screen.look_for_server()
        assert is_typing is not message_stands(at)
        if is_typing:
            await at.press("enter")
            at.screen.look_for_server()
        assert message_stands(at)
        await at.press(":", *"note b", "enter")
        assert at.commands[-1] == "note b"


def message_stands(at: Table) -> bool:
    """Whether the line below the fight says that the page is gone."""
    return "the players' page is gone: 192.0.2.1:1" in at.screen.prompt_line.message.text


async def test_whoever_is_up_comes_first(tmp_path: Path) -> None:
    async with table(tmp_path, acts="off") as at:
        at.send(1, "odo", "note from Odo")
        at.send(2, "mira", "dash by mira")
        at.fight.do("setting players-act ask")
        at.screen.proposals.look()
        assert [what.partition(":")[0] for what in at.waiting] == ["Mira", "Odo"]


async def test_the_one_on_top_stays_there_until_the_fight_goes_on(tmp_path: Path) -> None:
    """A key is meant for the one that the GM has read; whoever is up may propose just then."""
    async with table(tmp_path) as at:
        at.send(1, "odo", "note from Odo")
        at.send(2, "mira", "dash by mira")
        assert [what.partition(":")[0] for what in at.waiting] == ["Odo", "Mira"]
        at.send(3, "odo", "note another")
        await at.press("ctrl+a")
        assert at.commands == ["note from Odo"]
        assert [what.partition(":")[0] for what in at.waiting] == ["Mira", "Odo"]


async def test_one_that_the_fight_refuses_is_answered_so_and_waits_no_longer(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as at:
        at.send(1, "odo", "dash by odo")
        await at.press("ctrl+a")
        assert at.commands == [] and at.waiting == []
        [answer] = at.inbox.answers()
        assert (answer.state, answer.words) == ("refused", "Odo can't use Dash: it is Mira's turn")


async def test_a_line_of_the_gms_own_that_is_refused_lets_it_wait_on(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        at.send(1, "mira", "dash by mira")
        await at.press("ctrl+s", *" odd", "enter", "escape")
        assert at.commands == [] and len(at.waiting) == 1 and at.inbox.answers() == ()


async def test_trusted_lets_the_end_of_ones_turn_through_and_no_attack(tmp_path: Path) -> None:
    async with table(tmp_path, "trusted") as at:
        at.send(1, "mira", "attack ghoul-1 natural 15 8 by mira")
        at.send(2, "mira", "next")
        at.screen.proposals.look()
        assert at.commands == ["next"]
        assert len(at.waiting) == 1


async def test_trusted_waits_for_an_open_prompt_and_goes_through_behind_it(tmp_path: Path) -> None:
    async with table(tmp_path, "trusted") as at:
        await at.press(":")
        at.send(1, "mira", "next")
        at.screen.proposals.look()
        assert at.commands == []
        await at.press("escape")
        at.screen.proposals.look()
        assert at.commands == ["next"]
        at.screen.proposals.look()  # the next tick's
        assert at.waiting == []


async def test_off_shows_no_proposals(tmp_path: Path) -> None:
    async with table(tmp_path, "off") as at:
        at.send(1, "mira", "dash by mira")
        at.send(2, "odo")
        assert at.waiting == ["Odo's phone?"]


async def test_what_was_taken_as_a_program_died_comes_again_once(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        at.send(1, "mira", "dash by mira")
        at.inbox.take("0001")
        at.screen.proposals.recover()
        at.screen.proposals.look()
        assert len(at.waiting) == 1
        await at.press("ctrl+a")
        at.inbox.write(Proposal("0001", PHONE, "mira", "dash by mira", "2026-11-20T19:30:01Z"))
        at.screen.proposals.look()
        await at.press("ctrl+a")
        assert at.commands == ["dash by mira"]


async def test_a_phone_that_is_taken_back_proposes_nothing_more(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        at.send(1, "mira", "dash by mira")
        assert len(at.waiting) == 1
        at.screen.proposals.revoke("mira")
        assert at.waiting == [] and at.inbox.waiting() == ()
        assert at.inbox.answers(PHONE)[0].state == "declined"
        await at.press("ctrl+a")
        assert at.commands == []


async def test_a_turn_that_the_gm_has_ended_is_not_ended_again(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        at.send(1, "mira", "next")
        assert len(at.waiting) == 1
        await at.press(":", *"next", "enter")
        at.screen.proposals.look()
        assert at.waiting == [] and at.fight.state.turn == "odo"
        await at.press("ctrl+a")
        assert at.commands == ["next"]
        assert at.inbox.answers(PHONE)[0].words == "that turn is over"


async def test_of_a_flood_the_first_few_are_shown(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        phones = Phones(at.fight.path)
        for number in range(40):
            phones.grant(f"{number:04x}", "mira")
            at.inbox.write(Proposal(f"{number:04x}", f"{number:04x}", "mira", "dash by mira"))
        at.screen.proposals.look()
        assert len(at.waiting) == MOST_SHOWN
        await at.press("ctrl+a")
        assert len(at.inbox.waiting()) == 39 and len(at.waiting) == MOST_SHOWN


async def test_what_is_no_proposal_is_told_of_once_and_the_screen_goes_on(tmp_path: Path) -> None:
    async with table(tmp_path) as at:
        at.send(1, "mira", "note x", "note x")
        waiting = at.inbox.folder / "waiting"
        (waiting / "beef.toml").write_text(f"a = {'[' * 2000}", "utf-8")
        (waiting / "README").write_text("mine", "utf-8")
        at.screen.proposals.look()
        await at.pilot.pause()
        told = "not proposals from phones, so left in ford.inbox: "
        assert at.screen.prompt_line.message.text == f"{told}waiting/README and waiting/beef.toml"
        assert len(at.waiting) == 1
        await at.press("enter")
        assert at.commands == ["note x"]
        at.screen.proposals.look()
        assert "left as they are" not in at.screen.prompt_line.message.text
        assert sorted(path.name for path in waiting.iterdir()) == ["README", "beef.toml"]


async def test_an_inbox_that_is_a_link_loses_nothing_on_the_screen(tmp_path: Path) -> None:
    inbox = tmp_path / "ford.inbox"
    inbox.mkdir()
    (inbox / "waiting").symlink_to("..", target_is_directory=True)
    async with table(tmp_path) as at:
        at.screen.proposals.look()
        await at.pilot.pause()
        assert "a link, and links are not followed" in at.screen.prompt_line.message.text
        assert at.fight.path.exists()
        await at.press("n")
        assert at.fight.read_only == ""
