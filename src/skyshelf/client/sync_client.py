"""The client for code that is not asynchronous.

Built by `./dev setup`; edit async_client.py and api/ instead.
"""
# Sources: e9e3f6abef78342400e3ee01f84541086255781794348ead30aa1936aa0beb09

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from skyshelf.client.api.account import AsyncAccount
from skyshelf.client.api.account import StorageReport
from skyshelf.client.api.alarms import AsyncAlarms
from skyshelf.client.api.boards import AsyncBoards
from skyshelf.client.api.changes import AsyncChanges
from skyshelf.client.api.contacts import AsyncContacts
from skyshelf.client.api.contacts import CHUNK
from skyshelf.client.api.feeds import AsyncTimeline
from skyshelf.client.api.history import AsyncHistory
from skyshelf.client.api.history import AsyncHistoryProofs
from skyshelf.client.api.history import AsyncVersions
from skyshelf.client.api.past import AsyncPast
from skyshelf.client.api.rewinds import AsyncRewinds
from skyshelf.client.api.session import AsyncPasskeys
from skyshelf.client.api.session import AsyncSecondFactor
from skyshelf.client.api.session import AsyncServerInfo
from skyshelf.client.api.shares import AsyncShares
from skyshelf.client.api.shares import LinkTarget
from skyshelf.client.api.shares import PublicLink
from skyshelf.client.api.tags import AsyncTags
from skyshelf.client.api.transfers import AsyncUploads
from skyshelf.client.api.transfers import ThumbnailSize
from skyshelf.client.api.trash import AsyncTrash
from skyshelf.client.credentials import Credentials
from skyshelf.client.download.file import Downloaded
from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.client.http.transport import Transport
from skyshelf.client.objects.changes import ChangeSet
from skyshelf.client.objects.listing import Kind
from skyshelf.client.objects.listing import ObjectPage
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.outcomes import BatchResult
from skyshelf.client.objects.outcomes import OnError
from skyshelf.client.objects.past import Moment
from skyshelf.client.objects.remote_object import FoundObject
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.objects.remote_object import Target
from skyshelf.client.objects.walk import WINDOW
from skyshelf.client.proofs.verification import HistoryCheck
from skyshelf.client.transfers import DOWNLOAD_WORKERS
from skyshelf.client.transfers import TransferEvent
from skyshelf.client.transfers import TransferSummary
from skyshelf.client.transfers import UPLOAD_WORKERS
from skyshelf.client.upload.file import Progress
from skyshelf.client.upload.file import UploadOptions
from skyshelf.wire.limits import ALARM_ALLOWED_HOURS
from skyshelf.wire.limits import CHANGES_LIMIT_DEFAULT
from skyshelf.wire.limits import OPERATOR_CONSENT_HOURS
from skyshelf.wire.limits import SHARE_LIST_LIMIT_DEFAULT
from skyshelf.wire.resources.account import AccountEvent
from skyshelf.wire.resources.account import AppSettings
from skyshelf.wire.resources.account import BannerCard
from skyshelf.wire.resources.account import CookieNonce
from skyshelf.wire.resources.account import Device
from skyshelf.wire.resources.account import OwnDevice
from skyshelf.wire.resources.account import Promotions
from skyshelf.wire.resources.account import Quota
from skyshelf.wire.resources.account import UserProfile
from skyshelf.wire.resources.boards import Board
from skyshelf.wire.resources.boards import BoardComment
from skyshelf.wire.resources.boards import BoardContributor
from skyshelf.wire.resources.boards import BoardDetails
from skyshelf.wire.resources.boards import BoardEvent
from skyshelf.wire.resources.boards import BoardInvitation
from skyshelf.wire.resources.boards import BoardInvitations
from skyshelf.wire.resources.boards import BoardLink
from skyshelf.wire.resources.boards import BoardMember
from skyshelf.wire.resources.boards import GivenMemberType
from skyshelf.wire.resources.boards import ReceivedInvitation
from skyshelf.wire.resources.changes import ServerEpoch
from skyshelf.wire.resources.contacts import Contact
from skyshelf.wire.resources.contacts import ContactEmail
from skyshelf.wire.resources.contacts import ImportedContacts
from skyshelf.wire.resources.credentials import AppPassword
from skyshelf.wire.resources.credentials import LoginAnswer
from skyshelf.wire.resources.credentials import LoginProvider
from skyshelf.wire.resources.credentials import MadeAppPassword
from skyshelf.wire.resources.credentials import OwnIdentities
from skyshelf.wire.resources.credentials import SecondFactorSetup
from skyshelf.wire.resources.credentials import SecondFactorStatus
from skyshelf.wire.resources.feeds import LINKED_APP_DEFAULT
from skyshelf.wire.resources.feeds import ManualTag
from skyshelf.wire.resources.feeds import RecentObjects
from skyshelf.wire.resources.feeds import Spotlight
from skyshelf.wire.resources.feeds import SupportedExtensions
from skyshelf.wire.resources.feeds import TimelineMonth
from skyshelf.wire.resources.history import Alarm
from skyshelf.wire.resources.history import AlarmSettings
from skyshelf.wire.resources.history import HistoryDifference
from skyshelf.wire.resources.history import HistoryEntry
from skyshelf.wire.resources.history import HistoryHead
from skyshelf.wire.resources.history import HistorySettings
from skyshelf.wire.resources.history import KeysOfHistory
from skyshelf.wire.resources.objects import FileVersions
from skyshelf.wire.resources.objects import ObjectSort
from skyshelf.wire.resources.passkeys import Passkey
from skyshelf.wire.resources.rewind import OperatorConsent
from skyshelf.wire.resources.rewind import Rewind
from skyshelf.wire.resources.rewind import RewindItem
from skyshelf.wire.resources.rewind import RewindPlan
from skyshelf.wire.resources.shares import OwnShare
from skyshelf.wire.resources.uploads import UnfinishedUpload
from skyshelf.wire.times import PAGE_DATE_DEFAULT
from types import TracebackType
from typing import Literal
from typing import Self
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.engine.loop_thread import LoopThread



class Account:
    """Your account: profile, password, sessions and devices.

    Changes are an extension: on a server without it they raise `NotOfferedError`.
    """

    def __init__(self, group: AsyncAccount, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def profile(self) -> UserProfile:
        """Get the profile of the logged-in user, with quota and devices.

        Raises:
            AuthenticationError: The session is no longer valid.
        """
        return self._loop.run(self._group.profile())

    def quota(self) -> Quota:
        """Get the storage quota and how much of it is used; empty where the server does not report it."""
        return self._loop.run(self._group.quota())

    def storage(self, *, limit: int=10) -> StorageReport:
        """Report what takes up space: sums by kind, the largest files, duplicates, earlier versions and the trash.

        Args:
            limit: How many entries of each list; 1 to 100.
        """
        return self._loop.run(self._group.storage(limit=limit))

    def devices(self) -> list[Device]:
        """List the registered devices from the profile. `sessions` has more details, on servers that support it."""
        return self._loop.run(self._group.devices())

    def promotions(self) -> Promotions:
        """Get the storage promotions of the account, active and expired."""
        return self._loop.run(self._group.promotions())

    def cookie_nonce(self, jwt: str) -> CookieNonce:
        """Get a nonce that allows downloads without headers for a short time.

        Args:
            jwt: The token that `login` returned for this purpose.
        """
        return self._loop.run(self._group.cookie_nonce(jwt))

    def edit_profile(self, *, first_name: str | None=None, last_name: str | None=None) -> UserProfile:
        """Change the name that others see.

        Args:
            first_name: The new first name; None keeps the current one.
            last_name: The new last name; None keeps the current one.
        """
        return self._loop.run(self._group.edit_profile(first_name=first_name, last_name=last_name))

    def change_password(self, old: str, new: str) -> int:
        """Change the password. This session stays, all others end.

        Args:
            old: The current password.
            new: The new password.

        Returns:
            How many other sessions ended.

        Raises:
            ForbiddenError: The current password is wrong.
            InvalidRequestError: The new password is too short or too long.
        """
        return self._loop.run(self._group.change_password(old, new))

    def sessions(self) -> list[OwnDevice]:
        """List the account's devices with their sessions, the most recently used first."""
        return self._loop.run(self._group.sessions())

    def events(self, kind: str | None=None, *, page_size: int=PAGE_SIZE) -> Iterator[AccountEvent]:
        """List what happened in the account, newest first: logins, failures, shares, downloads by link, deletions.

        Args:
            kind: A kind such as `login.failed`, or a group such as `login`; None for all.
            page_size: How many events one request asks for.
        """
        return self._loop.iterate(self._group.events(kind, page_size=page_size))

    def end_session(self, device_key: str) -> None:
        """Log a device out.

        Args:
            device_key: The device, as `sessions` lists it.
        """
        self._loop.run(self._group.end_session(device_key))

    def end_other_sessions(self) -> int:
        """Log out every other device.

        Returns:
            How many sessions ended.
        """
        return self._loop.run(self._group.end_other_sessions())

    def remove_device(self, device_key: str) -> None:
        """Log a device out and remove it from the list.

        Args:
            device_key: The device, as `sessions` lists it.
        """
        self._loop.run(self._group.remove_device(device_key))

    def identities(self) -> OwnIdentities:
        """List the account's identities at login providers, and the providers that could be linked in a browser."""
        return self._loop.run(self._group.identities())

    def unlink_identity(self, issuer: str) -> OwnIdentities:
        """Unlink an identity, so that it no longer logs in to the account; the last way to log in is kept.

        Args:
            issuer: The identity's issuer, as `identities` lists it.
        """
        return self._loop.run(self._group.unlink_identity(issuer))

    def login_providers(self) -> list[LoginProvider]:
        """List the providers through which people can log in to this server, in a browser. No session is needed."""
        return self._loop.run(self._group.login_providers())

    def app_passwords(self) -> list[AppPassword]:
        """List the app passwords, the newest first."""
        return self._loop.run(self._group.app_passwords())

    def add_app_password(
        self,
        name: str,
        password: str,
        *,
        code: str | None = None,
        can_write: bool = True,
        folder_key: str | None = None,
        webdav_only: bool = False,
    ) -> MadeAppPassword:
        """Create a password for an app that has no other way to log in, such as a WebDAV client.

        Args:
            name: A name to recognise it by, such as the device and the app.
            password: The account's password.
            code: A code of the second factor, where logins need one.
            can_write: Whether the app may change anything.
            folder_key: The only folder that the app sees; None for the whole drive.
            webdav_only: Whether it is valid for WebDAV only, and for no other protocol of apps.

        Returns:
            The app password, which is shown only once, and the address to use it with.

        Raises:
            ForbiddenError: Wrong password or code.
        """
        return self._loop.run(self._group.add_app_password(name, password, code=code, can_write=can_write, folder_key=folder_key, webdav_only=webdav_only))

    def revoke_app_password(self, device_key: str) -> None:
        """Revoke an app password; the app is refused from its next request on.

        Args:
            device_key: The app password, as `app_passwords` lists it.
        """
        self._loop.run(self._group.revoke_app_password(device_key))

    def delete(self, password: str) -> int:
        """Schedule the deletion of the account; until then `cancel_deletion` cancels it.

        Args:
            password: The account's password.

        Returns:
            When the account will be deleted, in epoch milliseconds.

        Raises:
            ForbiddenError: Wrong password.
        """
        return self._loop.run(self._group.delete(password))

    def cancel_deletion(self) -> None:
        """Cancel the pending deletion of the account."""
        self._loop.run(self._group.cancel_deletion())


class SecondFactor:
    """Require a code from an authenticator app as well as the password. An extension: see `NotOfferedError`.

    Example:
        ```python
        setup = client.second_factor.begin(password)
        print(setup.secret)  # add it to the authenticator app
        recovery_codes = client.second_factor.confirm(input("Code: "))
        ```
    """

    def __init__(self, group: AsyncSecondFactor, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def status(self) -> SecondFactorStatus:
        """Get whether a login asks for a code, since when, and how many recovery codes are left."""
        return self._loop.run(self._group.status())

    def begin(self, password: str) -> SecondFactorSetup:
        """Get a secret for an authenticator app. Logins do not change until `confirm`.

        Args:
            password: The account's password.

        Raises:
            ForbiddenError: Wrong password.
        """
        return self._loop.run(self._group.begin(password))

    def confirm(self, code: str) -> list[str]:
        """Turn the second factor on.

        Args:
            code: The first code that the authenticator app shows.

        Returns:
            The recovery codes. They are shown only once.
        """
        return self._loop.run(self._group.confirm(code))

    def turn_off(self, password: str, code: str) -> None:
        """Turn the second factor off.

        Args:
            password: The account's password.
            code: A code from the authenticator app, or a recovery code.
        """
        self._loop.run(self._group.turn_off(password, code))

    def renew_recovery_codes(self, password: str, code: str) -> list[str]:
        """Replace the recovery codes; the old ones stop working.

        Args:
            password: The account's password.
            code: A code from the authenticator app, or a recovery code.

        Returns:
            The new recovery codes. They are shown only once.
        """
        return self._loop.run(self._group.renew_recovery_codes(password, code))


class Passkeys:
    """The passkeys of your account. A browser adds them, in the settings. An extension: see `NotOfferedError`.

    Example:
        ```python
        for passkey in client.passkeys.list():
            print(passkey.name, passkey.last_used_date)
        ```
    """

    def __init__(self, group: AsyncPasskeys, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def list(self) -> list[Passkey]:
        """List the passkeys, the newest first."""
        return self._loop.run(self._group.list())

    def rename(self, passkey_key: str, name: str) -> None:
        """Rename a passkey.

        Args:
            passkey_key: The passkey, as `list` returns it.
            name: A name to recognise it by.

        Raises:
            ObjectNotFoundError: There is no such passkey.
        """
        self._loop.run(self._group.rename(passkey_key, name))

    def remove(self, passkey_key: str, password: str, *, code: str | None=None) -> None:
        """Remove a passkey. No session ends.

        Args:
            passkey_key: The passkey, as `list` returns it.
            password: The account's password.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ConflictError: It is the only second factor, and logins require one.
            ForbiddenError: Wrong password or code.
            ObjectNotFoundError: There is no such passkey.
        """
        self._loop.run(self._group.remove(passkey_key, password, code=code))


class Boards:
    """Boards: files that several people see.

    All but `list`, `get`, `create`, `members` and `leave` is an extension: see `NotOfferedError`. Roles are `O` for
    the owner, `M` for editors and `V` for viewers.

    Example:
        ```python
        board = client.boards.create("Summer")
        client.boards.add_files(board.board_key, ["/Photos/beach.jpg"])
        client.boards.invite(board.board_key, "grace@example.org", role="V")
        ```
    """

    def __init__(self, group: AsyncBoards, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def members(self, board_key: str) -> list[BoardMember]:
        """List a board's members.

        Args:
            board_key: The board.
        """
        return self._loop.run(self._group.members(board_key))

    def set_role(self, board_key: str, user_id: str, role: Literal['O', 'M', 'V']) -> list[BoardMember]:
        """Change a member's role.

        Args:
            board_key: A board that you own.
            user_id: The member.
            role: `M` for an editor, `V` for a viewer, `O` to hand the board over.

        Returns:
            The members with their roles.
        """
        return self._loop.run(self._group.set_role(board_key, user_id, role))

    def remove_member(self, board_key: str, user_id: str) -> None:
        """Remove somebody from a board, with their files.

        Args:
            board_key: A board that you own.
            user_id: The member.
        """
        self._loop.run(self._group.remove_member(board_key, user_id))

    def invite(
        self,
        board_key: str,
        email: str,
        *,
        role: GivenMemberType = 'M',
        expires: int | None = None,
    ) -> BoardInvitation:
        """Invite somebody to a board.

        No email is sent, and the response is the same whether or not an account has the address.

        Args:
            board_key: A board that you own.
            email: Whom to invite.
            role: `M` for an editor, `V` for a viewer.
            expires: When the invitation expires, in epoch milliseconds; None for 30 days.

        Returns:
            The invitation with its key.
        """
        return self._loop.run(self._group.invite(board_key, email, role=role, expires=expires))

    def invitations(self, board_key: str) -> BoardInvitations:
        """Get a board's open invitations and its links.

        Args:
            board_key: A board that you own.
        """
        return self._loop.run(self._group.invitations(board_key))

    def revoke_invitation(self, board_key: str, invitation: str) -> None:
        """Revoke an invitation.

        Args:
            board_key: A board that you own.
            invitation: The invitation's key, or the email address that is invited.

        Raises:
            ObjectNotFoundError: There is no such invitation.
        """
        self._loop.run(self._group.revoke_invitation(board_key, invitation))

    def create_link(self, board_key: str, *, role: GivenMemberType='M', expires: int | None=None) -> BoardLink:
        """Create a link with which anybody who has an account can join a board.

        Args:
            board_key: A board that you own.
            role: `M` for editors, `V` for viewers.
            expires: When the link expires, in epoch milliseconds; None for 30 days.
        """
        return self._loop.run(self._group.create_link(board_key, role=role, expires=expires))

    def revoke_link(self, board_key: str, link_key: str) -> None:
        """Revoke a link; those who joined with it stay.

        Args:
            board_key: A board that you own.
            link_key: The link, as `invitations` lists it.
        """
        self._loop.run(self._group.revoke_link(board_key, link_key))

    def received_invitations(self, *, page_size: int=PAGE_SIZE) -> Iterator[ReceivedInvitation]:
        """List the boards that you are invited to, newest first.

        Args:
            page_size: How many invitations one request asks for.
        """
        return self._loop.iterate(self._group.received_invitations(page_size=page_size))

    def accept(self, invitation: str) -> Board:
        """Join a board.

        Args:
            invitation: The key of a board that you are invited to, or a link to a board.
        """
        return self._loop.run(self._group.accept(invitation))

    def decline(self, board_key: str) -> None:
        """Decline an invitation.

        Args:
            board_key: A board that you are invited to.
        """
        self._loop.run(self._group.decline(board_key))

    def comments(self, board_key: str, *, page_size: int=PAGE_SIZE) -> Iterator[BoardComment]:
        """List a board's comments, newest first.

        Args:
            board_key: The board.
            page_size: How many comments one request asks for.
        """
        return self._loop.iterate(self._group.comments(board_key, page_size=page_size))

    def add_comment(self, board_key: str, text: str, *, about: Target | None=None) -> BoardComment:
        """Comment on a board, or on a file on it.

        Args:
            board_key: The board.
            text: The comment.
            about: The file: an object, a key or a path; None for the board as a whole.
        """
        return self._loop.run(self._group.add_comment(board_key, text, about=about))

    def edit_comment(self, board_key: str, comment_key: str, text: str) -> BoardComment:
        """Edit one of your comments.

        Args:
            board_key: The board.
            comment_key: The comment.
            text: The new text.
        """
        return self._loop.run(self._group.edit_comment(board_key, comment_key, text))

    def remove_comment(self, board_key: str, comment_key: str) -> None:
        """Remove a comment: your own, or, as the board's owner, anybody's.

        Args:
            board_key: The board.
            comment_key: The comment.
        """
        self._loop.run(self._group.remove_comment(board_key, comment_key))

    def get(self, board_key: str, *, sort: ObjectSort='-lastModifiedDate') -> BoardDetails:
        """Get a board with everything on it.

        Args:
            board_key: The board.
            sort: The order of its files.
        """
        return self._loop.run(self._group.get(board_key, sort=sort))

    def create(self, name: str, description: str | None=None) -> Board:
        """Create a board.

        Args:
            name: Its name.
            description: What the board is about.
        """
        return self._loop.run(self._group.create(name, description))

    def edit(self, board_key: str, *, name: str | None=None, description: str | None=None) -> Board:
        """Change a board's name or description.

        Args:
            board_key: The board.
            name: The new name; None keeps the current one.
            description: The new description; None keeps the current one.
        """
        return self._loop.run(self._group.edit(board_key, name=name, description=description))

    def set_cover(self, board_key: str, target: Target | None) -> Board:
        """Choose the picture that stands for a board.

        Args:
            board_key: The board.
            target: A file on the board; None for no cover.
        """
        return self._loop.run(self._group.set_cover(board_key, target))

    def delete(self, board_key: str) -> None:
        """Delete a board for all its members; the files stay with their owners.

        Args:
            board_key: A board that you own.
        """
        self._loop.run(self._group.delete(board_key))

    def leave(self, board_key: str) -> None:
        """Leave a board.

        Args:
            board_key: A board that you are a member of.
        """
        self._loop.run(self._group.leave(board_key))

    def add_files(self, board_key: str, targets: Iterable[Target], *, on_error: OnError='raise') -> BatchResult:
        """Show your own files on a board; they remain yours, and stay in their folders.

        Args:
            board_key: The board.
            targets: Files: objects, keys or paths.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per file.

        Raises:
            UnprocessedError: The server rejected a file; the error has all outcomes.
        """
        return self._loop.run(self._group.add_files(board_key, list(targets), on_error=on_error))

    def remove_files(self, board_key: str, targets: Iterable[Target], *, on_error: OnError='raise') -> BatchResult:
        """Take files off a board: your own, or, as its owner, anybody's.

        Args:
            board_key: The board.
            targets: Files: objects, keys or paths.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per file.

        Raises:
            UnprocessedError: The server rejected a file; the error has all outcomes.
        """
        return self._loop.run(self._group.remove_files(board_key, list(targets), on_error=on_error))

    def upload(
        self,
        board_key: str,
        path: Path | str,
        folder: Target | None = None,
        *,
        name: str | None = None,
        options: UploadOptions | None = None,
        progress: Progress | None = None,
    ) -> RemoteObject:
        """Upload a file and show it on a board, in one step.

        Args:
            board_key: The board.
            path: The local file.
            folder: Where the file is stored; by default in `/Boards`, in a folder with the board's name.
            name: The file's name on the server; by default its local name.
            options: Chunk size and other settings.
            progress: Called with the bytes sent so far, and the total.

        Returns:
            The uploaded file.
        """
        return self._loop.run(self._group.upload(board_key, path, folder, name=name, options=options, progress=progress))

    def activity(self, board_key: str) -> list[BoardEvent]:
        """List who joined and left a board, and who added and removed files, newest first; the last 200 events.

        Args:
            board_key: The board.
        """
        return self._loop.run(self._group.activity(board_key))

    def contributors(self, board_key: str, targets: Iterable[Target]) -> list[BoardContributor]:
        """List who added files to a board, and when; files that are not on the board are left out.

        Args:
            board_key: The board.
            targets: Objects, keys or paths, at most 200.
        """
        return self._loop.run(self._group.contributors(board_key, list(targets)))

    def list(self, *, page_size: int=PAGE_SIZE) -> Iterator[Board]:
        """List the boards that you are a member of.

        Args:
            page_size: How many boards one request asks for.
        """
        return self._loop.iterate(self._group.list(page_size=page_size))


class Shares:
    """Public links. Limits, `list`, `edit` and `revoke` are an extension: see `NotOfferedError`.

    Example:
        ```python
        link = client.shares.create(["/Photos"], password="open sesame")
        print(link.url)
        client.shares.revoke(link)
        ```
    """

    def __init__(self, group: AsyncShares, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def create(
        self,
        targets: Iterable[Target],
        *,
        name: str | None = None,
        expires: int | None = None,
        password: str | None = None,
        max_downloads: int | None = None,
    ) -> PublicLink:
        """Create one public link to files and folders.

        After a lost response, your links show whether it was created. Where the server cannot list them, the list of
        shared objects shows that it was not, and it is created again; otherwise the error says that this is unknown.

        Args:
            targets: Objects, keys or paths.
            name: What the link's page is called; by default a name from the current time.
            expires: When the link stops working, in epoch milliseconds; None for no expiry.
            password: What visitors have to enter; None for no password.
            max_downloads: How many downloads the link allows; None for no limit.

        Returns:
            The link with its URL.
        """
        return self._loop.run(self._group.create(list(targets), name=name, expires=expires, password=password, max_downloads=max_downloads))

    def publish_board(
        self,
        board_key: str,
        *,
        name: str,
        rights: Literal['view', 'add'] = 'view',
        expires: int | None = None,
        password: str | None = None,
        max_downloads: int | None = None,
        max_uploads: int | None = None,
    ) -> OwnShare:
        """Create a public link to one of your boards, for people without an account.

        Args:
            board_key: The key of a board that you own.
            name: What the link is called in your list; visitors see the board's name.
            rights: Whether visitors can only look and download, or also add files, which count against your quota.
            expires: When the link stops working, in epoch milliseconds; None for no expiry.
            password: What visitors have to enter; None for no password.
            max_downloads: How many downloads the link allows; None for no limit.
            max_uploads: How many files visitors can add; None for the server's limit.

        Returns:
            The link with its URL.

        Raises:
            ObjectNotFoundError: You are not a member of such a board.
            ForbiddenError: The board is somebody else's.
        """
        return self._loop.run(self._group.publish_board(board_key, name=name, rights=rights, expires=expires, password=password, max_downloads=max_downloads, max_uploads=max_uploads))

    def request_files(
        self,
        folder: Target,
        *,
        name: str,
        expires: int | None = None,
        password: str | None = None,
        max_uploads: int | None = None,
        max_upload_bytes: int | None = None,
    ) -> OwnShare:
        """Create a public link with which anybody can send files into a folder, without seeing what is in it.

        The files count against your quota. A name that is taken gets a number, so nothing is overwritten.

        Args:
            folder: The folder, its key or its path.
            name: What the link's page is called.
            expires: When the link stops working, in epoch milliseconds; None for no expiry.
            password: What visitors have to enter; None for no password.
            max_uploads: How many files can be sent; None for the server's limit.
            max_upload_bytes: The largest file that can be sent; None for the server's limit.

        Returns:
            The link with its URL.
        """
        return self._loop.run(self._group.request_files(folder, name=name, expires=expires, password=password, max_uploads=max_uploads, max_upload_bytes=max_upload_bytes))

    def edit(
        self,
        link: LinkTarget,
        *,
        name: str | None = None,
        rights: Literal['view', 'add'] | None = None,
        expires: int | None = None,
        password: str | None = None,
        max_downloads: int | None = None,
    ) -> OwnShare:
        """Change a link; None keeps the current value.

        Args:
            link: The link as `create` or `list` returned it, its key, or its URL.
            name: The new name.
            rights: Whether visitors of a board can only look, or also add files.
            expires: When it stops working, in epoch milliseconds; 0 for no expiry.
            password: The new password; an empty one removes it.
            max_downloads: The new limit; 0 for no limit.

        Returns:
            The link as it is now.

        Raises:
            ObjectNotFoundError: You have no such link.
        """
        return self._loop.run(self._group.edit(link, name=name, rights=rights, expires=expires, password=password, max_downloads=max_downloads))

    def revoke(self, link: LinkTarget) -> None:
        """Delete a link; its URL stops working.

        Args:
            link: The link as `create` or `list` returned it, its key, or its URL.

        Raises:
            ObjectNotFoundError: You have no such link.
        """
        self._loop.run(self._group.revoke(link))

    def objects(self, *, page_size: int=PAGE_SIZE) -> Iterator[RemoteObject]:
        """List the files and folders that have a working link, most recently shared first.

        Args:
            page_size: How many objects one request asks for.
        """
        return self._loop.iterate(self._group.objects(page_size=page_size))

    def list(self, *, page_size: int=SHARE_LIST_LIMIT_DEFAULT) -> Iterator[OwnShare]:
        """List your links, newest first, including expired and used-up ones.

        Args:
            page_size: How many links one request asks for.
        """
        return self._loop.iterate(self._group.list(page_size=page_size))


class Tags:
    """Tags on files and folders. All but `recent` and `of` is an extension: see `NotOfferedError`.

    Example:
        ```python
        client.tags.add("sea", ["/Photos/beach.jpg"])
        (tag,) = client.tags.of("/Photos/beach.jpg")
        print([found.name for found in client.tags.objects(tag.tag_id)])
        ```
    """

    def __init__(self, group: AsyncTags, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def recent(self) -> list[ManualTag]:
        """List recently used tags."""
        return self._loop.run(self._group.recent())

    def of(self, target: Target) -> list[ManualTag]:
        """List an object's tags.

        Args:
            target: The object, its key or its path.
        """
        return self._loop.run(self._group.of(target))

    def add(self, name: str, targets: Iterable[Target], *, on_error: OnError='raise') -> BatchResult:
        """Tag files and folders; a new tag is created as needed.

        Args:
            name: The tag.
            targets: Objects, keys or paths.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        return self._loop.run(self._group.add(name, list(targets), on_error=on_error))

    def remove(self, tag_id: str, targets: Iterable[Target], *, on_error: OnError='raise') -> BatchResult:
        """Remove a tag from files and folders. A tag that is on nothing disappears.

        Args:
            tag_id: The tag's id.
            targets: Objects, keys or paths.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        return self._loop.run(self._group.remove(tag_id, list(targets), on_error=on_error))

    def rename(self, tag_id: str, name: str) -> ManualTag:
        """Rename a tag on everything that has it.

        Args:
            tag_id: The tag's id.
            name: The new name.

        Raises:
            ConflictError: Another tag has the new name; tags are never merged.
        """
        return self._loop.run(self._group.rename(tag_id, name))

    def delete(self, tag_id: str) -> None:
        """Delete a tag; the objects stay.

        Args:
            tag_id: The tag's id.
        """
        self._loop.run(self._group.delete(tag_id))

    def objects(self, tag_id: str, *, page_size: int=PAGE_SIZE) -> Iterator[RemoteObject]:
        """List everything with a tag, most recently tagged first.

        Args:
            tag_id: The tag's id.
            page_size: How many objects one request asks for.
        """
        return self._loop.iterate(self._group.objects(tag_id, page_size=page_size))

    def list(self, *, page_size: int=PAGE_SIZE) -> Iterator[ManualTag]:
        """List all tags by name.

        Args:
            page_size: How many tags one request asks for.
        """
        return self._loop.iterate(self._group.list(page_size=page_size))


class Contacts:
    """Your contacts. Changes, import and export are an extension: see `NotOfferedError`.

    Example:
        ```python
        client.contacts.add(Contact(display_name="Grace", emails=[MailboxEntry(email_id="grace@example.org")]))
        print([contact.display_name for contact in client.contacts.list()])
        ```
    """

    def __init__(self, group: AsyncContacts, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def add(self, contact: Contact) -> Contact:
        """Add a contact.

        Args:
            contact: Names, email addresses and phone numbers; the server sets the other fields.

        Returns:
            The contact with its id.
        """
        return self._loop.run(self._group.add(contact))

    def edit(self, contact_id: str, contact: Contact) -> Contact:
        """Replace a contact.

        Args:
            contact_id: The contact to replace.
            contact: All its names, email addresses and phone numbers.
        """
        return self._loop.run(self._group.edit(contact_id, contact))

    def remove(self, contact_ids: Iterable[str]) -> list[str]:
        """Remove contacts.

        Args:
            contact_ids: The contacts to remove.

        Returns:
            The ids of those that existed; after a lost response all of them.
        """
        return self._loop.run(self._group.remove(list(contact_ids)))

    def import_vcards(self, vcards: str) -> ImportedContacts:
        """Add a contact for every card of a vCard file.

        Args:
            vcards: The text of the file.

        Returns:
            What happened to each card.
        """
        return self._loop.run(self._group.import_vcards(vcards))

    def export_vcards(self) -> Iterator[str]:
        """Export all contacts as vCards, in parts that form one file when joined."""
        return self._loop.iterate(self._group.export_vcards())

    def emails(self, *, chunk_size: int=CHUNK) -> Iterator[ContactEmail]:
        """List the email addresses of all contacts.

        Args:
            chunk_size: How many addresses one request asks for.
        """
        return self._loop.iterate(self._group.emails(chunk_size=chunk_size))

    def list(
        self,
        *,
        only_active: bool = True,
        changed_after: str = PAGE_DATE_DEFAULT,
        chunk_size: int = CHUNK,
    ) -> Iterator[Contact]:
        """List the contacts.

        Args:
            only_active: Leave deleted contacts out.
            changed_after: Only contacts that changed later, as `yyyy-MM-dd HH:mm:ss.SSSSSS`.
            chunk_size: How many contacts one request asks for.
        """
        return self._loop.iterate(self._group.list(only_active=only_active, changed_after=changed_after, chunk_size=chunk_size))


class Trash:
    """The trash. `move_to_trash` and `restore` of the client put objects in and take them out.

    Example:
        ```python
        old = [found for found in client.trash.list() if found.name.endswith(".tmp")]
        client.trash.purge(old)
        ```
    """

    def __init__(self, group: AsyncTrash, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def purge(self, targets: Iterable[Target], *, on_error: OnError='raise') -> BatchResult:
        """Delete trashed objects for good. This cannot be undone.

        Args:
            targets: Objects in the trash, or their keys; not paths.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
            NotOfferedError: The server cannot delete for good over the API.
        """
        return self._loop.run(self._group.purge(list(targets), on_error=on_error))

    def empty(self) -> None:
        """Delete everything in the trash for good. This cannot be undone.

        Raises:
            NotOfferedError: The server cannot delete for good over the API.
        """
        self._loop.run(self._group.empty())

    def list(
        self,
        *,
        sort: ObjectSort | None = None,
        page_size: int = PAGE_SIZE,
        on_incomplete: Callable[[str], None] | None = None,
    ) -> Iterator[RemoteObject]:
        """List everything in the trash, most recently trashed first.

        A server without pages of the trash lists it as far as it can; where that is not all, an
        `IncompleteListingWarning` says so.

        Args:
            sort: Another order, such as `+objectName`.
            page_size: How many objects one request asks for.
            on_incomplete: Called with the sentence of the warning, instead of the warning.
        """
        return self._loop.iterate(self._group.list(sort=sort, page_size=page_size, on_incomplete=on_incomplete))


class Versions:
    """Earlier contents of files. `download(target, destination, version=...)` downloads one.

    Example:
        ```python
        for version in client.versions.list("/notes.txt").obj_versions:
            print(version.version, version.size_in_bytes)
        ```
    """

    def __init__(self, group: AsyncVersions, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def restore(self, target: Target, version: int) -> RemoteObject:
        """Make an earlier version the current one; the current content stays as a version.

        Args:
            target: The file: an object, a key or a path.
            version: The number of the version, as `list` gives it.

        Returns:
            The file as it is now.

        Raises:
            NotOfferedError: The server cannot restore versions; download the version and upload it again.
        """
        return self._loop.run(self._group.restore(target, version))

    def list(self, target: Target) -> FileVersions:
        """List a file's versions, newest first.

        Args:
            target: The file: an object, a key or a path.
        """
        return self._loop.run(self._group.list(target))


class Changes:
    """What changed in the account. An extension: see `NotOfferedError`.

    Example:
        ```python
        cursor = client.changes.current_cursor()
        ...
        for change in client.changes.since(cursor).changes:
            print(change.kind, change.object_key)
        ```
    """

    def __init__(self, group: AsyncChanges, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def current_cursor(self) -> str:
        """Get the cursor from which `since` and `watch` report everything that happens from now on."""
        return self._loop.run(self._group.current_cursor())

    def epoch(self, cursor: str | None=None) -> ServerEpoch:
        """Get the epoch of the server's data, which changes when they are restored from a backup, moved, or go back.

        Args:
            cursor: A cursor of an earlier call; `is_cursor_known` of the result says whether its change still exists.
        """
        return self._loop.run(self._group.epoch(cursor))

    def since(self, cursor: str, *, limit: int=CHANGES_LIMIT_DEFAULT) -> ChangeSet:
        """Get the changes since a cursor, oldest first.

        Args:
            cursor: Where to start, from `current_cursor` or an earlier result.
            limit: How many changes to get at most; `has_more` of the result says whether there are more.

        Raises:
            InvalidRequestError: The cursor is too old (code `SKY1011`): list everything again, then follow changes.
        """
        return self._loop.run(self._group.since(cursor, limit=limit))

    def watch(self, cursor: str | None=None) -> Iterator[ChangeSet]:
        """Follow changes as they happen, until you stop. A lost connection is resumed without missing any.

        Args:
            cursor: Where to start; None for now.

        Raises:
            InvalidRequestError: The cursor is too old (code `SKY1011`).
        """
        return self._loop.iterate(self._group.watch(cursor))


class History:
    """What changed, and how long that is kept; `client.at(moment)` shows folders and files as they were.

    An extension: see `NotOfferedError`.

    Example:
        ```python
        from datetime import datetime, timedelta

        yesterday = datetime.now().astimezone() - timedelta(days=1)
        for found in client.history.differences(yesterday, below="/Photos"):
            print(found.kinds, found.before_path, found.after_path, found.device_name)
        ```
    """

    def __init__(self, group: AsyncHistory, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def entries(
        self,
        target: Target | None = None,
        *,
        below: Target | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        device_key: str | None = None,
        session_id: str | None = None,
        kind: str | None = None,
    ) -> Iterator[HistoryEntry]:
        """List changes, newest first, with the state before and after each, and who made it.

        Args:
            target: Only changes of this file or folder: an object, a key or a path.
            below: Only changes in this folder, and in all folders below it.
            since: Only changes from then on.
            until: Only changes up to then.
            device_key: Only changes that this device made.
            session_id: Only changes that this session made.
            kind: Only changes of this kind, such as `renamed` or `trashed`.

        Raises:
            ObjectNotFoundError: History does not know the target.
        """
        return self._loop.iterate(self._group.entries(target, below=below, since=since, until=until, device_key=device_key, session_id=session_id, kind=kind))

    def differences(
        self,
        since: Moment,
        until: Moment | None = None,
        *,
        below: Target | None = None,
    ) -> Iterator[HistoryDifference]:
        """List what was added, removed, moved or changed between two moments: one entry per file or folder.

        Items below a folder that was moved or removed are not listed, unless they changed themselves. The result is
        read page by page, however much has changed.

        Args:
            since: The first moment.
            until: The second moment; None for now.
            below: Only what was in this folder at either moment, or below it, and the folder itself. A path is the one
                that it had at the second moment, or else at the first.

        Raises:
            ObjectNotFoundError: There is no such folder at either moment.
            InvalidRequestError: The history of that time is not kept (code `SKY1016`).
        """
        return self._loop.iterate(self._group.differences(since, until, below=below))

    def settings(self) -> HistorySettings:
        """Get how long history is kept, when it begins, and how much space it takes."""
        return self._loop.run(self._group.settings())

    def set_days(self, days: int | None, *, password: str | None=None, code: str | None=None) -> HistorySettings:
        """Choose how long history is kept, up to what the operator allows.

        Args:
            days: The number of days; 0 keeps no history, and None uses the operator's default.
            password: The account's password; needed to shorten the time.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ForbiddenError: The password is missing or wrong.
        """
        return self._loop.run(self._group.set_days(days, password=password, code=code))

    def forget(self, password: str, *, code: str | None=None) -> None:
        """Forget all history up to now: what was deleted before can no longer be restored.

        Args:
            password: The account's password.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ForbiddenError: The password is wrong.
        """
        self._loop.run(self._group.forget(password, code=code))


class Alarms:
    """Devices that are paused because they deleted, replaced or moved an unusual number of files.

    An extension: see `NotOfferedError`.

    Example:
        ```python
        for alarm in client.alarms.list():
            if alarm.state == "open":
                client.alarms.end(alarm.device_key)
        ```
    """

    def __init__(self, group: AsyncAlarms, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def list(self) -> list[Alarm]:
        """List the latest alarms, newest first; those that are `open` pause their device."""
        return self._loop.run(self._group.list())

    def allow(
        self,
        device_key: str,
        *,
        hours: int = ALARM_ALLOWED_HOURS,
        password: str | None = None,
        code: str | None = None,
    ) -> None:
        """Let a paused device continue.

        Args:
            device_key: The device.
            hours: How long its changes do not count towards the limit.
            password: The account's password, if this device itself is paused.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ForbiddenError: This device is paused itself, and the password is missing or wrong.
            ObjectNotFoundError: The device is not paused.
        """
        self._loop.run(self._group.allow(device_key, hours=hours, password=password, code=code))

    def end(self, device_key: str) -> None:
        """Log out a paused device; the password of an app is revoked.

        Args:
            device_key: The device.

        Raises:
            ObjectNotFoundError: The device is not paused.
        """
        self._loop.run(self._group.end(device_key))

    def settings(self) -> AlarmSettings:
        """Get the limit at which a device is paused."""
        return self._loop.run(self._group.settings())

    def set_limit(self, limit: int | None, *, password: str | None=None, code: str | None=None) -> AlarmSettings:
        """Choose the limit at which a device is paused.

        Args:
            limit: Points within ten minutes; 0 turns the alarm off, and None uses the operator's default.
            password: The account's password, unless the limit becomes stricter.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ForbiddenError: The password is missing or wrong.
        """
        return self._loop.run(self._group.set_limit(limit, password=password, code=code))


class Rewinds:
    """Bring the account or a folder back to a moment, or undo what a device did since.

    An extension: see `NotOfferedError`.

    Example:
        ```python
        from datetime import datetime, timedelta

        yesterday = datetime.now().astimezone() - timedelta(days=1)
        started = client.rewinds.start(yesterday, below="/photos")
        ended = client.rewinds.wait(started.rewind_key)
        client.rewinds.undo(ended.rewind_key)
        ```
    """

    def __init__(self, group: AsyncRewinds, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def plan(
        self,
        to: Moment | None = None,
        *,
        to_number: int | None = None,
        below: Target | None = None,
        device_key: str | None = None,
        session_id: str | None = None,
    ) -> Iterator[RewindItem]:
        """List what a rewind would do to each object. Nothing changes.

        Args:
            to: The moment: a date and time, or epoch milliseconds.
            to_number: The number of the last change to keep, instead of a moment.
            below: Only this folder and everything in it: an object, a key, its path or the path that it had then.
            device_key: Only what this device did since; the key of an app password is one.
            session_id: Only what this session did since, as `HistoryEntry` shows it.

        Raises:
            ObjectNotFoundError: There is no such folder, and there was none.
            InvalidRequestError: The history of that time is not kept (code `SKY1016`).
        """
        return self._loop.iterate(self._group.plan(to, to_number=to_number, below=below, device_key=device_key, session_id=session_id))

    def summary(
        self,
        to: Moment | None = None,
        *,
        to_number: int | None = None,
        below: Target | None = None,
        device_key: str | None = None,
        session_id: str | None = None,
    ) -> RewindPlan:
        """Count what a rewind would do, and the space that it needs and the account has. Nothing changes.

        Args:
            to: The moment: a date and time, or epoch milliseconds.
            to_number: The number of the last change to keep, instead of a moment.
            below: Only this folder and everything in it: an object, a key, its path or the path that it had then.
            device_key: Only what this device did since; the key of an app password is one.
            session_id: Only what this session did since, as `HistoryEntry` shows it.

        Returns:
            The whole plan as one page, without its items.

        Raises:
            ObjectNotFoundError: There is no such folder, and there was none.
            InvalidRequestError: The history of that time is not kept (code `SKY1016`).
        """
        return self._loop.run(self._group.summary(to, to_number=to_number, below=below, device_key=device_key, session_id=session_id))

    def start(
        self,
        to: Moment | None = None,
        *,
        to_number: int | None = None,
        below: Target | None = None,
        device_key: str | None = None,
        session_id: str | None = None,
    ) -> Rewind:
        """Start a rewind; it runs on the server. `wait` returns when it has ended.

        What was created later goes to the trash, and what is overwritten stays as a version: nothing is lost.

        Args:
            to: The moment: a date and time, or epoch milliseconds.
            to_number: The number of the last change to keep, instead of a moment.
            below: Only this folder and everything in it: an object, a key, its path or the path that it had then.
            device_key: Only what this device did since; the key of an app password is one.
            session_id: Only what this session did since, as `HistoryEntry` shows it.

        Raises:
            ObjectNotFoundError: There is no such folder, and there was none.
            ConflictError: A rewind of this account is running (code `SKY1018`).
            InvalidRequestError: The history of that time is not kept (code `SKY1016`).
        """
        return self._loop.run(self._group.start(to, to_number=to_number, below=below, device_key=device_key, session_id=session_id))

    def list(self) -> list[Rewind]:
        """List the latest rewinds, the newest first."""
        return self._loop.run(self._group.list())

    def operator_consent(self) -> OperatorConsent:
        """Get whether an operator may rewind the account, and until when."""
        return self._loop.run(self._group.operator_consent())

    def allow_operator(self, hours: int=OPERATOR_CONSENT_HOURS) -> OperatorConsent:
        """Let an operator rewind the account, once.

        Args:
            hours: For how long; 0 withdraws it.
        """
        return self._loop.run(self._group.allow_operator(hours))

    def get(self, rewind_key: str) -> Rewind:
        """Get a rewind and how far it is.

        Args:
            rewind_key: The rewind.

        Raises:
            ObjectNotFoundError: There is no such rewind.
        """
        return self._loop.run(self._group.get(rewind_key))

    def wait(self, rewind_key: str, *, on_progress: Callable[[Rewind], None] | None=None) -> Rewind:
        """Wait until a rewind has ended.

        Args:
            rewind_key: The rewind.
            on_progress: Called with the rewind each time its state is requested.

        Returns:
            The rewind; its `state` is `done`, `cancelled` or `refused`.

        Raises:
            ObjectNotFoundError: There is no such rewind.
        """
        return self._loop.run(self._group.wait(rewind_key, on_progress=on_progress))

    def problems(self, rewind_key: str) -> Iterator[RewindItem]:
        """List what a rewind could not undo, and why.

        Args:
            rewind_key: The rewind.

        Raises:
            ObjectNotFoundError: There is no such rewind.
        """
        return self._loop.iterate(self._group.problems(rewind_key))

    def cancel(self, rewind_key: str) -> Rewind:
        """Stop a rewind. What it has done stays, and can be undone.

        Args:
            rewind_key: The rewind.

        Raises:
            ObjectNotFoundError: There is no such rewind.
        """
        return self._loop.run(self._group.cancel(rewind_key))

    def undo(self, rewind_key: str) -> Rewind:
        """Undo everything that a rewind has done, by another rewind. What has changed since then stays.

        Args:
            rewind_key: The rewind.

        Raises:
            ObjectNotFoundError: There is no such rewind.
            ConflictError: It is still running, or another one is (code `SKY1018`).
            InvalidRequestError: The history of that time is not kept (code `SKY1016`).
        """
        return self._loop.run(self._group.undo(rewind_key))


class HistoryProofs:
    """Proofs that the history was not altered: signed heads, proofs, and their verification. An extension.

    Example:
        ```python
        check = client.history_proofs.verify()
        for problem in check.problems:
            print(problem)
        ```
    """

    def __init__(self, group: AsyncHistoryProofs, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def verify(
        self,
        *,
        heads: Sequence[str] = (),
        everything: bool = False,
        accept_restore: bool = False,
        accept_forgotten: bool = False,
        folder: Path | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> HistoryCheck:
        """Verify that the history continues every head that this machine has seen, and keep the newest one.

        The changes since the last verification are read; each must be in the log, and as the history lists it. This
        needs the package `cryptography`: `pip install 'skyshelf[proof]'`.

        Args:
            heads: More heads that it must continue, such as from another machine: texts of `HistoryCheck.note`.
            everything: Read all changes again.
            accept_restore: Continue from the current head if it does not continue the kept ones, which happens when the
                server was restored from a backup. Ask its operator first.
            accept_forgotten: Accept that records are gone which should still be kept, such as after you had history
                forgotten, or after somebody chose fewer days.
            folder: Where heads are kept, instead of `~/.local/state/skyshelf/history-heads`.
            progress: Called with the number of changes that were read so far.

        Returns:
            What was found; `is_intact` if everything fits.
        """
        return self._loop.run(self._group.verify(heads=heads, everything=everything, accept_restore=accept_restore, accept_forgotten=accept_forgotten, folder=folder, progress=progress))

    def kept(self, *, folder: Path | None=None) -> list[str]:
        """Get the heads that this machine keeps of the account, oldest first.

        Args:
            folder: Where heads are kept.
        """
        return self._loop.run(self._group.kept(folder=folder))

    def head(self) -> HistoryHead:
        """Get the signed head of the log, unverified."""
        return self._loop.run(self._group.head())

    def keys(self) -> KeysOfHistory:
        """Get the server's public keys, unverified, and when it was restored from a backup."""
        return self._loop.run(self._group.keys())


class Timeline:
    """Pictures and videos by month. An extension: see `NotOfferedError`.

    Example:
        ```python
        for month in client.timeline.months():
            print(month.year, month.month, month.count)
        ```
    """

    def __init__(self, group: AsyncTimeline, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def months(self) -> list[TimelineMonth]:
        """List the months that have pictures or videos, newest first, with how many there are."""
        return self._loop.run(self._group.months())

    def objects(self, year: int, month: int, *, page_size: int=PAGE_SIZE) -> Iterator[RemoteObject]:
        """List a month's pictures and videos, newest first.

        Args:
            year: The year, such as 2024.
            month: The month, 1 to 12.
            page_size: How many objects one request asks for.
        """
        return self._loop.iterate(self._group.objects(year, month, page_size=page_size))


class Uploads:
    """Unfinished uploads, for which the server reserves space. An extension: see `NotOfferedError`.

    Example:
        ```python
        for upload in client.uploads.unfinished():
            client.uploads.cancel(upload.transaction_id)
        ```
    """

    def __init__(self, group: AsyncUploads, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def unfinished(self, *, page_size: int=PAGE_SIZE) -> Iterator[UnfinishedUpload]:
        """List unfinished uploads, newest first.

        Args:
            page_size: How many uploads one request asks for.
        """
        return self._loop.iterate(self._group.unfinished(page_size=page_size))

    def cancel(self, transaction_id: str) -> None:
        """Cancel an unfinished upload; its reserved space is free immediately.

        Args:
            transaction_id: The upload, as `unfinished` lists it.
        """
        self._loop.run(self._group.cancel(transaction_id))


class ServerInfo:
    """What the server says to all its clients: settings, announcements, supported documents.

    Example:
        ```python
        for banner in client.server_info.banners():
            print(banner.title)
        ```
    """

    def __init__(self, group: AsyncServerInfo, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    def app_settings(self) -> AppSettings:
        """Get the backup policy and the server's other settings for clients."""
        return self._loop.run(self._group.app_settings())

    def banners(self) -> list[BannerCard]:
        """List the operator's current announcements."""
        return self._loop.run(self._group.banners())

    def supported_documents(self) -> SupportedExtensions:
        """Get the extensions of the documents that the web client can show and edit."""
        return self._loop.run(self._group.supported_documents())


class Past:
    """The account at a moment: nothing in it can be changed. A path is the one that something had then.

    An extension: see `NotOfferedError`. Any method raises an InvalidRequestError with the code `SKY1016` if the history
    of that time is not kept.

    Example:
        ```python
        from datetime import datetime, timedelta

        yesterday = client.at(datetime.now().astimezone() - timedelta(days=1))
        for found in yesterday.list_folder("/Photos"):
            print(found.name, found.size)
        yesterday.download("/notes.txt", "notes of yesterday.txt")
        ```
    """

    def __init__(self, group: AsyncPast, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop

    @property
    def moment(self) -> int:
        """The moment, in epoch milliseconds."""
        return self._group.moment

    def list_folder(self, folder: Target | None=None, *, kind: Kind | None=None) -> Iterator[RemoteObject]:
        """List what a folder held. A folder of at most one page is in order of names, folders first.

        Args:
            folder: The folder: an object, a key or its path at that moment; None for the root.
            kind: `f` for files only, `w` for folders only.

        Raises:
            ObjectNotFoundError: There was no such folder.
        """
        return self._loop.iterate(self._group.list_folder(folder, kind=kind))

    def walk(
        self,
        folder: Target | None = None,
        *,
        enter: Callable[[FoundObject], bool] | None = None,
    ) -> Iterator[FoundObject]:
        """List everything that was below a folder, breadth first.

        Args:
            folder: The folder: an object, a key or its path at that moment; None for the root.
            enter: Decides which folders are entered; by default all.

        Raises:
            ObjectNotFoundError: There was no such folder.
        """
        return self._loop.iterate(self._group.walk(folder, enter=enter))

    def get(self, target: Target) -> RemoteObject:
        """Get a file or folder as it was.

        Args:
            target: An object, a key, or the path at that moment.

        Raises:
            ObjectNotFoundError: There was no such file or folder, or it was in the trash.
        """
        return self._loop.run(self._group.get(target))

    def download(
        self,
        target: Target,
        destination: Path | str,
        *,
        overwrite: bool = False,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        progress: Progress | None = None,
    ) -> Downloaded:
        """Download a file as it was. It appears at its destination only when it is complete and verified.

        An interrupted download is resumed by the next call.

        Args:
            target: The file: an object, a key or its path at that moment.
            destination: The local file, or a folder to download it into.
            overwrite: Replace an existing file.
            rate_limit: A limit in bytes per second, shared by all transfers that get the same one.
            within: A folder that `destination` must not leave: no link below it is followed.
            progress: Called with the bytes received so far, and the total.

        Returns:
            Where the file is, its size and hash.

        Raises:
            DestinationExistsError: The destination exists, and `overwrite` is False.
            IntegrityError: The content does not have the size and hash that it had then.
            ObjectNotFoundError: There was no such file, or its content is no longer kept.
        """
        return self._loop.run(self._group.download(target, destination, overwrite=overwrite, rate_limit=rate_limit, within=within, progress=progress))

    def download_all(
        self,
        destination: Path | str,
        folder: Target | None = None,
        *,
        workers: int = DOWNLOAD_WORKERS,
        overwrite: bool = False,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        progress: Callable[[TransferEvent], None] | None = None,
    ) -> TransferSummary:
        """Download everything that was below a folder. Run it again to resume: files with that content are skipped.

        Args:
            destination: The local folder.
            folder: What to download: an object, a key or its path at that moment; None for everything.
            workers: How many files are downloaded at once.
            overwrite: Replace local files with other content.
            rate_limit: A limit in bytes per second, shared by all transfers that get the same one.
            within: A folder that `destination` must not leave: no link below it is followed.
            progress: Called with an event for everything that happens.

        Returns:
            What was done; false where anything failed. Errors of single files are in its `failed`.
        """
        return self._loop.run(self._group.download_all(destination, folder, workers=workers, overwrite=overwrite, rate_limit=rate_limit, within=within, progress=progress))

    def read(self, target: Target) -> bytes:
        """Read a file as it was into memory, verified.

        Args:
            target: The file: an object, a key or its path at that moment.

        Raises:
            IntegrityError: The content does not have the size and hash that it had then.
            ObjectNotFoundError: There was no such file, or its content is no longer kept.
        """
        return self._loop.run(self._group.read(target))


class Client:
    """A session with a server. Close it, or use it as a context manager: it holds connections.

    Every argument is optional: what is missing comes from the environment, then from the config file that
    `skyshelf login` writes. A session is only sent to the server that it belongs to: with another `server`, the client
    starts without a session, and `logged_out_reason` says why.

    Args:
        server: The server's URL.
        auth_token: The session's token.
        user_id: The session's user.
        device_key: The session's device.
        profile: The profile of the config file to use.
        config: The config file.
        hosts: URLs of single hosts, where a server has several.
        retries: How often a failed request is repeated.
        retry_wait: Seconds before the first repetition; each further one waits twice as long.
        retry_jitter: How far such a wait may differ at random, as a share of it; 0.2 spreads many clients out.
        retry_after_max: Seconds to wait at most where a server asks for more.
        lag: Seconds that a server may take to list what was written. During this time, listings of this client include
            what it wrote, and it waits for what it created to be listed; 0 for neither. 5 by default.
        max_objects: How many objects a listing or a tree may have before it counts as endless; 10 million by default.
        ca_file: A certificate authority to trust besides those of the system.
        use_proxies: Use the proxies that the environment names.
        connect_timeout: Seconds until a connection must be open; 15 by default.
        read_timeout: Seconds without a byte after which a response counts as lost; 60 by default.
        connections: How many connections are open at most.
        transport: Sends the requests instead of HTTP connections; the five arguments before it do not apply then.
        agent_session: An id, `agent-` and 16 hex digits, that history notes with every change of this client.

    Raises:
        ConfigurationError: The server or the session is missing or invalid.
    """

    def __init__(
        self,
        server: str | None = None,
        *,
        auth_token: str | None = None,
        user_id: str | None = None,
        device_key: str | None = None,
        profile: str | None = None,
        config: Path | None = None,
        hosts: dict[str, str] | None = None,
        retries: int | None = None,
        retry_wait: float | None = None,
        retry_jitter: float | None = None,
        retry_after_max: float | None = None,
        lag: float | None = None,
        max_objects: int | None = None,
        ca_file: str | None = None,
        use_proxies: bool = True,
        connect_timeout: float | None = None,
        read_timeout: float | None = None,
        connections: int = 64,
        transport: Transport | None = None,
        agent_session: str | None = None,
    ) -> None:
        self._client = AsyncClient(server, auth_token=auth_token, user_id=user_id, device_key=device_key, profile=profile, config=config, hosts=hosts, retries=retries, retry_wait=retry_wait, retry_jitter=retry_jitter, retry_after_max=retry_after_max, lag=lag, max_objects=max_objects, ca_file=ca_file, use_proxies=use_proxies, connect_timeout=connect_timeout, read_timeout=read_timeout, connections=connections, transport=transport, agent_session=agent_session)
        self._loop = LoopThread(ending=self._client.close)
        self.account = Account(self._client.account, self._loop)
        self.second_factor = SecondFactor(self._client.second_factor, self._loop)
        self.passkeys = Passkeys(self._client.passkeys, self._loop)
        self.boards = Boards(self._client.boards, self._loop)
        self.shares = Shares(self._client.shares, self._loop)
        self.tags = Tags(self._client.tags, self._loop)
        self.contacts = Contacts(self._client.contacts, self._loop)
        self.trash = Trash(self._client.trash, self._loop)
        self.versions = Versions(self._client.versions, self._loop)
        self.changes = Changes(self._client.changes, self._loop)
        self.history = History(self._client.history, self._loop)
        self.alarms = Alarms(self._client.alarms, self._loop)
        self.rewinds = Rewinds(self._client.rewinds, self._loop)
        self.history_proofs = HistoryProofs(self._client.history_proofs, self._loop)
        self.timeline = Timeline(self._client.timeline, self._loop)
        self.uploads = Uploads(self._client.uploads, self._loop)
        self.server_info = ServerInfo(self._client.server_info, self._loop)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self._client).removeprefix("Async")

    def close(self) -> None:
        """Close all connections and end the client's thread. Closing twice does no harm."""
        self._loop.close()

    @property
    def credentials(self) -> Credentials | None:
        """The session that this client uses; None before a login."""
        return self._client.credentials

    @property
    def logged_out_reason(self) -> str | None:
        """Why the session in the settings is not used: it belongs to another server. None without such a session."""
        return self._client.logged_out_reason

    def login(
        self,
        email: str,
        password: str,
        *,
        code: str | None = None,
        device_name: str | None = None,
        platform_type: str | None = None,
        device_key: str | None = None,
    ) -> LoginAnswer:
        """Open a session, which this client uses from then on.

        Args:
            email: The account's email address.
            password: The account's password.
            code: The second factor, where the account has one: six digits from the authenticator, or a recovery code.
            device_name: A name for this device, as `account.sessions()` lists it.
            platform_type: The kind of device.
            device_key: The key of a registered device, whose earlier session ends.

        Returns:
            The session: token, user id and device key.

        Raises:
            AuthenticationError: Wrong email address or password.
            SecondFactorRequiredError: The password is right, and a `code` is needed too.
            NotOfferedError: The server has no login over the API.

        Example:
            ```python
            try:
                client.login(email, password)
            except SecondFactorRequiredError:
                client.login(email, password, code=input("Code: "))
            ```
        """
        return self._loop.run(self._client.login(email, password, code=code, device_name=device_name, platform_type=platform_type, device_key=device_key))

    def logout(self) -> None:
        """End the session; its token stops working everywhere."""
        self._loop.run(self._client.logout())

    def root_key(self) -> str:
        """Get the key of the account's root folder."""
        return self._loop.run(self._client.root_key())

    def page(
        self,
        folder: Target | None = None,
        *,
        kind: Kind | None = None,
        number: int = 0,
        limit: int = PAGE_SIZE,
        sort: ObjectSort = '+objectName',
    ) -> ObjectPage:
        """Get one page of a folder; `list_folder` gives all of it.

        Args:
            folder: The folder: an object, a key or a path; None for the root.
            kind: `f` for files only, `w` for folders only.
            number: The page, from 0.
            limit: How many objects a page has.
            sort: The order, such as `-lastModifiedDate`.
        """
        return self._loop.run(self._client.page(folder, kind=kind, number=number, limit=limit, sort=sort))

    def list_folder(
        self,
        folder: Target | None = None,
        *,
        kind: Kind | None = None,
        sort: ObjectSort = '+objectName',
        page_size: int = PAGE_SIZE,
    ) -> Iterator[RemoteObject]:
        """List everything in a folder, folders first.

        Args:
            folder: The folder: an object, a key or a path; None for the root.
            kind: `f` for files only, `w` for folders only.
            sort: The order, such as `-lastModifiedDate`.
            page_size: How many objects one request asks for.

        Raises:
            BrokenListingError: The server's pages do not fit together; a listing is complete or an error.

        Example:
            ```python
            for found in client.list_folder("/Photos", sort="-lastModifiedDate"):
                print(found.name, found.size)
            ```
        """
        return self._loop.iterate(self._client.list_folder(folder, kind=kind, sort=sort, page_size=page_size))

    def walk(
        self,
        folder: Target | None = None,
        *,
        sort: ObjectSort = '+objectName',
        page_size: int = PAGE_SIZE,
        window: int = WINDOW,
        enter: Callable[[FoundObject], bool] | None = None,
        vanished: Callable[[tuple[str, ...], ObjectNotFoundError], None] | None = None,
    ) -> Iterator[FoundObject]:
        """List everything below a folder, breadth first, always in the same order.

        Args:
            folder: The folder: an object, a key or a path; None for the root.
            sort: The order within each folder.
            page_size: How many objects one request asks for.
            window: How many folders are requested ahead.
            enter: Decides which folders are entered; by default all.
            vanished: Called with the names that lead to a folder that was deleted during the walk, and the error;
                without it the error is raised.

        Example:
            ```python
            size = sum(found.object.size or 0 for found in client.walk("/Photos"))
            ```
        """
        return self._loop.iterate(self._client.walk(folder, sort=sort, page_size=page_size, window=window, enter=enter, vanished=vanished))

    def get(self, target: Target, *, parent: Target | None=None, ignore_case: bool=False) -> RemoteObject:
        """Get a file or folder as it is now.

        Args:
            target: A key or a path.
            parent: The folder that it is in; for a key this saves a search on servers that cannot look keys up.
            ignore_case: Accept a single match whose name differs in case.

        Raises:
            ObjectNotFoundError: It does not exist.
            AmbiguousNameError: Several objects have the name; the error has their keys.
        """
        return self._loop.run(self._client.get(target, parent=parent, ignore_case=ignore_case))

    def find(self, target: Target, *, expected: bool=False) -> RemoteObject | None:
        """Get a file or folder as it is now; None if it does not exist.

        Listings of other servers may show it only a few seconds after another program has created it, and such a server
        may accept its name a second time, so this looks again until they must show it.

        Args:
            target: A key or a path.
            expected: Look again on every server: it has to exist, because a name was refused as taken.

        Raises:
            AmbiguousNameError: Several objects have the name; the error has their keys.
        """
        return self._loop.run(self._client.find(target, expected=expected))

    def get_many(self, targets: Iterable[Target], *, parent: Target | None=None) -> list[RemoteObject]:
        """Get several files and folders as they are now, in the order given.

        Args:
            targets: Keys or paths.
            parent: The folder that they are in, where it is the same.

        Raises:
            ObjectNotFoundError: One of them does not exist.
        """
        return self._loop.run(self._client.get_many(list(targets), parent=parent))

    def create_folder(self, name: str, parent: Target | None=None, *, exist_ok: bool=False) -> RemoteObject:
        """Create a folder.

        Args:
            name: Its name.
            parent: Where to create it; None for the root.
            exist_ok: Return a folder that already has the name instead of raising.

        Raises:
            ConflictError: The name is taken.
        """
        return self._loop.run(self._client.create_folder(name, parent, exist_ok=exist_ok))

    def create_path(self, path: str) -> RemoteObject:
        """Get the folder at a path, creating it and its parents as needed.

        Args:
            path: Such as `/Photos/2024`.
        """
        return self._loop.run(self._client.create_path(path))

    def set_favorite(
        self,
        targets: Iterable[Target],
        favorite: bool = True,
        *,
        parent: Target | None = None,
        on_error: OnError = 'raise',
    ) -> BatchResult:
        """Add objects to the favourites, or remove them.

        Args:
            targets: Objects, keys or paths.
            favorite: False to remove them.
            parent: The folder that they are in, where it is the same.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        return self._loop.run(self._client.set_favorite(list(targets), favorite, parent=parent, on_error=on_error))

    def rename(self, target: Target, new_name: str, *, parent: Target | None=None) -> RemoteObject:
        """Rename a file or folder.

        Args:
            target: An object, a key or a path.
            new_name: The new name.
            parent: The folder that it is in.

        Returns:
            The object as it is now.

        Raises:
            InvalidRequestError: The server refused it, for example because the name is taken.
        """
        return self._loop.run(self._client.rename(target, new_name, parent=parent))

    def rename_many(
        self,
        new_names: Iterable[tuple[Target, str]],
        *,
        parent: Target | None = None,
        on_error: OnError = 'raise',
    ) -> BatchResult:
        """Rename several files and folders.

        Args:
            new_names: Pairs of an object, key or path, and its new name.
            parent: The folder that they are in, where it is the same.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        return self._loop.run(self._client.rename_many(list(new_names), parent=parent, on_error=on_error))

    def move(
        self,
        targets: Iterable[Target],
        folder: Target,
        *,
        parent: Target | None = None,
        on_error: OnError = 'raise',
    ) -> BatchResult:
        """Move objects to another folder.

        Args:
            targets: Objects, keys or paths.
            folder: Where to.
            parent: The folder that they are in, where it is the same.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        return self._loop.run(self._client.move(list(targets), folder, parent=parent, on_error=on_error))

    def copy(
        self,
        targets: Iterable[Target],
        folder: Target,
        *,
        parent: Target | None = None,
        progress: Callable[[int], None] | None = None,
        on_error: OnError = 'raise',
    ) -> BatchResult:
        """Copy objects into a folder, folders with everything in them. A copy gets a free name, such as `a (1).txt`.

        Args:
            targets: Objects, keys or paths.
            folder: Where to.
            parent: The folder that they are in, where it is the same.
            progress: Called with the number of objects that were copied so far.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object, and one for everything inside that was rejected.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
            NotOfferedError: The server cannot copy; download and upload instead.
        """
        return self._loop.run(self._client.copy(list(targets), folder, parent=parent, progress=progress, on_error=on_error))

    def move_to_trash(
        self,
        targets: Iterable[Target],
        *,
        parent: Target | None = None,
        on_error: OnError = 'raise',
    ) -> BatchResult:
        """Move objects to the trash, folders with everything in them. `client.trash` lists and empties it.

        Args:
            targets: Objects, keys or paths.
            parent: The folder that they are in, where it is the same.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        return self._loop.run(self._client.move_to_trash(list(targets), parent=parent, on_error=on_error))

    def restore(self, targets: Iterable[Target], *, on_error: OnError='raise') -> BatchResult:
        """Restore objects from the trash.

        Args:
            targets: Objects as `trash.list()` gives them, or their keys; not paths.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        return self._loop.run(self._client.restore(list(targets), on_error=on_error))

    def search(
        self,
        query: str = '',
        *,
        extension: str | None = None,
        larger_than: int | None = None,
        modified_after: int | None = None,
        favorites: bool = False,
        folder: Target | None = None,
        case_sensitive: bool = False,
        folders: bool = True,
        limit: int | None = None,
        walk: bool = False,
    ) -> Iterator[FoundObject]:
        """Find files and folders by words of their names, or of the path that a backup copied them from.

        A server that can search does so, and returns the best matches first. On others the folders are walked, which
        finds the same objects.

        Args:
            query: Words that must all occur, in any order; accents and case are ignored.
            extension: Only files with this extension.
            larger_than: Only files with more bytes.
            modified_after: Only what changed later, in epoch milliseconds.
            favorites: Only favourites.
            folder: Search below this folder: an object, a key or a path; None for everywhere.
            case_sensitive: Match case and accents.
            folders: Find folders too.
            limit: How many matches to find at most.
            walk: Walk through the folders instead of using the server's search.

        Example:
            ```python
            for found in client.search("beach", extension="jpg", larger_than=1_000_000):
                print(found.path)
            ```
        """
        return self._loop.iterate(self._client.search(query, extension=extension, larger_than=larger_than, modified_after=modified_after, favorites=favorites, folder=folder, case_sensitive=case_sensitive, folders=folders, limit=limit, walk=walk))

    def upload(
        self,
        path: Path | str,
        folder: Target | None = None,
        *,
        name: str | None = None,
        options: UploadOptions | None = None,
        rate_limit: RateLimit | None = None,
        progress: Progress | None = None,
    ) -> RemoteObject:
        """Upload a file. An interrupted upload is resumed; a file of the same name gets a new version.

        Args:
            path: The local file.
            folder: Where to: an object, a key or a path; None for the root.
            name: The file's name on the server; by default its local name.
            options: Chunk size and other settings.
            rate_limit: A limit in bytes per second, shared by all transfers that get the same one.
            progress: Called with the bytes sent so far, and the total.

        Returns:
            The uploaded file.

        Raises:
            FileChangedError: The local file changed during the upload.
            LocalFileError: The local file cannot be read.
            QuotaExceededError: The account has no space for it.
        """
        return self._loop.run(self._client.upload(path, folder, name=name, options=options, rate_limit=rate_limit, progress=progress))

    def upload_all(
        self,
        path: Path | str,
        folder: Target | None = None,
        *,
        workers: int = UPLOAD_WORKERS,
        options: UploadOptions | None = None,
        select: Callable[[str, Path], bool] | None = None,
        rate_limit: RateLimit | None = None,
        progress: Callable[[TransferEvent], None] | None = None,
    ) -> TransferSummary:
        """Upload everything in a local folder. What the server already has is skipped; run it again to resume.

        Args:
            path: The local folder.
            folder: Where to: an object, a key or a path; None for the root.
            workers: How many files are uploaded at once.
            options: Chunk size and other settings.
            select: Called with a file's or folder's path below `path` (with slashes) and its local path; a file for
                which it returns False is left out, a folder with everything in it.
            rate_limit: A limit in bytes per second, shared by all transfers that get the same one.
            progress: Called with an event for everything that happens.

        Returns:
            What was done; false where anything failed. Errors of single files are in its `failed`.

        Example:
            ```python
            summary = client.upload_all("holiday", "/Photos")
            for failure in summary.failed:
                print(failure.path, failure.reason)
            ```
        """
        return self._loop.run(self._client.upload_all(path, folder, workers=workers, options=options, select=select, rate_limit=rate_limit, progress=progress))

    def download(
        self,
        target: Target,
        destination: Path | str,
        *,
        overwrite: bool = False,
        version: int | None = None,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        parent: Target | None = None,
        allow_unverified: bool = False,
        progress: Progress | None = None,
    ) -> Downloaded:
        """Download a file. It appears at its destination only when it is complete and verified.

        An interrupted download is resumed by the next call.

        Args:
            target: The file: an object, a key or a path.
            destination: The local file, or a folder to download it into.
            overwrite: Replace an existing file.
            version: An earlier version, by its number.
            rate_limit: A limit in bytes per second, shared by all transfers that get the same one.
            within: A folder that `destination` must not leave: no link below it is followed.
            parent: The folder that it is in; for a key this saves a search on servers that cannot look keys up.
            allow_unverified: Also download a file that the server has no hash of. What arrives may then be anything of
                the right size.
            progress: Called with the bytes received so far, and the total.

        Returns:
            Where the file is, its size and hash, and whether the server had a hash to verify it.

        Raises:
            DestinationExistsError: The destination exists, and `overwrite` is False.
            IntegrityError: The content does not have the size and hash that the server announced.
            UnverifiedFileError: The server has no hash of the file, and `allow_unverified` is False.
            ObjectNotFoundError: There is no such file.
        """
        return self._loop.run(self._client.download(target, destination, overwrite=overwrite, version=version, rate_limit=rate_limit, within=within, parent=parent, allow_unverified=allow_unverified, progress=progress))

    def download_all(
        self,
        destination: Path | str,
        folder: Target | None = None,
        *,
        workers: int = DOWNLOAD_WORKERS,
        overwrite: bool = False,
        extension: str | None = None,
        select: Callable[[str, RemoteObject], bool] | None = None,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        allow_unverified: bool = False,
        keep_replaced: timedelta | None = None,
        stop_at_older: bool = False,
        dry_run: bool = False,
        progress: Callable[[TransferEvent], None] | None = None,
    ) -> TransferSummary:
        """Download everything below a folder. Files that are up to date are skipped; run it again to resume.

        Objects whose names would collide locally each get a distinct name.

        Args:
            destination: The local folder.
            folder: What to download: an object, a key or a path; None for everything.
            workers: How many files are downloaded at once.
            overwrite: Replace files that were changed locally.
            extension: Only files with this extension.
            select: Called with a file's or folder's path below `folder` (with slashes) and the object; a file for
                which it returns False is left out, a folder with everything in it.
            rate_limit: A limit in bytes per second, shared by all transfers that get the same one.
            within: A folder that `destination` must not leave: no link below it is followed.
            allow_unverified: Also download files that the server has no hash of; otherwise they count as failed.
            keep_replaced: How long replaced files are kept in `.skyshelf-replaced` in the local folder; `timedelta.max`
                keeps them forever, and None does not keep them.
            stop_at_older: End the run where many files are older on the server than their copies of an earlier run: it
                was probably put back to an older state.
            dry_run: Write nothing; the summary counts as `queued` what would be downloaded.
            progress: Called with an event for everything that happens.

        Returns:
            What was done; false where anything failed. Errors of single files are in its `failed`.

        Example:
            ```python
            client.download_all("backup").raise_for_failures()
            ```
        """
        return self._loop.run(self._client.download_all(destination, folder, workers=workers, overwrite=overwrite, extension=extension, select=select, rate_limit=rate_limit, within=within, allow_unverified=allow_unverified, keep_replaced=keep_replaced, stop_at_older=stop_at_older, dry_run=dry_run, progress=progress))

    def read(self, target: Target, start: int=0, end: int | None=None) -> bytes:
        """Read a file, or a part of it, into memory.

        The whole content is verified. Parts that are read with the same object are all of the same content.

        Args:
            target: The file: an object, a key or a path.
            start: The first byte.
            end: The byte to stop before; None for the end of the file.

        Returns:
            The bytes; fewer than requested where the file is shorter.

        Raises:
            IntegrityError: The content is not what the server announced, or has changed since the object was fetched.
            ObjectNotFoundError: There is no such file.

        Example:
            ```python
            report = client.get("/report.parquet")
            footer = client.read(report, report.size - 8)
            ```
        """
        return self._loop.run(self._client.read(target, start, end))

    def thumbnail(self, target: Target, *, size: ThumbnailSize=512, accept: str | None=None) -> bytes:
        """Get a small picture of a picture, a video or a PDF.

        Args:
            target: The file: an object, a key or a path.
            size: The longest side in pixels.
            accept: The formats to choose from, such as `image/webp, image/jpeg`; by default the server's own.

        Returns:
            The picture's bytes.

        Raises:
            ObjectNotFoundError: There is no such file, or it has no thumbnail.
            UnexpectedAnswerError: The server sent something other than a picture.
        """
        return self._loop.run(self._client.thumbnail(target, size=size, accept=accept))

    def favorites(
        self,
        *,
        order: Literal['newest', 'name'] = 'newest',
        page_size: int = PAGE_SIZE,
    ) -> Iterator[RemoteObject]:
        """List your favourites. `set_favorite` adds and removes them.

        Args:
            order: `newest` for the most recently added first, or `name`.
            page_size: How many objects one request asks for.

        Raises:
            NotOfferedError: The server cannot list favourites; `search(favorites=True)` finds them everywhere.
        """
        return self._loop.iterate(self._client.favorites(order=order, page_size=page_size))

    def recent(self) -> RecentObjects:
        """Get the newest pictures and videos, and the newest other files."""
        return self._loop.run(self._client.recent())

    def memories(self, *, page_size: int=200) -> Iterator[Spotlight]:
        """List memories: pictures and videos of this day and of this month in earlier years.

        Args:
            page_size: How many memories one request asks for.
        """
        return self._loop.iterate(self._client.memories(page_size=page_size))

    def uploaded_by_app(self, appcode: str=LINKED_APP_DEFAULT, *, page_size: int=PAGE_SIZE) -> Iterator[RemoteObject]:
        """List the files that an app uploaded under its code.

        Args:
            appcode: The app's code, as `UploadOptions(appcode=...)` sends it.
            page_size: How many objects one request asks for.
        """
        return self._loop.iterate(self._client.uploaded_by_app(appcode, page_size=page_size))

    def use_index(self, *, build: bool=True, folder: Path | None=None) -> bool:
        """Update a local index of the account and serve listings from it.

        Walks, searches, paths and bulk downloads then need no listing from the server. Any change that this client
        makes ends the use of the index, until the next call.

        Args:
            build: Build an index where none exists; False only updates an existing one.
            folder: Where the index is stored; by default in the user's cache folder, readable by the user alone.

        Returns:
            Whether the index is used. A server that cannot report changes has none.

        Example:
            ```python
            if client.use_index():
                print(sum(found.object.size or 0 for found in client.walk()))
            ```
        """
        return self._loop.run(self._client.use_index(build=build, folder=folder))

    def leave_index(self) -> None:
        """Stop using the local index: listings come from the server again."""
        self._loop.run(self._client.leave_index())

    def at(self, moment: Moment) -> Past:
        """Look at the account as it was at a moment.

        Args:
            moment: A date and time, or epoch milliseconds; one in the future is now.

        Returns:
            Folders and files as they were, which can be listed and downloaded.

        Example:
            ```python
            from datetime import datetime

            new_year = client.at(datetime(2026, 1, 1).astimezone())
            print([found.name for found in new_year.list_folder("/Photos")])
            ```
        """
        return Past(self._client.at(moment), self._loop)
