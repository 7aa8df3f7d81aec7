"""Commands that look back."""
