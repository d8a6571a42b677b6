"""A phone and the GM's own screen: sample fights played by touch and by keys, in every game.

Where axe-core is there, it looks at the page, too, at each step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from screenshots.at_table import AtTable, at_table, until
from screenshots.browser import AXE

pytestmark = pytest.mark.browser
FIGHTS = [
    ("ash-road/the-black-cart", "Brannoc", "do:attack", 4),
    ("salt-stair/the-bell-in-the-gale", "Garrow", "do:attack", 1),
    ("drowned-vale/the-sluice-gate", "Tamsin", "do:strike", 1),
    ("kiln-road/the-ninth-kiln", "Odo", "do:attack", 1),
    ("winter-term/the-frozen-conservatory", "Runa", "do:attack", 1),
    ("night-ferry/mid-river", "Jory", "say:damage", 1),
]
TYPED: Mapping[str, str] = {"die": "15", "damage": "3", "number": "3", "text": "from behind"}
MOST_TURNS = 40
Form = dict[str, Any]


async def fits(at: AtTable) -> None:
    """Nothing is cut off, nothing complains, and axe-core finds nothing, where it is there."""
    assert await at.phone.ask("document.documentElement.scrollWidth <= screen.width")
    heights = "[...box.querySelectorAll('button')].map(b => b.offsetHeight).filter(Boolean)"
    assert min(await at.phone.ask(heights), default=44) >= 44, "too low for a thumb"
    assert at.phone.said == []
    if AXE.exists():
        await at.phone.ask(AXE.read_text("utf-8") + ";0")
        found = "axe.run().then(all => all.violations.map(each => each.id + each.nodes[0].html))"
        assert await at.phone.ask(found, waits=True) == []


async def form_of(at: AtTable, form_id: str) -> Form:
    found = await at.phone.ask(f"me.forms.find(form => form.id === '{form_id}')")
    assert found is not None, await at.phone.ask("me.forms.map(form => form.id)")
    return dict(found)


async def propose(at: AtTable, form_id: str) -> None:
    """Fill in a form by thumb: the first that there is to choose, and a number where one is due."""
    form = await form_of(at, form_id)
    assert form["reason"] == ""
    if form["group"] in ("reaction", "other"):
        await at.unfold(form["group"])
    await at.tap(f"form:{form_id}")
    for field in form["fields"]:
        named = f"{form_id}/{field['name']}"
        if field["aside"]:  # folded away: more that may be said
            continue
        if field["optional"] and field["kind"] not in ("die", "damage"):
            continue
        if field["kind"] in ("combatant", "choice"):
            await at.tap(f"{named}={field['options'][0][0]}")
        elif await at.phone.ask(f"document.querySelector('[data-at=\"{named}\"]') !== null"):
            await at.type(named, TYPED[field["kind"]])
    await fits(at)
    if form["fields"]:
        await at.tap(f"send:{form_id}")


async def accepted(at: AtTable, count: int) -> None:
    """The GM accepts what waits, and the phone is told so."""
    await at.phone.until("me.proposals.some(each => each.state === 'waiting')")
    await at.waits()
    await at.press("ctrl+a")
    if at.by_phone < count:  # a die that the phone has left out is asked for
        await at.press("r")
    await at.phone.until("!me.proposals.some(each => each.state === 'waiting')")
    assert at.by_phone == count


async def asked_of(at: AtTable) -> str:
    """The form of what waits for the phone's player."""
    return str(await at.phone.ask("me.forms.find((each) => each.group === 'waiting').id"))


def last(at: AtTable) -> str:
    return at.fight.history.entries[at.fight.history.last].command


async def is_next(at: AtTable, who: str) -> None:
    """The GM goes on until somebody of the GM's is up."""
    for _ in range(MOST_TURNS):
        if at.fight.state.turn == who:
            return await at.seen()
        await at.press(":", *"next", "enter")
    raise AssertionError("the turn never comes")


async def is_up(at: AtTable) -> None:
    """The GM goes on until the phone's turn has come."""
    for _ in range(MOST_TURNS):
        if await at.phone.ask("me.call === 'up'"):
            return
        head = at.fight.history.head
        await at.press(":", *"next", "enter")
        assert at.fight.history.head != head, "the turn does not pass"
        await at.seen()
    raise AssertionError("the turn never comes")


@pytest.mark.parametrize(("fight", "who", "act", "rounds"), FIGHTS, ids=lambda each: str(each))
async def test_a_fight_is_played_by_tapping(fight: str, who: str, act: str, rounds: int) -> None:
    async with at_table(fight, ("setting players-act ask",)) as at:
        await fits(at)
        await at.unfold("play")
        await at.tap(f"play:{who}")
        await at.waits()
        await at.press("ctrl+a")
        await at.phone.until("me !== null")
        assert await at.phone.ask("me.name") == who
        await fits(at)
        count = 0
        for _ in range(rounds):
            await is_up(at)
            await propose(at, act)
            count += 1
            await accepted(at, count)
            await propose(at, "turn-end")
            count += 1
            await accepted(at, count)
            await at.seen()
            assert not await at.phone.ask("me.call === 'up'")
        by = [entry.by for entry in at.fight.history.entries.values() if entry.proposal]
        assert len(by) == 2 * rounds


async def test_a_save_is_made_by_one_tap_or_with_the_die_and_its_outcome_is_told() -> None:
    before = ("setting players-act trusted",)
    async with at_table("ash-road/the-bed-of-the-drake", before) as at:
        await at.unfold("play")
        await at.tap("play:Mira")
        await at.waits()
        await at.press("ctrl+a")
        await at.phone.until("me !== null")
        for tapped, told in (("=f", "failure"), ("/die", "success")):
            for _ in range(MOST_TURNS):
                if at.fight.state.turn == "cinder-drake":
                    break
                await at.press(":", *"next", "enter")
            for line in ('recharge "Ash Breath" natural 6', 'power "Ash Breath" mira 5'):
                await at.press(":", *line, "enter")
            await at.phone.until("me.call === 'asked'")
            await fits(at)
            save = await asked_of(at)
            if tapped == "=f":
                await at.tap(f"form:{save}=f")
            else:
                await at.type(f"{save}/die", "18")
                await at.tap(f"send:{save}")
            await at.phone.until(f"box.innerText.includes('accepted. {told}')")
            assert await at.phone.ask(f"told.textContent.includes('{told}')")
            await at.press(":", *"next", "enter")


async def test_a_proposal_is_taken_back_by_a_tap() -> None:
    async with at_table("ash-road/the-black-cart", ("setting players-act ask",)) as at:
        await at.unfold("play")
        await at.tap("play:Brannoc")
        await at.waits()
        await at.press("ctrl+a")
        await at.phone.until("me !== null")
        await at.unfold("other")
        await at.tap("form:note")
        await at.type("note/text", "wait for me")
        await at.tap("send:note")
        await at.waits()
        waits = "me.proposals.filter(each => each.state === 'waiting')"
        await at.phone.until(f"{waits}.length === 1")
        [sent] = await at.phone.ask(waits)
        await at.tap(f"withdraw:{sent['id']}")
        await at.phone.until("box.innerText.includes('wait for me: taken back')")
        await until(lambda: not at.gm.pilot.app.screen.proposals.decisions)  # type: ignore[attr-defined]
        await fits(at)


async def test_5e_is_played_by_touch_a_spell_a_save_against_a_grapple_and_a_reaction() -> None:
    async with at_table("ash-road/the-black-cart", ("setting players-act ask",)) as at:
        await at.unfold("play")
        await at.tap("play:Mira")
        await at.waits()
        await at.press("ctrl+a")
        await at.phone.until("me !== null")

        await is_up(at)
        await at.tap("form:do:cast")
        for field in ("spell=Furnace Breath", "at=Clinker Hound 1", "at=Clinker Hound 2"):
            await at.tap(f"do:cast/{field}")
        await at.type("do:cast/damage", "28")  # after news, and a type of it after those
        await at.phone.ask("drawMe()")
        await at.phone.ask(
            "(kind => { kind.value = 'fire'; kind.dispatchEvent(new Event('change')) })"
            "(document.querySelector('[data-at=\"do:cast/damage/type\"]'))"
        )
        await fits(at)
        await at.tap("send:do:cast")
        await accepted(at, 1)
        hounds = "clinker-hound-1,clinker-hound-2"
        assert last(at) == f'cast "Furnace Breath" at {hounds} roll 28 fire by mira'
        assert at.fight.state["mira"].track("slots_3") == 1

        await is_next(at, "clinker-hound-1")
        await at.press(":", *"grapple mira", "enter")
        await at.phone.until("me.call === 'asked'")
        await fits(at)
        await at.tap(f"form:{await asked_of(at)}=f")
        await accepted(at, 2)
        assert at.fight.state["mira"].named("grappled")
        await at.phone.until("box.innerText.includes('accepted. failure')")

        await at.unfold("reaction")
        await at.tap("form:do:opportunity-attack")
        await at.tap("do:opportunity-attack/target=Clinker Hound 1")
        await at.type("do:opportunity-attack/die", "19")
        await at.type("do:opportunity-attack/amount-rolled", "5")
        await fits(at)
        await at.tap("send:do:opportunity-attack")
        await accepted(at, 3)
        assert at.fight.state["mira"].track("reaction") == 0
        assert last(at).startswith("react opportunity-attack clinker-hound-1 natural 19 5")
