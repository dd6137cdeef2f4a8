"""The clerk: the built-in rule-based agent, which needs no model and serves every domain.

A turn passes through these folders in order:

- ``understanding`` reads a message as a whole, in view of the question that it replies to. A small
  network tells of each clause what it asks for and whether that is wanted, denied, only asked about
  or only mentioned (``labelling``); clauses that make one request are joined (``segmenting``).
  Exceptions, limits and fallbacks are found by their words (``clauses``); what a wish hangs on and
  what is taken back is found by another network as well (``terms``).
- ``tracking`` updates the dialogue state. A request that is meant becomes a ``Task``
  (``message_handling``, ``task_creation``), a reply fills the task that the question was about
  (``replying``), a remark on a change that was just made corrects it or comes too late, and what
  requests nothing is an aside (``asides``).
- ``state`` holds the ``Dialogue`` with its tasks, and the records that were looked up.
- ``deciding`` contains the one loop over the open tasks (``next_step``). It calls tools, asks
  questions, makes numbered offers (``offers``), and gives up in the end (``phrasing``).
- ``rules`` answers questions about rules, in words that were written for each domain, as long as
  the policy states what they follow from.
- ``questions`` answers what is asked, at a card and otherwise. All that the clerk knows at a moment
  is told as facts, a sentence each, and a second small network tells which of them answers a
  question, if any.
- ``lessons`` is used when there is a memory. The clerk reads it before it changes or refuses
  anything, and applies the entries that fit.

Everything specific to a domain is in ``retail`` and ``airline``; ``domain_skills`` defines what a
domain has to provide. The skills of a domain return the next step of a task: a look-up, a change, a
question, an answer or a refusal. ``by_schema`` serves every other domain.

The dialogue state is a pure function of the messages (``rebuilding``), so that replay and fork give
the same answers. A task stores *sentences, not slots*: the domain extracts a slot's value from the
sentences, with the help of the records that were looked up, whenever it is needed. A short answer
is stored as the sentence that it stands for ("2" in reply to "how many bags?" becomes "2 checked
bags"), so that a correction is just one more sentence. If the intent of a task was uncertain, its
answer also offers what the message as a whole may have meant (``understanding.rival_intents``).
"""
