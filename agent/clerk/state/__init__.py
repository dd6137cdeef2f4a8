"""The dialogue state: tasks, records, the open question, and who is speaking."""
