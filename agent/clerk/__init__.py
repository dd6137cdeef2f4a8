"""The clerk: the built-in agent without a model. One dialogue for all trades.

A turn goes from top to bottom through the folders:

- ``understanding``: a message is cut into sentences; each gets intents with probabilities
  (``intents``) and a scope: meant, denied, only asked about, under a limit (``scope``).
- ``tracking``: what is meant becomes a ``Task`` (``hearing``, ``taking_up``), a reply fills the
  task that was asked about (``replying``), what is said of a change that was just made puts it
  right or comes too late (``looking_back``).
- ``state``: the ``Dialogue`` with its tasks, and the records that were looked up.
- ``deciding``: the one loop that goes through the open tasks, asks, offers in numbers
  (``offers``), and gives up in the end (``serving``).
- ``lessons``: with a memory the clerk reads that before it changes or refuses anything, and goes
  by what applies.

What differs between trades lies in ``retail`` and ``airline``; ``trade`` says what a trade has to
tell. Its skills give the next step of a task: a look-up, a change, a question, an answer, a
refusal. ``by_schema`` serves every other domain.

A conversation is a pure function of its messages (``folding``): replay and fork say the same. A
task keeps *words, not slots*: a trade reads each slot out of the task's sentences, among the
records that were looked up, when it is needed. An answer is kept as the sentence that it stands
for ("2" to "how many bags?" is "2 checked bags"), so a correction is one more sentence. Taken up
in doubt, a task offers beside its answer what the message read whole may have meant
(``understanding.doubting``).
"""
