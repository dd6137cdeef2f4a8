"""What a memory has taught of the policy, and whether it applies to a task."""
