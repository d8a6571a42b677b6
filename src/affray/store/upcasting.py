"""Old events brought up to date as they are read, so that what was ever written opens for ever.

Each kind of event has a version of its own, which an event carries as `v` only when it is above 1.
An upcaster is a pure function from one version's dict to the next one's; old files are never
rewritten. What a person wrote may be of any form: an upcaster leaves what it doesn't understand.
"""

from collections.abc import Callable
from typing import Any

from affray.store.errors import LaterFormat, LogError

_REASONS = {"0 HP": "at-zero", "knocked out": "knocked-out"}


def _reason_by_id(data: dict[str, Any]) -> dict[str, Any]:
    """An effect whose `because` was words that people read, with the id that stands for them."""
    effect = data.get("effect")
    if not isinstance(effect, dict):
        return data
    because = effect.get("because")
    if not isinstance(because, str) or because not in _REASONS:
        return data
    return {**data, "effect": {**effect, "because": _REASONS[because]}}


# (kind, version) -> what turns that version of an event into the one after it.
UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {
    ("gained", 1): _reason_by_id,
    ("altered", 1): _reason_by_id,
}

# The version this program writes of each kind; 1 for those that are not named.
CURRENT: dict[str, int] = {"gained": 2, "altered": 2}


def current(event: Any) -> Any:
    """An event as it is stored, as this program's version of it, without its `v`.

    `event` is not changed, and what is none is left for the reader to name. Raises LaterFormat,
    naming the kind, when the version is later than this program knows, and LogError when it is no
    version at all.
    """
    kind = event.get("event") if isinstance(event, dict) else None
    if not isinstance(kind, str) or ("v" not in event and kind not in CURRENT):  # nearly all
        return event
    version, latest = event.get("v", 1), CURRENT.get(kind, 1)
    if type(version) is not int or version < 1:
        raise LogError(f"an event `{kind}` has version {version!r}, which is no version")
    if version > latest:
        raise LaterFormat(
            f"an event `{kind}` has version {version}, and this affray knows versions up to "
            f"{latest}: a later affray wrote it"
        )
    data = {key: value for key, value in event.items() if key != "v"}
    for step in range(version, latest):
        data = UPCASTERS[kind, step](data)
    return data


def with_version(event: dict[str, Any]) -> dict[str, Any]:
    """The event as it is stored: with `v` when this program's version of its kind is above 1."""
    version = CURRENT.get(event["event"], 1)
    return event if version == 1 else {**event, "v": version}
