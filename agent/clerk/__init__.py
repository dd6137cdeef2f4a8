"""The clerk: the built-in agent without a model. One dialogue for all trades.

A conversation is a pure function of its messages (``folding``): replay and fork say the same.
A message is cut into sentences (``understanding.reading``); each gets a scope (meant, denied, only
asked about, under a limit: ``understanding.scope``) and intents with probabilities
(``understanding.intents``). What is meant is a ``Task`` on the agenda (``hearing``, ``taking_up``);
what is said of a change that was just made puts it right, or comes too late (``looking_back``).

A task keeps *words, not slots*: a trade reads each slot out of the task's sentences, among the
records that were looked up, when it is needed. An answer is kept as the sentence that it stands
for ("2" to "how many bags?" is "2 checked bags"; ``replying``), so a correction is one more
sentence. A skill gives the next step of a task: a look-up, a change, a question, an answer, a
refusal (``trade.Skill``). The engine alone loops (``serving``), asks, offers in numbers
(``offers``), and gives up in the end. With a memory it reads that before it changes or refuses
anything, and goes by what was learned (``learned``, ``heeding``, ``applying``). Taken up in doubt,
a task offers beside its answer what the message read whole may have meant
(``understanding.doubting``). What differs lies beside each trade: ``retail``,
``airline``; ``by_schema`` serves others.
"""
