"""Styles that Textual works out for every node of every app, worked out once a process.

A node's styles hang on what the rules ask of it and of all above it: type, name, classes and
pseudo-classes. Nodes that are alike in all of that have the same styles, whichever app's they are;
and what is set on a node anew where it is set already changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from textual.css.model import RuleSet, Selector, SelectorType
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

MATCH: Callable[..., None] = Stylesheet.apply
GIVE: Callable[..., None] = Stylesheet.replace_rules

SYSTEM = "-textual-system"
"""The class that a rule for every node asks for, too."""

ORDER = frozenset({"first-of-type", "last-of-type", "first-child", "last-child", "empty"})
ODD_OR_EVEN = frozenset({"odd", "even"})

TOLD = frozenset({"display", "layout", "pointer", "transitions"})
"""What others hear of, or what each node has an object of its own for."""


class Asked(NamedTuple):
    """The pseudo-classes that the rules for one kind of node name."""

    all: frozenset[str]
    of_those_above: frozenset[str]


@dataclass
class Matched:
    """What is known of one set of rules."""

    rules: dict[str, list[RuleSet]]
    asked: dict[object, Asked] = field(default_factory=dict)
    styles: dict[object, dict[str, Any] | None] = field(default_factory=dict)
    """As the rules have them."""
    kept: dict[object, dict[str, Any]] = field(default_factory=dict)
    """As a node keeps them."""

    def __post_init__(self) -> None:
        selectors = [one for rules in self.rules.values() for one in _selectors(rules)]
        self._ids = {one.name for one in selectors if one.type is SelectorType.ID}
        self._classes = {one.name for one in selectors if one.type is SelectorType.CLASS} | {SYSTEM}

    def asked_of(self, node: DOMNode) -> Asked:
        """Which pseudo-classes decide over its styles."""
        kind = self._seen(node, ())
        if kind not in self.asked:
            names = self.rules.keys() & node._selector_names
            rules = [rule for name in names for rule in self.rules[name]]
            self.asked[kind] = Asked(
                frozenset[str]().union(*(rule.pseudo_classes for rule in rules)),
                frozenset[str]().union(*(one.pseudo_classes for one in _above(rules))),
            )
        return self.asked[kind]

    def key(self, node: DOMNode, asked: Asked) -> object:
        """The same for nodes that no rule tells apart."""
        path = [self._seen(node, asked.all)]
        above = node._parent
        while isinstance(above, DOMNode):
            path.append(self._seen(above, asked.of_those_above))
            above = above._parent
        return tuple(path)

    def give(self, key: object, node: DOMNode, animate: bool) -> None:
        """Set on the node what it has not."""
        styles, kept, base = self.styles[key], self.kept.get(key), node.styles.base
        if styles is None:
            return
        has: dict[str, Any] = base._rules  # type: ignore[assignment]
        animate = animate and "transitions" in styles
        if kept is None or animate:
            GIVE(node, styles, animate=animate)
            if not animate:
                self.kept[key] = dict(has)
            return
        if not has and not node._is_mounted:
            has.update({name: value for name, value in kept.items() if name not in TOLD})
            base._updates += 1
            changed = TOLD & styles.keys()
        else:
            changed = frozenset(
                name for name in has.keys() | styles.keys() if has.get(name) != kept.get(name)
            )
        for name in changed:
            setattr(base, name, styles.get(name))
        node.notify_style_update()

    def _seen(self, node: DOMNode, pseudo_classes: Iterable[str]) -> object:
        checks: dict[str, Callable[[DOMNode], bool]] = node._PSEUDO_CLASSES  # type: ignore[assignment]
        return (
            type(node),
            node._id if node._id in self._ids else None,
            frozenset(self._classes & node._classes),
            *[name for name in pseudo_classes if name in checks and checks[name](node)],
        )


def match_rules_once(patched: pytest.MonkeyPatch) -> None:
    """Have style sheets remember which styles came of which rules."""
    known, given = dict[int, Matched](), dict[DOMNode, dict[str, Any]]()

    def apply(
        sheet: Stylesheet, node: DOMNode, *, animate: bool = False, cache: object = None
    ) -> None:
        rules = sheet.rules_map
        matched = known.get(id(rules))
        if matched is None:  # which keeps the rules, and so their id
            matched = known[id(rules)] = Matched(rules)
        asked = matched.asked_of(node)
        key = matched.key(node, asked)
        if key not in matched.styles:
            MATCH(sheet, node, animate=animate)
            matched.styles[key] = given.pop(node, None)
            return
        node._has_hover_style = "hover" in asked.all
        node._has_focus_within = "focus-within" in asked.all
        node._has_order_style = not asked.all.isdisjoint(ORDER)
        node._has_odd_or_even = not asked.all.isdisjoint(ODD_OR_EVEN)
        matched.give(key, node, animate)
        sheet._process_component_classes(node)

    def replace_rules(node: DOMNode, rules: dict[str, Any], animate: bool = False) -> None:
        given[node] = rules
        GIVE(node, rules, animate=animate)

    patched.setattr(Stylesheet, "apply", apply)
    patched.setattr(Stylesheet, "replace_rules", staticmethod(replace_rules))


def _selectors(rules: Iterable[RuleSet]) -> Iterable[Selector]:
    return (one for rule in rules for chosen in rule.selector_set for one in chosen.selectors)


def _above(rules: Iterable[RuleSet]) -> Iterable[Selector]:
    """The selectors that nodes above may have to match; the last is always the node's own."""
    for rule in rules:
        for chosen in rule.selector_set:
            yield from chosen.selectors[:-1]
