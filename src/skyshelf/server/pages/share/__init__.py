"""Public share pages. They work without JavaScript."""
