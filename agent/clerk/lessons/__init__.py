"""What a memory has taught the clerk about the policy, and whether it applies to a task."""
