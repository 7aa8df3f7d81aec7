"""What protects an account from its own devices."""
