"""OpenID Connect, as a party that relies on providers: settings, discovery, keys, tokens. No accounts, no stores.

`settings` says which providers there are. `relying_party` speaks to one of them: it sends people there, and turns what
comes back into a `Person` whose every claim was signed by the provider or came from it over TLS. What the account is,
and what the person may do, is decided in `service/identity`.
"""
