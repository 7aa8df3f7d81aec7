"""Passkeys: keys on people's devices that log them in, alone or after the password (Web Authentication).

`party` is this server as a browser knows it, `challenges` what is to be signed, and `assertions` verifies signatures.
`login` and `second_step` log in with them, `confirmation` uses them for changes that take what a login takes,
`registration` adds them, and `own_passkeys` lists, renames and removes them.
"""
