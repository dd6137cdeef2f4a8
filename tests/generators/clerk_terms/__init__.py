"""What the clerk finds the terms of a message by was learned from, and the training.

``data/terms.txt`` and ``data/mentions.txt`` have the messages; those in the files that end in
``kept_out`` are of the same writers, and nothing is learned from them.
"""
