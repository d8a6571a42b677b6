"""`/`: rules by any word of their name or text, and every creature here and in the campaign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from affray.core.commands.session_verbs import SESSION_VERBS
from affray.core.heart.decide import verbs_of
from affray.core.heart.state import Encounter
from affray.core.language.refusal import listed
from affray.core.rules.environments import all_named
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables, Technique
from affray.tui.drawing import Line, cut, plain
from affray.tui.sheets.contents import OfTheFight, row_line, wrapped_lines
from affray.tui.sheets.creatures import Creature, creature_lines, creatures
from affray.tui.sheets.finding import Sought, found, sought
from affray.tui.themes import Inks

NAME_CELLS = 24
SORT_CELLS = 12
LEAST_TEXT = 16


class RuleText(NamedTuple):
    """A rule to be found: its name, what sort of thing it is, what it says.

    `how` is what it costs, or how the command is typed.
    """

    name: str
    sort: str
    text: str
    how: str = ""


def rule_texts(ruleset: Ruleset) -> Iterator[RuleText]:
    """All rules: techniques, effects, tracks, commands, and those that are only read."""
    tables = ruleset.tables
    for technique in tables.techniques.values():
        yield RuleText(technique.name, "technique", technique.text, _price(tables, technique))
    yield from (RuleText(e.name, e.kind, e.text) for e in tables.effects.values())
    yield from (RuleText(t.label, "track", t.text) for t in tables.tracks.values() if t.text)
    prompts = tables.prompts.values()
    yield from (RuleText(p.label, "command", p.text) for p in prompts if p.label and p.text)
    yield from _commands(ruleset)
    yield from (RuleText(t.name, "rule", t.text) for t in tables.texts.values())
    rests = ((name, row.text, listed(row.rests, "and")) for name, row in tables.activities.items())
    yield from (RuleText(n, "activity", text, f": in {r} rests") for n, text, r in rests if text)
    for key, table in tables.random.items():
        found = ", ".join(f"{span} {what}" for span, what in table.rows.items())
        yield RuleText(table.name, "table", found, f": roll {key}, {table.dice}")
    for name, sort, of, text in all_named(tables.environments):
        yield RuleText(name, sort, text, of)


def _commands(ruleset: Ruleset) -> Iterator[RuleText]:
    """The commands that no technique and no prompt of the game's tables stands for."""
    tables = ruleset.tables
    lines = [*(t.command for t in tables.techniques.values())]
    lines += [p.command for p in tables.prompts.values() if p.label and p.text]
    told = {*tables.techniques, *(line.partition(" ")[0] for line in lines)}
    rows = [(name, verb.usage, verb.does) for name, verb in verbs_of(ruleset).items()]
    rows += [(name, verb.usage, verb.does) for name, verb in SESSION_VERBS.items()]
    yield from (
        RuleText(n, "command", does, f": {usage}") for n, usage, does in rows if n not in told
    )


def _price(tables: Tables, technique: Technique) -> str:
    """`1 Action points, marks 1 Fatigue`; empty for what costs nothing."""
    said = {track: row.short or row.label for track, row in tables.tracks.items()}
    costs = [f"{amount} {said.get(track, track)}" for track, amount in technique.cost.items()]
    marks = [f"{amount} {said.get(track, track)}" for track, amount in technique.marks.items()]
    told = [f"costs {listed(costs, 'and')}"] if costs else []
    return ", ".join([*told, *([f"marks {listed(marks, 'and')}"] if marks else [])])


def own_texts(ruleset: Ruleset, state: Encounter) -> list[RuleText]:
    """What somebody here can do that is in no table. Each is told once, whoever has it.

    Of those who are alike, one is asked.
    """
    each = {str(who.stats): who for who in state.in_order()}.values()
    own = (option for who in each for option in ruleset.own(ruleset.tables, state, who))
    return list(dict.fromkeys(RuleText(o.name, "their own", o.text) for o in own))


class Rules(OfTheFight[RuleText | Creature]):
    """Rules, then creatures; the text of a rule, the numbers of a creature."""

    NAME = "Rules and creatures"
    KEY = "rules"
    REMEMBERS = True

    def take(self, ruleset: Ruleset, state: Encounter) -> None:
        """Another state has other people, and other numbers of them."""
        super().take(ruleset, state)
        tables = ruleset.tables
        self._known: list[tuple[Sought, RuleText | Creature]] = []
        for rule in (*rule_texts(ruleset), *own_texts(ruleset, state)):
            self._known.append((sought(rule.name, (rule.sort, rule.text)), rule))
        for row in creatures(tables, state):
            self._known.append((sought(row.name, row.words(tables, state)), row))

    def rows(self, query: str) -> Sequence[RuleText | Creature | str]:
        """What fits, by name, then by text."""
        return found(self._known, query)

    def line(
        self, row: RuleText | Creature, number: int, width: int, inks: Inks, chosen: bool
    ) -> Line:
        """`Prone   condition   On the ground: …`, as far as there is room."""
        name = min(NAME_CELLS, max(width - SORT_CELLS - 4, 8))
        line = row_line(chosen, inks)
        line.add(cut(plain(row.name), name), inks.strong if chosen else inks.plain)
        line.column(name + 3).add(cut(row.sort, max(width - name - 3, 0)), inks.dim)
        room = width - name - 3 - SORT_CELLS
        if room >= LEAST_TEXT:
            line.column(name + 3 + SORT_CELLS).add(cut(plain(self._text(row)), room), inks.dim)
        return line

    def _text(self, row: RuleText | Creature) -> str:
        if isinstance(row, RuleText):
            return row.text
        return row.text(self.ruleset.tables, self.state)

    def told(self, row: RuleText | Creature, width: int, inks: Inks) -> list[Line]:
        """A rule's whole text, or a creature's sheet."""
        if isinstance(row, Creature):
            return creature_lines(self.ruleset, self.state, row, width, inks)
        title = Line().add(plain(row.name), inks.strong).add(f"  {row.sort}", inks.dim)
        said = [*([row.how] if row.how else []), row.text or "Its row has no text."]
        return [title, *wrapped_lines(said, width, inks.plain)]
