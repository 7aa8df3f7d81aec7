"""For tests of programs that use Skyshelf: a real server, and a proxy before it that does everything wrong.

`pytest_plugins = ["skyshelf.testing.fixtures"]` gives the fixtures; it needs `skyshelf[server]` and pytest.
"""
