"""What the clerk learned from which question about a card is about what.

``python -m tests.generators.clerk_card_questions.train`` reads ``data/DOMAIN.jsonl``: questions
with one or two topics each, by writers who saw no code, and writes ``topics.safetensors`` beside
``agent.clerk.card_questions.topics``. Every fourth question is kept apart and only measured on.
"""
