"""The rows of prompt, command bar, messages and previews: two, or as many as these need."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from itertools import chain

from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from affray.core.formatting.safe_text import strip_control_chars
from affray.tui.drawing import (
    StyledLine,
    hanging_indent,
    truncate,
    truncate_name,
    truncate_start,
    wrap,
    wrapped_within,
)
from affray.tui.fight_view import FightView
from affray.tui.keymap import Keymap
from affray.tui.prompts.command_bar import CommandBar
from affray.tui.prompts.context import AnswerMemory
from affray.tui.prompts.field import PromptPart
from affray.tui.prompts.preview import PreviewLine
from affray.tui.prompts.prompt import Prompt
from affray.tui.theme import Styles
from affray.tui.widgets.base import FightWidget, Pane, changed_indexes
from affray.tui.widgets.header_footer import Footer

# -------------------------------------------------------------------------------------------------
# The prompt's row, and what goes on in the row below it

GAP = "  "
LEAST_OF_NAMES = (7, 5)
"""So many cells are left of a name among many: within one row, or within two."""
LEAST_OF_DONE = 6
"""So many cells of an answer that was given are left, if there is no room for all of it."""
LEAST_TOLD = 3
"""So many answers have their words, if need be in place of those that were given before."""
PICKED = 2
"""How long an answer keeps its words that is picked: to the last."""
_KEYS = ("key", "aside")
_OFFERED = (*_KEYS, "offer", "picked")


def prompt_rows(
    pieces: Sequence[PromptPart], inks: Styles, width: int, rows: int
) -> list[StyledLine]:
    """The prompt's row, and below it, if that is free, the offers without room in it.

    A third, mostly empty, is for people, if they are too many for one.
    """
    pieces = [piece._replace(text=strip_control_chars(piece.text)) for piece in pieces]
    offers = _offers_of(pieces)
    if rows == 1 or not offers or _cells(_with(pieces, offers)) < width:
        return [pieces_line(pieces, inks, width), StyledLine(), StyledLine()]
    pieces = _with_less_done(pieces, _cells(_with(pieces, [])) - width + 1)
    some = range(min(len(offers), width // 2))  # no more of them have room in any case
    fit = bisect_left(some, True, key=lambda n: _cells(_with(pieces, offers[:n])) >= width)
    first = max(fit - 1, 0)
    upper = pieces_line(_with(pieces, offers[:first]), inks, width)
    below = [
        StyledLine().add(GAP).join(pieces_line([*chain(*row)], inks, width - len(GAP)))
        for row in _named_rows(offers[first:], width - len(GAP) - 1)
    ]
    return [upper, *below, StyledLine()][:3]


def _named_rows(offers: list[list[PromptPart]], width: int) -> list[list[list[PromptPart]]]:
    """The offers in one row, or in two if they are too many for one. Names of people are shortened
    evenly, as far as something is left of them; letters never are."""
    numbered = [offer for offer in offers if offer[0].text.isdecimal()]
    longest = max((cell_len(offer[-1].text) for offer in numbered), default=0)

    def rows_with(cells: int) -> list[list[list[PromptPart]]]:
        return _wrapped([_with_short_name(offer, cells) for offer in offers], width)

    for most, least in enumerate(LEAST_OF_NAMES, 1):
        forms = range(longest, least - 1, -1)
        if len(numbered) * len(f"1 A{GAP}") > most * width or not forms:
            continue  # of very many people no form has room
        if len(rows_with(forms[-1])) <= most:
            return rows_with(
                forms[bisect_left(forms, True, key=lambda cells: len(rows_with(cells)) <= most)]
            )
    upper, *others = _wrapped(offers, width)
    rest = [*chain(*others)]
    answers = not numbered and any(offer[0].role == "key" for offer in rest)
    return [upper, rest] if answers else [offers]


def _with_short_name(offer: list[PromptPart], cells: int) -> list[PromptPart]:
    if not offer[0].text.isdecimal():
        return offer
    return [*offer[:-1], offer[-1]._replace(text=truncate_name(offer[-1].text, cells))]


def _wrapped(offers: list[list[PromptPart]], width: int) -> list[list[list[PromptPart]]]:
    """The offers in as many rows as they need."""
    rows: list[list[list[PromptPart]]] = [[]]
    used = 0
    for offer in offers:
        cells = _cells(offer)
        used += cells + len(_gap(rows[-1][-1][-1].role, offer[0].role) if rows[-1] else "")
        if rows[-1] and used > width:
            rows.append([])
            used = cells
        rows[-1].append(offer)
    return rows


def pieces_line(pieces: list[PromptPart], inks: Styles, width: int) -> StyledLine:
    """`Strike › Ghoul 1 › outcome…  m miss  w weak`, with the current question standing out."""
    look: dict[str, Style] = {
        "label": inks.accent,
        "whom": inks.strong,
        "refused": inks.bad,
        "done": inks.plain,
        "now": inks.strong + inks.cursor,
        "blank": inks.strong + inks.cursor,
        "key": inks.accent,
        "aside": inks.accent,
        "offer": inks.dim,
        "picked": inks.strong,
        "hint": inks.dim,
        "tip": inks.dim,
        "later": inks.faint,
    }
    line = StyledLine().add(" ")
    before = ""
    for piece in _that_fit(pieces, width - 1):
        line.add(_gap(before, piece.role), inks.dim if piece.role == "tip" else inks.faint).add(
            _worded(piece), look[piece.role]
        )
        if piece.role == "now":
            line.add("▏", inks.accent)
        before = piece.role
    return line


def _worded(piece: PromptPart) -> str:
    if piece.role != "blank":
        return piece.text
    return f" {piece.text}{' (if any)' if piece.optional else ''}… "


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
    if before == "hint" and role == "tip":
        return " · "
    return " " if before in _KEYS else GAP


def _that_fit(pieces: list[PromptPart], width: int) -> list[PromptPart]:
    """Leave out offers, never how to answer; then later fields, then the beginning of a text.

    People on the list keep their number: the last lose their names first, and the picked one after
    them. A letter goes with its word, and `…` takes their place. If the list is still too long, the
    picked one stays, with as many around it as fit. Earlier answers give way to keys, but not to
    names, as one can type a name that isn't shown.
    """
    if _cells(pieces) > width:  # that it may be left out says less than the answers
        pieces = [piece._replace(optional=False) for piece in pieces]
    offers = _with_words(pieces, _offers_of(pieces), width)
    answers = [offer for offer in _offers_of(pieces) if offer[0].role == "key" and _tells(offer)]
    if sum(map(_tells, offers)) < len(answers):  # what comes later says less than they do
        pieces = [p for p in pieces if p.role != "later"]
        offers = _with_words(pieces, _offers_of(pieces), width)
    if sum(map(_tells, offers)) < min(LEAST_TOLD, len(answers)):
        pieces = _with_less_done(pieces, _cells(pieces) - width)
        offers = _with_words(pieces, _offers_of(pieces), width)
    if sum(map(_tells, offers)) < min(LEAST_TOLD, len(answers)):  # too few beside the hint
        roles = {piece.role for piece in pieces}
        bare = [p for p in pieces if p.role != ("tip" if "tip" in roles else "hint")]
        bare = _with_less_done(bare, _cells(bare) - width)
        more = _with_words(bare, _offers_of(bare), width)
        if sum(map(_tells, more)) > sum(map(_tells, offers)):
            pieces, offers = bare, more
    if _cells(_with(pieces, offers)) > width:
        pieces = [p for p in pieces if p.role != "later"]
        most = len(offers) if any(offer[0].role in _KEYS for offer in offers) else 1
        pieces = _with_less_done(pieces, _cells(_with(pieces, _some(offers, 0, most))) - width)
    numbered = any(o[0].text.isdecimal() or o[0].role not in _KEYS for o in offers)
    spans = _spans(offers, width // 2) if numbered else [(0, len(offers))]

    def row(span: tuple[int, int]) -> list[PromptPart]:
        return _with(pieces, _some(offers, *span))

    first = bisect_left(spans, True, key=lambda span: _cells(row(span)) <= width)
    remaining = row(spans[min(first, len(spans) - 1)])
    if _cells(remaining) > width:
        remaining = [p for p in remaining if p.role not in _OFFERED]
    over = _cells(remaining) - width
    return [_shortened(p, over) if p.role == "now" and over > 0 else p for p in remaining]


def _answers_fit(pieces: list[PromptPart], width: int) -> bool:
    """True if people are asked for, or enough of the letters that answer have room in the row."""
    letters = [p for p in pieces if p.role == "key"]
    shown = [p for p in _that_fit(pieces, width - 1) if p in letters]
    is_of_people = any(p.text.isdecimal() for p in letters)
    return is_of_people or len(shown) >= min(LEAST_TOLD, len(letters))


def _tells(offer: list[PromptPart]) -> bool:
    """True if it is a letter with its word."""
    return len(offer) > 1 and not offer[0].text.isdecimal()


def _with_words(
    pieces: list[PromptPart], offers: list[list[PromptPart]], width: int
) -> list[list[PromptPart]]:
    """The offers, with as many of their words as fit beside the keys."""
    numbers = sum(offer[0].text.isdecimal() for offer in offers)
    if numbers * len(f"1{GAP}") > width:  # not even the numbers alone have room
        words = [o[-1].role == "picked" or (_tells(o) and o[0].role == "key") for o in offers]
        return _without_words(offers, {i for i, stays in enumerate(words) if not stays})
    by_rank = sorted(range(len(offers)), key=lambda i: (_stays(offers[i]), -i))
    bare = [i for i in by_rank if len(offers[i]) > 1]

    def left(gone: int) -> list[list[PromptPart]]:
        return _without_words(offers, set(bare[:gone]))

    least = range(len(bare))
    fit = bisect_left(least, True, key=lambda gone: _cells(_with(pieces, left(gone))) <= width)
    if fit < len(bare):
        return left(fit)
    # Some must go: the one that is picked is known by its words.
    return _without_words(offers, {i for i in bare if _stays(offers[i]) < PICKED})


def _without_words(offers: list[list[PromptPart]], bare: set[int]) -> list[list[PromptPart]]:
    """The offers, some of them without their words. A number can be alone, but a letter without its
    word says nothing, so `…` replaces a row of these."""
    left, has_gone = [], False
    for i, offer in enumerate(offers):
        if i not in bare or offer[0].text.isdecimal():
            left.append(offer[:1] if i in bare else offer)
        elif not has_gone:
            left.append([PromptPart("…", "offer")])
        has_gone = i in bare and not offer[0].text.isdecimal()
    return left


def _stays(offer: list[PromptPart]) -> int:
    """The rank in which words give way: those of optional answers go first, given ones included."""
    return 0 if offer[0].role == "aside" else PICKED if offer[-1].role == "picked" else 1


def _with_less_done(pieces: list[PromptPart], over: int) -> list[PromptPart]:
    """The row with given answers shortened for the current question, the longest first."""
    done = [i for i, piece in enumerate(pieces) if piece.role == "done"]
    left = list(pieces)
    for i in sorted(done, key=lambda i: -cell_len(left[i].text)):
        cells = cell_len(left[i].text)
        if over > 0 and cells > LEAST_OF_DONE:
            shorten = truncate if ", " in left[i].text else truncate_name
            shorter = shorten(left[i].text, max(cells - over, LEAST_OF_DONE))
            left[i] = left[i]._replace(text=shorter)
            over -= cells - cell_len(left[i].text)
    return left


def _spans(offers: list[list[PromptPart]], most: int) -> list[tuple[int, int]]:
    """The ranges of offers to try: all, then one fewer at a time, around the picked one.

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


def _offers_of(pieces: list[PromptPart]) -> list[list[PromptPart]]:
    """The offers, each with its key."""
    offers: list[list[PromptPart]] = []
    for piece in pieces:
        if piece.role in _KEYS:
            offers.append([piece])
        elif piece.role in _OFFERED:
            if offers and offers[-1][-1].role in _KEYS:
                offers[-1].append(piece)
            else:
                offers.append([piece])
    return offers


def _some(offers: list[list[PromptPart]], first: int, last: int) -> list[list[PromptPart]]:
    """The offers from one to another, and `…` for those that are left out before and behind."""
    more = [[PromptPart("…", "offer")]]
    return more * (first > 0) + offers[first:last] + more * (last < len(offers))


def _with(pieces: Sequence[PromptPart], offers: list[list[PromptPart]]) -> list[PromptPart]:
    """The pieces with these offers in the place of all that are offered."""
    at = next((i for i, p in enumerate(pieces) if p.role in _OFFERED), len(pieces))
    row = [piece for offer in offers for piece in offer]
    return [*pieces[:at], *row, *(p for p in pieces[at:] if p.role not in _OFFERED)]


def _cells(pieces: list[PromptPart]) -> int:
    roles = [piece.role for piece in pieces]
    gaps = sum(map(len, map(_gap, ["", *roles], roles)))
    return gaps + cell_len("".join(map(_worded, pieces))) + roles.count("now")


def _shortened(piece: PromptPart, by: int) -> PromptPart:
    """Typed text without its beginning, so that the caret at its end is seen."""
    return piece._replace(text=truncate_start(piece.text, max(cell_len(piece.text) - by, 8)))


def with_rows(prompt: Region, rows: int) -> Region:
    """The place of a prompt with so many rows, in front of the last ones of the panes."""
    return Region(prompt.x, prompt.bottom - rows, prompt.width, rows)


PROMPT_ROWS, MOST_OF_USAGE = 2, 2
"""The rows that there always are, and those into which a usage is fitted."""
LEFT_TO_PANES = 8
"""The rows of the screen that no message takes."""
MARKS = {"info": "→ ", "hint": "  ", "wanted": "  ", "refused": "✗ ", "warning": "! "}
_REVERSE = Style(reverse=True)


class PromptWidget(FightWidget):
    """Upper row: the question, the typed text or the last message. Lower row: the preview.

    It never has the focus; the fight's screen gives it every key while `prompt` or `bar` is there.

    memories  the answers of prompts up to each entry from a prompt, by its number
    asked   questions typed in the bar, which are in no log
    set_aside  the prompt that was open before a lookup in it
    rows_wanted  the rows that show all; more than usual stand in front of the panes
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.prompt: Prompt | None = None
        self.bar: CommandBar | None = None
        self.outlook: PreviewLine | None = None
        self.message = PreviewLine("")
        self.memories: list[tuple[int, AnswerMemory]] = []
        self.asked: list[str] = []
        self.set_aside: Prompt | None = None
        self._undo = ("", "")  # the key, and what it would take back
        self._keymap: Keymap | None = None
        self._quiet = False
        self._rows: list[StyledLine] = []
        self.rows_wanted = PROMPT_ROWS

    def follow(self, view: FightView) -> None:
        """Find what undo would take back."""
        self._keymap = view.keymap
        can = not view.read_only and view.view_at is None
        title = view.history.undo_title if can else ""
        undo = (view.key_for("undo"), title or "")
        if undo != self._undo:
            self._undo = undo
            if not self.is_open:
                self._change()

    def keep_quiet(self, quiet: bool) -> None:
        """True if undo is not mentioned: its key is no undo while a sheet is open."""
        if quiet != self._quiet:
            self._quiet = quiet
            self._change()

    def take_up(self) -> Prompt | None:
        """The prompt that was set aside; it is open again."""
        prompt, self.set_aside = self.set_aside, None
        return prompt

    @property
    def is_open(self) -> bool:
        """True if keys go here."""
        return self.prompt is not None or self.bar is not None

    def show(
        self,
        prompt: Prompt | None = None,
        bar: CommandBar | None = None,
        outlook: PreviewLine | None = None,
    ) -> None:
        """Show a prompt or the command bar with its preview; None closes both."""
        if prompt is not None or bar is not None:
            self.message = PreviewLine("")
        elif not self.is_open:
            return  # nothing was
        self.prompt, self.bar, self.outlook = prompt, bar, outlook
        self._change()

    def show_message(self, outlook: PreviewLine) -> None:
        """Show one line, below an open prompt. An empty text removes it."""
        if outlook != self.message:
            self.message = outlook
            self._change()

    def on_resize(self) -> None:
        """Wrap the message to the new width."""
        self._change()

    def repaint(self) -> None:
        """Draw everything again, in the present colours."""
        self._change()
        super().repaint()

    def _change(self) -> None:
        """Draw the rows that have changed. The last of a question continues in place of the keys.

        An outcome, and a message, takes as many rows as it needs; these stay while the question is
        open.
        """
        self.room = self.size
        if not self.room:  # not seen: it is done when it is
            return
        old, self._rows = self._rows, self._lines()
        lent = StyledLine()
        if self.is_open and len(self._rows) > PROMPT_ROWS and not self._tells_outcome:
            lent = self._rows.pop()
        self.redraw(changed_indexes(old, self._rows))
        self.screen.query_one(Footer).lend(lent)
        wanted = max(len(self._rows), self.rows_wanted if self.is_open else PROMPT_ROWS)
        if wanted != self.rows_wanted:
            self.rows_wanted = wanted
            place = with_rows(self.region, wanted)
            for pane in self.screen.children:
                if isinstance(pane, Pane):
                    pane.cover(pane.region, place.y)
            self.refresh(layout=True)

    @property
    def _tells_outcome(self) -> bool:
        """True if what stands below is what would come of it."""
        words = self._below()
        return words is not None and words.kind == "info"

    def _lines(self) -> list[StyledLine]:
        """The rows, at least two."""
        inks, width, words = self.inks, self.room.width, self._below()
        most = max(self.screen.size.height - LEFT_TO_PANES, PROMPT_ROWS)
        if self.prompt is not None:
            pieces = self.prompt.pieces(width)
            kind = words.kind if words is not None else "wanted"
            goes_on = kind == "wanted" or (kind == "hint" and not _answers_fit(pieces, width))
            lines = prompt_rows(pieces, inks, width, 2 if goes_on else 1)
        elif self.bar is not None:
            lower = StyledLine()
            if words is None and self.bar.offering:
                lower = offers_line(self.bar, inks, width)
            elif words is not None and words.kind == "hint" and self.bar.begins_word:
                lower = offers_line(self.bar, inks, width, words.says)
            lines = [bar_line(self.bar, inks, width), lower]
        else:
            undo = ("", "") if self._quiet else self._undo
            return rest_rows(self._with_keys(self.message), undo, inks, width, most)
        answers = [line for line in lines[1:] if line.width]  # they go on below
        if words is None or answers[1:] or (answers and words.kind == "wanted"):
            return [lines[0], *(answers or [StyledLine()])]
        return [lines[0], *answers, *said_rows(words, inks, width, most // 2)]

    def _below(self) -> PreviewLine | None:
        """The line under the prompt: a refusal, a warning or the preview. It has no usage, since an
        answer to a prompt is no command."""
        if self.prompt is None:
            goes_round = self.bar is not None and self.bar.offering  # tab, round its words
            return self.message if self.message.text else None if goes_round else self.outlook
        wrong = PreviewLine(self.prompt.trouble, "warning") if self.prompt.trouble else self.outlook
        words = self.message if self.message.text else wrong
        return self._with_keys(words._replace(usage="")) if words is not None else None

    def _with_keys(self, words: PreviewLine) -> PreviewLine:
        """A message with the keys of the commands that it names; placeholders in a prompt's
        question are no commands."""
        if self.prompt is not None and words.kind in ("hint", "wanted"):
            return words
        asked = self.prompt.spec.command if self.prompt is not None else ""
        says = self._keymap.with_keys(words.says, asked) if self._keymap is not None else words.says
        return words._replace(says=says)

    # -- drawing -----------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """Draw one of the rows."""
        line = self._rows[y] if y < len(self._rows) else StyledLine()  # before it has a size
        return line.strip(self.room.width, self.paper)


IT = "it"
"""What undo takes back, where that has just been told."""
MOST_OF_UNDO = 4
"""The most rows of the title that undo takes back."""


def rest_rows(
    message: PreviewLine, undo: tuple[str, str], inks: Styles, width: int, most: int
) -> list[StyledLine]:
    """The rows while no prompt is open: the last message, then the command that undo would take
    back, unless the message has told that."""
    if not message.text:
        return undo_rows(*undo, inks, width, 2)
    words, (key, title) = said_rows(message, inks, width, most), undo
    if title and message.says.startswith(title):
        title = IT
    return words if words[1:] else [*words, *undo_rows(key, title, inks, width, 1)]


def said_rows(outlook: PreviewLine, inks: Styles, width: int, most: int) -> list[StyledLine]:
    """A message in as many rows as it needs, with the mark of its kind; from so many rows on the
    rest is cut off. A usage makes no more of them than `MOST_OF_USAGE`."""
    room = max(width - 4, 1)
    fitting = outlook.fitting(lambda text: len(wrap(text, room)) <= MOST_OF_USAGE)
    words = wrapped_within(fitting, room, most)
    inks_of = {"info": inks.plain, "refused": inks.bad, "warning": inks.warn}
    ink = inks_of.get(outlook.kind, inks.dim)
    marks = [MARKS[outlook.kind], *[GAP] * most]
    return [
        StyledLine().add(" ").add(mark, ink).add(text, ink)
        for mark, text in zip(marks, words or [""], strict=False)
    ]


def undo_rows(key: str, title: str, inks: Styles, width: int, rows: int) -> list[StyledLine]:
    """The rows under the prompt, the last ones with the title that undo takes back: as many as
    that needs, at least so many, up to `MOST_OF_UNDO`."""
    if not (key and title):
        return [StyledLine() for _ in range(rows)]
    mark = StyledLine().add(f" {key} ", inks.accent)
    room = width - mark.width - 1
    words = wrapped_within(f"undoes{'' if title == IT else ':'} {title}", room, MOST_OF_UNDO)
    lines = list(hanging_indent(mark, (StyledLine().add(text, inks.dim) for text in words)))
    return [StyledLine() for _ in range(rows - len(lines))] + lines


def bar_line(bar: CommandBar, inks: Styles, width: int) -> StyledLine:
    """`: strike gho▏ul-1` – the caret, and what could follow at once."""
    text = strip_control_chars(bar.text)
    seen = truncate_start(text[: bar.caret], max(width - 8, 2))
    line = StyledLine().add(" : ", inks.accent).add(seen, inks.plain)
    suggestion = strip_control_chars(bar.suggestion)
    under = text[bar.caret : bar.caret + 1] or suggestion[:1] or " "
    line.add(under, (inks.plain if bar.caret < len(text) else inks.dim) + _REVERSE)
    line.add(text[bar.caret + 1 :], inks.plain)
    return line.add(suggestion[1:], inks.dim)


def offers_line(bar: CommandBar, inks: Styles, width: int, wanted: str = "") -> StyledLine:
    """The words that could come next, after what is expected; from a little before the present one,
    where `tab` cycles through them. Empty if there is no list."""
    line, offers, at = StyledLine().add("   "), bar.offers(), bar.offered
    if wanted and not offers:
        return StyledLine()
    line.add(f"{wanted}: " if wanted else "", inks.dim)
    for index, word in enumerate(offers[max(0, at - 2) :], max(0, at - 2)):
        if line.width + len(word) > width:
            break
        line.add(word, inks.strong if index == at else inks.dim).add(GAP)
    return line
