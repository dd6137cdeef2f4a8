from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.core.domain import Role
from domains.tau2 import roles as tau2_roles
from tests.domains.text.test_sentences import said


def test_a_role_has_a_line_for_each_thing() -> None:
    role = tau2_roles.role(
        reason="You want to return the lamp. If not possible, keep it.",
        known="You are Ann Lee in zip code 12345. Your order is #W1.",
        unknown="You do not remember your email address",
        behaviour="You are terse. Never say please.",
        persona="A pilot.",
    )
    assert role == Role(
        who="You are Ann Lee in zip code 12345.",
        knows=("Your order is #W1.",),
        does_not_know=("You do not remember your email address",),
        wants=("You want to return the lamp.", "If not possible, keep it."),
        manner="A pilot.\nYou are terse.\nNever say please.",
    )


def test_somebody_who_is_not_introduced_is_a_customer() -> None:
    role = tau2_roles.role(reason="Cancel it.", known="The number is PEP4E0")
    assert role.who == "You are a customer."
    assert role.knows == ("The number is PEP4E0",)


@pytest.mark.parametrize(
    ("known", "reason", "title"),
    [
        ("You are Ann Lee.", "You want to return the lamp.", "Ann Lee: return the lamp"),
        ("You name is Ann Lee and so on.", "You wish to go home.", "Ann Lee: go home"),
        ("You are a guy called Ann Lee.", "You'd like to fly home.", "Ann Lee: fly home"),
        ("You are ann_lee_12.", "You want to know the price.", "Ann Lee: ask the price"),
        ("Your user id is 'ann_lee_12'.", "You want to fly home.", "Ann Lee: fly home"),
        ("You are Ann (ann_lee_12).", "You need to fly home, but not now.", "Ann Lee: fly home"),
        ("You are Ann.", "You want to fly home (one way).", "Ann: fly home"),
        ("", "You want to fly home.", "Fly home"),
        ("You are Ann Lee.", "You moved. You want to update it.", "Ann Lee: You moved"),
        ("You are Ann Lee.", "It broke.", "Ann Lee: It broke"),
        ("You are Ann Lee.", "", "Ann Lee: free play"),
        (
            "You are Ann Lee.",
            "You got #W1 and wish to exchange the keyboard for the same one but clicky.",
            "Ann Lee: exchange the keyboard for the same one",
        ),
    ],
)
def test_a_title_says_who_wants_what(known: str, reason: str, title: str) -> None:
    assert tau2_roles.title(tau2_roles.role(reason=reason, known=known)) == title


@given(reason=st.text(max_size=300), known=st.text(max_size=100), behaviour=st.text(max_size=100))
def test_any_text_makes_a_role_and_a_title(reason: str, known: str, behaviour: str) -> None:
    role = tau2_roles.role(reason=reason, known=known, behaviour=behaviour)
    title = tau2_roles.title(role)
    assert title
    assert title.isprintable()
    assert len(title) <= tau2_roles.LONGEST_TITLE
    assert said(role.manner) == said(behaviour)
    who = "" if role.who == tau2_roles.NOBODY else role.who
    told = "".join((who, *role.knows, *role.wants))
    assert sorted(said(told)) == sorted(said(reason) + said(known))


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("You want to return the lamp.", ("return",)),
        ("You want a return flight.", ()),
        ("You change your mind.", ()),
        ("Send it to another address.", ("address",)),
        ("Make sure everything is addressed.", ()),
    ],
)
def test_tags_are_what_one_would_look_for(text: str, tags: tuple[str, ...]) -> None:
    assert tau2_roles.tags(tau2_roles.role(reason=text), "retail") == tags


def test_tags_of_another_domain_are_not_given() -> None:
    role = tau2_roles.role(reason="You want to return the bags and cancel.")
    assert tau2_roles.tags(role, "retail") == ("return", "cancel")
    assert tau2_roles.tags(role, "airline") == ("cancel", "baggage")
    assert not re.search("flight", " ".join(tau2_roles.tags(role, "airline")))
