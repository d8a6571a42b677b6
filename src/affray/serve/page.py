"""The players' view as HTML: everything is escaped, and the page fetches nothing from elsewhere."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from pathlib import Path

from affray.core.formatting.players_view import (
    STEPS,
    PlayersCombatant,
    PlayersCondition,
    PlayersTrack,
    PlayersView,
)
from affray.core.parser.errors import join_or

_STYLE = Path(__file__).with_name("page.css").read_text("utf-8")
_SCRIPT = Path(__file__).with_name("page.js").read_text("utf-8")
_GLYPHS = {"pips": "●○", "boxes": "■□", "box": "■□", "badge": "◆◇"}
_MOST_GLYPHS = 10
_LEFT = '<span class="heard"> left of this turn</span>'
_PHASES = {"setup": "Not begun", "ended": "Over"}


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


POLICY = "; ".join(
    (
        "default-src 'none'",
        f"script-src {_hash(_SCRIPT)}",
        f"style-src {_hash(_STYLE)}",
        "connect-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""The page's content security policy: only its own script, style and server."""


def page(inside: str, key: str = "") -> str:
    """The whole page, with the view inside it, and the key for its posts."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n<title>affray</title>\n'
        f'<meta name="key" content="{escape(key)}">\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n"
        '<div id="top"><div id="news"><p id="away" role="status"></p>\n'
        '<p id="turn" class="heard" role="status"></p><div id="told" role="log"></div></div></div>'
        f'<section id="me" aria-label="Your character" data-plays="{"yes" if key else ""}" hidden>'
        f"</section>\n<main>{inside}</main>\n"
        f"<script>{_SCRIPT}</script>\n</body>\n</html>\n"
    )


def inside(shown: PlayersView) -> str:
    """The view: the part of the page that changes."""
    return "".join(_view_parts(shown))


def _view_parts(shown: PlayersView) -> Iterator[str]:
    now = _PHASES.get(shown.phase, f"Round {shown.round}")
    names = join_or(shown.up, "and")
    title = " · ".join(filter(None, (names, now, shown.title or "affray")))
    up = f"{names} {'is' if len(shown.up) == 1 else 'are'} up" if shown.up else ""
    yield f'<header data-title="{escape(title)}" data-round="{now}" data-up="{escape(up)}">'
    yield f"<h1>{escape(shown.title)}</h1><p>"
    yield f"<span>{now}</span>"
    if shown.up:
        yield f"<strong>{_sign('▶ ')}{escape(names)}</strong>"
    if shown.next:
        yield f"<span>next <b>{escape(shown.next)}</b></span>"
    if shown.timer is not None:
        ends = int((shown.timer.since.timestamp() + shown.timer.seconds) * 1000)
        yield f'<span><time data-until="{ends}"></time>{_LEFT}</span>'
    yield '</p></header><ol role="list">'
    yield from map(_person, shown.people)
    yield "</ol>"
    if shown.clocks:
        lines = (
            f"<li>{_sign('◷ ')}{escape(clock.name)} <i>{escape(clock.stands)}</i></li>"
            for clock in shown.clocks
        )
        yield f'<ul role="list" class="clocks">{"".join(lines)}</ul>'
    if shown.lines:
        lines = (f"<li>{escape(line)}</li>" for line in shown.lines)
        yield f'<ul role="list" class="lines">{"".join(lines)}</ul>'


def _sign(text: str, words: str = "") -> str:
    """A sign for the eye, and words for a screen reader in its place."""
    heard = f'<span class="heard">{escape(words)}</span>' if words else ""
    return f'<span aria-hidden="true">{escape(text)}</span>{heard}'


def _person(who: PlayersCombatant) -> str:
    look = " ".join(filter(None, (who.side, "up" if who.is_up else "", "out" * who.is_out)))
    now = ' aria-current="true"' if who.is_up else ""
    tracks = "" if who.is_out else "".join(map(_track, who.tracks))
    lasting = " · ".join(map(_condition, who.lasting))
    return (
        f'<li class="{look}"{now}><h2>{escape(who.name)}</h2>{_picture(who)}{_health(who)}'
        f"{f'<dl>{tracks}</dl>' if tracks else ''}{f'<p>{lasting}</p>' if lasting else ''}</li>"
    )


def _picture(who: PlayersCombatant) -> str:
    return f'<img src="picture/{escape(who.picture)}" alt="">' if who.picture else ""


def _health(who: PlayersCombatant) -> str:
    if who.life != "up":
        return f'<em class="bad">{escape(who.life)}</em>'
    if who.bar is not None:
        return f'<progress value="{who.bar}" max="{STEPS}" aria-label="health"></progress>'
    return f"<em>{escape(who.health)}</em>" if who.health else ""


def _track(counted: PlayersTrack) -> str:
    text = f"<dt>{escape(counted.label)}</dt><dd>{_sign(*amount(counted))}"
    if counted.shown == "bar" and counted.max:
        value = max(counted.value, 0)
        text += f'<progress value="{value}" max="{counted.max}" aria-hidden="true"></progress>'
    return f'<div class="{counted.shown}">{text}</dd></div>'


def amount(counted: PlayersTrack) -> tuple[str, str]:
    """Write a track in glyphs, and in words: `●●○`, `2 of 3`."""
    value, top = counted.value, counted.max
    glyphs = _GLYPHS.get(counted.shown)
    length = max(top or 0, value, 1)
    if counted.shown == "die":
        return (f"d{value}",) * 2 if value else ("–", "none")
    text = str(value).replace("-", "−")
    words = text if top is None and not glyphs else f"{text} of {length if glyphs else top}"
    if glyphs and value >= 0 and length <= _MOST_GLYPHS:
        return glyphs[0] * value + glyphs[1] * (length - value), words
    return (text if top is None else f"{text}/{top}"), words


def _condition(lasting: PlayersCondition) -> str:
    name = f'<b class="{"bad" if lasting.harmful else "good"}">{escape(lasting.name)}</b>'
    return f"{name} {escape(lasting.ends)}" if lasting.ends else name
