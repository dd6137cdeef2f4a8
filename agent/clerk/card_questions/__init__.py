"""Answers questions about a change that waits on a card, in any domain.

What a question is about is learned from examples (``topics``). Each domain answers the topics from
what the card says and from the records that were read before (``waiting_card``).
"""
