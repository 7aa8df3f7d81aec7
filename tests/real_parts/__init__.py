"""Real servers that tests start for themselves."""
