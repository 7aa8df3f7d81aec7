"""All nouns on one connection."""

from functools import cached_property

from skyshelf.storage.metadata.sql.accounts.accounts import SqlAccounts, SqlDevices
from skyshelf.storage.metadata.sql.accounts.contacts import SqlContacts
from skyshelf.storage.metadata.sql.accounts.promotions import SqlBanners, SqlPromotions, SqlSettings
from skyshelf.storage.metadata.sql.accounts.second_factors import SqlSecondFactors, SqlThrottles
from skyshelf.storage.metadata.sql.accounts.sessions import SqlNonces, SqlSessions
from skyshelf.storage.metadata.sql.boards.boards import SqlBoards
from skyshelf.storage.metadata.sql.boards.comments import SqlBoardComments
from skyshelf.storage.metadata.sql.boards.invitations import SqlBoardInvitations
from skyshelf.storage.metadata.sql.boards.items import SqlBoardItems
from skyshelf.storage.metadata.sql.boards.members import SqlBoardMembers
from skyshelf.storage.metadata.sql.changes import SqlChanges
from skyshelf.storage.metadata.sql.content import SqlContent, SqlThumbnails
from skyshelf.storage.metadata.sql.damage import SqlDamage
from skyshelf.storage.metadata.sql.expiry import SqlExpiry
from skyshelf.storage.metadata.sql.files import SqlFiles
from skyshelf.storage.metadata.sql.inspection import SqlInspection
from skyshelf.storage.metadata.sql.jobs import SqlOutbox
from skyshelf.storage.metadata.sql.quarantine import SqlQuarantine
from skyshelf.storage.metadata.sql.quota import SqlQuotas
from skyshelf.storage.metadata.sql.repair import SqlRepair
from skyshelf.storage.metadata.sql.search import SqlSearch
from skyshelf.storage.metadata.sql.shares import SqlShares
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.sql.tags import SqlTags
from skyshelf.storage.metadata.sql.tree.stored_wire import SqlWireCache
from skyshelf.storage.metadata.sql.tree.timeline import SqlTimeline
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.undated import SqlUndated
from skyshelf.storage.metadata.sql.uploads import SqlUploads


class SqlUnit:
    """A Unit over SQL statements."""

    def __init__(self, sql: Sql) -> None:
        self.sql = sql

    @cached_property
    def accounts(self) -> SqlAccounts:
        return SqlAccounts(self.sql)

    @cached_property
    def quotas(self) -> SqlQuotas:
        return SqlQuotas(self.sql)

    @cached_property
    def tree(self) -> SqlTree:
        return SqlTree(self.sql)

    @cached_property
    def wire_cache(self) -> SqlWireCache:
        return SqlWireCache(self.sql)

    @cached_property
    def files(self) -> SqlFiles:
        return SqlFiles(self.sql)

    @cached_property
    def content(self) -> SqlContent:
        return SqlContent(self.sql)

    @cached_property
    def quarantine(self) -> SqlQuarantine:
        return SqlQuarantine(self.sql)

    @cached_property
    def expiry(self) -> SqlExpiry:
        return SqlExpiry(self.sql)

    @cached_property
    def changes(self) -> SqlChanges:
        return SqlChanges(self.sql)

    @cached_property
    def search(self) -> SqlSearch:
        return SqlSearch(self.sql)

    @cached_property
    def uploads(self) -> SqlUploads:
        return SqlUploads(self.sql)

    @cached_property
    def devices(self) -> SqlDevices:
        return SqlDevices(self.sql)

    @cached_property
    def sessions(self) -> SqlSessions:
        return SqlSessions(self.sql)

    @cached_property
    def nonces(self) -> SqlNonces:
        return SqlNonces(self.sql)

    @cached_property
    def second_factors(self) -> SqlSecondFactors:
        return SqlSecondFactors(self.sql)

    @cached_property
    def throttles(self) -> SqlThrottles:
        return SqlThrottles(self.sql)

    @cached_property
    def promotions(self) -> SqlPromotions:
        return SqlPromotions(self.sql)

    @cached_property
    def settings(self) -> SqlSettings:
        return SqlSettings(self.sql)

    @cached_property
    def shares(self) -> SqlShares:
        return SqlShares(self.sql)

    @cached_property
    def boards(self) -> SqlBoards:
        return SqlBoards(self.sql)

    @cached_property
    def board_members(self) -> SqlBoardMembers:
        return SqlBoardMembers(self.sql)

    @cached_property
    def board_invitations(self) -> SqlBoardInvitations:
        return SqlBoardInvitations(self.sql)

    @cached_property
    def board_items(self) -> SqlBoardItems:
        return SqlBoardItems(self.sql)

    @cached_property
    def board_comments(self) -> SqlBoardComments:
        return SqlBoardComments(self.sql)

    @cached_property
    def timeline(self) -> SqlTimeline:
        return SqlTimeline(self.sql)

    @cached_property
    def tags(self) -> SqlTags:
        return SqlTags(self.sql)

    @cached_property
    def contacts(self) -> SqlContacts:
        return SqlContacts(self.sql)

    @cached_property
    def banners(self) -> SqlBanners:
        return SqlBanners(self.sql)

    @cached_property
    def outbox(self) -> SqlOutbox:
        return SqlOutbox(self.sql)

    @cached_property
    def thumbnails(self) -> SqlThumbnails:
        return SqlThumbnails(self.sql)

    @cached_property
    def undated(self) -> SqlUndated:
        return SqlUndated(self.sql)

    @cached_property
    def damage(self) -> SqlDamage:
        return SqlDamage(self.sql)

    @cached_property
    def inspection(self) -> SqlInspection:
        return SqlInspection(self.sql)

    @cached_property
    def repair(self) -> SqlRepair:
        return SqlRepair(self.sql)
