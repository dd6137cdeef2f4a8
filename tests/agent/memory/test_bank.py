from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from agent.memory.bank import Bank, fold
from agent.memory.change import Change, Origin
from agent.memory.entry import LONGEST_TEXT, MOST_LINES, Entry, make_entry
from agent.memory.keeping import apply_changes as keep
from agent.memory.keeping import make_bank, open_bank
from agent.memory.markdown import read, write
from agent.memory.wording import OPEN
from sessions.cleaning import clean
from sessions.store.memory import BankRow, ChangeRow, MemoryRefused
from sessions.store.store import Store
from tests.agent.memory.entries import change, entries, entry, texts
from tests.sessions.toy import toy

ROW = BankRow("b", "toy", "p", None, "now")


def rows(*changes: Change) -> list[ChangeRow]:
    return [row(revision, each) for revision, each in enumerate(changes, 1)]


def row(revision: int, change: Change) -> ChangeRow:
    return ChangeRow(revision, "now", None, change.model_dump(mode="json", exclude_defaults=True))


@given(entries, st.sampled_from(["", "retail"]))
def test_an_entry_is_read_as_it_was_written(one: Entry, domain: str) -> None:
    assert read(write(one, domain), "a.md") == (one, domain)


KEY = "sk-Canary0123456789"


@given(entries, texts, texts)
def test_what_became_a_key_is_in_no_bank_whose_digests_stay(one: Entry, a: str, b: str) -> None:
    held = one.model_dump()
    long = f"{KEY}{'x' * (LONGEST_TEXT - len(KEY))}"
    more = {"trigger": f"{a} {KEY} {b}", "eligibility": [KEY, long], "key_insight": KEY[::-1]}
    keyed = change("edit", make_entry({**held, **more}))
    keyed = keyed.model_copy(update={"by": KEY, "origin": Origin(kind="file", words=KEY)})
    plain = fold(ROW, rows(keyed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", KEY)
        bank = fold(ROW, rows(keyed))
    assert KEY in repr(plain)
    assert not any(form in repr(bank) for form in (KEY, KEY[::-1]))
    assert bank.as_used == plain.as_used
    assert [*bank.entries] == [one.capability]


def test_a_memory_in_which_a_key_is_a_name_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    made = rows(change("edit", entry("canary_key_0123")))
    monkeypatch.setenv("OPENAI_API_KEY", "canary_key_0123")
    with pytest.raises(MemoryRefused, match="a secret key in use") as refused:
        fold(ROW, made)
    assert "canary" not in str(refused.value)


@given(st.text() | st.lists(st.sampled_from(
    ["# a", "## Trigger", "## Check", "x", "- Tool: t", "- Name: n", "## Policy", "", "\\"]
)).map("\n".join))  # fmt: skip
def test_any_file_is_an_entry_or_a_sentence(text: str) -> None:
    try:
        one, domain = read(text, "a.md")
    except MemoryRefused as refused:
        told = str(refused)
    else:
        assert read(write(one, domain), "a.md") == (one, domain)
        return
    assert told.startswith("a.md")
    assert told == clean(told)


@given(entries)
def test_nothing_in_an_entry_can_act_on_a_screen(one: Entry) -> None:
    for line in one.model_dump_json().splitlines():
        assert clean(line) == line
    assert all("\n" not in text for text in (one.trigger, one.action, *one.eligibility))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"trigger": "x" * (LONGEST_TEXT + 1)}, "trigger has 601 characters"),
        ({"eligibility": ["a"] * (MOST_LINES + 1)}, "eligibility has 21 lines"),
        ({"capability": "Not a name"}, "capability is not a valid name"),
        ({"capability": "../../etc"}, "capability is not a valid name"),
        ({"tool": ""}, "tool is not a valid name"),
        ({"trigger": "\u200b"}, "trigger is empty"),
        ({"trigger": 7}, "trigger"),
        ({"gap": "other"}, "gap"),
        ({"approve": True}, "approve"),
        ({"check": {"name": "n", "effect": "removes", "condition": "c"}}, "check"),
    ],
)
def test_what_is_no_entry_is_a_sentence(fields: dict[str, object], sentence: str) -> None:
    good = {"capability": "cancel", "tool": "cancel", "trigger": "asked"}
    with pytest.raises(MemoryRefused, match="That is not a valid memory entry") as refused:
        make_entry({**good, **fields})
    assert sentence in str(refused.value)


def test_a_lesson_that_does_not_say_when_it_holds_is_not_in_force_until_somebody_says_it() -> None:
    proposed = change("propose", entry(key_insight=f"It may be cancelled, {OPEN}"))
    for decision in (change("accept", proposal=1), change("edit", proposed.entry, proposal=1)):
        with pytest.raises(MemoryRefused, match="first say when it holds"):
            fold(ROW, rows(proposed, decision))
    said = entry(key_insight="It may be cancelled, where it was paid by gift card.")
    assert fold(ROW, rows(proposed, change("edit", said, proposal=1))).entries == {"cancel": said}


class Decisions(RuleBasedStateMachine):
    """A bank against a stack of what holds and a list of what waits."""

    def __init__(self) -> None:
        super().__init__()
        self.changes: list[ChangeRow] = []
        self.held: list[list[Entry]] = [[]]
        self.waits: dict[int, Entry] = {}

    def _make(self, made: Change) -> bool:
        changes = [*self.changes, row(len(self.changes) + 1, made)]
        try:
            fold(ROW, changes)
        except MemoryRefused:
            return False
        self.changes = changes
        return True

    @rule(
        words=st.text(alphabet="abc", min_size=1, max_size=3),
        does=st.sampled_from(["propose", "edit"]),
    )
    def write(self, words: str, does: str) -> None:
        of = entry(trigger=words)
        assert self._make(change(does, of, proposal=None if does == "propose" else 0))
        self._stand([*self.held[-1], of] if does == "edit" else self.held[-1])
        if does == "propose":
            self.waits[len(self.changes)] = of

    @rule(does=st.sampled_from(["accept", "refuse", "edit"]), proposal=st.integers(1, 9))
    def decide(self, does: str, proposal: int) -> None:
        of = entry(trigger="by hand") if does == "edit" else None
        if does == "edit" and not self.waits:
            return
        assert self._make(change(does, of, proposal=proposal)) == (proposal in self.waits)
        if proposal in self.waits:
            waited = self.waits.pop(proposal)
            now = [] if does == "refuse" else [of or waited]
            self._stand([*self.held[-1], *now])

    @rule(does=st.sampled_from(["accept", "refuse"]))
    def decide_as_older_versions_wrote_it(self, does: str) -> None:
        assert self._make(change(does)) == bool(self.waits)
        if self.waits:
            _, waited = self.waits.popitem()
            self._stand([*self.held[-1], *([waited] if does == "accept" else [])])

    @rule()
    def undo(self) -> None:
        assert self._make(change("undo")) == bool(self.held[-1])
        if self.held[-1]:
            self._stand(self.held[-1][:-1])

    def _stand(self, held: list[Entry]) -> None:
        self.held.append(list(held))

    @invariant()
    def every_revision_is_as_it_was(self) -> None:
        for revision, held in enumerate(self.held):
            bank = fold(ROW, self.changes, revision)
            assert bank.entries == ({"cancel": held[-1]} if held else {})
        found = fold(ROW, self.changes).capabilities.get("cancel")
        waiting = {} if found is None else {each.revision: each.entry for each in found.waiting}
        assert waiting == self.waits


test_what_holds_is_what_a_person_accepted_last = Decisions.TestCase


def test_what_is_proposed_does_not_hold(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        bank = keep(store, make_bank(store, "b", toy()), [change("propose", entry())])
        assert bank.entries == {}
        assert keep(store, bank, [change("accept")]).entries == {"cancel": entry()}


def test_of_several_changes_all_or_none_are_made(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        bank = make_bank(store, "b", toy())
        with pytest.raises(MemoryRefused, match="other has no proposal waiting"):
            keep(store, bank, [change("edit", entry()), change("accept", capability="other")])
        assert open_bank(store, "b") == bank


def test_a_bank_that_somebody_else_changed_is_not_changed_blindly(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        bank = make_bank(store, "b", toy())
        keep(store, bank, [change("edit", entry())])
        with pytest.raises(MemoryRefused, match="changed meanwhile"):
            keep(store, bank, [change("edit", entry(trigger="other"))])


def test_nothing_is_learned_twice_from_the_same(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        taught = Origin(kind="session", session="s", seq=1)
        first, other = (
            change("edit", each).model_copy(update={"origin": taught})
            for each in (entry(), entry(trigger="other"))
        )
        bank = keep(store, make_bank(store, "b", toy()), [first, other])
        with pytest.raises(MemoryRefused, match="learned from this already"):
            keep(store, bank, [other])
        assert open_bank(store, "b").entries == {"cancel": entry(trigger="other")}


def test_a_change_that_another_hand_made_is_told(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        keep(store, make_bank(store, "b", toy()), [change("edit", entry()), change("undo")])

        def tamper(database: object) -> None:
            trigger = "memory_changes_are_never_changed"
            run = database.execute  # type: ignore[attr-defined]
            (sql,) = run(f"SELECT sql FROM sqlite_master WHERE name = '{trigger}'").fetchone()
            run(f"DROP TRIGGER {trigger}")
            run("UPDATE memory_changes SET payload = replace(payload, 'asked', 'never')")
            run(sql)

        store.submit(tamper).result()
        with pytest.raises(MemoryRefused, match="its change 1 does not match"):
            open_bank(store, "b")


@pytest.mark.parametrize("table", ["memory_changes", "memory_banks"])
@pytest.mark.parametrize("statement", ["DELETE FROM {}", "UPDATE {} SET rowid = 7"])
def test_the_file_itself_refuses_to_forget(tmp_path: Path, table: str, statement: str) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        keep(store, make_bank(store, "b", toy()), [change("edit", entry())])
        done = store.submit(lambda database: database.execute(statement.format(table)))
        assert "never changed" in str(done.exception())


def test_a_bank_says_when_the_policy_changed_under_it() -> None:
    bank = Bank("b", "toy", "p", 0, {})
    assert bank.policy_notice("p") == ""
    assert "The policy of toy has changed" in bank.policy_notice("q")
