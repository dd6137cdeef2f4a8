"""What the clerk's answers to questions were learned from, and the training.

``data`` has moments of conversations, each with the facts that the clerk can tell then, and the
questions that writers who had not seen the program asked there, with the facts that answer them.
"""
