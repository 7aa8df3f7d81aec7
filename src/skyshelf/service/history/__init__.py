"""History: objects as they were, what changed and who did it, rewinds, and proofs that nothing was rewritten.

`history` looks back, `rewinds` brings an account back to a moment, and `settings` says how long it is kept. `logs` adds
changes to a Merkle log per account, signs its heads, and serves what clients verify them with.
"""
