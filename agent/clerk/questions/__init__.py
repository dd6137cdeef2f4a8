"""Answers questions from facts: sentences that tell all that the clerk knows at a moment.

Each domain tells facts of the records that were read and of changes, proposed or made
(``record_facts`` and ``change_facts``); ``state_facts`` tells where the conversation stands;
``known_facts`` puts them together with the rules. ``fitting``, learned from questions that people
asked, tells which fact answers a question, and ``answering`` tells it. ``at_card`` serves questions
about a waiting card, and ``in_talk`` those while no card waits.
"""
