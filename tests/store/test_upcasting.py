import pytest
import tomli

from affray.core.engine.events import NoteAdded
from affray.store import LogError, NewerFormat, entries
from affray.store.entries import upcast, with_version
from affray.store.open_encounter import OpenEncounter


@pytest.fixture
def changed_twice(monkeypatch):
    monkeypatch.setitem(entries.CURRENT, "spent", 3)
    monkeypatch.setitem(
        entries.UPCASTERS, ("spent", 1), lambda d: {**d, "amount": d.pop("by")} | {"two": True}
    )
    monkeypatch.setitem(entries.UPCASTERS, ("spent", 2), lambda d: {**d, "three": d["amount"]})


def test_todays_events_are_read_as_they_are():
    data = {"event": "spent", "by": 1}
    assert upcast(data) == with_version(data) == data


@pytest.mark.usefixtures("changed_twice")
def test_an_old_event_goes_through_every_version_and_is_not_changed_itself():
    data = {"event": "spent", "by": 1}
    new = upcast(data)
    assert (new["amount"], new["two"], new["three"]) == (1, True, 1)
    assert data == {"event": "spent", "by": 1}
    assert upcast({"event": "spent", "v": 2, "amount": 4})["three"] == 4


@pytest.mark.usefixtures("changed_twice")
def test_a_version_above_one_is_stored_in_the_event():
    stored = with_version({"event": "spent"})
    assert stored == {"event": "spent", "v": 3}
    assert upcast(stored) == {"event": "spent"}


@pytest.mark.parametrize("kind", ["gained", "altered"])
@pytest.mark.parametrize(("words", "id_"), [("0 HP", "at-zero"), ("knocked out", "knocked-out")])
def test_reasons_that_were_words_are_ids(kind, words, id_):
    old = {"event": kind, "effect": {"id": "unconscious", "because": words}}
    assert upcast(old)["effect"] == {"id": "unconscious", "because": id_}
    assert old["effect"]["because"] == words


@pytest.mark.parametrize(
    "effect", [None, "0 HP", {"because": 5}, {"because": ["0 HP"]}, {"because": "hiding"}, {}]
)
def test_what_an_upcaster_does_not_understand_is_left_for_the_reader(effect):
    old = {"event": "gained", "effect": effect}
    assert upcast(old) == old


def test_a_later_version_is_refused_by_name():
    with pytest.raises(NewerFormat) as refusal:
        upcast({"event": "spent", "v": 2})
    assert str(refusal.value) == (
        "an event `spent` has version 2, but this affray reads versions up to 1: "
        "a later affray wrote it"
    )


@pytest.mark.parametrize("version", [0, -1, "2", True, None])
def test_what_is_no_version_is_refused(version):
    with pytest.raises(LogError) as refusal:
        upcast({"event": "spent", "v": version})
    assert (
        str(refusal.value)
        == f"an event `spent` has version {version!r}, which is not a version number"
    )


def test_every_kind_has_an_unbroken_chain_to_its_current_version():
    for kind, latest in entries.CURRENT.items():
        assert all((kind, step) in entries.UPCASTERS for step in range(1, latest))


def test_an_old_event_in_a_log_is_read_and_played_as_todays(tmp_path, monkeypatch):
    path = tmp_path / "ford.toml"
    with OpenEncounter.create(path, "orcus", "The Ford") as fight:
        fight.do("note one")
        fight.do("add monster Eel hp 9 ac 10 init 0")
    monkeypatch.setitem(entries.CURRENT, "noted", 2)
    louder = {("noted", 1): lambda data: {**data, "text": data["text"].upper()}}
    monkeypatch.setattr(entries, "UPCASTERS", louder)
    with OpenEncounter.open(path) as fight:
        assert fight.history.entries[1].events == (NoteAdded("ONE"),)
        assert "eel" in [combatant.id for combatant in fight.state.combatants]
        fight.do("note two")
    written = [row["events"][0] for row in tomli.loads(path.read_text("utf-8"))["entry"]]
    assert written[0] == {"event": "noted", "text": "one"}
    assert written[2] == {"event": "noted", "text": "two", "v": 2}
    with OpenEncounter.view(path) as fight:
        assert fight.history.entries[3].events == (NoteAdded("two"),)
