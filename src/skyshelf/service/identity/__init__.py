"""Logins through other providers: attempts, the accounts they open, links between both, and logouts from there.

A login has three steps, and nothing is stored before the last. `logins.begin` sends the browser to the provider, with a
cookie that only this server can make. `logins.returned` takes the answer: it asks the provider who that is, and hands
the browser a ticket. `tickets` are then used by a page of our own, which can ask for a second factor in between:
`sessions.open_session` opens a session with one, `links.finish` links an identity to the account that is logged in.
"""
