"""The clerk's retail domain: orders, exchanges, returns, addresses and payments of a store.

- ``skills`` defines the domain: it maps each intent to the skill that serves it.
- ``dialogue`` matches a customer's utterances to tasks and slots, and ``subjects`` finds what a
  question or a new task refers back to.
- ``actions`` and ``exchanges`` contain the skills that change records, ``answers`` and
  ``catalogue`` those that answer questions; ``record_facts`` and ``change_facts`` tell what is
  known of the records and of a change, a sentence each, for questions that no skill was made for.
- ``orders``, ``item_mentions``, ``item_slots``, ``option_text``, ``variant_slots``,
  ``payment_slots``, ``addresses`` and ``address_parts`` extract slot values from sentences, with
  the help of the records.
- ``known_records`` holds the records that were read, ``wording`` puts them into words, and
  ``mistakes`` are errors that the clerk makes on request.

Data: ``intent_settings.json`` (intents, tools, texts), ``phrases.json`` (phrases that the slot
filling looks for) and ``usual_words.json`` (words that customers use in general, by kind of
change).
"""
