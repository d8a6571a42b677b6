"""Questions as a game master says them: `is the ogre hurt`, `who goes after Pell`.

A question is understood by what it is about, not by its form: those whom it names, then the first
subject of `questions.toml` that has one of its words, then the game's own words: tracks, numbers,
effects.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import product

from affray.core.commands.log_commands import INVENTORY, WHY
from affray.core.engine import turns
from affray.core.engine.effects import active_effects, effect_name, effect_row
from affray.core.engine.events import Rolled, TurnStarted
from affray.core.engine.history import Entry
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.engine.turn_order import row_label
from affray.core.formatting import spoken_answers, spoken_lines
from affray.core.formatting.media import TIMES, number_aloud, prose_aloud, signed_aloud
from affray.core.formatting.pieces import format_clock
from affray.core.formatting.recap import recap_of
from affray.core.formatting.spoken_answers import (
    FEW,
    HIDDEN,
    STANDINGS,
    TELLS_ALL,
    Answer,
    listed,
    names_in_brief,
)
from affray.core.formatting.spoken_lines import sentence
from affray.core.parser.errors import Refused, close_matches, join_or
from affray.core.parser.spelling import fold
from affray.core.rules.ruleset import Ruleset, all_options
from affray.core.rules.tables import Tables
from affray.play.subjects import help_answer
from affray.play.vocabulary import (
    ABLE,
    ALIKE,
    NOT_OF_THE_GAME,
    SUBJECTS,
    WHO,
    YES_OR_NO,
    Question,
    Vocabulary,
    is_alike,
    plainly,
)
from affray.store.open_encounter import OpenEncounter

CLOSE = 0.7
"""The similarity, from 0 to 1, at which another word may be meant."""
ON_SHEETS = frozenset(("attacks", "spells", "skills"))
"""The words for parts of a sheet that somebody may have none of."""


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
        self._words = Vocabulary(fight)

    def answer(self, line: str) -> Answer:
        """Answer a question. Raises Refused for one that isn't understood."""
        question = self._words.read(line)
        names = self._words.terms(question.words)
        is_name = " ".join(question.words[1:]) and " ".join(question.words) in map(plainly, names)
        for name, words in SUBJECTS.items():
            if question.has(*words) and not is_name and (found := ANSWERS[name](self, question)):
                return found
        return self._of_the_game(question)

    def of_card(self, words: str) -> Answer | None:
        """Answer `mira attacks` by what her card says of them; None if a line names nobody."""
        question = self._words.read(f"what {words}")
        return self._of_the_game(question) if question.people else None

    def _of_the_game(self, question: Question) -> Answer:
        """Answer by the game's own words, by what somebody's sheet has, or by a rule."""
        aside = ("can", "could", "not", "left", "did", "need", "needs", "use")
        words = [each for each in question.words if each not in aside]
        terms = self._words.terms(words, question.people)
        asks_who = question.is_of_side or not question.people
        if question.asks in WHO:
            asks_who |= not (question.is_of_one and "track" in terms.values())
        elif question.asks in YES_OR_NO:
            asks_who |= len(question.people) > 1
        if terms and asks_who and question.asks not in ("what", "how", "tell"):
            return self._who_has(question, terms)
        if question.has("left", "down") and not {*words} - {"down"}:
            return self._left(question)
        if question.people:
            found = self._of_people(question, question.people, words, terms)
        else:
            found = self._of_nobody(question, words, terms)
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
        if not words and question.asks != "tell":
            return spoken_answers.how_are(self.ruleset, self.state, people)
        if not words:
            return spoken_answers.card_answer(self.ruleset, self.state, people[0])
        if question.asks == "what" and (labelled := self._labelled(people, words)):
            return listed(labelled, f"{len(labelled)} found")
        lines = [line for each in people for line in self._term_lines(question, each, terms)]
        if lines:
            more = [f"{len(lines) - FEW} more; {TELLS_ALL}."] if len(lines) > FEW else []
            return Answer([*lines[:FEW], *more], lines if more else ())
        found = self._option(people[0], words) if question.asks in ABLE else None
        how = (all,) if question.asks in YES_OR_NO else (all, any)
        comparisons = ALIKE[:1] if question.asks in ("can", "could") else ALIKE
        found = found or self._sheet_parts(people, words, how, comparisons)
        found = found or (self._meaning(question, words) if question.is_own else None)
        return found or self._none_of(people, words, terms)

    def _none_of(
        self, people: Sequence[Combatant], words: Sequence[str], terms: Mapping[str, str]
    ) -> Answer | None:
        """Tell that somebody has none of a track that others have, isn't in some state, or has
        no such part of a sheet."""
        names = [
            f"no {self.tables.track(name).for_the_ear}"
            if kind == "track"
            else f"not {effect_name(self.tables, name)}"
            for name, kind in terms.items()
            if kind != "total"
        ]
        names = names or [f"no {word}" for word in words if word in ON_SHEETS]
        if not names or people[1:]:
            return None
        return Answer([sentence(f"{people[0].name}: {', '.join(names)}")])

    def _of_nobody(
        self, question: Question, words: Sequence[str], terms: dict[str, str]
    ) -> Answer | None:
        """Answer a question without a name: by who has it, by a rule, or for whoever's turn it
        is."""
        up = self.state.up
        if question.asks == "what":  # an effect of one's own, before the rules
            names = {*terms} - {*self.tables.effects}
            if names and (running := self._running(self.state.in_order(), names)):
                return running
        have = [
            each for each in self.state.in_order() if not each.is_out and {*terms} & {*each.tracks}
        ]
        if have and question.asks == "how" and len(have) <= FEW:
            return self._of_people(question, have, words, terms)
        found = self._sheet_parts(self.state.combatants, words, (all,)) if words[1:] else None
        if not (have and question.asks == "how"):
            found = found or self._meaning(question, words)
        if found is None and question.asks in ABLE:
            found = self._among_options(self.state.in_order(), words)
        lines = self._term_lines(question, up, terms) if up is not None and not found else []
        return found or (Answer(lines) if lines else None)

    def _meaning(self, question: Question, words: Sequence[str]) -> Answer | None:
        """Tell what a word of the rules means."""
        works = ("work", "works", "cost", "costs", "mean", "means")
        is_asked = question.asks in ("what", "can") or question.is_own or question.has(*works)
        words = [word for word in words if word not in works]
        if not (is_asked and words):
            return None
        is_what = question.asks == "what"
        try:
            return help_answer(self.ruleset, self.state, " ".join(words), is_what)
        except Refused:
            return None

    def _term_lines(self, question: Question, who: Combatant, terms: dict[str, str]) -> list[str]:
        """The words asked for as somebody has them, with yes or no where that is asked."""
        asks = question.asks in YES_OR_NO
        active = active_effects(self.tables, self.state, who)
        lines, is_so = list[str](), list[bool]()
        for name, kind in terms.items():
            if kind == "track" and (track := who.tracks.get(name)) is not None:
                is_down = name == self.tables.health and who.life != "up"
                value = spoken_lines.track_in_words(self.tables.track(name), track)
                lines.append(who.life if is_down else value)
                is_gone = question.has("used", "use", "spent", "spend", "lost", "gone")
                is_so.append(bool(track.value) is not is_gone)
            elif kind == "total":
                total = self.ruleset.numbers.totals(self.tables, self.state, who).get(name)
                rule = self.tables.total(name)
                if total is not None and (rule.whole or rule.tells(total)):
                    lines.append(rule.for_the_ear(total, signed_aloud))
            elif kind == "effect":
                on = [e for e in who.effects if name in (e.name, e.kind)]
                lines += [self._effect(who, effect) for effect in on]
                if not on and name in active:
                    lines.append(f"{effect_name(self.tables, name)} ({active[name].because})")
                is_so.append(bool(on) or name in active)
            elif kind == "standing":
                called = {plainly(effect_name(self.tables, each)) for each in active}
                is_so.append(name in called or spoken_answers.is_standing(self.tables, who, name))
        if not lines and not (is_so and (asks or "standing" in terms.values())):
            return []
        answer = f"{'yes' if any(is_so) else 'no'}. " if asks and is_so else ""
        has = f"{who.name}: {', '.join(dict.fromkeys(lines))}"
        if not lines:
            is_of_health = bool({*terms} - {HIDDEN}) and "standing" in terms.values()
            health = spoken_lines.health(self.tables, who) if is_of_health else ""
            has = ", ".join(filter(None, (who.name, health)))
        return [sentence(f"{answer}{has}")]

    def _who_has(self, question: Question, terms: dict[str, str]) -> Answer:
        """List everybody, or those who were named, who have something: `Prone: Mira.`"""
        (name, kind), *_ = terms.items()
        among, sides = question.people, {each.side for each in question.people}
        if question.is_of_side or not among:  # the dead as well
            among = tuple(c for c in self.state.in_order() if not sides or c.side in sides)
        elif kind in ("effect", "standing") and not among[1:]:
            found = self._running(among, terms) or self._running(among, ())
            return found or spoken_answers.how_are(self.ruleset, self.state, among)
        label = effect_name(self.tables, name) if kind == "effect" else name
        label = self.tables.track(name).for_the_ear if kind == "track" else label
        wants = not question.has("not", "no")
        having = [each.name for each in among if self._has(each, name, kind) is wants]
        return listed_names(having, label if wants else f"no {label}")

    def _has(self, who: Combatant, name: str, kind: str) -> bool | None:
        """True if somebody has some of a track, an effect, or is `dying`, `hurt` and the like; None
        for one who is out of the fight, or without that track."""
        if kind == "track":
            track = who.tracks.get(name)
            return None if track is None or who.is_out else bool(track.value)
        if kind == "standing" and spoken_answers.is_standing(self.tables, who, name):
            return True
        effects = (*active_effects(self.tables, self.state, who).values(), *who.effects)
        called = {
            word for each in effects for word in spoken_lines.names_of_effect(self.tables, each)
        }
        return None if who.is_out else name in called

    def _running(self, people: Iterable[Combatant], names: Collection[str]) -> Answer | None:
        """Tell the effects of some names, or all, with their ends."""
        bearers: dict[str, list[str]] = {}
        for each in people:
            for effect in () if each.is_out else each.effects:
                if not names or spoken_lines.names_of_effect(self.tables, effect) & {*names}:
                    bearers.setdefault(self._effect(each, effect), []).append(each.name)
        rows = [sentence(f"{names_in_brief(whose)}: {what}") for what, whose in bearers.items()]
        return listed(rows, f"{len(rows)} are running") if rows else None

    def _effect(self, who: Combatant, effect: Effect) -> str:
        return spoken_lines.effect_with_all(self.ruleset, self.state, who, effect)

    def _labelled(self, people: Iterable[Combatant], words: Sequence[str]) -> list[str]:
        """The parts of sheets that begin with the words, as their label: `Attacks ...`."""
        return [
            sentence(f"{each.name}: {part}")
            for each in people
            for part in spoken_lines.sheet_parts(self.ruleset, self.state, each)
            if plainly(part).split()[: len(words)] == [*words]
        ]

    def _sheet_parts(
        self,
        people: Iterable[Combatant],
        words: Sequence[str],
        how: Sequence[Callable[[Iterable[bool]], bool]] = (all, any),
        comparisons: Sequence[Callable[[str, str], bool]] = ALIKE,
    ) -> Answer | None:
        """The parts of somebody's card with the words, all of them or else any."""
        rows = [
            (each.name, part, plainly(part).replace(",", "").split())
            for each in people
            for part in spoken_lines.sheet_parts(self.ruleset, self.state, each)
        ]
        for fits, alike in product(how, comparisons):
            found = [
                sentence(f"{name}: {part}")
                for name, part, spelt in rows
                if fits(any(alike(word, each) for each in spelt) for word in words)
            ]
            if found:
                return listed(found, f"{len(found)} found")
        return None

    def _refused(self, question: Question) -> Refused:
        people = () if question.people else self.state.combatants
        names = [part for each in people for part in fold(each.name).split()]
        names += [*STANDINGS, *self.tables.effects]
        words = question.other_words
        for word in words:
            if word[3:] and (near := close_matches(word, names, CLOSE)):
                return Refused(f"nothing here is called {word!r}; did you mean {join_or(near)}?")
        rest = [word for word in question.words if word not in NOT_OF_THE_GAME]
        if question.people and not question.is_of_side:
            name = question.people[0].id
            return Refused(f"no answer to {' '.join(rest)!r}; card {name} tells all")
        if len(words) == 1 and question.asks in (*WHO, "how", "is"):
            return Refused(f"nothing here is called {words[0]!r}; ? questions helps")
        return Refused("no answer to that; ? questions helps")

    @property
    def ruleset(self) -> Ruleset:
        return self.fight.ruleset

    @property
    def tables(self) -> Tables:
        return self.fight.ruleset.tables

    @property
    def state(self) -> Encounter:
        return self.fight.state

    # -- what any game has -------------------------------------------------------------------------

    def why(self, line: str) -> str:
        """The command for a question why, `why is Mira's AC 3`; empty if it names no number."""
        question = self._words.read(line)
        numbers = [
            name
            for name, kind in self._words.terms(question.words).items()
            if kind in ("track", "total")
        ]
        if not (numbers and question.people):
            return ""
        asked = f"{WHY} {question.people[0].id} {numbers[0]}"
        return "" if asked == line else asked

    def _place(self, question: Question) -> Answer | None:
        """Refuse a question of places, which affray doesn't keep; of a reach alone it may tell."""
        is_of_reach = question.has("reach", "range") and question.asks != "can"
        if is_of_reach or not (question.people or question.asks in ("where", "how")):
            return None
        raise Refused("affray keeps no map, so nobody's place")

    def _most(self, question: Question) -> Answer | None:
        """Tell the damage that somebody dealt or took, who did most of it, or who has the most or
        fewest of something."""
        order = -1 if question.has("healthiest", "highest", "best", "strongest", "most") else 1
        terms = self._words.terms(question.words)
        if question.has("damage", "dealt", "hit", "suffered"):
            is_taken = question.has("took", "taken", "take", "suffered")
            names = [] if question.is_of_side else [who.name for who in question.people]
            damage = [
                (each.taken if is_taken else each.dealt, each.name)
                for each in recap_of(self.fight.history, self.ruleset).people
                if not names or each.name in names
            ]
            damage.sort(key=lambda each: -each[0])
            rows = [sentence(f"{name}, {n} damage") for n, name in damage if n or names]
        else:
            (name, kind), *_ = [*terms.items(), (self.tables.health, "track")]
            if kind in ("effect", "standing"):
                name, kind, order = self.tables.health, "track", 1
            people = [c for c in question.people or self.state.in_order() if not c.is_out]
            counts = [
                (order * n, c) for c in people if (n := self._number(c, name, kind)) is not None
            ]
            row = [who for _, who in sorted(counts, key=lambda each: each[0])]
            rows = [line for who in row for line in self._term_lines(question, who, {name: kind})]
        return Answer(rows[:1], rows) if rows else Answer(["Nobody yet."])

    def _number(self, who: Combatant, name: str, kind: str) -> int | None:
        if kind == "track":
            return track.value if (track := who.tracks.get(name)) is not None else None
        value = self.ruleset.numbers.totals(self.tables, self.state, who).get(name)
        return value if isinstance(value, int) else None

    def _ends(self, question: Question) -> Answer | None:
        """Tell when something ends: all, or what was named, a clock among them."""
        words = [word for word in question.other_words if word not in ("last", "lasts")]
        long = {word for word in words if word[3:]}
        named = [clock for clock in self.state.clocks if long & {*plainly(clock.name).split()}]
        if named:
            return Answer([sentence(f"{clock.name}: {format_clock(clock)}") for clock in named])
        if question.has("turn", "round", "up", "go", "goes", "next") and question.asks != "what":
            return None
        if question.has("clock", "clocks") and self.state.clocks:
            rows = [sentence(f"{clock.name}: {format_clock(clock)}") for clock in self.state.clocks]
            return listed(rows, f"{len(rows)} clocks")
        terms = self._words.terms(words)
        if not (terms or question.people):
            return spoken_answers.ends_answer(self.ruleset, self.state)
        people = question.people or tuple(self.state.in_order())
        found = self._running(people, terms) or self._none_of(people, (), terms)
        return found or Answer(["None is running."])

    def _past(self, question: Question) -> Answer | None:
        """Tell the last entry, that of somebody, the last roll, or all since the turn before."""
        history = self.fight.history
        path = [history.entries[seq] for seq in history.path]
        if question.asks == "did" and question.people and self._words.terms(question.other_words):
            return None  # of what they have left, as `did Mira use her reaction`
        if question.has("hit", "attacked", "struck") and not question.has("did"):
            if not question.people or question.asks != "who":
                return None
            found = self.give(f"{WHY} {question.people[0].id} {self.tables.health}")
            rows = [*(found.whole or found.lines)]
            hits = [row for row in rows[1:] if ", minus " in row]
            return Answer(hits[:1], rows) if hits else found
        outcome = next((word for word in ("crit", "miss", "hit") if word in question.words), "")
        words = [word for word in question.other_words if word not in ("last", "roll", "rolls")]
        unknown = [word for word in words if word[3:] and not self._words.terms((word,))]
        if (outcome and question.asks not in ("did", "has", "have", "who")) or unknown:
            return None
        if question.has("turn", "round"):
            edges = [n for n, entry in enumerate(path) if _begins_turn(entry)][-2:]
            seqs = [entry.seq for entry in path[edges[0] + 1 :]] if edges else []
            rows = [sentence(self._title(seq)) for seq in seqs]
            few = [*rows[:FEW], *(["All tells the rest."] if rows[FEW:] else [])]
            return Answer(few, rows) if rows else Answer(["Nothing has happened yet."])
        if question.has("rolled", "roll", "rolls") or outcome:
            wanted = outcome if outcome != "hit" else ""  # which each game has words of its own for
            path = [entry for entry in path if _has_rolled(entry, wanted)]
        people = {each.id for each in question.people}
        if people and not question.is_own:
            path = [entry for entry in path if entry.by in people]
        if not path:
            return Answer(["No." if outcome else "Nothing has happened yet."])
        last = path[-1]
        before, after = history.before(last.seq), history.states[last.seq]
        answer = spoken_answers.entry_answer(last, before, after, self.ruleset, titled=True)
        if question.has("rolled", "roll", "rolls"):
            return Answer(answer.whole)
        only_its_end = Answer([sentence(self._title(last.seq))])
        return answer if answer.lines else only_its_end

    def _title(self, seq: int) -> str:
        return spoken_answers.title_aloud(self.fight.history, self.ruleset, seq)

    def _waves(self, question: Question) -> Answer | None:
        waves = spoken_lines.wave_lines(self.state)
        return Answer([*map(sentence, waves)] or ["No wave is to come."])

    def _waits(self, question: Question) -> Answer | None:
        is_of_another = question.asks not in WHO and question.other_words
        return None if is_of_another else self.waiting("")

    def _carries(self, question: Question) -> Answer | None:
        people = ",".join(each.id for each in question.people)
        words = [word for word in question.other_words if word not in ("what", "item")]
        answer = self.give(f"{INVENTORY} {people}".rstrip())
        rows = [row for row in answer.whole or answer.lines if all(w in fold(row) for w in words)]
        return Answer(rows or ["Nobody in the party carries that."]) if words else answer

    def _turn(self, question: Question) -> Answer | None:
        """Tell whose turn it is, the order, somebody's place in it, or who is before or after."""
        if question.people and self._words.terms(question.other_words):
            return None  # of their tracks, as `is Mira's reaction gone`
        if question.people and question.has("up") and question.asks != "when":
            if question.asks in YES_OR_NO and question.other_words:
                return None
            return self._left(question._replace(words=("left",)))
        if question.has("left"):
            up = self.state.up
            left = spoken_lines.left_in_words(self.tables, up) if up is not None else ""
            return Answer([sentence(left or "nothing left")])
        if question.has("initiative", "order", "first", "last") and not question.people:
            return spoken_answers.initiative_answer(self.ruleset, self.state)
        is_known = self.state.in_combat and not turns.is_popcorn(self.state)
        is_of_many = question.has("acted", "gone", "yet")
        is_of_many = is_of_many or (question.has("go") and question.asks == "who")
        if not is_known or not (question.people or is_of_many):
            return Answer([spoken_lines.edge_line(self.ruleset, self.state)])
        return self._who_has_acted(question) if is_of_many else self._in_order(question)

    def _who_has_acted(self, question: Question) -> Answer:
        """Name those who have had their turn in this round, or who have not."""
        units, place = spoken_answers.units_in_order(self.state)
        has_gone = question.has("acted", "gone") and not question.has("not")
        has_gone = has_gone and (question.asks in YES_OR_NO or not question.has("yet"))
        among = question.people or self.state.combatants
        found = [
            row_label(self.state, unit.slot.who, TIMES)
            for unit in (units[:place] if has_gone else units[place + 1 :])
            if any(each in among for each in unit.members)
        ]
        if question.is_of_one and question.asks in YES_OR_NO:
            return Answer(["Yes." if found else "No."])
        return listed_names(found, "have acted" if has_gone else "still to act")

    def _in_order(self, question: Question) -> Answer:
        """Tell somebody's place in the order, who is before or after, or which of several first."""
        units, place = spoken_answers.units_in_order(self.state)
        names = [row_label(self.state, unit.slot.who, TIMES) for unit in units]
        of = question.people
        places = [n for n, unit in enumerate(units) if any(each in of for each in unit.members)]
        if not places:
            return Answer([sentence(f"{of[0].name} has no turn")])
        if places[1:] and question.has("after", "before"):
            return Answer([sentence(f"first {', then '.join(names[n] for n in places)}")])
        at = places[0]
        for word, by in (("after", 1), ("before", -1)):
            if question.has(word):
                return Answer([sentence(f"{word} {names[at]}: {names[(at + by) % len(names)]}")])
        slot, away = units[at].slot, (at - place) % len(units)
        total = turns.initiative_in_words(self.ruleset, slot.initiative, number_aloud, "none yet")
        when = f"in {away} turns, after {names[at - 1]}" if away else "whose turn it is"
        return Answer([sentence(f"{names[at]}, {total}: {'next' if away == 1 else when}")])

    def _can(self, question: Question) -> Answer | None:
        """Tell what somebody can do; of one act, whether; without a name, who can or can't act."""
        words = [word for word in question.words if word not in NOT_OF_THE_GAME]
        wants = not question.has("not")
        if question.asks == "how" and self._words.terms(words, question.people):
            return None  # how many actions somebody has
        if question.asks in WHO or question.is_of_side:
            people = question.people or tuple(self.state.in_order())
            what = words[0] if words else "act"
            if what not in ("act", "react", "move") or words[1:]:
                return self._among_options(people, words)
            able = [c.name for c in people if not c.is_out and self._is_able(c, what) is wants]
            return listed_names(able, f"can {what}" if wants else f"can't {what}")
        people = question.people or ((self.state.up,) if self.state.up is not None else ())
        if not people or (words and question.asks in ("what", "how")):
            return None
        if words == ["act"] and question.asks in ("can", "could") and wants:
            return self._is_up_to_it(people[0])
        if not words or words == ["act"]:
            return self.actions(people[0])
        return self._option(people[0], words)

    def _powers(self, question: Question) -> Answer | None:
        """Name the powers of somebody's own; with `left` those that they can use now."""
        people = question.people or ((self.state.up,) if self.state.up else ())
        if question.asks not in ("what", *WHO) or not people:
            return None
        asked = (self.tables, self.state, people[0])
        own = self.ruleset.actions.own_options(*asked)
        found = [each.name for each in own if each.available or not question.has("left", "can")]
        return Answer([sentence(f"{people[0].name}: {', '.join(found) or 'no power'}")])

    def actions(self, who: Combatant) -> Answer:
        asked = (self.ruleset, self.state, who)
        now = spoken_lines.action_lines(*asked, only_now=True)
        rows = spoken_lines.action_lines(*asked)
        if not rows:
            return Answer(["This game has no list of acts."])
        if not now:
            now = [sentence(f"nothing: {who.life if who.life != 'up' else 'see why'}")]
        return Answer(rows) if now == rows else Answer([*now, "All tells the rest."], rows)

    def _is_up_to_it(self, who: Combatant) -> Answer:
        """Tell whether somebody can act, and what they have left for it."""
        if not self._is_able(who, "act"):
            forbidden = [
                effect_name(self.tables, name)
                for name in active_effects(self.tables, self.state, who)
                if "act" in effect_row(self.tables, name).forbids
            ]
            return Answer([sentence(f"no: {who.life if who.life != 'up' else forbidden[0]}")])
        left = spoken_lines.left_in_words(self.tables, who)
        return Answer([sentence(f"yes; {left}" if left else "yes")])

    def _is_able(self, who: Combatant, what: str) -> bool:
        """True if neither somebody's life nor an effect forbids them to act, react or move."""
        forbidden = {
            word
            for name in active_effects(self.tables, self.state, who)
            for word in effect_row(self.tables, name).forbids
        }
        return who.life == "up" and what not in forbidden

    def _among_options(self, people: Iterable[Combatant], words: Sequence[str]) -> Answer | None:
        """Name those who can use what has these words; of one alone who has it, whether."""
        found = {who: self._options(who, words) for who in people if words and not who.is_out}
        having = [who for who, named in found.items() if named]
        if len(having) == 1:
            return self._option(having[0], words)
        able = [who.name for who in having if not all(found[who].values())]
        return listed_names(able, f"can {' '.join(words)}") if having else None

    def _option(self, who: Combatant, words: Sequence[str]) -> Answer | None:
        """Tell whether somebody can use what has these words: `Yes: Opportunity Attack.`"""
        found = self._options(who, words)
        if not found:
            return None
        now = [name for name, reason in found.items() if not reason]
        if now:
            return Answer([sentence(f"yes: {join_or(now, 'and')}")])
        return Answer([sentence(f"no: {'; '.join(dict.fromkeys(found.values()))}")])

    def _options(self, who: Combatant, words: Sequence[str]) -> dict[str, str]:
        """The techniques and powers that have these words, and why somebody can't use them."""
        found: dict[str, str] = {}
        for option in all_options(self.ruleset, self.state, who):
            name = option.called(self.tables)
            paid = [self.tables.track(track).for_the_ear for track in option.cost]
            spelt = [*plainly(name).split(), *plainly(" ".join(paid)).split()]
            if all(any(is_alike(word, each) for each in spelt) for word in words):
                found[name] = prose_aloud(option.reason, self.tables.spoken)
        return found

    def _left(self, question: Question) -> Answer:
        """Tell who is still up, or with `down` who is not; a side or all."""
        people = [c for c in question.people or self.state.in_order() if c.kind != "hazard"]
        is_up = question.has("left")
        if question.is_of_one and question.asks in YES_OR_NO:
            (who,) = question.people
            answer = "no" if who.is_out is is_up else "yes"
            stands = ", ".join((who.name, spoken_lines.health(self.tables, who)))
            return Answer([sentence(f"{answer}. {stands}")])
        found = [each.name for each in people if (each.life == "up") is is_up]
        return listed_names(found, "up" if is_up else "down", of=len(people))


def _has_rolled(entry: Entry, outcome: str) -> bool:
    """True if dice of an entry gave this outcome; any at all, if it is empty."""
    found = [event.outcome for event in entry.events if isinstance(event, Rolled)]
    is_miss = outcome == "miss"
    return any(outcome in each and (not outcome or ("miss" in each) is is_miss) for each in found)


def _begins_turn(entry: Entry) -> bool:
    return any(isinstance(event, TurnStarted) for event in entry.events)


def listed_names(names: Sequence[str], what: str, of: int = 0) -> Answer:
    """A few names after what they have in common, or the number of many."""
    if not names:
        return Answer([sentence(f"{what}: nobody")])
    if len(names) <= FEW:
        return Answer([sentence(f"{what}: {names_in_brief(names)}")])
    many = f"{len(names)} of {of}" if of else str(len(names))
    return Answer([sentence(f"{what}: {many}; {TELLS_ALL}")], [*map(sentence, names)])


ANSWERS: dict[str, Callable[[Questions, Question], Answer | None]] = {
    "place": Questions._place,
    "most": Questions._most,
    "waves": Questions._waves,
    "ends": Questions._ends,
    "past": Questions._past,
    "waits": Questions._waits,
    "carries": Questions._carries,
    "powers": Questions._powers,
    "turn": Questions._turn,
    "can": Questions._can,
}
"""What answers each subject; one that gives None leaves the question to the next."""
