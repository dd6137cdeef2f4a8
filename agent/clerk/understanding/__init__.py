"""What a message means: its sentences, their intents, and how far a "don't" reaches."""
