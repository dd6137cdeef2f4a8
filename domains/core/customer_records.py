"""What the records of every domain say of a customer in the same way."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class CustomerName(BaseModel):
    """A customer's name."""

    first_name: str
    last_name: str


class CreditCard(BaseModel):
    """A card of which the brand and the last four digits are kept."""

    source: Literal["credit_card"]
    id: str
    brand: str
    last_four: str
