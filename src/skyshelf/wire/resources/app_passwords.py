"""App passwords: for programs that know an address and a password alone, such as WebDAV clients."""

from msgspec.structs import force_setattr

from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.models import AnswerModel, Label
from skyshelf.wire.resources.passkeys import ConfirmationRequest


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


class NewAppPassword(ConfirmationRequest, frozen=True, kw_only=True):
    """A name to recognise the app by, what it may do, and what a login needs.

    The account's password, and a code or a passkey where logins need one: an open session alone cannot make a lasting
    way in. A passkey that verifies who uses it is enough alone.
    """

    name: Label
    can_write: bool = True
    folder_key: Key | None = None
    webdav_only: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.folder_key is not None:
            force_setattr(self, "folder_key", clean_key(self.folder_key))


class MadeAppPassword(AnswerModel, frozen=True, kw_only=True):
    """The new app password, which is never shown again, with the name to log in with and the address for WebDAV."""

    device_key: str
    password: str | None = None
    user_name: str | None = None
    webdav_url: str | None = None

    def __repr__(self) -> str:
        return "MadeAppPassword(<hidden>)"
