"""What an account looked like, at a moment and now."""

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.history.contract import PastPlace
from skyshelf.storage.metadata.history.records import decode_links
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw
from skyshelf.storage.metadata.store import MetadataStore, Unit

Seen = dict[str, tuple[object, ...]]


def newest(store: MetadataStore, account: Account) -> int:
    with store.read() as unit:
        return unit.history.bounds(account.account_id).newest


def listed(store: MetadataStore, account: Account, folder_key: str, seq: int, *, limit: int = 2) -> list[StoredObject]:
    """All of a past folder, by small pages."""
    found: list[StoredObject] = []
    after: PastPlace | None = None
    with store.read() as unit:
        while True:
            page = unit.history.at(account.account_id, seq).children(folder_key, limit=limit, after=after)
            assert len(page.found) <= limit
            found += page.found
            if page.next is None:
                return found
            after = page.next


def names(store: MetadataStore, account: Account, folder_key: str, seq: int) -> list[str]:
    return sorted(one.name for one in listed(store, account, folder_key, seq))


def seen_at(store: MetadataStore, account: Account, seq: int, at: int) -> Seen:
    """Every path that could be seen, with all that is known of it."""
    found: Seen = {}
    waiting = [(account.root_key, "")]
    while waiting:
        folder_key, path = waiting.pop()
        for one in listed(store, account, folder_key, seq, limit=3):
            place = f"{path}/{one.name}"
            assert place not in found, "a name twice"
            found[place] = (*_known(one), *_links_at(store, account, one.object_key, seq, at))
            if one.is_folder:
                waiting.append((one.object_key, place))
    return found


def seen_now(store: MetadataStore, account: Account) -> Seen:
    found: Seen = {}
    waiting = [(account.root_key, "")]
    with store.read() as unit:
        albums = _albums_of(unit, account)
        while waiting:
            folder_key, path = waiting.pop()
            for one in unit.tree.children(account.account_id, folder_key):
                tags = tuple(sorted(tag.name for tag in unit.tags.of_object(account.account_id, one.object_key)))
                found[f"{path}/{one.name}"] = (*_known(one), *tags, *albums.get(one.object_key, ()))
                if one.is_folder:
                    waiting.append((one.object_key, f"{path}/{one.name}"))
    return found


def _known(one: StoredObject) -> tuple[object, ...]:
    return (one.object_key, one.parent_key, one.is_folder, one.sha256, one.size, one.version, one.is_favorite)


def _albums_of(unit: Unit, account: Account) -> dict[str, list[str]]:
    """The albums of each of the account's own files."""
    mine: Params = {"account": account.account_id}
    found: dict[str, list[str]] = {}
    for key in sorted(board.board_key for board in unit.boards.page(account.account_id, limit=10)):
        rows = unit.sql.keys(
            "SELECT object_key FROM board_items WHERE account_id = :account AND board_key = :board",
            {**mine, "board": raw(key)},
        )
        for object_key in rows:
            found.setdefault(object_key, []).append(key)
    return found


def _links_at(store: MetadataStore, account: Account, key: str, seq: int, at: int) -> tuple[str, ...]:
    with store.read() as unit:
        links = links_at(unit.sql, account.account_id, key, seq, at)
    tags = sorted(name for kind, _, name in links if kind == "tag")
    return (*tags, *sorted(other for kind, other, _ in links if kind == "board"))


_CURRENT = (
    "SELECT 'tag', t.tag_key, t.name FROM object_tags i JOIN tags t ON t.tag_key = i.tag_key"
    " WHERE i.account_id = :account AND i.object_key = :key"
    " UNION ALL SELECT 'share', s.share_key, '' FROM share_objects i JOIN shares s ON s.share_key = i.share_key"
    " WHERE i.account_id = :account AND i.object_key = :key AND s.revoked_at = 0"
    " UNION ALL SELECT 'board', b.board_key, '' FROM board_items b WHERE b.account_id = :account"
    " AND b.object_key = :key"
)


def links_at(sql: Sql, account_id: int, object_key: str, seq: int, at: int) -> list[tuple[str, str, str]]:
    """Return what an object was in at a moment: what it is in now, or was when it was deleted, with later changes
    undone."""
    mine: Params = {"account": account_id, "key": raw(object_key)}
    row = sql.one("SELECT links FROM purged_objects WHERE account_id = :account AND object_key = :key", mine)
    if row is not None:
        found = {(link.kind, key_text(link.key)): link.name for link in decode_links(row[0])}
    else:
        found = {(kind, key_text(key)): name for kind, key, name in sql.all(_CURRENT, mine)}
    changes = sql.all(
        "SELECT link_id, kind, other_key, name, added FROM link_changes WHERE account_id = :account"
        " AND object_key = :key AND (after_seq > :seq OR after_seq = :seq AND at > :at)",
        {**mine, "seq": seq, "at": at},
    )
    # The order of the database would tempt it to read all links of the account in that order.
    for _, kind, other, name, added in sorted(changes, reverse=True):
        if added:
            found.pop((kind, key_text(other)), None)
        else:
            found[kind, key_text(other)] = name
    return sorted((kind, key, name) for (kind, key), name in found.items())
