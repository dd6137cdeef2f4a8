"""Decides on the next step: a look-up, a change, a question, an offer or an answer."""
