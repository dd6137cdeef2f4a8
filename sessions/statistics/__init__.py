"""What many sessions show together; every number with how many it is of and how sure it is."""
