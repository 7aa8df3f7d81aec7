"""Passkeys: keys on people's devices that log them in, alone or after the password (Web Authentication).

`party` is this server as a browser sees it, and makes the challenges that passkeys sign. `assertions` verifies
signatures and logs in with them, `confirmation` uses them for changes that require as much as a login, and
`own_passkeys` adds, lists, renames and removes them.
"""
