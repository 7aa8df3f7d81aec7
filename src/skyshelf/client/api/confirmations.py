"""What calls take besides the session, where a session alone is not enough."""

from skyshelf.wire.resources.passkeys import ConfirmationRequest


def confirmation(password: str | None, code: str | None) -> ConfirmationRequest | None:
    """The password, with a code if the second factor is on; None if no password was given."""
    return None if password is None else ConfirmationRequest(password=password, code=code)
