"""What a customer's message changes in that state: new tasks, replies, corrections."""
