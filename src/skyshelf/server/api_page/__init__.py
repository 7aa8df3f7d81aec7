"""The interface as a page for people, and as the file that tools read: both from the one description."""
