"""Logins through providers: attempts, the accounts they open, links between both, and logouts from there.

A login has three steps, and nothing is stored before the last. `logins.begin` sends the browser to the provider, with a
cookie that only this server can make. `logins.returned` handles the response: it asks the provider who logged in, and
gives the browser a ticket. Our page then uses the ticket, and can ask for a second factor in between:
`sessions.use_ticket` opens a session, `links.finish_link` links the identity to the account that is logged in.
"""
