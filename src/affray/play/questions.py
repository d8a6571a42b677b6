"""Questions as a game master says them: `is the ogre hurt`, `who goes after Pell`.

A question is understood by what it is about, not by its form: those whom it names, then the first
row of `SUBJECTS` that has one of its words, then the game's own words: tracks, numbers, effects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import product
from typing import NamedTuple

from affray.core.commands.log_commands import INVENTORY, WHY
from affray.core.engine import turns
from affray.core.engine.effects import active_effects, effect_name, effect_row
from affray.core.engine.events import Rolled, TurnStarted
from affray.core.engine.history import Entry
from affray.core.engine.state import Combatant
from affray.core.engine.turn_order import row_label, turn_order_rows
from affray.core.formatting import spoken_answers, spoken_lines
from affray.core.formatting.media import TIMES, number_aloud, prose_aloud, signed_aloud
from affray.core.formatting.pieces import format_clock
from affray.core.formatting.recap import recap_of
from affray.core.formatting.spoken_answers import FEW, STANDINGS, TELLS_ALL, Answer, listed
from affray.core.formatting.spoken_lines import sentence
from affray.core.parser.errors import Refused, did_you_mean, join_or
from affray.core.parser.spelling import fold
from affray.core.parser.targets import MOST_OF_NAME, called_like, is_for_several, resolve_many
from affray.core.rules.ruleset import all_options
from affray.play.subjects import help_answer
from affray.store.open_encounter import OpenEncounter


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


ASKS = _set_of(
    "how who what whose which when where is are was were can could does do did has have had will "
    "would tell initiative round status clocks"
)
"""The words that begin a question."""
YES_OR_NO = _set_of("is are was can could does do has have will would")
ABLE = _set_of("can could does do is are")
WHO = _set_of("who which whose")
FILLERS = _set_of(
    "a about am an and any anything are as at been being by condition conditions do does doing "
    "effect effects for from get got had has have he her him his how i in is it its line many me "
    "mine much my name now of ok okay on or our she so some still tell that the their them there "
    "they this to us was we were what when which who whose will with would you your"
)
"""The words that say nothing of what a question is about."""
OWN = frozenset(("i", "me", "my", "mine"))
"""The words for whoever's turn it is."""
SIDE_WORDS = {
    **dict.fromkeys(("everyone", "everybody"), "all"),
    **dict.fromkeys(("foe", "enemies", "enemy", "monsters", "opponents"), "foes"),
    **dict.fromkeys(("players", "heroes", "characters", "pcs", "allies"), "party"),
    **dict.fromkeys(("anyone", "anybody", "someone", "somebody"), "all"),
}
"""Words for a side beside those that commands know."""
WORDS_FOR = {"health": "hp", "hit points": "hp", "action points": "ap", "armour class": "ac"} | {
    "armor class": "ac",
    "spell slots": "slots",
    "wounded": "hurt",
    "injured": "hurt",
    "fine": "unhurt",
    "fast": "speed",
    "weapons?": "attacks",
    "resists?": "resist",
    "healthy": "unhurt",
    "alive": "left",
    "standing": "left",
    "remain": "left",
    "remaining": "left",
    "killed|died": "dead",
}
"""Words for what affray has another word for."""
NOT_OF_THE_GAME = _set_of("can could not left mean means actions options")


class Question(NamedTuple):
    """A question in its parts, as `does the ogre have a reaction`.

    Attributes:
        asks: Its first word: does.
        words: The words that say what it is about, folded: reaction.
        people: Those it names, or whoever's turn it is for `I`: the ogre.
        is_of_side: True if it names them by their side, as `which foes`.
        is_own: True if it names nobody but `I`.
    """

    asks: str
    words: tuple[str, ...]
    people: tuple[Combatant, ...]
    is_of_side: bool = False
    is_own: bool = False

    def has(self, *words: str) -> bool:
        """True if one of the words is in it."""
        return any(word in self.words for word in words)


class Questions:
    """Answers questions about a fight.

    Attributes:
        fight: The open fight.
        waiting: Answers what waits.
        give: Answers a line that only asks, such as `why mira hp`.
    """

    def __init__(
        self,
        fight: OpenEncounter,
        waiting: Callable[[str], Answer],
        give: Callable[[str], Answer],
    ) -> None:
        self.fight, self.waiting, self.give = fight, waiting, give

    def answer(self, line: str) -> Answer:
        """Answer a question. Raises Refused for one that isn't understood."""
        question = self._read(line)
        names = self._terms(question.words)
        is_name = " ".join(question.words[1:]) and " ".join(question.words) in map(_plainly, names)
        for words, subject in SUBJECTS.items():
            if question.has(*words.split()) and not is_name:
                found = subject(self, question)
                if found is not None:
                    return found
        return self._of_the_game(question)

    def of_card(self, words: str) -> Answer | None:
        """Answer `mira attacks` by what her card says of them; None if a line names nobody."""
        question = self._read(f"what {words}")
        return self._of_the_game(question) if question.people else None

    # -- reading -----------------------------------------------------------------------------------

    def _read(self, line: str) -> Question:
        text = re.sub(r"\b(can)'t\b|n't\b", r"\1 not", _spelt_out(line))
        for word, meant in WORDS_FOR.items():
            text = re.sub(rf"\b(?:{word})\b", meant, text)
        typed = [word.strip('".!') for word in re.sub(r"'s?(?=\s|$)", "", text).split()]
        words, people, is_of_side, place = list[str](), list[Combatant](), False, 1
        while place < len(typed):
            after_filler = typed[place - 1] in FILLERS
            found, length = self._named(typed[place:], after_filler)
            people += [each for each in found if each not in people]
            is_of_side |= bool(found) and _is_side(typed[place])
            if not found and typed[place] not in FILLERS:
                words += typed[place].replace("-", " ").split()
            place += length
        up = self.fight.state.up
        is_own = not people and up is not None and bool(OWN & {*typed})
        if is_own and up is not None:
            people = [up]
        asks = typed[0] if typed else ""
        words[:0] = [asks] if asks in _WORDS or asks not in FILLERS else []
        return Question(asks, tuple(words), tuple(people), is_of_side, is_own)

    def _named(self, typed: Sequence[str], after_filler: bool) -> tuple[list[Combatant], int]:
        """The people whom the first words name, and how many words that takes."""
        for length in range(min(MOST_OF_NAME, len(typed)), 0, -1):
            word = " ".join(typed[:length])
            if found := self._called(word, length == 1, after_filler):
                return found, length
        return [], 1

    def _called(self, word: str, is_one: bool, after_filler: bool) -> list[Combatant]:
        state = self.fight.state
        exact = [c for c in state.combatants if word in (fold(c.name), c.id)]
        if exact:
            return exact
        if word.isdecimal() and not after_filler:
            return []
        several = SIDE_WORDS.get(word, word)
        if "," in word or word.isdecimal() or is_for_several(state, several):
            return resolve_many(state, several)
        if is_one and (len(word) < 3 or word in (*FILLERS, *_WORDS) or self._terms((word,))):
            return []
        found = called_like(word, state.combatants)
        found = found or called_like(word.removesuffix("s"), state.combatants)
        return [c for c in found if not c.is_out] or found

    # -- the game's own words ----------------------------------------------------------------------

    def _terms(self, words: Sequence[str], people: Sequence[Combatant] = ()) -> dict[str, str]:
        """The tracks, numbers, effects and standings that words name, with their kind; or else the
        tracks of these people that have a word of them."""
        tables, state = self.fight.ruleset.tables, self.fight.state
        spellings: dict[str, tuple[str, str]] = {word: ("standing", word) for word in STANDINGS}
        for name, track in tables.tracks.items():
            for each in (name, track.label, track.spoken, track.one):
                spellings.setdefault(_plainly(each), ("track", name))
        for name, total in tables.totals.items():
            for each in (name, total.label):
                spellings.setdefault(_plainly(each), ("total", name))
        effects = (effect for each in state.combatants for effect in each.effects)
        names = (name for e in effects for name in spoken_lines.names_of_effect(tables, e))
        for name in (*tables.effects, *names):
            spellings.setdefault(_plainly(effect_name(tables, name)), ("effect", name))
            spellings.setdefault(_plainly(name), ("effect", name))
        spellings.pop("", None)
        if _has_in_a_row(words, ("death", "saves"), _is_alike):
            return {name: "track" for name, rule in tables.tracks.items() if rule.when == "dying"}
        for alike in (str.__eq__, _is_alike):
            found = [each for each in spellings if _has_in_a_row(words, each.split(), alike)]
            if found:
                longest = [a for a in found if not any(a in b for b in found if a != b)]
                return {name: kind for kind, name in map(spellings.__getitem__, longest)}
        owned = {name: tables.track(name).label for each in people for name in each.tracks}
        begun = {e.name: effect_name(tables, e.name) for c in state.combatants for e in c.effects}
        for kind, labels in (("track", owned), ("effect", begun)):
            fit = [n for n, label in labels.items() if words and _has_all(label, words)]
            if fit:
                return dict.fromkeys(fit, kind)
        return {}

    def _of_the_game(self, question: Question) -> Answer:
        """Answer by the game's own words, by what somebody's sheet has, or by a rule."""
        words = [each for each in question.words if each not in ("can", "could", "not", "left")]
        terms = self._terms(words, question.people)
        asks_who = question.asks in WHO or question.is_of_side or not question.people
        if terms and asks_who and question.asks not in ("what", "how", "tell"):
            return self._who_has(question, terms)
        if question.has("left", "down") and not {*words} - {"down"}:
            return self._left(question)
        find = self._of_people if question.people else self._of_nobody
        found = find(question, question.people, words, terms)
        if found is None:
            raise self._refused(question)
        return found

    def _of_people(
        self,
        question: Question,
        people: Sequence[Combatant],
        words: Sequence[str],
        terms: dict[str, str],
    ) -> Answer | None:
        """Answer how people are, what they have of the game's words, or what their sheets have."""
        ruleset, state = self.fight.ruleset, self.fight.state
        if not words and question.asks != "tell":
            return spoken_answers.how_are(ruleset, state, people)
        if not words:
            return spoken_answers.card_answer(ruleset, state, people[0])
        if question.asks == "what" and (labelled := self._labelled(people, words)):
            return listed(labelled, f"{len(labelled)} found")
        lines = [line for each in people for line in self._term_lines(question, each, terms)]
        if lines:
            more = [f"{len(lines) - FEW} more; {TELLS_ALL}."] if len(lines) > FEW else []
            return Answer([*lines[:FEW], *more], lines if more else ())
        found = self._option(people[0], words) if question.asks in ABLE else None
        how = (all,) if question.asks in YES_OR_NO else (all, any)
        found = found or self._sheet_parts(people, words, how)
        return found or (self._meaning(question, words) if question.is_own else None)

    def _of_nobody(
        self,
        question: Question,
        _: Sequence[Combatant],
        words: Sequence[str],
        terms: dict[str, str],
    ) -> Answer | None:
        """Answer a question without a name: by who has it, by a rule, or for whoever's turn it
        is."""
        state, up = self.fight.state, self.fight.state.up
        if question.asks == "what":  # an effect of one's own, before the rules
            names = {*terms} - {*self.fight.ruleset.tables.effects}
            if names and (running := self._running(state.in_order(), names)):
                return running
        have = [each for each in state.in_order() if not each.is_out and {*terms} & {*each.tracks}]
        if have and question.asks == "how" and len(have) <= FEW:
            return self._of_people(question, have, words, terms)
        found = self._sheet_parts(state.combatants, words, (all,)) if words[1:] else None
        if not (have and question.asks == "how"):
            found = found or self._meaning(question, words)
        if found is None and terms and up is not None:
            return self._of_people(question, [up], words, terms)
        return found

    def _meaning(self, question: Question, words: Sequence[str]) -> Answer | None:
        """Tell what a word of the rules means."""
        works = ("work", "works", "cost", "costs")
        is_asked = question.asks in ("what", "can") or question.is_own or question.has(*works)
        words = [word for word in words if word not in works]
        if not (is_asked and words):
            return None
        is_what = question.asks == "what"
        try:
            return help_answer(self.fight.ruleset, self.fight.state, " ".join(words), is_what)
        except Refused:
            return None

    def _term_lines(self, question: Question, who: Combatant, terms: dict[str, str]) -> list[str]:
        """The words asked for as somebody has them, with yes or no where that is asked."""
        ruleset, state = self.fight.ruleset, self.fight.state
        tables, asks = ruleset.tables, question.asks in YES_OR_NO
        active = active_effects(tables, state, who)
        lines, is_so = list[str](), list[bool]()
        for name, kind in terms.items():
            if kind == "track" and (track := who.tracks.get(name)) is not None:
                is_down = name == tables.health and who.life != "up"
                value = spoken_lines.track_in_words(tables.track(name), track)
                lines.append(who.life if is_down else value)
                is_so.append(bool(track.value) is not question.has("used", "spent", "lost", "gone"))
            elif kind == "total":
                total = ruleset.numbers.totals(tables, state, who).get(name)
                rule = tables.total(name)
                if total is not None and (rule.whole or rule.tells(total)):
                    lines.append(rule.for_the_ear(total, signed_aloud))
            elif kind == "effect":
                on = [e for e in who.effects if name in (e.name, e.kind)]
                lines += [
                    spoken_lines.effect_with_all(ruleset, state, who, effect) for effect in on
                ]
                if not on and name in active:
                    lines.append(f"{effect_name(tables, name)} ({active[name].because})")
                is_so.append(bool(on) or name in active)
            elif kind == "standing":
                called = {_plainly(effect_name(tables, each)) for each in active}
                is_so.append(name in called or spoken_answers.is_standing(tables, who, name))
        if not lines and not (is_so and (asks or "standing" in terms.values())):
            return []
        answer = f"{'yes' if any(is_so) else 'no'}. " if asks and is_so else ""
        has = f"{who.name}: {', '.join(dict.fromkeys(lines))}"
        return [sentence(f"{answer}{has if lines else spoken_lines.standing(ruleset, state, who)}")]

    def _who_has(self, question: Question, terms: dict[str, str]) -> Answer:
        """List everybody, or those who were named, who have something: `Prone: Mira.`"""
        ruleset, state = self.fight.ruleset, self.fight.state
        (name, kind), *_ = terms.items()
        if kind in ("effect", "standing"):
            is_one = len(question.people) == 1 and not question.is_of_side
            if is_one:
                found = self._running(question.people, terms) or self._running(question.people, ())
                return found or spoken_answers.how_are(ruleset, state, question.people)
            among = question.people
            if question.is_of_side:  # the dead as well
                sides = {each.side for each in among}
                among = tuple(each for each in state.in_order() if each.side in sides)
            return spoken_answers.who_is(ruleset, state, effect_name(ruleset.tables, name), among)
        label = ruleset.tables.track(name).for_the_ear if kind == "track" else name
        people = [each for each in question.people or state.in_order() if not each.is_out]
        wants = not question.has("not", "no")
        having = [
            each.name
            for each in people
            if (track := each.tracks.get(name)) is not None and bool(track.value) is wants
        ]
        return listed_names(having, label if wants else f"no {label}")

    def _running(self, people: Iterable[Combatant], names: Collection[str]) -> Answer | None:
        """Tell the effects of some names, or all, with their ends."""
        ruleset, state = self.fight.ruleset, self.fight.state
        rows = [
            sentence(f"{each.name}: {spoken_lines.effect_with_all(ruleset, state, each, effect)}")
            for each in people
            if not each.is_out
            for effect in each.effects
            if not names or spoken_lines.names_of_effect(ruleset.tables, effect) & {*names}
        ]
        return listed(rows, f"{len(rows)} are running") if rows else None

    def _labelled(self, people: Iterable[Combatant], words: Sequence[str]) -> list[str]:
        """The parts of sheets that begin with the words, as their label: `Attacks ...`."""
        ruleset, state = self.fight.ruleset, self.fight.state
        return [
            sentence(f"{each.name}: {part}")
            for each in people
            for part in spoken_lines.sheet_parts(ruleset, state, each)
            if _plainly(part).split()[: len(words)] == [*words]
        ]

    def _sheet_parts(
        self,
        people: Iterable[Combatant],
        words: Sequence[str],
        how: Sequence[Callable[[Iterable[bool]], bool]] = (all, any),
    ) -> Answer | None:
        """The parts of somebody's card with the words, all of them or else any."""
        ruleset, state = self.fight.ruleset, self.fight.state
        rows = [
            (each.name, part, _plainly(part).replace(",", "").split())
            for each in people
            for part in spoken_lines.sheet_parts(ruleset, state, each)
        ]
        for fits, alike in product(how, (str.__eq__, _is_alike)):
            found = [
                sentence(f"{name}: {part}")
                for name, part, spelt in rows
                if fits(any(alike(word, each) for each in spelt) for word in words)
            ]
            if found:
                return listed(found, f"{len(found)} found")
        return None

    def _refused(self, question: Question) -> Refused:
        people = () if question.people else self.fight.state.combatants
        names = [part for each in people for part in fold(each.name).split()]
        names += [*STANDINGS, *self.fight.ruleset.tables.effects]
        words = [word for word in question.words if word not in _WORDS]
        for word in words:
            if word[3:] and (near := did_you_mean(word, names)):
                return Refused(f"nobody and nothing here is called {word!r}{near}")
        if question.people:
            name = question.people[0].id
            return Refused(f"no answer to {' '.join(question.words)!r}; card {name} tells all")
        if len(words) == 1 and question.asks in ("who", "how", "is"):
            return Refused(f"nobody and nothing here is called {words[0]!r}")
        return Refused("no answer to that; ? questions lists what you can ask")

    # -- what any game has -------------------------------------------------------------------------

    def why(self, line: str) -> str:
        """The command for a question why, `why is Mira's AC 3`; empty if it names no number."""
        question = self._read(line)
        numbers = [
            name for name, kind in self._terms(question.words).items() if kind in ("track", "total")
        ]
        if not (numbers and question.people):
            return ""
        asked = f"{WHY} {question.people[0].id} {numbers[0]}"
        return "" if asked == line else asked

    def _most(self, question: Question) -> Answer | None:
        """Tell who dealt the most damage, or who has the most or fewest of something."""
        ruleset, state = self.fight.ruleset, self.fight.state
        order = -1 if question.has("healthiest", "highest", "best", "strongest", "most") else 1
        terms = self._terms(question.words)
        if question.has("damage", "dealt", "hit"):
            is_taken = question.has("took", "taken", "take", "suffered")
            damage = [
                (each.taken if is_taken else each.dealt, each.name)
                for each in recap_of(self.fight.history, ruleset).people
            ]
            damage.sort(key=lambda each: -each[0])
            rows = [sentence(f"{name}, {amount} damage") for amount, name in damage if amount]
        else:
            (name, kind), *_ = [*terms.items(), (ruleset.tables.health, "track")]
            if kind in ("effect", "standing"):
                name, kind, order = ruleset.tables.health, "track", 1
            people = [c for c in question.people or state.in_order() if not c.is_out]
            counts = [
                (order * n, c) for c in people if (n := self._number(c, name, kind)) is not None
            ]
            row = [who for _, who in sorted(counts, key=lambda each: each[0])]
            rows = [line for who in row for line in self._term_lines(question, who, {name: kind})]
        return Answer(rows[:1], rows) if rows else Answer(["Nobody yet."])

    def _number(self, who: Combatant, name: str, kind: str) -> int | None:
        if kind == "track":
            return track.value if (track := who.tracks.get(name)) is not None else None
        value = self.fight.ruleset.numbers.totals(
            self.fight.ruleset.tables, self.fight.state, who
        ).get(name)
        return value if isinstance(value, int) else None

    def _ends(self, question: Question) -> Answer | None:
        """Tell when something ends: all, or what was named, a clock among them."""
        ruleset, state = self.fight.ruleset, self.fight.state
        words = {word for word in question.words if word[3:] and word not in _WORDS}
        named = [clock for clock in state.clocks if words & {*_plainly(clock.name).split()}]
        if named:
            return Answer([sentence(f"{clock.name}: {format_clock(clock)}") for clock in named])
        if question.has("turn", "round", "up", "go", "goes", "next"):
            return None
        terms = self._terms(question.words)
        if not (terms or question.people):
            return spoken_answers.ends_answer(ruleset, state)
        people = question.people or tuple(state.in_order())
        return self._running(people, terms) or Answer(["None is running."])

    def _past(self, question: Question) -> Answer | None:
        """Tell the last entry, that of somebody, the last roll, or all since the turn before."""
        history = self.fight.history
        path = [history.entries[seq] for seq in history.path]
        if question.has("hit", "attacked", "struck"):
            if not question.people or question.asks != "who":
                return None
            return self.give(f"{WHY} {question.people[0].id} {self.fight.ruleset.tables.health}")
        if question.has("turn", "round"):
            edges = [n for n, entry in enumerate(path) if _begins_turn(entry)][-2:]
            rows = [sentence(entry.title) for entry in path[edges[0] + 1 :]] if edges else []
            few = [*rows[:FEW], *(["All tells the rest."] if rows[FEW:] else [])]
            return Answer(few, rows) if rows else Answer(["Nothing has happened yet."])
        if question.has("rolled", "roll", "rolls"):
            path = [e for e in path if any(isinstance(event, Rolled) for event in e.events)]
        people = {each.id for each in question.people}
        if people and not question.is_own:
            path = [entry for entry in path if entry.by in people]
        if not path:
            return Answer(["Nothing has happened yet."])
        last, ruleset = path[-1], self.fight.ruleset
        before, after = history.before(last.seq), history.states[last.seq]
        answer = spoken_answers.entry_answer(last, before, after, ruleset, titled=True)
        if question.has("rolled", "roll", "rolls"):
            return Answer(answer.whole)
        return answer if answer.lines else Answer([sentence(last.title)])  # only a turn's end

    def _waits(self, question: Question) -> Answer | None:
        return self.waiting("")

    def _carries(self, question: Question) -> Answer | None:
        people = ",".join(each.id for each in question.people)
        words = [w for w in question.words if w not in ("carries", "carry", "carrying", "what")]
        words = [word for word in words if word not in ("items", "item", INVENTORY)]
        answer = self.give(f"{INVENTORY} {people}".rstrip())
        rows = [row for row in answer.whole or answer.lines if all(w in fold(row) for w in words)]
        return Answer(rows or ["Nobody in the party carries that."]) if words else answer

    def _turn(self, question: Question) -> Answer | None:
        """Tell whose turn it is, the order, somebody's place in it, or who is before or after."""
        ruleset, state = self.fight.ruleset, self.fight.state
        if question.people and self._terms([w for w in question.words if w not in _WORDS]):
            return None  # of their tracks, as `is Mira's reaction gone`
        if question.has("left"):
            up = state.up
            left = spoken_lines.left_in_words(ruleset.tables, up) if up is not None else ""
            return Answer([sentence(left or "nothing left")])
        if question.has("initiative", "order", "first", "last") and not question.people:
            return spoken_answers.initiative_answer(ruleset, state)
        if state.phase != "combat" or turns.is_popcorn(state):  # nobody knows who comes when
            return Answer([spoken_lines.edge_line(ruleset, state)])
        units = [
            row
            for row in turn_order_rows(state)
            if not row.slot.passive and any(not each.is_out for each in row.members)
        ]
        names = [row_label(state, row.slot.who, TIMES) for row in units]
        now = next((n for n, row in enumerate(units) if row.slot.who == state.turn), 0)
        if question.people:
            who = question.people[0]
            at = next((n for n, row in enumerate(units) if who in row.members), None)
            if at is None:
                return Answer([sentence(f"{who.name} has no turn")])
            for word, by in (("after", 1), ("before", -1)):
                if question.has(word):
                    return Answer(
                        [sentence(f"{word} {names[at]}: {names[(at + by) % len(names)]}")]
                    )
            total = turns.initiative_in_words(
                ruleset, units[at].slot.initiative, number_aloud, "none yet"
            )
            away = (at - now) % len(units)
            when = f"in {away} turns, after {names[at - 1]}" if away else "whose turn it is"
            when = "next" if away == 1 else when
            return Answer([sentence(f"{names[at]}, {total}: {when}")])
        if question.has("acted", "gone", "yet") or (question.has("go") and question.asks == "who"):
            has_gone = question.has("acted", "gone") and not question.has("not", "yet")
            row = names[:now] if has_gone else names[now + 1 :]
            return listed_names(row, "have acted" if has_gone else "still to act")
        return Answer([spoken_lines.edge_line(ruleset, state)])

    def _can(self, question: Question) -> Answer | None:
        """Tell what somebody can do; of one act, whether; without a name, who can or can't act."""
        state = self.fight.state
        words = [word for word in question.words if word not in NOT_OF_THE_GAME]
        wants = not question.has("not")
        if question.asks in WHO:
            if question.has("left"):  # who is left to act
                return self._turn(question._replace(words=("go",)))
            what = words[0] if words else "act"
            if what not in ("act", "react", "move") or words[1:]:
                return None
            people = question.people or tuple(state.in_order())
            able = [c.name for c in people if not c.is_out and self._is_able(c, what) is wants]
            return listed_names(able, f"can {what}" if wants else f"can't {what}")
        people = question.people or ((state.up,) if state.up is not None else ())
        if not people or (words and question.asks in ("what", "how")):
            return None
        if not words or words == ["act"]:
            return self.actions(people[0])
        return self._option(people[0], words)

    def actions(self, who: Combatant) -> Answer:
        asked = (self.fight.ruleset, self.fight.state, who)
        now = spoken_lines.action_lines(*asked, only_now=True)
        rows = spoken_lines.action_lines(*asked)
        if not now:
            now = [sentence(f"nothing: {who.life if who.life != 'up' else 'see why'}")]
        return Answer(rows) if now == rows else Answer([*now, "All tells the rest."], rows)

    def _is_able(self, who: Combatant, what: str) -> bool:
        """True if neither somebody's life nor an effect forbids them to act, react or move."""
        tables, state = self.fight.ruleset.tables, self.fight.state
        forbidden = {
            word
            for name in active_effects(tables, state, who)
            for word in effect_row(tables, name).forbids
        }
        return who.life == "up" and what not in forbidden

    def _option(self, who: Combatant, words: Sequence[str]) -> Answer | None:
        """Tell whether somebody can use what has these words: `Yes: Opportunity Attack.`"""
        tables, state = self.fight.ruleset.tables, self.fight.state
        found: dict[str, str] = {}
        for option in all_options(self.fight.ruleset, state, who):
            name = spoken_lines.option_name(tables, option)
            paid = [tables.track(track).for_the_ear for track in option.cost]
            spelt = [*_plainly(name).split(), *_plainly(" ".join(paid)).split()]
            if all(any(_is_alike(word, each) for each in spelt) for word in words):
                found[name] = prose_aloud(option.reason, tables.spoken)
        if not found:
            return None
        now = [name for name, reason in found.items() if not reason]
        if now:
            return Answer([sentence(f"yes: {join_or(now, 'and')}")])
        return Answer([sentence(f"no: {'; '.join(dict.fromkeys(found.values()))}")])

    def _left(self, question: Question) -> Answer:
        """Tell who is still up, or with `down` who is not; a side or all."""
        people = [c for c in question.people or self.fight.state.in_order() if c.kind != "hazard"]
        is_up = question.has("left")
        found = [each.name for each in people if (each.life == "up") is is_up]
        return listed_names(found, "up" if is_up else "down", of=len(people))


def _begins_turn(entry: Entry) -> bool:
    return any(isinstance(event, TurnStarted) for event in entry.events)


def is_question(line: str) -> bool:
    """True if a line begins with a word that asks: `what's`, `is`."""
    return _spelt_out(line).partition(" ")[0] in ASKS


def _spelt_out(line: str) -> str:
    """`what is left` for `What’s left?`"""
    text = fold(line.rstrip("? ")).replace("’", "'")
    return re.sub(r"^(who|what|where|when|how)'?s\b", r"\1 is", text)


def listed_names(names: Sequence[str], what: str, of: int = 0) -> Answer:
    """A few names after what they have in common, or the number of many."""
    if not names:
        return Answer([sentence(f"{what}: nobody")])
    if len(names) <= FEW:
        return Answer([sentence(f"{what}: {join_or(names, 'and')}")])
    many = f"{len(names)} of {of}" if of else str(len(names))
    return Answer([sentence(f"{what}: {many}; {TELLS_ALL}")], [*map(sentence, names)])


def _is_side(word: str) -> bool:
    return word in SIDE_WORDS or word in ("all", "foes", "party", "others")


def _plainly(name: str) -> str:
    return fold(name).replace("-", " ").replace("_", " ").replace(".", "").strip()


def _is_alike(word: str, other: str) -> bool:
    """True for two forms of a word: recoveries and recovery, frightened and frighten."""
    shorter, longer = sorted((len(word), len(other)))
    alike = next((n for n in range(shorter) if word[n] != other[n]), shorter)
    return word == other or (alike >= 4 and (alike == shorter or alike >= 0.7 * longer))


def _has_all(label: str, words: Sequence[str]) -> bool:
    """True if a label has every word, or a form of it."""
    parts = _plainly(label).split()
    return all(any(_is_alike(word, part) for part in parts) for word in words)


def _has_in_a_row(
    words: Sequence[str], wanted: Sequence[str], alike: Callable[[str, str], bool]
) -> bool:
    """True if the words have all that is wanted, one after the other."""
    return any(
        all(map(alike, words[place : place + len(wanted)], wanted))
        for place in range(len(words) - len(wanted) + 1)
    )


SUBJECTS: dict[str, Callable[[Questions, Question], Answer | None]] = {
    "most least fewest lowest highest weakest strongest worst best healthiest": Questions._most,
    "end ends ending long until till expire expires clock clocks timer timers running when": (
        Questions._ends
    ),
    "happened did rolled roll rolls just attacked struck hit": Questions._past,
    "waits waiting wait needs need must owes owe proposes proposed proposals wants want": (
        Questions._waits
    ),
    "carries carry carrying inventory items": Questions._carries,
    "turn next after before goes go order first initiative acted gone round status up yet": (
        Questions._turn
    ),
    "can could act options actions": Questions._can,
}
"""The words of each subject, and what answers it; the first in a question counts. One that gives
None leaves the question to the next."""
_WORDS = frozenset(word for words in SUBJECTS for word in words.split()) | {
    *("left", "down", "not", "no", "mean", "means", "dead", "used", "spent", "damage", "hit"),
}
"""The words that mean somebody only as a whole name."""
