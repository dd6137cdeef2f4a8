from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from sessions.views.family import Branch, parents_first, tree_containing, trees


@dataclass(frozen=True)
class Row:
    id: str
    parent: str | None = None
    fork_seq: int | None = None


def test_forks_stand_under_their_parents_in_the_order_in_which_they_leave_them() -> None:
    rows = [Row("a"), Row("b", "a", 9), Row("c", "a", 4), Row("d", "b", 2), Row("e")]
    grown = trees(rows)
    assert grown == [
        (Branch(0, "a"), Branch(1, "c"), Branch(1, "b"), Branch(2, "d")),
        (Branch(0, "e"),),
    ]
    assert tree_containing(grown, "d") == grown[0]
    assert tree_containing(grown, "x") == ()


def test_a_fork_whose_parent_was_deleted_begins_a_tree() -> None:
    assert trees([Row("b", "gone", 3)]) == [(Branch(0, "b"),)]


def test_sessions_are_put_after_those_that_they_are_forks_of() -> None:
    rows = [Row("a"), Row("b", "a", 9), Row("c", "b", 12), Row("d", "a", 3), Row("e", "gone", 3)]
    assert parents_first("xcdabe", rows) == list("xabcde")
    assert parents_first("cac", rows) == ["a", "c"], "what lies between need not be wanted"
    assert sorted(parents_first("fg", [Row("f", "g", 1), Row("g", "f", 1)])) == ["f", "g"]


@given(st.dictionaries(st.sampled_from("abcdef"), st.none() | st.sampled_from("abcdef")))
def test_every_session_stands_in_one_tree_whoever_is_named_as_its_parent(
    parents: dict[str, str | None],
) -> None:
    grown = trees([Row(each, parent, 1) for each, parent in parents.items()])
    assert sorted(each.id for tree in grown for each in tree) == sorted(parents)
    assert all(tree[0].depth == 0 for tree in grown)
