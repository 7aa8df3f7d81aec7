"""What history keeps of objects that go, and of what they belong to, in SQL."""
