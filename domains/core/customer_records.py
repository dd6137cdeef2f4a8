"""The models of customer data that the records of every domain share."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class CustomerName(BaseModel):
    """A customer's name."""

    first_name: str
    last_name: str


class CreditCard(BaseModel):
    """A credit card, stored as its brand and its last four digits."""

    source: Literal["credit_card"]
    id: str
    brand: str
    last_four: str
