"""What the clerk's answers about rules are found with.

``python -m tests.generators.clerk_rules.train`` reads ``data/DOMAIN.json``: answers, each with
questions that it answers, written by people who saw no code, and with the digests of the lines of a
policy that it follows from (``agent.clerk.rules``). It writes ``rules.json`` and
``rules.safetensors`` beside each domain of the clerk.
"""
