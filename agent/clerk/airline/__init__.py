"""The clerk's airline domain: bookings, changes and cancellations of flight reservations.

- ``skills`` defines the domain: it maps each intent to the skill that serves it.
- ``dialogue`` matches a customer's utterances to tasks and slots; it extends ``dialogue_state``,
  the dialogue state that the skills use. ``request_refinement``, ``reasons`` and
  ``side_questions`` refine the requests of a message, ``implied_requests`` and ``reopening`` find
  what it means without saying so, and ``slot_answers`` turns an answer into
  the sentence that it stands for.
- ``booking``, ``reservation_changes``, ``refunds``, ``passengers`` and ``bags`` contain the
  skills that change records; ``answers``, ``prices`` and ``side_questions`` those that answer
  questions; ``card_answers`` answers questions about a waiting card. ``per_reservation`` repeats
  a skill for several reservations, and ``ask_or_refuse`` ends its work with a question or a
  refusal.
- ``wanted_legs`` is what is wanted of each way of a booked trip, and ``change_at_hand`` what is
  under discussion about it: they answer questions and searches during a change. ``task_details``
  tells which requests only add details to the current task.
- ``parsed_sentence`` is a sentence with what it mentions. ``dates``, ``people``,
  ``payment_mentions`` and ``flight_slots`` read what it mentions; ``reservation_slots``,
  ``trip_slots``, ``passengers``, ``payment_slots``, ``new_flights``, ``flight_query`` and
  ``flight_search`` turn that into slot values, with the help of the records.
- ``known_records`` holds the records that were read, ``wording`` puts them into words, and
  ``mistakes`` are errors that the clerk makes on request.

Data: ``intent_settings.json`` (intents, tools, texts), ``words.json`` (vocabulary and phrases, read
by ``vocabulary``), ``answer_texts.json`` (the clerk's sentences) and ``usual_words.json`` (words
that customers use in general, by kind of change).
"""
