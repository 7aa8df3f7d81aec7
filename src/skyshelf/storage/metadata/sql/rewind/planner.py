"""What a rewind does to each object, in SQL: decided from the object as it was, as it is, and from who changed it."""

from collections.abc import Mapping, Sequence

from skyshelf.storage.metadata.contracts.tree import ACTIVE, PURGING, TRASHED, StoredObject
from skyshelf.storage.metadata.history.records import Past, decode_past
from skyshelf.storage.metadata.history.rewinds import (
    BRING,
    CHANGED_BY_OTHERS,
    CONTENT_GONE,
    EMPTIED_FIRST,
    HIDE,
    STAY,
    TRASH,
    Planned,
    PlanPage,
    PlanPlace,
    Scope,
)
from skyshelf.storage.metadata.sql.history.past import PastTree
from skyshelf.storage.metadata.sql.kept.links import SHARE
from skyshelf.storage.metadata.sql.rewind.actors import Touched, touched
from skyshelf.storage.metadata.sql.rewind.candidates import Candidate, CandidatePages
from skyshelf.storage.metadata.sql.rewind.link_changes import LINK_ACTIONS, LinkChange, link_changes
from skyshelf.storage.metadata.sql.rewind.ways import Ways, current_ways
from skyshelf.storage.metadata.sql.statements import Sql, digest_text, key_text, raw

_KEPT_AS_IT_IS = ("is_hidden", "is_locked", "is_readonly", "file_created_at", "last_modified_at")


def purged_objects(sql: Sql, account_id: int, keys: Sequence[str]) -> dict[str, Past]:
    """Objects that were deleted for good, as they were."""
    if not keys:
        return {}
    rows = sql.all(
        "SELECT object_key, state FROM purged_objects WHERE account_id = :account AND object_key = ANY_KEY(:keys)",
        {"account": account_id, "keys": [raw(key) for key in keys]},
    )
    return {key_text(key): decode_past(account_id, key_text(key), state) for key, state in rows}


def contents_kept(sql: Sql, contents: Sequence[str]) -> set[str]:
    """Those of the contents whose bytes are still there, be it in quarantine."""
    if not contents:
        return set()
    rows = sql.all(
        "SELECT content FROM blobs WHERE content = ANY_KEY(:contents) UNION SELECT content FROM quarantine"
        " WHERE content = ANY_KEY(:contents) AND kind = 'blob' AND deleting = 0 AND md5 IS NOT NULL",
        {"contents": [raw(content) for content in contents]},
    )
    return {digest_text(content) for (content,) in rows}


def versions_with(sql: Sql, account_id: int, contents: Mapping[str, str]) -> dict[str, int]:
    """Objects one of whose versions has a content already (object, content): the newest such version."""
    if not contents:
        return {}
    rows = sql.all(
        "SELECT object_key, content, version FROM versions WHERE account_id = :account AND object_key = ANY_KEY(:keys)",
        {"account": account_id, "keys": sorted(raw(key) for key in contents)},
    )
    found: dict[str, int] = {}
    for raw_key, content, version in rows:
        key = key_text(raw_key)
        if contents[key] == digest_text(content):
            found[key] = max(version, found.get(key, 0))
    return found


def differences(current: StoredObject | None, target: StoredObject) -> list[str]:
    """What happens to an object that becomes another; None is one that was deleted for good."""
    if current is None:
        return ["restored"]
    found = ["restored"] if current.status != ACTIVE and target.status == ACTIVE else []
    found += ["moved"] if current.parent_key != target.parent_key else []
    found += ["renamed"] if current.name != target.name else []
    is_other = current.sha256 != target.sha256
    is_other = is_other or any(getattr(current, name) != getattr(target, name) for name in _KEPT_AS_IT_IS)
    found += ["content"] if is_other else []
    found += ["favorite"] if current.is_favorite != target.is_favorite else []
    return found


def _link_actions(changes: Sequence[LinkChange], *, is_trashed: bool) -> list[str]:
    """What goes to the trash keeps its tags and albums, and links to it are closed."""
    kinds = {one.kind for one in changes}
    return [action for kind, action in LINK_ACTIONS.items() if kind in kinds and (kind == SHARE or not is_trashed)]


class Planner:
    """The plan of one rewind."""

    def __init__(self, sql: Sql, account_id: int, scope: Scope) -> None:
        self._sql = sql
        self._account_id = account_id
        self._scope = scope
        self._candidates = CandidatePages(sql, account_id, scope)

    def page(self, limit: int, after: PlanPlace | None) -> PlanPage:
        candidates, further = self._candidates.page(limit, after)
        page = _Page(self._sql, self._account_id, self._scope, candidates)
        return PlanPage(page.items(), further)


class _Page:
    """The objects of a page with all that decides about them."""

    def __init__(self, sql: Sql, account_id: int, scope: Scope, candidates: Sequence[Candidate]) -> None:
        self._sql = sql
        self._account_id = account_id
        self._scope = scope
        self._now = current_ways(sql, account_id)
        new = {one.object_key for one in candidates if one.is_new}
        keys = list(dict.fromkeys(one.object_key for one in candidates))
        self._now.fetch(keys)
        gone = [key for key in keys if self._now.get(key) is None]
        self._purged = purged_objects(sql, account_id, gone)
        # What was made since is found by the change that made it, and needs no second look.
        self._keys = [key for key in keys if key in new or scope.actor or not self._was_made_since(key)]
        self._touched: dict[str, Touched] = {}
        if scope.actor:
            self._touched = touched(sql, account_id, self._keys, scope.seq, scope.actor)
        self._trees: dict[int, Ways] = {}
        for key in self._keys:
            self._tree(self._moment(key))
        for seq, tree in self._trees.items():
            tree.fetch(key for key in self._keys if self._moment(key) == seq)
        self._links = link_changes(sql, account_id, scope, self._keys)

    def _was_made_since(self, key: str) -> bool:
        known = self._now.get(key) or (self._purged[key].object if key in self._purged else None)
        return known is not None and known.created_seq > self._scope.seq

    def _moment(self, key: str) -> int:
        """The moment that an object goes back to: the rewind's, or the last change of it by anybody else."""
        return max(self._scope.seq, self._touched[key].foreign if key in self._touched else 0)

    def _tree(self, seq: int) -> Ways:
        if seq not in self._trees:
            past = PastTree(self._sql, self._account_id, seq)
            self._trees[seq] = Ways(past.objects)
        return self._trees[seq]

    def items(self) -> list[Planned]:
        decided = [found for key in self._keys if self._is_meant(key) and (found := self._decide(key)) is not None]
        wanted = {
            one.object_key: one.target.sha256
            for one in decided
            if one.target is not None and one.target.sha256 is not None and self._needs_content(one)
        }
        kept = contents_kept(self._sql, sorted(set(wanted.values())))
        counted = versions_with(self._sql, self._account_id, wanted)
        return [self._with_content(one, kept, is_counted=one.object_key in counted) for one in decided]

    def _is_meant(self, key: str) -> bool:
        folder = self._scope.folder_key
        if folder is None:
            return True
        if key == folder or self._tree(self._moment(key)).is_below(folder, key):
            # The folder stays where it is, unless it has to come back.
            return not self._scope.actor and not self._now.is_visible(key)
        return self._now.is_below(key, folder) or self._tree(self._moment(key)).is_below(key, folder)

    def _decide(self, key: str) -> Planned | None:
        last = self._touched.get(key)
        if last is not None and last.foreign > last.own:
            return self._planned(key, STAY, None, problem=CHANGED_BY_OTHERS) if last.own else None
        tree, current = self._tree(self._moment(key)), self._now.get(key)
        target = tree.get(key)
        if current is not None and current.status == PURGING:
            current = None
        if current is not None and current.parent_key is None:
            return self._linked(key, current)
        if target is not None and tree.is_visible(key):
            is_same = current is not None and not differences(current, target)
            return self._linked(key, current) if is_same else self._planned(key, BRING, target)
        if current is None:
            # What somebody deleted out of the trash comes back to it; what went from there after its time does not.
            return self._planned(key, HIDE, target) if target is not None and self._scope.actor else None
        return self._decide_unseen(key, current, target)

    def _decide_unseen(self, key: str, current: StoredObject, target: StoredObject | None) -> Planned | None:
        """Something that could not be seen: it did not exist, or was in the trash."""
        if current.status != ACTIVE or (target is None and self._goes_with_its_folder(current)):
            return None
        if target is None or target.status == TRASHED:
            return self._planned(key, TRASH, None)
        is_there = self._now.get(target.parent_key) is not None
        if (current.parent_key, current.name) == (target.parent_key, target.name):
            return None
        return self._planned(key, HIDE if is_there else TRASH, target if is_there else None)

    def _goes_with_its_folder(self, current: StoredObject) -> bool:
        """Whether the folder that something new is in is new as well, and goes to the trash with all that is in it.

        If the doings of one session are undone, the folder may hold what others have put there.
        """
        folder = self._now.get(current.parent_key)
        if self._scope.actor or folder is None or folder.object_key == self._scope.folder_key:
            return False
        return folder.created_seq > self._scope.seq

    def _linked(self, key: str, current: StoredObject | None) -> Planned | None:
        """Something of which nothing but what it is in changes."""
        if current is None or key not in self._links:
            return None
        return self._planned(key, STAY, current)

    def _planned(self, key: str, what: str, target: StoredObject | None, *, problem: str = "") -> Planned:
        current = self._now.get(key)
        if current is not None and current.status == PURGING:
            current = None
        tree = self._tree(self._moment(key))
        if what == TRASH:
            actions, rank, path = ["trashed"], -self._now.depth(key) - 1, self._now.path(key)
            if self._scope.actor and current is not None and current.is_folder:
                # Last of all: whatever else is in it goes back to its own place first.
                rank += EMPTIED_FIRST
        elif what == STAY:
            actions, rank, path = [], 0, self._now.path(key) or tree.path(key)
        else:
            assert target is not None
            actions, rank, path = differences(current, target), tree.depth(key), tree.path(key)
        if not problem:
            actions += _link_actions(self._links.get(key, ()), is_trashed=what == TRASH)
        return Planned(
            object_key=key,
            what=what,
            rank=rank,
            actions=actions,
            path=path,
            current=current or (self._purged[key].object if key in self._purged else None),
            target=target,
            problem=problem,
        )

    def _needs_content(self, one: Planned) -> bool:
        if one.what not in {BRING, HIDE} or one.target is None or one.target.is_folder:
            return False
        return self._now.get(one.object_key) is None or one.current is None or one.current.sha256 != one.target.sha256

    def _with_content(self, one: Planned, kept: set[str], *, is_counted: bool) -> Planned:
        if not self._needs_content(one):
            return one
        assert one.target is not None
        is_gone = one.target.sha256 not in kept
        return Planned(
            object_key=one.object_key,
            what=one.what,
            rank=one.rank,
            actions=one.actions,
            path=one.path,
            current=one.current,
            target=one.target,
            size=0 if is_gone or is_counted else one.target.size,
            problem=CONTENT_GONE if is_gone else "",
        )
