"""What can go wrong at a provider; each is a sentence for the log and for `skyshelf admin oidc test`."""


class OidcError(Exception):
    """Base of all errors here. No sentence contains a token, a code or a secret."""


class ProviderUnavailable(OidcError):
    """The provider cannot be reached, or what it sends cannot be used: try again later, or correct its settings."""


class ProviderBusy(OidcError):
    """This server waits for the provider already, as often as it may."""


class TokenRefused(OidcError):
    """A token is not what it claims to be."""
