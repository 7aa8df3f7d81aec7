"""All nouns on one connection."""

from collections.abc import Callable
from typing import Generic, TypeVar

from skyshelf.storage.metadata.contracts.leave import Leave
from skyshelf.storage.metadata.sql.account_lock import SqlAlarms
from skyshelf.storage.metadata.sql.accounts.accounts import SqlAccounts, SqlDevices
from skyshelf.storage.metadata.sql.accounts.consents import SqlRewindConsents
from skyshelf.storage.metadata.sql.accounts.contacts import SqlContacts
from skyshelf.storage.metadata.sql.accounts.delegations import SqlDelegations
from skyshelf.storage.metadata.sql.accounts.holds import SqlHolds
from skyshelf.storage.metadata.sql.accounts.identities import SqlIdentities, SqlPasskeys, SqlSpentTokens
from skyshelf.storage.metadata.sql.accounts.operators import (
    SqlBanners,
    SqlOperators,
    SqlPasswordLinks,
    SqlPromotions,
    SqlSettings,
)
from skyshelf.storage.metadata.sql.accounts.second_factors import SqlSecondFactors, SqlThrottles
from skyshelf.storage.metadata.sql.accounts.secrets import SqlSecrets
from skyshelf.storage.metadata.sql.accounts.sessions import SqlAppPasswords, SqlNonces, SqlSessions
from skyshelf.storage.metadata.sql.audit import SqlAudit
from skyshelf.storage.metadata.sql.boards.boards import SqlBoards
from skyshelf.storage.metadata.sql.boards.invitations import SqlBoardInvitations
from skyshelf.storage.metadata.sql.boards.items import SqlBoardComments, SqlBoardItems
from skyshelf.storage.metadata.sql.boards.members import SqlBoardMembers
from skyshelf.storage.metadata.sql.changes import SqlChanges
from skyshelf.storage.metadata.sql.content import SqlContent, SqlDamage, SqlThumbnails
from skyshelf.storage.metadata.sql.copies import SqlCopies
from skyshelf.storage.metadata.sql.exports import SqlExports
from skyshelf.storage.metadata.sql.files import SqlFiles
from skyshelf.storage.metadata.sql.history.history import SqlHistory
from skyshelf.storage.metadata.sql.history.log import SqlHistoryKeys, SqlHistoryLog
from skyshelf.storage.metadata.sql.inspection import SqlInspection
from skyshelf.storage.metadata.sql.jobs import SqlExpiry, SqlOutbox
from skyshelf.storage.metadata.sql.media_facts import SqlMediaFacts, SqlUndated
from skyshelf.storage.metadata.sql.quarantine import SqlQuarantine
from skyshelf.storage.metadata.sql.quota import SqlQuotas
from skyshelf.storage.metadata.sql.repair import SqlRepair
from skyshelf.storage.metadata.sql.rewind.rewinds import SqlRewinds
from skyshelf.storage.metadata.sql.search import SqlSearch
from skyshelf.storage.metadata.sql.shares import SqlArchives, SqlShares
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.sql.tags import SqlTags
from skyshelf.storage.metadata.sql.tree.pages import SqlTimeline
from skyshelf.storage.metadata.sql.tree.places import SqlPlaces
from skyshelf.storage.metadata.sql.tree.purge import SqlPurge
from skyshelf.storage.metadata.sql.tree.stored_wire import SqlWireCache
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.uploads import SqlUploads
from skyshelf.storage.metadata.sql.usage import SqlUsage
from skyshelf.storage.metadata.sql.webdav import SqlDeadProperties, SqlFolderMarks, SqlLocks

T = TypeVar("T")


class Noun(Generic[T]):
    """A property that is created on first use, by the one thread that uses the unit.

    The standard library's cached property takes longer than most statements.
    """

    def __init__(self, create: Callable[[Sql], T]) -> None:
        self._create = create
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, unit: "Unit", owner: type | None = None) -> T:
        created = unit.__dict__[self._name] = self._create(unit.sql)
        return created


class Unit:
    """Every noun, as seen by one read or one write.

    The docstrings of the nouns are obligations: callers rely on them on every database. `sql` is for storage alone.
    """

    def __init__(self, sql: Sql) -> None:
        self.sql = sql
        sql.act_as("")

    def act_as(self, actor: str, leave: Leave | None = None) -> None:
        """Record who makes the following changes in this unit; without it, the service does.

        With a leave, a change that it does not allow is LeaveRefused, and one for which it has too little left
        LeaveUsedUp; then nothing of the unit is stored.
        """
        self.sql.act_as(actor, leave)

    accounts = Noun(SqlAccounts)
    holds = Noun(SqlHolds)
    rewind_consents = Noun(SqlRewindConsents)
    quotas = Noun(SqlQuotas)
    tree = Noun(SqlTree)
    wire_cache = Noun(SqlWireCache)
    files = Noun(SqlFiles)
    purge = Noun(SqlPurge)
    copies = Noun(SqlCopies)
    locks = Noun(SqlLocks)
    dead_properties = Noun(SqlDeadProperties)
    folder_marks = Noun(SqlFolderMarks)
    places = Noun(SqlPlaces)
    usage = Noun(SqlUsage)
    content = Noun(SqlContent)
    quarantine = Noun(SqlQuarantine)
    expiry = Noun(SqlExpiry)
    changes = Noun(SqlChanges)
    history = Noun(SqlHistory)
    rewinds = Noun(SqlRewinds)
    history_log = Noun(SqlHistoryLog)
    history_keys = Noun(SqlHistoryKeys)
    search = Noun(SqlSearch)
    uploads = Noun(SqlUploads)
    devices = Noun(SqlDevices)
    sessions = Noun(SqlSessions)
    app_passwords = Noun(SqlAppPasswords)
    delegations = Noun(SqlDelegations)
    identities = Noun(SqlIdentities)
    spent_tokens = Noun(SqlSpentTokens)
    passkeys = Noun(SqlPasskeys)
    nonces = Noun(SqlNonces)
    second_factors = Noun(SqlSecondFactors)
    operators = Noun(SqlOperators)
    password_links = Noun(SqlPasswordLinks)
    throttles = Noun(SqlThrottles)
    promotions = Noun(SqlPromotions)
    settings = Noun(SqlSettings)
    secrets = Noun(SqlSecrets)
    shares = Noun(SqlShares)
    boards = Noun(SqlBoards)
    board_members = Noun(SqlBoardMembers)
    board_invitations = Noun(SqlBoardInvitations)
    board_items = Noun(SqlBoardItems)
    board_comments = Noun(SqlBoardComments)
    timeline = Noun(SqlTimeline)
    tags = Noun(SqlTags)
    contacts = Noun(SqlContacts)
    banners = Noun(SqlBanners)
    outbox = Noun(SqlOutbox)
    audit = Noun(SqlAudit)
    thumbnails = Noun(SqlThumbnails)
    archives = Noun(SqlArchives)
    exports = Noun(SqlExports)
    photos = Noun(SqlMediaFacts)
    undated = Noun(SqlUndated)
    alarms = Noun(SqlAlarms)
    damage = Noun(SqlDamage)
    inspection = Noun(SqlInspection)
    repair = Noun(SqlRepair)
