"""What a rewind does to each object, in SQL: decided from the object as it was, as it is, and from who changed it."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from skyshelf.storage.metadata.contracts.tree import ACTIVE, PURGING, TRASHED, Page, StoredObject
from skyshelf.storage.metadata.history import rewinds
from skyshelf.storage.metadata.sql.content import content_places
from skyshelf.storage.metadata.sql.history.past import PastTree
from skyshelf.storage.metadata.sql.keeping import SHARE, purged_states
from skyshelf.storage.metadata.sql.rewind.candidates import Candidate, CandidatePages, LastChanges, touched
from skyshelf.storage.metadata.sql.rewind.links import LINK_ACTIONS, LinkChange, link_changes
from skyshelf.storage.metadata.sql.statements import Sql, digest_text, key_text, raw
from skyshelf.storage.metadata.sql.tree.visibility import load

KEPT_AS_IT_IS = ("is_hidden", "is_locked", "is_readonly", "is_executable", "file_created_at", "last_modified_at")

_DEPTH_MAX = 400
Load = Callable[[Sequence[str]], Mapping[str, StoredObject]]


class Ways:
    """Objects by key with everything above them, at a moment or now, as far as that is known."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._objects: dict[str, StoredObject | None] = {}

    def fetch(self, keys: Iterable[str]) -> None:
        """Load objects and the folders above them."""
        wanted = {key for key in keys if key not in self._objects}
        while wanted:
            found = self._load(sorted(wanted))
            self._objects |= {key: found.get(key) for key in wanted}
            wanted = {one.parent_key for one in found.values() if one.parent_key} - self._objects.keys()

    def get(self, key: str | None) -> StoredObject | None:
        return None if key is None else self._objects.get(key)

    def way(self, key: str) -> list[StoredObject]:
        """From the object up, as far as it is known."""
        found: list[StoredObject] = []
        above = self.get(key)
        while above is not None and len(found) < _DEPTH_MAX:
            found.append(above)
            above = self.get(above.parent_key)
        return found

    def is_visible(self, key: str) -> bool:
        way = self.way(key)
        return bool(way) and way[-1].parent_key is None and all(one.status == ACTIVE for one in way)

    def is_shown(self, key: str, is_by: Callable[[str | None], bool]) -> bool:
        """Return whether a folder above an object shows it: nothing on the way is in the trash."""
        for one in self.way(key):
            if one.status != ACTIVE or is_by(one.parent_key):
                return one.status == ACTIVE
        return False

    def depth(self, key: str) -> int:
        return len(self.way(key))

    def path(self, key: str) -> str:
        return "".join(f"/{one.name}" for one in reversed(self.way(key)) if one.parent_key is not None)

    def is_below(self, key: str, folder_key: str) -> bool:
        return any(one.parent_key == folder_key for one in self.way(key))


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
    """Return what happens to an object that becomes another; None is one that was deleted for good."""
    if current is None:
        return ["restored"]
    found = ["restored"] if current.status != ACTIVE and target.status == ACTIVE else []
    found += ["moved"] if current.parent_key != target.parent_key else []
    found += ["renamed"] if current.name != target.name else []
    is_other = current.sha256 != target.sha256
    is_other = is_other or any(getattr(current, name) != getattr(target, name) for name in KEPT_AS_IT_IS)
    found += ["content"] if is_other else []
    found += ["favorite"] if current.is_favorite != target.is_favorite else []
    return found


def _link_actions(changes: Sequence[LinkChange], *, is_trashed: bool) -> list[str]:
    """Plan a move to the trash: tags and boards stay, and links to the object are closed."""
    kinds = {one.kind for one in changes}
    return [action for kind, action in LINK_ACTIONS.items() if kind in kinds and (kind == SHARE or not is_trashed)]


def plan_page(
    sql: Sql, account_id: int, scope: rewinds.Scope, limit: int, after: rewinds.Place | None
) -> Page[rewinds.PlannedItem, rewinds.Place]:
    """Return a page of the plan of one rewind."""
    candidates, further = CandidatePages(sql, account_id, scope).page(limit, after)
    return Page(_Page(sql, account_id, scope, candidates).items(), further)


class _Page:
    """The objects of a page with all that decides about them."""

    def __init__(self, sql: Sql, account_id: int, scope: rewinds.Scope, candidates: Sequence[Candidate]) -> None:
        self._sql = sql
        self._account_id = account_id
        self._scope = scope
        self._now = Ways(partial(load, sql, account_id))
        new = {one.object_key for one in candidates if one.is_new}
        keys = list(dict.fromkeys(one.object_key for one in candidates))
        self._now.fetch(keys)
        gone = [key for key in keys if self._now.get(key) is None]
        self._purged = purged_states(sql, account_id, gone)
        # What was made since is found by the change that made it, and needs no second look.
        self._keys = [key for key in keys if key in new or scope.actor or not self._was_made_since(key)]
        self._touched: dict[str, LastChanges] = {}
        if scope.actor:
            self._touched = touched(sql, account_id, self._keys, scope.seq, scope.actor)
        self._trees: dict[int, Ways] = {}
        for key in self._keys:
            self._tree(self._moment(key))
        for seq, tree in self._trees.items():
            tree.fetch(key for key in self._keys if self._moment(key) == seq)
        if scope.folder_key is not None:
            self._now.fetch([scope.folder_key])
            above = {one.object_key for key in (*self._keys, scope.folder_key) for one in self._now.way(key)}
            self._tree(scope.seq).fetch(above | {scope.folder_key})
        self._links = link_changes(sql, account_id, scope, self._keys)

    def _was_made_since(self, key: str) -> bool:
        known = self._now.get(key) or (self._purged[key].object if key in self._purged else None)
        return known is not None and known.created_seq > self._scope.seq

    def _moment(self, key: str) -> int:
        """Return the moment that an object goes back to: the rewind's, or the last change of it by anybody else."""
        return max(self._scope.seq, self._touched[key].foreign if key in self._touched else 0)

    def _tree(self, seq: int) -> Ways:
        if seq not in self._trees:
            past = PastTree(self._sql, self._account_id, seq)
            self._trees[seq] = Ways(past.objects)
        return self._trees[seq]

    def items(self) -> list[rewinds.PlannedItem]:
        decided = [found for key in self._keys if self._is_meant(key) and (found := self._decide(key)) is not None]
        wanted = {
            one.object_key: one.target.sha256
            for one in decided
            if one.target is not None and one.target.sha256 is not None and self._needs_content(one)
        }
        kept = content_places(self._sql, wanted.values())
        counted = versions_with(self._sql, self._account_id, wanted)
        return [self._with_content(one, kept, is_counted=one.object_key in counted) for one in decided]

    def _is_meant(self, key: str) -> bool:
        folder = self._scope.folder_key
        if folder is None:
            return True
        then = self._tree(self._moment(key))
        is_way = key == folder or then.is_below(folder, key)
        if self._scope.actor:
            return not is_way and (self._now.is_below(key, folder) or then.is_below(key, folder))
        if self._belongs(key, folder) or self._comes_along(key, folder):
            return True
        # The folder stays where it is, unless it has to come back; then those above it do as well.
        has_to_come = not self._now.is_visible(folder) or self._comes_along(folder, folder)
        return is_way and has_to_come and not self._now.is_visible(key)

    def _belongs(self, key: str | None, folder: str) -> bool:
        """Return whether the folder showed something at the moment, even if the folder itself was in the trash."""
        return key is not None and self._tree(self._scope.seq).is_shown(key, lambda above: above == folder)

    def _comes_along(self, key: str, folder: str) -> bool:
        """Return whether something is shown by the folder now, or by what comes back to the folder."""
        return self._now.is_shown(key, lambda above: above == folder or self._belongs(above, folder))

    def _decide(self, key: str) -> rewinds.PlannedItem | None:
        last = self._touched.get(key)
        if last is not None and last.foreign > last.own:
            return self._planned(key, rewinds.STAY, None, problem=rewinds.CHANGED_BY_OTHERS) if last.own else None
        tree, current = self._tree(self._moment(key)), self._now.get(key)
        target = tree.get(key)
        if current is not None and current.status == PURGING:
            current = None
        if current is not None and current.parent_key is None:
            return self._linked(key, current)
        folder = None if self._scope.actor else self._scope.folder_key
        if target is not None and (tree.is_visible(key) or (folder is not None and self._belongs(key, folder))):
            is_same = current is not None and not differences(current, target)
            return self._linked(key, current) if is_same else self._planned(key, rewinds.BRING, target)
        if current is None:
            # What somebody deleted out of the trash comes back to it; what went from there after its time does not.
            return self._planned(key, rewinds.HIDE, target) if target is not None and self._scope.actor else None
        return self._decide_unseen(key, current, target)

    def _decide_unseen(
        self, key: str, current: StoredObject, target: StoredObject | None
    ) -> rewinds.PlannedItem | None:
        """Something that could not be seen: it did not exist, or was in the trash."""
        if current.status != ACTIVE or (target is None and self._goes_with_its_folder(current)):
            return None
        if target is None or target.status == TRASHED:
            return self._planned(key, rewinds.TRASH, None)
        folder = self._scope.folder_key
        if folder is not None and not self._scope.actor:
            # Its own folder was not seen either and goes; any other may be seen now, and is not to get it back.
            is_gone = current.parent_key == target.parent_key != folder
            return None if is_gone else self._planned(key, rewinds.TRASH, None)
        is_there = self._now.get(target.parent_key) is not None
        if (current.parent_key, current.name) == (target.parent_key, target.name):
            return None
        return self._planned(key, rewinds.HIDE if is_there else rewinds.TRASH, target if is_there else None)

    def _goes_with_its_folder(self, current: StoredObject) -> bool:
        """Return whether the folder that something new is in is new as well, and goes to the trash with all that is in
        it.

        If the doings of one session are undone, the folder may hold what others have put there.
        """
        folder = self._now.get(current.parent_key)
        if self._scope.actor or folder is None or folder.object_key == self._scope.folder_key:
            return False
        return folder.created_seq > self._scope.seq

    def _linked(self, key: str, current: StoredObject | None) -> rewinds.PlannedItem | None:
        """Something of which nothing but what it is in changes."""
        if current is None or key not in self._links:
            return None
        return self._planned(key, rewinds.STAY, current)

    def _planned(self, key: str, what: str, target: StoredObject | None, *, problem: str = "") -> rewinds.PlannedItem:
        current = self._now.get(key)
        if current is not None and current.status == PURGING:
            current = None
        tree = self._tree(self._moment(key))
        if what == rewinds.TRASH:
            actions, rank, path = ["trashed"], -self._now.depth(key) - 1, self._now.path(key)
            if self._scope.actor and current is not None and current.is_folder:
                # Last of all: whatever else is in it goes back to its own place first.
                rank += rewinds.EMPTIED_FIRST
        elif what == rewinds.STAY:
            actions, rank, path = [], 0, self._now.path(key) or tree.path(key)
        else:
            assert target is not None
            actions, rank, path = differences(current, target), tree.depth(key), tree.path(key)
        if not problem:
            actions += _link_actions(self._links.get(key, ()), is_trashed=what == rewinds.TRASH)
        return rewinds.PlannedItem(
            object_key=key,
            what=what,
            rank=rank,
            actions=actions,
            path=path,
            current=current or (self._purged[key].object if key in self._purged else None),
            target=target,
            problem=problem,
        )

    def _needs_content(self, one: rewinds.PlannedItem) -> bool:
        if one.what not in {rewinds.BRING, rewinds.HIDE} or one.target is None or one.target.is_folder:
            return False
        return self._now.get(one.object_key) is None or one.current is None or one.current.sha256 != one.target.sha256

    def _with_content(self, one: rewinds.PlannedItem, kept: Container[str], *, is_counted: bool) -> rewinds.PlannedItem:
        if not self._needs_content(one):
            return one
        assert one.target is not None
        is_gone = one.target.sha256 not in kept
        size = 0 if is_gone or is_counted else one.target.size
        return replace(one, size=size, problem=rewinds.CONTENT_GONE if is_gone else "")
