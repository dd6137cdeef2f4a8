from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent.clerk.retail.requests import Request, Said, Thing
from agent.clerk.retail.understanding import understand

TABLE: list[list[Any]] = json.loads(
    Path(__file__).with_name("utterances.json").read_text(encoding="utf-8")
)
SLOTS = (
    "orders", "which", "status", "everything", "payments", "reason", "address_from", "give_up",
)  # fmt: skip
ADDRESS = ("address1", "address2", "city", "state", "zip")
ABOUT_ITEMS = ("noun", "words", "item_id", "wishes", "may_drop", "every")
FLAGS = ("correction", "only", "also", "nothing", "yes", "no", "forget", "anything")


def slots(request: Request) -> dict[str, Any]:
    told: dict[str, Any] = {"intent": str(request.intent)} if request.intent else {}
    told.update({slot: value for slot in SLOTS if (value := getattr(request, slot))})
    if request.address:
        parts = ((part, getattr(request.address, part)) for part in ADDRESS)
        told["address"] = {part: value for part, value in parts if value}
    if request.things:
        told["things"] = [item(thing) for thing in request.things]
    if request.excepted:
        told["excepted"] = [item(thing) for thing in request.excepted]
    if request.otherwise:
        told["otherwise"] = [slots(each) for each in request.otherwise]
    return told


def item(thing: Thing) -> dict[str, Any]:
    return {key: value for key in ABOUT_ITEMS if (value := getattr(thing, key))}


def understood(said: Said) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if said.requests:
        told["requests"] = [slots(each) for each in said.requests]
    if loose := slots(said.loose):
        told["loose"] = loose
    if said.identity.names:
        told["names"] = [" ".join(name) for name in said.identity.names]
    if said.identity.emails:
        told["emails"] = said.identity.emails
    if said.identity.zips and not any(each.address for each in said.requests):
        told["zips"] = said.identity.zips
    flags = [flag for flag in FLAGS if getattr(said, flag)]
    if flags and not said.requests:
        told["flags"] = flags
    if said.ordinals:
        told["ordinals"] = said.ordinals
    return told


@pytest.mark.parametrize(("utterance", "meaning"), TABLE, ids=[row[0][:60] for row in TABLE])
def test_an_utterance_is_understood(utterance: str, meaning: dict[str, Any]) -> None:
    assert understood(understand(utterance)) == meaning


def test_the_table_is_long_enough_to_mean_something() -> None:
    assert len({row[0] for row in TABLE}) >= 150


def test_product_names_from_the_conversation_are_nouns_too() -> None:
    said = understand("return the gravity flange", ("Gravity Flange",))
    assert [thing.noun for thing in said.requests[0].things] == ["gravity flange"]
