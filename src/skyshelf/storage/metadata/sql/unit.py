"""All nouns on one connection."""

from functools import cached_property

from skyshelf.storage.metadata.sql.accounts import SqlAccounts
from skyshelf.storage.metadata.sql.changes import SqlChanges
from skyshelf.storage.metadata.sql.content import SqlContent
from skyshelf.storage.metadata.sql.files import SqlFiles
from skyshelf.storage.metadata.sql.quota import SqlQuotas
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.sql.tree import SqlTree
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
    def files(self) -> SqlFiles:
        return SqlFiles(self.sql)

    @cached_property
    def content(self) -> SqlContent:
        return SqlContent(self.sql)

    @cached_property
    def changes(self) -> SqlChanges:
        return SqlChanges(self.sql)

    @cached_property
    def uploads(self) -> SqlUploads:
        return SqlUploads(self.sql)
