"""Routed control: stricter control of sessions whose requests depend on each other.

(Difficulty-routed control, sections 3.1 and 3.2.)

``routing`` classifies a session as routine or coupled, and ``latch`` remembers that it is coupled.
In a coupled session ``guarding`` sends back calls that conflict with the evidence or the protocol,
``verifier`` has each write reconsidered before its card, and ``nudging`` stops needless questions.
``conflict`` and ``focus`` evaluate recorded runs.
"""
