"""Parses a message into sentences with their intents, and finds how far a "don't" reaches."""
