"""What the clerk knows in the middle of a conversation: tasks, records, questions, who speaks."""
