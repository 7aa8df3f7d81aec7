"""Random changes of an account, which the tests of history and of rewinding share."""

import contextlib
import random

from tests.conformance.metadata.board_making import make_board, show
from tests.conformance.metadata.making import (
    NOW,
    apply,
    make_folder,
    mark_for_deletion,
    new_key,
    put_file,
)

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Move, NewTag, Rename, SetFavorite, Trash
from skyshelf.storage.metadata.store import MetadataStore


class RandomChanges:
    """Random changes of an account, by a seed."""

    def __init__(self, store: MetadataStore, account: Account, seed: int) -> None:
        self.store, self.account = store, account
        self.random = random.Random(seed)
        self.now = NOW
        self.keys = [account.root_key]
        self.folders = [account.root_key]
        self.tag_keys: dict[str, str] = {}
        self.albums = [make_board(store, account, name) for name in ("Summer", "Winter")]

    def step(self) -> None:
        self.now += self.random.choice([0, 1, 1000])
        weights = {self._folder: 2, self._put: 4, self._rename: 2, self._move: 3, self._trash: 2, self._restore: 1,
                   self._restore_elsewhere: 0.5, self._purge: 1, self._empty: 0.3, self._favorite: 1, self._tag: 1,
                   self._untag: 1, self._show: 1.5, self._withdraw: 1}  # fmt: skip
        self.random.choices(list(weights), list(weights.values()))[0]()

    def _folder(self) -> None:
        self._try(lambda: make_folder(self.store, self.account, self._a_folder(), self._name(), now=self.now), True)

    def _put(self) -> None:
        data = self.random.randbytes(3)
        self._try(
            lambda: (
                put_file(
                    self.store, self.account, self._a_folder(), self._name(), data, now=self.now, keep_versions=2
                ).object
            )
        )

    def _try(self, make: object, is_folder: bool = False) -> None:
        from skyshelf.storage.errors import StorageError

        try:
            made = make()  # type: ignore[operator]
        except StorageError:
            return
        if made.object_key not in self.keys:
            self.keys.append(made.object_key)
            if is_folder:
                self.folders.append(made.object_key)

    def _rename(self) -> None:
        apply(self.store, self.account, *[Rename(self._any(), self._name()) for _ in range(2)], now=self.now)

    def _move(self) -> None:
        apply(self.store, self.account, *[Move(self._any(), self._a_folder()) for _ in range(2)], now=self.now)

    def _trash(self) -> None:
        apply(self.store, self.account, Trash(self._any()), now=self.now)

    def _restore(self) -> None:
        keys = [self._any() for _ in range(3)]
        self.store.write(lambda unit: unit.tree.restore(self.account.account_id, keys, self.now))

    def _restore_elsewhere(self) -> None:
        keys, folder = [self._any() for _ in range(3)], self._a_folder()
        self.store.write(lambda unit: unit.tree.restore(self.account.account_id, keys, self.now))
        apply(self.store, self.account, *[Move(key, folder) for key in keys], now=self.now)

    def _purge(self) -> None:
        mark_for_deletion(self.store, self.account, *{self._any() for _ in range(4)}, now=self.now)
        self._delete()

    def _empty(self) -> None:
        self.store.write(lambda unit: unit.purge.mark_all_for_deletion(self.account.account_id, self.now))
        self._delete()

    def _delete(self) -> None:
        for _ in range(self.random.choice([0, 1, 20])):
            self.store.write(lambda unit: unit.purge.delete_batch(self.account.account_id, 2, self.now))

    def _favorite(self) -> None:
        apply(self.store, self.account, SetFavorite(self._any(), self.random.random() < 0.6), now=self.now)

    def _tag(self) -> None:
        from skyshelf.storage.errors import StorageError

        # Links have no number of their own: two moments are told apart by the time.
        self.now += 1
        name, key = self.random.choice("xyz"), self._any()
        try:
            tag = self.store.write(
                lambda unit: unit.tags.add(
                    self.account.account_id, [key], NewTag(tag_key=new_key(), name=name), self.now
                )
            )
        except StorageError:
            return
        self.tag_keys[name] = tag.tag_key

    def _show(self) -> None:
        from skyshelf.storage.errors import StorageError

        self.now += 1
        with contextlib.suppress(StorageError):
            show(self.store, self.account, self.random.choice(self.albums), self._any(), now=self.now)

    def _withdraw(self) -> None:
        self.now += 1
        album, keys = self.random.choice(self.albums), [self._any() for _ in range(3)]
        account_id = self.account.account_id
        self.store.write(lambda unit: unit.board_items.remove(account_id, album, keys, self.now, only_own=True))

    def _untag(self) -> None:
        self.now += 1
        if self.tag_keys:
            tag, keys = self.random.choice(sorted(self.tag_keys.values())), [self._any() for _ in range(3)]
            self.store.write(lambda unit: unit.tags.remove(self.account.account_id, keys, tag, self.now))

    def _name(self) -> str:
        return self.random.choice("abcdef")

    def _any(self) -> str:
        return self.random.choice(self.keys[-12:])

    def _a_folder(self) -> str:
        return self.random.choice(self.folders[-5:] + self.folders[:1])
