"""The crash matrix: a real service under load is killed, its disk fails, its power is cut, and nothing is lost."""
