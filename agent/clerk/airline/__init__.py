"""The clerk's airline domain: bookings, changes and cancellations of flight reservations.

- ``skills`` defines the domain: it maps each intent to the skill that serves it.
- ``dialogue`` matches a customer's utterances to tasks and slots; it extends ``talk``, the dialogue
  state that the skills use. ``refining``, ``reasons`` and ``asides`` refine the requests of a
  message, and ``answering`` turns an answer into the sentence that it stands for.
- ``booking``, ``changing``, ``cancelling``, ``renaming``, ``bags`` and ``compensating`` contain the
  skills that change records; ``answers``, ``prices`` and ``asides`` those that answer questions;
  ``cards`` answers questions about a waiting card. ``acting`` repeats a skill for several
  reservations, and ``asking`` ends its work with a question or a refusal.
- ``line`` is a parsed sentence. ``dates``, ``people``, ``talk_of_money`` and ``flight_wish`` read
  what it mentions; ``trips``, ``wanted_trip``, ``passengers``, ``paying``, ``rerouting`` and
  ``journeys`` turn that into slot values, with the help of the records.
- ``memory`` holds the records that were read, ``wording`` puts them into words, and ``mistakes``
  are errors that the clerk makes on request.

Data: ``manner.json`` (intents, tools, texts), ``words.json`` (vocabulary and phrases, read by
``words``), ``sentences.json`` (the clerk's sentences) and ``examples.json`` (examples of the
intents) with their embeddings in ``examples.npz``.
"""
