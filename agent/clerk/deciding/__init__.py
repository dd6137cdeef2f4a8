"""What comes next: a look-up, a change, a question, an offer, an answer."""
