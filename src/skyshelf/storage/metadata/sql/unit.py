"""All nouns on one connection."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from skyshelf.storage.metadata.sql.accounts.accounts import SqlAccounts, SqlDevices
from skyshelf.storage.metadata.sql.accounts.alarms import SqlAlarms
from skyshelf.storage.metadata.sql.accounts.app_passwords import SqlAppPasswords
from skyshelf.storage.metadata.sql.accounts.audit import SqlAudit
from skyshelf.storage.metadata.sql.accounts.contacts import SqlContacts
from skyshelf.storage.metadata.sql.accounts.identities import SqlIdentities, SqlSpentTokens
from skyshelf.storage.metadata.sql.accounts.operators import SqlOperators, SqlPasswordLinks
from skyshelf.storage.metadata.sql.accounts.passkeys import SqlPasskeys
from skyshelf.storage.metadata.sql.accounts.promotions import SqlBanners, SqlPromotions, SqlSettings
from skyshelf.storage.metadata.sql.accounts.second_factors import SqlSecondFactors, SqlThrottles
from skyshelf.storage.metadata.sql.accounts.sessions import SqlNonces, SqlSessions
from skyshelf.storage.metadata.sql.archives import SqlArchives
from skyshelf.storage.metadata.sql.boards.boards import SqlBoards
from skyshelf.storage.metadata.sql.boards.comments import SqlBoardComments
from skyshelf.storage.metadata.sql.boards.invitations import SqlBoardInvitations
from skyshelf.storage.metadata.sql.boards.items import SqlBoardItems
from skyshelf.storage.metadata.sql.boards.members import SqlBoardMembers
from skyshelf.storage.metadata.sql.changes import SqlChanges
from skyshelf.storage.metadata.sql.content import SqlContent, SqlThumbnails
from skyshelf.storage.metadata.sql.copies import SqlCopies
from skyshelf.storage.metadata.sql.damage import SqlDamage
from skyshelf.storage.metadata.sql.expiry import SqlExpiry
from skyshelf.storage.metadata.sql.files import SqlFiles
from skyshelf.storage.metadata.sql.folder_marks import SqlFolderMarks
from skyshelf.storage.metadata.sql.history.history import SqlHistory
from skyshelf.storage.metadata.sql.history.log import SqlHistoryKeys, SqlHistoryLog
from skyshelf.storage.metadata.sql.inspection import SqlInspection
from skyshelf.storage.metadata.sql.jobs import SqlOutbox
from skyshelf.storage.metadata.sql.media_facts import SqlMediaFacts
from skyshelf.storage.metadata.sql.quarantine import SqlQuarantine
from skyshelf.storage.metadata.sql.quota import SqlQuotas
from skyshelf.storage.metadata.sql.repair import SqlRepair
from skyshelf.storage.metadata.sql.rewind.rewinds import SqlRewinds
from skyshelf.storage.metadata.sql.search import SqlSearch
from skyshelf.storage.metadata.sql.shares import SqlShares
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.sql.tags import SqlTags
from skyshelf.storage.metadata.sql.tree.places import SqlPlaces
from skyshelf.storage.metadata.sql.tree.stored_wire import SqlWireCache
from skyshelf.storage.metadata.sql.tree.timeline import SqlTimeline
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.undated import SqlUndated
from skyshelf.storage.metadata.sql.uploads import SqlUploads
from skyshelf.storage.metadata.sql.usage import SqlUsage
from skyshelf.storage.metadata.sql.webdav import SqlDeadProperties, SqlLocks

T = TypeVar("T")


class _Noun(Generic[T]):
    """A property that is made when it is first used, by the one thread that uses the unit.

    The one of the standard library takes a lock each time, which is longer than most statements.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self._name = make.__name__

    def __get__(self, unit: "SqlUnit", owner: type | None = None) -> T:
        made = unit.__dict__[self._name] = self._make(unit)
        return made


class SqlUnit:
    """A Unit over SQL statements."""

    def __init__(self, sql: Sql) -> None:
        self.sql = sql

    def act_as(self, actor: str) -> None:
        self.sql.actor = actor

    @_Noun
    def accounts(self) -> SqlAccounts:
        return SqlAccounts(self.sql)

    @_Noun
    def quotas(self) -> SqlQuotas:
        return SqlQuotas(self.sql)

    @_Noun
    def tree(self) -> SqlTree:
        return SqlTree(self.sql)

    @_Noun
    def wire_cache(self) -> SqlWireCache:
        return SqlWireCache(self.sql)

    @_Noun
    def files(self) -> SqlFiles:
        return SqlFiles(self.sql)

    @_Noun
    def copies(self) -> SqlCopies:
        return SqlCopies(self.sql)

    @_Noun
    def locks(self) -> SqlLocks:
        return SqlLocks(self.sql)

    @_Noun
    def dead_properties(self) -> SqlDeadProperties:
        return SqlDeadProperties(self.sql)

    @_Noun
    def folder_marks(self) -> SqlFolderMarks:
        return SqlFolderMarks(self.sql)

    @_Noun
    def places(self) -> SqlPlaces:
        return SqlPlaces(self.sql)

    @_Noun
    def usage(self) -> SqlUsage:
        return SqlUsage(self.sql)

    @_Noun
    def content(self) -> SqlContent:
        return SqlContent(self.sql)

    @_Noun
    def quarantine(self) -> SqlQuarantine:
        return SqlQuarantine(self.sql)

    @_Noun
    def expiry(self) -> SqlExpiry:
        return SqlExpiry(self.sql)

    @_Noun
    def changes(self) -> SqlChanges:
        return SqlChanges(self.sql)

    @_Noun
    def history(self) -> SqlHistory:
        return SqlHistory(self.sql)

    @_Noun
    def rewinds(self) -> SqlRewinds:
        return SqlRewinds(self.sql)

    @_Noun
    def history_log(self) -> SqlHistoryLog:
        return SqlHistoryLog(self.sql)

    @_Noun
    def history_keys(self) -> SqlHistoryKeys:
        return SqlHistoryKeys(self.sql)

    @_Noun
    def search(self) -> SqlSearch:
        return SqlSearch(self.sql)

    @_Noun
    def uploads(self) -> SqlUploads:
        return SqlUploads(self.sql)

    @_Noun
    def devices(self) -> SqlDevices:
        return SqlDevices(self.sql)

    @_Noun
    def sessions(self) -> SqlSessions:
        return SqlSessions(self.sql)

    @_Noun
    def app_passwords(self) -> SqlAppPasswords:
        return SqlAppPasswords(self.sql)

    @_Noun
    def identities(self) -> SqlIdentities:
        return SqlIdentities(self.sql)

    @_Noun
    def spent_tokens(self) -> SqlSpentTokens:
        return SqlSpentTokens(self.sql)

    @_Noun
    def passkeys(self) -> SqlPasskeys:
        return SqlPasskeys(self.sql)

    @_Noun
    def nonces(self) -> SqlNonces:
        return SqlNonces(self.sql)

    @_Noun
    def second_factors(self) -> SqlSecondFactors:
        return SqlSecondFactors(self.sql)

    @_Noun
    def operators(self) -> SqlOperators:
        return SqlOperators(self.sql)

    @_Noun
    def password_links(self) -> SqlPasswordLinks:
        return SqlPasswordLinks(self.sql)

    @_Noun
    def throttles(self) -> SqlThrottles:
        return SqlThrottles(self.sql)

    @_Noun
    def promotions(self) -> SqlPromotions:
        return SqlPromotions(self.sql)

    @_Noun
    def settings(self) -> SqlSettings:
        return SqlSettings(self.sql)

    @_Noun
    def shares(self) -> SqlShares:
        return SqlShares(self.sql)

    @_Noun
    def boards(self) -> SqlBoards:
        return SqlBoards(self.sql)

    @_Noun
    def board_members(self) -> SqlBoardMembers:
        return SqlBoardMembers(self.sql)

    @_Noun
    def board_invitations(self) -> SqlBoardInvitations:
        return SqlBoardInvitations(self.sql)

    @_Noun
    def board_items(self) -> SqlBoardItems:
        return SqlBoardItems(self.sql)

    @_Noun
    def board_comments(self) -> SqlBoardComments:
        return SqlBoardComments(self.sql)

    @_Noun
    def timeline(self) -> SqlTimeline:
        return SqlTimeline(self.sql)

    @_Noun
    def tags(self) -> SqlTags:
        return SqlTags(self.sql)

    @_Noun
    def contacts(self) -> SqlContacts:
        return SqlContacts(self.sql)

    @_Noun
    def banners(self) -> SqlBanners:
        return SqlBanners(self.sql)

    @_Noun
    def outbox(self) -> SqlOutbox:
        return SqlOutbox(self.sql)

    @_Noun
    def audit(self) -> SqlAudit:
        return SqlAudit(self.sql)

    @_Noun
    def thumbnails(self) -> SqlThumbnails:
        return SqlThumbnails(self.sql)

    @_Noun
    def archives(self) -> SqlArchives:
        return SqlArchives(self.sql)

    @_Noun
    def photos(self) -> SqlMediaFacts:
        return SqlMediaFacts(self.sql)

    @_Noun
    def undated(self) -> SqlUndated:
        return SqlUndated(self.sql)

    @_Noun
    def alarms(self) -> SqlAlarms:
        return SqlAlarms(self.sql)

    @_Noun
    def damage(self) -> SqlDamage:
        return SqlDamage(self.sql)

    @_Noun
    def inspection(self) -> SqlInspection:
        return SqlInspection(self.sql)

    @_Noun
    def repair(self) -> SqlRepair:
        return SqlRepair(self.sql)
