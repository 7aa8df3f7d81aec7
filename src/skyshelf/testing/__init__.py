"""Test helpers for programs that use Skyshelf: a real server, and a proxy in front of it that fails on purpose.

Add `pytest_plugins = ["skyshelf.testing.fixtures"]` to a conftest.py to get the fixtures. This needs
`pip install 'skyshelf[server]' pytest`.

`server.TestServer` runs `skyshelf serve` in its own process; `server.TestAccount` fills an account quickly;
`proxy.FaultProxy` injects the faults of a `faults.FaultPlan`.
"""
