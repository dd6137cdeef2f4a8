"""The clerk's airline domain: bookings, changes and cancellations of flight reservations.

- ``skills`` defines the domain: it maps each intent to the skill that serves it, and repeats a
  skill for several reservations.
- ``dialogue`` matches a customer's utterances to tasks and slots; it extends ``dialogue_state``,
  the dialogue state that the skills use. ``task_details`` tells what the requests of a message are
  details of, and ``slot_answers`` turns an answer into the sentence that it stands for.
- ``booking``, ``reservation_changes``, ``cancellation``, ``compensation``, ``passengers`` and
  ``bags`` contain the skills that change records; ``answers``, ``prices`` and ``side_questions``
  those that answer questions; ``record_facts`` and ``change_facts`` tell what is known of the
  records and of a change, a sentence each, for questions that no skill was made for. ``replies``
  ends the work on a task with a question, a refusal, an answer or a report.
- ``parsed_sentence`` is a sentence with what it mentions. ``dates``, ``people``,
  ``payment_mentions`` and ``flight_slots`` read what it mentions; ``wanted_legs``,
  ``reservation_slots``, ``passengers``, ``payment_slots``, ``new_flights`` and ``flight_search``
  turn that into slot values, with the help of the records.
- ``known_records`` holds the records that were read, ``wording`` puts them into words, and
  ``mistakes`` are errors that the clerk makes on request.

Data: ``intent_settings.json`` (intents, tools, texts), ``words.json`` (words and phrases) and
``answer_texts.json`` (the clerk's sentences), all read by ``vocabulary``; and ``usual_words.json``
(words that customers use in general, by kind of change).
"""
