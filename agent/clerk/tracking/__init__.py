"""Updates the dialogue state from a customer's message: new tasks, replies, corrections."""
