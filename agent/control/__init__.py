"""Routed control: more of it where the things that a customer asks for hang together.

(Difficulty-routed control, sections 3.1 and 3.2.)
"""
