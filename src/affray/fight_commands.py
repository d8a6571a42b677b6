"""Typed methods for commands: `fight.damage("mira", 12, "fire")` for `damage mira 12 fire`.

`FightCommands` has one for each command that every game has. The commands of a single game, which
depend on its tables and on a campaign's house rules, are given by name: `FightCommands.give`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from operator import index
from typing import Literal, Protocol

from affray.core.engine.history import Entry
from affray.core.late_pattern import late_pattern
from affray.core.parser.tokens import join_tokens, quote_token, words_of_row
from affray.core.rules.ruleset import Ruleset


class HasId(Protocol):
    """A combatant of a fight, such as `fight["mira"]`."""

    @property
    def id(self) -> str:
        """The word by which the combatant goes in commands."""


Name = str | HasId
"""A combatant: `"mira"`, `"Fire Imp"`, `fight["mira"]`; in a text whatever a command takes."""
Names = Name | Sequence[Name]
"""One or several combatants: `"mira"`, `["mira", "odo"]`, `"foes"`, `"ghoul-1,mira"`."""
Amount = int | str
"""A number, or dice that affray rolls: `12`, `"2d6+3"`."""
Word = int | Name | Sequence[int | Name]
"""A word of a command: a number, a text of any words, a combatant; a list has commas between."""

_PLAIN = late_pattern(r"(?!')(?:(?!,')[^\s\"])+")
"""A word without blanks, in which no quote begins: `mira's`."""
_QUOTED = late_pattern(r'"[^"]*"')


class FightCommands(ABC):
    """The commands of a fight as methods. Each gives its command, and returns its entry.

    A combatant is meant by id, name or number, or is one that the fight has given out:
    `fight["mira"]`. The examples are played in a fight of `5e` with Mira and two ghouls.

    Each raises Refused for a command that can't be done, NotInFight for somebody who is not there,
    and TypeError or ValueError for an argument that is none; nothing has changed then.
    """

    ruleset: Ruleset

    @abstractmethod
    def do(self, line: str, *more: str) -> Entry:
        """Give commands as lines, one after the other; returns the last entry."""

    def give(
        self, command: str, *words: Word, by: Name = "", **keywords: Word | bool | None
    ) -> Entry:
        """Give any command of the game by its name, with its words in their order.

        >>> fight.give("remove", "mira")
        <Entry 4: Mira leaves the fight>

        `fight.give("strike", "ghoul-1", "natural", 15, 8, "slashing", cover=True, by="mira")` is
        `strike ghoul-1 natural 15 8 slashing cover by mira`.

        Args:
            words: Each is one word of the command, put in quotes if it has blanks. One that is
                in double quotes already stays so, for commands that ask for quotes.
            by: Who acts; left out, whoever's turn it is.
            keywords: Words that stand behind the others, with their values: `plus=2` is `plus 2`.
                True is the word alone, False and None leave it out. `_` stands for a hyphen, and
                is dropped at the end, as in `from_="mira"`.
        """
        line = [_word(f"word {n}", word) for n, word in enumerate(words, 1)]
        for name, value in keywords.items():
            if value is not None and value is not False:
                line.append(_hyphenated(name))
                line += [] if value is True else [_word(name, value)]
        return self._give(command, *line, _by(by))

    def _give(self, *parts: str) -> Entry:
        return self.do(" ".join(part for part in parts if part))

    # -- who is in the fight -----------------------------------------------------------------------

    def add(
        self,
        what: Literal["pc", "monster", "hazard", "party"] | str,
        name: str = "",
        *,
        count: int = 1,
        text: str = "",
        hidden: bool = False,
        group: bool | str = False,
        side: Literal["", "party", "foes", "others", "world"] = "",
        wave: int = 0,
        **numbers: int | str | bool | Sequence[int | str],
    ) -> Entry:
        """Add somebody by hand or from the campaign's bestiary, or the campaign's whole party.

        >>> fight.add("monster", "Fire Imp", count=2, hp=9, immune=["fire", "poison"])
        <Entry 4: Fire Imp 1 and Fire Imp 2 join>

        Args:
            what: Of which kind, or the id of a creature of the bestiary, or `party`.
            name: The name; another name for a creature of the bestiary.
            count: How many join.
            text: A description.
            hidden: True if the players don't know of them.
            group: True if they act together, or the name of their group.
            side: Their side, if it is not the usual one.
            wave: The wave for which they wait; 0 to join now.
            numbers: The numbers of the sheet, as rows of `party.toml` have them:
                `attack=["Axe 1d8 slashing"]`.
        """
        fields = {field.name for field in self.ruleset.sheet.fields(self.ruleset.tables)}
        row = {}
        for field, value in numbers.items():
            row[field if field in fields else _hyphenated(field)] = _sheet_value(field, value)
        is_creature = what not in ("pc", "monster", "hazard")
        if not (name or is_creature):
            raise ValueError(f"name: expected the name of the {what}")
        return self._give(
            "add",
            _text("what", what),
            _text("name", name) if name and not is_creature else "",
            f"x{count}" if _number("count", count) != "1" else "",
            f"as {_text('name', name)}" if name and is_creature else "",
            f"text {_quoted('text', text)}" if text else "",
            "hidden" if hidden else "",
            f"side {_text('side', side)}" if side else "",
            "group" if group is not False else "",
            "" if isinstance(group, bool) else _text("group", group),
            join_tokens(words_of_row(row, ())),
            f"wave {_number('wave', wave)}" if wave else "",
        )

    def wave(self, number: int | None = None) -> Entry:
        """Let the next wave join, or the one of that number.

        >>> _ = fight.add("monster", "Wight", hp=30, wave=2)
        >>> fight.wave()
        <Entry 5: Wave 2: Wight joins>
        """
        return self._give("wave", "" if number is None else _number("number", number))

    def leave(self, people: Names) -> Entry:
        """Take combatants out of the fight.

        >>> fight.leave(["ghoul-1", "ghoul-2"])
        <Entry 4: Ghoul 1 and Ghoul 2 leave the fight>
        """
        return self._give("leave", _names("people", people))

    def rename(self, combatant: Name, name: str) -> Entry:
        """Give a combatant another name; the id stays.

        >>> fight.rename("ghoul-1", "Old Tom")
        <Entry 4: Ghoul 1 is now called Old Tom>
        """
        return self._give("rename", _name("combatant", combatant), _quoted("name", name))

    def conceal(self, people: Names) -> Entry:
        """Hide combatants from the players' view.

        >>> fight.conceal("foes")
        <Entry 4: Ghoul 1 and Ghoul 2 are unknown to the players>
        """
        return self._give("conceal", _names("people", people))

    def reveal(self, people: Names) -> Entry:
        """Show hidden combatants in the players' view.

        >>> _ = fight.conceal("foes")
        >>> fight.reveal("ghoul-1")
        <Entry 5: Ghoul 1 is known to the players>
        """
        return self._give("reveal", _names("people", people))

    def set(self, people: Names, what: str, value: int | str, maximum: int | None = None) -> Entry:
        """Write a track or a number of the sheet as it is; no rule interferes.

        >>> fight.set("mira", "hp", 18, maximum=32)
        <Entry 4: Mira: hp is 18>

        Args:
            people: Whose number it is; `gm` for a track of the GM's.
            maximum: The new maximum of a track.
        """
        top = "" if maximum is None else f"of {_number('maximum', maximum)}"
        given = _text("value", value) if isinstance(value, str) else _number("value", value)
        return self._give("set", _names("people", people), _text("what", what), given, top)

    # -- turns -------------------------------------------------------------------------------------

    def init(
        self,
        people: Names = "",
        total: int | None = None,
        *,
        natural: int | Sequence[int] = (),
        before: Name = "",
        after: Name = "",
    ) -> Entry:
        """Set initiative, or roll it if no number is given.

        >>> fight.init("mira", 17)
        <Entry 4: Initiative of Mira: 17, was 20>

        Args:
            people: Whose initiative; left out, it is rolled for all who have none yet.
            total: The total as called.
            natural: The d20 as it lies, in place of the total; both dice of an advantage.
            before: The one before whom they act, to settle a tie.
            after: The one after whom they act.
        """
        dice = [natural] if isinstance(natural, int) else natural
        faces = ",".join(_number("natural", face) for face in dice)
        choices = [
            _number("total", total) if total is not None else "",
            f"natural {faces}" if faces else "",
            f"before {_name('before', before)}" if before else "",
            f"after {_name('after', after)}" if after else "",
        ]
        if sum(map(bool, choices)) > 1:
            raise ValueError("init: give one of total, natural, before and after")
        return self._give(
            "init",
            _names("people", people) if people else "",
            *(choices if any(choices) else ["roll"]),
        )

    def start(self) -> Entry:
        """Begin the fight; initiative that is missing is rolled.

        >>> fight.start()
        <Entry 4: The fight begins>
        """
        return self._give("start")

    def next(self, who: Name = "") -> Entry:
        """End the turn and begin the next, with all that this sets off; that of `who`, where the
        setting `order` lets the last one name the next.

        >>> _ = fight.start()
        >>> fight.next()
        <Entry 5: Mira's turn ends; Ghoul 1 is up>
        """
        return self._give("next", _name("who", who) if who else "")

    def finish(self, people: Names) -> Entry:
        """End somebody's own turn, where all of a side act at once.

        >>> _ = fight.setting("order", "sides"), fight.start()
        >>> fight.finish("mira")
        <Entry 6: Mira is done; The enemy is up>
        """
        return self._give("finish", _names("people", people))

    def turns_a_round(self, who: Name, often: int) -> Entry:
        """Give somebody so many turns a round.

        >>> fight.turns_a_round("ghoul-1", 2)
        <Entry 4: Ghoul 1 has 2 turns a round>
        """
        return self._give("turns-a-round", _name("who", who), _number("often", often))

    def end(self) -> Entry:
        """End the fight.

        >>> _ = fight.start()
        >>> fight.end()
        <Entry 5: The fight is over>
        """
        return self._give("end")

    def delay(self, count: int | None = None, *, by: Name = "") -> Entry:
        """Hold back a turn in which nothing was done yet.

        >>> _ = fight.start()
        >>> fight.delay()
        <Entry 5: Mira delays; Ghoul 1 is up>

        Args:
            count: The count of the initiative at which the turn comes by itself.
            by: Who holds back; left out, whoever's turn it is.
        """
        return self._give("delay", "" if count is None else _number("count", count), _by(by))

    def return_(self, who: Name = "") -> Entry:
        """Take a delayed turn now, just before whoever's turn it is.

        >>> _ = fight.start(), fight.delay()
        >>> fight.return_("mira")
        <Entry 6: Mira comes back in>

        Args:
            who: Who comes back; left out, the only one who has delayed.
        """
        return self._give("return", _name("who", who) if who else "")

    def swap(self, ally: Name) -> Entry:
        """Let a tied ally go before whoever's turn it is.

        >>> _ = fight.add("pc", "Odo", hp=20), fight.init("odo", 20), fight.start()
        >>> fight.swap("odo")
        <Entry 7: Odo goes before Mira>
        """
        return self._give("swap", _name("ally", ally))

    def group(self, people: Names, name: str = "") -> Entry:
        """Put several into one row, with one initiative and one turn.

        >>> fight.group(["ghoul-1", "ghoul-2"], "The Pack")
        <Entry 4: Ghoul 1 and Ghoul 2 act together, as The Pack ×2>

        Args:
            name: The group's name; left out, that of the first one's group, or a new one.
        """
        return self._give("group", _names("people", people), _text("name", name) if name else "")

    def ungroup(self, people: Names) -> Entry:
        """Take combatants out of their group, or part a whole group by its name.

        >>> _ = fight.group("foes", "The Pack")
        >>> fight.ungroup("The Pack")
        <Entry 5: The Pack is split up: each now takes its own turn>
        """
        return self._give("ungroup", _names("people", people))

    # -- what happens to them ----------------------------------------------------------------------

    def damage(
        self, targets: Names, amount: Amount, type: str = "", *, half: bool | Names = False
    ) -> Entry:
        """Deal damage, less what the rules of the game take off.

        >>> fight.damage(["mira", "ghoul-1"], 9, "fire", half="mira")
        <Entry 4: Mira and Ghoul 1 take 9 fire>

        Args:
            type: The type of damage; one that the game doesn't know is refused.
            half: Who takes half: some of the targets, or True for all.
        """
        some = "" if isinstance(half, bool) or not half else _names("half", half)
        return self._give(
            "damage",
            _names("targets", targets),
            _amount("amount", amount),
            _text("type", type) if type else "",
            "half" if half else "",
            some,
        )

    def heal(self, targets: Names, amount: Amount) -> Entry:
        """Heal combatants, up to their maximum.

        >>> _ = fight.damage("mira", 12)
        >>> fight.heal("mira", 5)
        <Entry 5: Mira is healed>
        """
        return self._give("heal", _names("targets", targets), _amount("amount", amount))

    def temp(self, targets: Names, amount: Amount) -> Entry:
        """Give temporary HP.

        >>> fight.temp("mira", 5)
        <Entry 4: Mira gets temporary HP>
        """
        return self._give("temp", _names("targets", targets), _amount("amount", amount))

    def inflict(
        self,
        people: Names,
        what: str | Sequence[str],
        *,
        until: str = "",
        turns: int = 0,
        source: Name = "",
        by: Name = "",
    ) -> Entry:
        """Inflict conditions that the game knows; `inflict_custom` has those of one's own.

        >>> fight.inflict("ghoul-1", "prone", until="end of mira")
        <Entry 4: Ghoul 1 is prone>

        Args:
            what: A condition, several in a list, or with its amount: `"ongoing 5 fire"`.
            until: When it ends, as a command has it: `"end of mira"`, `"round 4"`, `"rest"`.
            turns: The number of turns that it lasts; 0 for its usual end.
            source: Whom it comes from.
            by: Who does it; left out, whoever's turn it is.
        """
        several = isinstance(what, (list, tuple))
        kinds = ",".join(_text("what", each) for each in what) if several else what
        return self._give(
            "inflict",
            _names("people", people),
            _phrase("what", kinds),
            *_terms(until, turns, source),
            _by(by),
        )

    def inflict_custom(
        self,
        people: Names,
        name: str,
        *,
        note: str = "",
        until: str = "",
        turns: int = 0,
        source: Name = "",
        by: Name = "",
        **modifiers: int,
    ) -> Entry:
        """Inflict an effect of any name, with numbers that it changes.

        >>> fight.inflict_custom("ghoul-1", "hexed", note="cannot speak", turns=2, attack=-2)
        <Entry 4: Ghoul 1: hexed>

        Args:
            note: What it means; no rule reads it.
            until: When it ends, as a command has it: `"end of mira"`, `"round 4"`, `"rest"`.
            turns: The number of turns that it lasts; 0 for its usual end.
            source: Whom it comes from.
            by: Who does it; left out, whoever's turn it is.
            modifiers: By how much it changes what numbers, those that the game lets it change.
        """
        changes = [
            f"{_hyphenated(what)} {int(_number(what, by_how_much)):+d}"
            for what, by_how_much in modifiers.items()
        ]
        meaning = f"note {_quoted('note', note)}" if note else ""
        terms = _terms(until, turns, source)
        names = _names("people", people)
        return self._give(
            "inflict", names, _quoted("name", name), meaning, *changes, *terms, _by(by)
        )

    def remove(self, people: Names, effect: str = "") -> Entry:
        """Take an effect away; without one, take the combatants out of the fight.

        >>> _ = fight.inflict("foes", "prone")
        >>> fight.remove("foes", "prone")
        <Entry 5: Ghoul 1 and Ghoul 2 are no longer prone>
        """
        return self._give(
            "remove", _names("people", people), _text("effect", effect) if effect else ""
        )

    # -- beside the combatants ---------------------------------------------------------------------

    def note(self, text: str, about: Names = ()) -> Entry:
        """Write a note into the log, or onto combatants.

        >>> fight.note("wears a wedding ring", about="ghoul-1")
        <Entry 4: Note on Ghoul 1: wears a wedding ring>
        """
        on = f"on {_names('about', about)}" if about else ""
        return self._give("note", on, _quoted("text", text))

    def read_aloud(self, text: str) -> Entry:
        """Keep a text that is to be read to the players.

        >>> fight.read_aloud("The bell tolls once.")
        <Entry 4: To read aloud: The bell tolls once.>
        """
        return self._give("read-aloud", _quoted("text", text))

    def setting(self, name: str, value: str | int) -> Entry:
        """Choose a house rule of this fight, or what the players see.

        >>> fight.setting("players-health", "bars")
        <Entry 4: Players see bars of how hurt those outside the party are>
        """
        return self._give("setting", _text("name", name), _word("value", value))

    def clock(self, name: str, *words: Word, hidden: bool = False) -> Entry:
        """Start, move or put away a clock: a countdown, a pool of dice, or a race.

        >>> fight.clock("the bridge falls", 6, hidden=True)
        <Entry 4: Clock the bridge falls>
        >>> fight.clock("the bridge falls", "tick", 2)
        <Entry 5: Clock the bridge falls>

        Args:
            words: What stands behind the name: `"4d6", "slow"`, `5, "before", 3`, `"off"`.
            hidden: True if the players don't know of a new one.
        """
        line = [_word(f"word {n}", word) for n, word in enumerate(words, 1)]
        return self._give("clock", _quoted("name", name), *line, "hidden" if hidden else "")

    def effort(self, race: str, amount: Amount, *, fail: bool = False) -> Entry:
        """Add effort toward the total of a race, or against it.

        >>> _ = fight.clock("the climb", "effort", 20)
        >>> fight.effort("the climb", 6)
        <Entry 5: 6 effort toward the climb>

        Args:
            race: The name of a clock that counts effort.
            fail: True if it counts against the race.
        """
        against = "fail" if fail else ""
        return self._give("effort", _quoted("race", race), _amount("amount", amount), against)

    def carry(self, encounter: str = "") -> Entry:
        """Bring the party to where the campaign's ledger has it; in the ledger, take in a fight.

        What a fight leaves goes into the ledger by itself when it ends; if there is none yet,
        `fight.ask("carry")` begins one.

        Args:
            encounter: In the ledger, the encounter whose end is taken in.
        """
        return self._give("carry", f"from {_text('encounter', encounter)}" if encounter else "")


# -- values as words of a command ------------------------------------------------------------------


def _hyphenated(keyword: str) -> str:
    """Return a keyword of Python as a word of a command: `from_` is `from`."""
    return keyword.rstrip("_").replace("_", "-")


def _expected(parameter: str, what: str, found: object) -> TypeError:
    return TypeError(f"{parameter}: expected {what}, found {found!r}")


def _text(parameter: str, value: object) -> str:
    """A text as one word, in quotes only if it needs them."""
    if not isinstance(value, str):
        raise _expected(parameter, "a text", value)
    is_whole = _PLAIN.fullmatch(value) or _QUOTED.fullmatch(value)
    return value if is_whole and value != "by" else _quoted(parameter, value)


def _quoted(parameter: str, value: object) -> str:
    """A text in quotes. Double quotes, which can't stand in these, become single ones."""
    if not isinstance(value, str):
        raise _expected(parameter, "a text", value)
    return join_tokens([quote_token(value.replace('"', "'"))])


def _phrase(parameter: str, value: object) -> str:
    """Words of a command as they stand."""
    if not isinstance(value, str):
        raise _expected(parameter, "words of a command", value)
    if "by" in value.split():
        raise ValueError(f"{parameter}: say who acts with by=, not in {value!r}")
    return value


def _number(parameter: str, value: object) -> str:
    try:
        if not isinstance(value, bool):
            return str(index(value))  # type: ignore[arg-type]  # it raises TypeError for others
    except TypeError:
        pass
    raise _expected(parameter, "a whole number", value)


def _amount(parameter: str, value: object) -> str:
    if isinstance(value, str):
        return _text(parameter, value)
    try:
        return _number(parameter, value)
    except TypeError:
        raise _expected(parameter, "a whole number, or dice such as '2d6+3'", value) from None


def _name(parameter: str, value: object) -> str:
    if isinstance(value, str):
        return _text(parameter, value)
    own_id = getattr(value, "id", None)
    if not isinstance(own_id, str):
        raise _expected(parameter, "a combatant", value)
    return own_id


def _names(parameter: str, value: object) -> str:
    if not isinstance(value, Iterable) or isinstance(value, str):
        return _name(parameter, value)
    names = [_name(parameter, each) for each in value]
    if not names:
        raise ValueError(f"{parameter}: expected at least one combatant, found none")
    return ",".join(names)


def _word(parameter: str, value: object) -> str:
    """One word of a command: a number, a text, a combatant, or several of these with commas."""
    if isinstance(value, (list, tuple)):
        return ",".join(_word(parameter, each) for each in value)
    if isinstance(value, int):
        return _number(parameter, value)
    try:
        return _name(parameter, value)
    except TypeError:
        raise _expected(parameter, "a number, a text or a combatant", value) from None


def _sheet_value(field: str, value: object) -> object:
    """The value of a sheet's field, as a row of the roster may have it."""
    parts = value if isinstance(value, (list, tuple)) else [value]
    if not all(isinstance(part, (int, str)) for part in parts):
        raise _expected(field, "a number, a text, or a list of these", value)
    return list(parts) if isinstance(value, tuple) else value


def _terms(until: str, turns: int, source: Name) -> list[str]:
    """Until when an effect lasts, and whom it comes from."""
    return [
        f"for {_number('turns', turns)} turns" if turns else "",
        f"until {_phrase('until', until)}" if until else "",
        f"from {_name('source', source)}" if source else "",
    ]


def _by(who: Name) -> str:
    return f"by {_name('by', who)}" if who else ""
