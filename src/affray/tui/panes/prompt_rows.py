"""The row of a prompt: which of its pieces have room, and what goes on in the row below it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, lru_cache

from rich.cells import cell_len
from rich.style import Style

from affray.tui.drawing import Line, cut_name, plain, tail
from affray.tui.prompts.row import Piece
from affray.tui.themes import Inks

GAP = "  "
LEAST_OF_DONE = 6
"""So many cells of an answer that was given are left, where there is no room for all of it."""
_OFFERED = ("key", "offer", "picked")


@lru_cache(maxsize=1)  # each of the two rows asks for both
def prompt_rows(pieces: tuple[Piece, ...], inks: Inks, width: int, rows: int) -> list[Line]:
    """The prompt's row, and below it, where that is free, what is offered and had no room in it."""
    offers = _offers_of([p._replace(text=plain(p.text)) for p in pieces])
    if rows == 1 or _cells(_with(pieces, offers)) < width:
        return [pieces_line(pieces, inks, width), Line()]
    some = range(min(len(offers), width))  # no more of them have room in any case
    fit = bisect_left(some, True, key=lambda n: _cells(_with(pieces, offers[:n])) >= width)
    if not fit:
        return [pieces_line(pieces, inks, width), Line()]
    below = [piece for offer in offers[fit - 1 :] for piece in offer]
    upper = pieces_line(_with(pieces, offers[: fit - 1]), inks, width)
    return [upper, Line().add(GAP).join(pieces_line(below, inks, width - len(GAP)))]


def pieces_line(pieces: Sequence[Piece], inks: Inks, width: int) -> Line:
    """`Strike › Ghoul 1 › outcome…  m miss  w weak`, with what is asked for standing out."""
    look: dict[str, Style] = {
        "label": inks.accent,
        "whom": inks.strong,
        "refused": inks.bad,
        "done": inks.plain,
        "now": inks.strong + inks.cursor,
        "blank": inks.strong + inks.cursor,
        "key": inks.accent,
        "offer": inks.dim,
        "picked": inks.strong,
        "hint": inks.dim,
        "later": inks.faint,
    }
    line = Line().add(" ")
    before = ""
    for piece in _that_fit([p._replace(text=plain(p.text)) for p in pieces], width - 1):
        line.add(_gap(before, piece.role), inks.faint).add(_worded(piece), look[piece.role])
        if piece.role == "now":
            line.add("▏", inks.accent)
        before = piece.role
    return line


def _worded(piece: Piece) -> str:
    return f" {piece.text}… " if piece.role == "blank" else piece.text


@cache  # of as few pairs as there are roles
def _gap(before: str, role: str) -> str:
    if not before:
        return ""
    if role == "whom":
        return ": " if before == "label" else " › "
    if role == "refused":
        return ": "
    if role in ("done", "now", "blank"):
        return " › "
    if role == "later":
        return "  · "
    return " " if before == "key" else GAP


def _that_fit(pieces: list[Piece], width: int) -> list[Piece]:
    """Leave out what is offered, never how to answer; then what comes later, then text's beginning.

    Of people on the list the number stays: the last lose their names first, and the one that is
    picked after them. A letter goes with its word, and `…` stands there. Of a list that is too long
    even so, the one that is picked stays, with those around it as far as there is room. What was
    answered before gives way to keys, but not to names: a name can be typed that isn't seen.
    """
    offers = _with_words(pieces, _offers_of(pieces), width)
    if _cells(_with(pieces, offers)) > width:
        pieces = [p for p in pieces if p.role != "later"]
        most = len(offers) if any(offer[0].role == "key" for offer in offers) else 1
        pieces = _with_less_done(pieces, _cells(_with(pieces, _some(offers, 0, most))) - width)
    numbered = any(o[0].text.isdecimal() or o[0].role != "key" for o in offers)
    spans = _spans(offers, width // 2) if numbered else [(0, len(offers))]

    def row(span: tuple[int, int]) -> list[Piece]:
        return _with(pieces, _some(offers, *span))

    first = bisect_left(spans, True, key=lambda span: _cells(row(span)) <= width)
    kept = row(spans[min(first, len(spans) - 1)])
    if _cells(kept) > width:
        kept = [p for p in kept if p.role not in _OFFERED]
    over = _cells(kept) - width
    return [_shortened(p, over) if p.role == "now" and over > 0 else p for p in kept]


def _with_words(pieces: list[Piece], offers: list[list[Piece]], width: int) -> list[list[Piece]]:
    """What is offered, with as many of its words as there is room for beside the keys."""
    bare: set[int] = set()
    left = offers
    for i in sorted(range(len(offers)), key=lambda i: (_stays(offers[i]), -i)):
        if _cells(_with(pieces, left)) <= width:
            return left
        if len(offers[i]) > 1:
            bare.add(i)
            left = _without_words(offers, bare)
    # Some must go: the one that is picked is known by its words.
    return _without_words(offers, {i for i in bare if offers[i][-1].role != "picked"})


def _without_words(offers: list[list[Piece]], bare: set[int]) -> list[list[Piece]]:
    """The offers, those of some places without their words: a number stands alone, but a letter
    without its word says nothing, so `…` stands for a row of such."""
    left, has_gone = [], False
    for i, offer in enumerate(offers):
        if i not in bare or offer[0].text.isdecimal():
            left.append(offer[:1] if i in bare else offer)
        elif not has_gone:
            left.append([Piece("…", "offer")])
        has_gone = i in bare and not offer[0].text.isdecimal()
    return left


def _stays(offer: list[Piece]) -> int:
    """How long the words of an answer stay: what a capital letter says besides loses them first."""
    return 2 if offer[-1].role == "picked" else int(not offer[0].text.isupper())


def _with_less_done(pieces: list[Piece], over: int) -> list[Piece]:
    """What was answered already gives way to what is asked for now, the longest first."""
    done = [i for i, piece in enumerate(pieces) if piece.role == "done"]
    left = list(pieces)
    for i in sorted(done, key=lambda i: -cell_len(left[i].text)):
        cells = cell_len(left[i].text)
        if over > 0 and cells > LEAST_OF_DONE:
            shorter = cut_name(left[i].text, max(cells - over, LEAST_OF_DONE))
            left[i] = left[i]._replace(text=shorter)
            over -= cells - cell_len(left[i].text)
    return left


def _spans(offers: list[list[Piece]], most: int) -> list[tuple[int, int]]:
    """From which offer to which is shown: all, then one fewer at a time, around the picked one.

    No more than `most` have room in any case.
    """
    picked = next((i for i, offer in enumerate(offers) if offer[-1].role == "picked"), 0)
    first, last = max(0, picked - most), min(len(offers), picked + most)
    spans = [(0, len(offers)), (first, last)]
    while last - first > 1:
        if last - 1 > picked and (last - picked > picked - first + 1 or first == picked):
            last -= 1
        else:
            first += 1
        spans.append((first, last))
    return spans


def _offers_of(pieces: list[Piece]) -> list[list[Piece]]:
    """What is offered, each with its key."""
    offers: list[list[Piece]] = []
    for piece in pieces:
        if piece.role == "key":
            offers.append([piece])
        elif piece.role in _OFFERED:
            if offers and offers[-1][-1].role == "key":
                offers[-1].append(piece)
            else:
                offers.append([piece])
    return offers


def _some(offers: list[list[Piece]], first: int, last: int) -> list[list[Piece]]:
    """The offers from one to another, and `…` for those that are left out before and behind."""
    more = [[Piece("…", "offer")]]
    return more * (first > 0) + offers[first:last] + more * (last < len(offers))


def _with(pieces: Sequence[Piece], offers: list[list[Piece]]) -> list[Piece]:
    """The pieces with these offers in the place of all that are offered."""
    at = next((i for i, p in enumerate(pieces) if p.role in _OFFERED), len(pieces))
    row = [piece for offer in offers for piece in offer]
    return [*pieces[:at], *row, *(p for p in pieces[at:] if p.role not in _OFFERED)]


def _cells(pieces: list[Piece]) -> int:
    roles = [piece.role for piece in pieces]
    words = "".join([*map(_gap, ["", *roles], roles), *map(_worded, pieces)])
    return cell_len(words) + roles.count("now")


def _shortened(piece: Piece, by: int) -> Piece:
    """Typed text without its beginning, so that the caret at its end is seen."""
    return piece._replace(text=tail(piece.text, max(cell_len(piece.text) - by, 8)))
