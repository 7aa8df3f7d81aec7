"""OpenID Connect as a relying party: settings, discovery, keys, tokens. No accounts, no stores.

`settings` lists the providers. `relying_party` talks to one of them: it sends people there, and turns the response into
a `Person` whose every claim was signed by the provider or came from it over TLS. `service/identity` decides about the
account and the person's rights. docs/decisions/0016-oidc-client.md says why this is not a library.
"""
