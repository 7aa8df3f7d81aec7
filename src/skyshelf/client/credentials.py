"""The credentials of a session: its three values and the application's pair. None of them is ever printed."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from skyshelf.client.errors import ConfigurationError
from skyshelf.client.secrets import HELD, Secrets
from skyshelf.wire.headers import API_KEY, APP_SECRET, NO_DEVICE, session_headers
from skyshelf.wire.leave import is_token

AUTH_TOKEN: Final = "auth_token"  # noqa: S105 - the name of a setting
USER_ID: Final = "user_id"
DEVICE_KEY: Final = "device_key"

PER_USER: Final = (AUTH_TOKEN, USER_ID, DEVICE_KEY)
"""The names of the three values in the config file; in the environment, prefixed and in upper case."""

_HEADER_VALUE: Final = re.compile(r"[\x21-\x7e]+")


def bare_token(text: str) -> str:
    """Strip the scheme from a session's token: users copy the whole header from a browser."""
    return re.sub(r"(?i)^(basic|bearer)\s+", "", text.strip())


class Credentials:
    """A session. The token may name another user than `user_id`; they are not compared."""

    def __init__(
        self, auth_token: str, user_id: str, device_key: str, *, api_key: str = API_KEY, app_secret: str = APP_SECRET
    ) -> None:
        given = {AUTH_TOKEN: auth_token, USER_ID: user_id, DEVICE_KEY: device_key}
        given[AUTH_TOKEN] = bare_token(auth_token)
        for name, value in (given | {"api_key": api_key, "app_secret": app_secret}).items():
            if not _HEADER_VALUE.fullmatch(value.strip()):
                # The value is a secret, so it is not quoted.
                raise ConfigurationError(f"{name} must be printable ASCII without spaces or line breaks")
        self.auth_token = given[AUTH_TOKEN]
        self.user_id = user_id.strip()
        self.device_key = device_key.strip()
        self.api_key = api_key.strip()
        self.app_secret = app_secret.strip()
        HELD.add(self._hidden())

    @classmethod
    def from_mapping(cls, values: Mapping[str, str | None]) -> "Credentials | None":
        """Build the session in the settings: None when they have none, an error when it is incomplete."""
        given = {name: value for name in PER_USER if (value := values.get(name))}
        if not given:
            return None
        if is_token(bare_token(given.get(AUTH_TOKEN, ""))):
            # The token of a delegation says whose it is.
            given = {USER_ID: NO_DEVICE, DEVICE_KEY: NO_DEVICE} | given
        missing = [name for name in PER_USER if name not in given]
        if missing:
            raise ConfigurationError(
                f"the session is incomplete: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
            )
        pair = {name: value for name in ("api_key", "app_secret") if (value := values.get(name))}
        return cls(given[AUTH_TOKEN], given[USER_ID], given[DEVICE_KEY], **pair)

    @cached_property
    def headers(self) -> dict[str, str]:
        """The headers of every request of the session."""
        return session_headers(
            self.auth_token, self.user_id, self.device_key, api_key=self.api_key, app_secret=self.app_secret
        )

    @cached_property
    def secrets(self) -> Secrets:
        """What must not appear in any output of this session."""
        return Secrets(self._hidden())

    def _hidden(self) -> tuple[str, ...]:
        # The default secret of the application is public.
        return (self.auth_token,) if self.app_secret == APP_SECRET else (self.auth_token, self.app_secret)

    def __repr__(self) -> str:
        return f"Credentials(user_id={self.user_id!r}, auth_token=<hidden>, device_key=<hidden>)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Credentials) and self.headers == other.headers

    def __hash__(self) -> int:
        return hash((self.auth_token, self.user_id, self.device_key))
