import pytest

from affray.store import upcasting
from affray.store.recovery import LaterFormat, LogError
from affray.store.upcasting import take_version, upcast, with_version


@pytest.fixture
def changed_twice(monkeypatch):
    monkeypatch.setitem(upcasting.CURRENT, "spent", 3)
    monkeypatch.setitem(
        upcasting.UPCASTERS, ("spent", 1), lambda d: {**d, "amount": d.pop("by")} | {"two": True}
    )
    monkeypatch.setitem(upcasting.UPCASTERS, ("spent", 2), lambda d: {**d, "three": d["amount"]})


def test_todays_events_are_read_as_they_are():
    data = {"event": "spent", "by": 1}
    assert upcast("spent", 1, data) == data
    assert take_version(data) == (1, data)
    assert with_version("spent", data) == data


@pytest.mark.usefixtures("changed_twice")
def test_an_old_event_goes_through_every_version_and_is_not_changed_itself():
    data = {"event": "spent", "by": 1}
    new = upcast("spent", 1, data)
    assert (new["amount"], new["two"], new["three"]) == (1, True, 1)
    assert data == {"event": "spent", "by": 1}
    assert upcast("spent", 2, {"amount": 4})["three"] == 4


@pytest.mark.usefixtures("changed_twice")
def test_a_version_above_one_is_stored_in_the_event():
    stored = with_version("spent", {"event": "spent"})
    assert stored == {"event": "spent", "v": 3}
    assert take_version(stored) == (3, {"event": "spent"})


def test_a_later_version_is_refused_by_name():
    with pytest.raises(LaterFormat, match=r"`spent` has version 2, .* up to 1"):
        upcast("spent", 2, {})


@pytest.mark.parametrize("version", [0, -1, "2", True, None])
def test_what_is_no_version_is_refused(version):
    with pytest.raises(LogError, match="no version"):
        upcast("spent", version, {})


def test_every_kind_has_an_unbroken_chain_to_its_current_version():
    for kind, current in upcasting.CURRENT.items():
        assert all((kind, step) in upcasting.UPCASTERS for step in range(1, current))
