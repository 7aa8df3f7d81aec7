"""App passwords: for programs that know an address and a password alone, such as WebDAV clients."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import force_setattr

from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import PASSWORD_CHARS_MAX
from skyshelf.wire.models import AnswerModel, Label, RequestModel
from skyshelf.wire.resources.second_factor import LoginCode


class AppPassword(AnswerModel, frozen=True, kw_only=True):
    """What lets one app in, and how far. Without `folderKey` it opens the whole drive.

    `folderName` is absent if the folder is in the trash or deleted; then the app sees nothing.
    """

    device_key: str
    name: str | None = None
    can_write: bool | None = None
    folder_key: str | None = None
    folder_name: str | None = None
    webdav_only: bool | None = None
    created_date: int | None = None
    last_used_date: int | None = None
    """Absent before the first use; noted every few minutes."""


class AppPasswords(AnswerModel, frozen=True, kw_only=True):
    """The account's app passwords, the newest first."""

    app_passwords: list[AppPassword] | None = None


class NewAppPassword(RequestModel, frozen=True, kw_only=True):
    """A name to recognise the app by, what it may do, and both factors of a login.

    The account's password, and a code where logins need one: an open session alone cannot make a lasting way in.
    """

    name: Label
    password: Annotated[str, Meta(min_length=1, max_length=PASSWORD_CHARS_MAX)]
    code: LoginCode | None = None
    can_write: bool = True
    folder_key: Key | None = None
    webdav_only: bool = False

    def __post_init__(self) -> None:
        if self.folder_key is not None:
            force_setattr(self, "folder_key", clean_key(self.folder_key))

    def __repr__(self) -> str:
        return "NewAppPassword(<hidden>)"


class MadeAppPassword(AnswerModel, frozen=True, kw_only=True):
    """The new app password, which is never shown again, with the name to log in with and the address for WebDAV."""

    device_key: str
    password: str | None = None
    user_name: str | None = None
    webdav_url: str | None = None

    def __repr__(self) -> str:
        return "MadeAppPassword(<hidden>)"
