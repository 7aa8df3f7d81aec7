"""What a change costs does not grow with what its account has, up to the bound of that."""

from contextlib import closing
from pathlib import Path

import pytest
from tests.conformance.metadata.making import NOW, make_account, new_key, put_file

from skyshelf.storage.errors import LimitReached
from skyshelf.storage.metadata.contracts.tree import NewTag
from skyshelf.storage.metadata.sqlite.dialect import SqliteSql
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import limits

MANY = 50_000
DEVICE = f"{'1' * 8}-{'1' * 4}-{'1' * 4}-{'1' * 4}-{'1' * 12}/0123456789abcdef"
_MADE = (
    "INSERT INTO link_changes (account_id, after_seq, at, actor, kind, object_key, other_key, name, added)"
    " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :many)"
    " SELECT :account, 1, 1, '', 'tag', randomblob(16), randomblob(16), '', 1 FROM n"
)


def test_a_tag_costs_the_same_however_many_changes_of_tags_history_keeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(SqliteStore(tmp_path / "metadata.db")) as store:
        account, stranger = make_account(store), make_account(store)
        file = put_file(store, account, account.root_key, "a").object.object_key

        def steps_of_a_tag(name: str) -> int:
            """Return how many thousand steps the database takes."""
            steps = 0

            def count() -> bool:
                nonlocal steps
                steps += 1
                return False

            def work(unit: Unit) -> None:
                assert isinstance(unit.sql, SqliteSql)
                unit.act_as(DEVICE)
                unit.sql._connection.set_progress_handler(count, 1000)
                try:
                    unit.tags.add(account.account_id, [file], NewTag(tag_key=new_key(), name=name), NOW)
                finally:
                    unit.sql._connection.set_progress_handler(None)

            store.write(work)
            return steps

        few = steps_of_a_tag("few")
        for one in (account, stranger):
            params = {"account": one.account_id, "many": MANY}
            store.write(lambda unit, params=params: unit.sql.run(_MADE, params))  # type: ignore[misc]
        # The numbers of the stranger are between its own. Only rows that nobody has counted yet are counted, once.
        assert steps_of_a_tag("first") > few + 2
        assert steps_of_a_tag("many") <= few + 2
        with store.read() as unit:
            [known] = [one for one in unit.usage.kept(account.account_id, NOW) if one.kind == "linkChanges"]
        assert known.used == MANY + 3
        monkeypatch.setattr(limits, "LINK_CHANGES_MAX", MANY + 4)
        assert steps_of_a_tag("last") <= few + 2
        with pytest.raises(LimitReached):
            steps_of_a_tag("one too many")
        monkeypatch.undo()

        # What expires no longer counts.
        def forget(unit: Unit) -> bool:
            return unit.history.expire_some(account.account_id, NOW - 1, 1000, NOW)

        while store.write(forget):
            pass
        with store.read() as unit:
            [known] = [one for one in unit.usage.kept(account.account_id, NOW) if one.kind == "linkChanges"]
        assert known.used == 4
