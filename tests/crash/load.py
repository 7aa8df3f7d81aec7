"""The load: one thread per account, with mixed operations from a seed, and a journal of what was acknowledged."""

import threading
from collections import Counter
from collections.abc import Callable
from random import Random

from tests.crash.client import Dead, NoAnswer, OnceClient
from tests.crash.contents import Content, bytes_of, fresh, picture, shared
from tests.crash.model import Account, Json, State, Thing, Unfinished, fits

_ROOM = 40
"""Things in one account before more leave than come: it bounds what a check has to read."""
_VERSIONS = 3
_CHUNK = 9_000
_LARGE_FOLDER = 4


class Worker:
    """Writes to one account until it is told to stop, or nobody listens."""

    def __init__(self, client: OnceClient, account: Account, names: str) -> None:
        self.client = client
        self.account = account
        self.acknowledged: Counter[str] = Counter()
        self.unanswered: Counter[str] = Counter()
        self.refused: list[str] = []
        """Answers that are wrong, whatever was done to the disk."""
        self._names = names
        self._made = 0
        self._rng = Random()

    def run(self, seed: int, stop: threading.Event) -> None:
        self._rng = Random(seed)
        try:
            while not stop.is_set():
                operation = self._choose()
                label = operation.__name__.replace("_", " ")
                self.client.note(label)
                try:
                    if operation():
                        self.acknowledged[label] += 1
                        self.account.acknowledge()
                except NoAnswer as unanswered:
                    self.unanswered[label] += 1
                    self.account.leave_open()
                    if isinstance(unanswered, Dead):
                        return
        except (AssertionError, KeyError, ValueError) as error:
            self.refused.append(f"{label}: {error!r}")

    def _choose(self) -> Callable[[], bool]:
        come: list[tuple[Callable[[], bool], int]] = [
            (self.upload, 14), (self.upload_known, 6), (self.upload_many, 5), (self.new_version, 6), (self.begin, 5),
            (self.add_folder, 4), (self.upload_picture, 1), (self.share, 1), (self.board, 1),
        ]  # fmt: skip
        change: list[tuple[Callable[[], bool], int]] = [
            (self.chunk, 12), (self.rename, 4), (self.move, 4), (self.favorite, 3), (self.several, 4),
            (self.restore, 4), (self.read, 3),
        ]  # fmt: skip
        leave: list[tuple[Callable[[], bool], int]] = [(self.trash, 5), (self.purge, 4), (self.cancel, 1)]
        full = len(self.account.things) > _ROOM
        weighted = [*(() if full else come), *change, *((one, 4 * weight if full else weight) for one, weight in leave)]
        chosen: Callable[[], bool] = self._rng.choices([one for one, _ in weighted], [many for _, many in weighted])[0]
        return chosen

    # Bytes come in

    def upload(self) -> bool:
        return self._put(fresh(self._rng))

    def upload_known(self) -> bool:
        """Content of all accounts, or what this one has already."""
        mine = [thing.now.contents[-1] for thing in self.account.certain() if not thing.is_folder]
        return self._put(self._rng.choice(mine) if mine and self._rng.random() < 0.5 else shared(self._rng))

    def upload_picture(self) -> bool:
        """And look at its thumbnail, which is made and kept on the way."""
        self._put(picture(self._rng), ".png")
        self.account.acknowledge()
        self.client.get(f"/download/avimages/{self.account.things[-1].key}", params={"size": "small"})
        return True

    def upload_many(self) -> bool:
        contents = [self._rng.choice((fresh, fresh, shared))(self._rng) for _ in range(self._rng.randint(2, 6))]
        states = [State(self._folder(), self._name(), (content,)) for content in contents]
        things = [self._announce_new(state) for state in states]
        files = [(state.name, bytes_of(state.contents[-1]), state.parent) for state in states]
        outcomes = self.client.upload_many(files)
        if not all("object" in outcome for outcome in outcomes):
            raise NoAnswer(f"some of many were refused: {outcomes}")
        for thing, state, outcome in zip(things, states, outcomes, strict=True):
            self._compare(thing, state, outcome["object"])
        return True

    def new_version(self) -> bool:
        thing = self._pick(lambda one: not one.is_folder and len(one.now.contents) < _VERSIONS)
        if thing is None:
            return False
        content = fresh(self._rng)
        after = thing.now.but(contents=(*thing.now.contents, content))
        self.account.announce("content", thing, after)
        self._compare(thing, after, self.client.upload(after.name, bytes_of(content), after.parent))
        return True

    def begin(self) -> bool:
        """Content that is known makes the file at once; either of the two may be there until it is answered."""
        content = self._rng.choice((fresh, fresh, shared))(self._rng)
        state = State(self._folder(), self._name(), (content,))
        upload = Unfinished(state.name, state.parent, content, {-1, 0})
        thing = self._announce_new(state)
        self.account.uploads.append(upload)
        answer = self.client.initiate(upload.name, bytes_of(content), upload.parent)
        if "objectKey" in answer:
            self.account.uploads.remove(upload)
            self._compare(thing, state, answer)
        else:
            assert answer["offset"] == 0, answer
            self.account.withdraw()
            upload.key, upload.offsets = answer["transactionId"], {0}
        return True

    def chunk(self) -> bool:
        going = [one for one in self.account.uploads if len(one.offsets) == 1 and self._is_open(one.parent)]
        if not going:
            return self.begin() if len(self.account.things) <= _ROOM else False
        upload = self._rng.choice(going)
        (offset,) = upload.offsets
        data = bytes_of(upload.content)
        end = min(len(data), offset + self._rng.randint(1, _CHUNK * 4))
        if end < len(data):
            upload.offsets = {offset, end}
            answer = self.client.chunk(upload.key, offset, data[offset:end])
            assert answer["offset"] == end, answer
            upload.offsets = {end}
            return True
        # All bytes may have arrived without having become a file: then the upload is begun again to finish it.
        upload.offsets = {offset, end, -1}
        state = State(upload.parent, upload.name, (upload.content,))
        thing = self._announce_new(state)
        if offset == end:
            made = self.client.initiate(upload.name, data, upload.parent)
        else:
            made = self.client.chunk(upload.key, offset, data[offset:])
        self.account.uploads.remove(upload)
        self._compare(thing, state, made)
        return True

    def cancel(self) -> bool:
        going = [one for one in self.account.uploads if len(one.offsets) == 1]
        if not going:
            return False
        upload = self._rng.choice(going)
        upload.offsets = {*upload.offsets, -1}
        answer = self.client.request("DELETE", f"/x/v1/uploads/{upload.key}")
        assert answer.status_code == 204, answer.text
        self.account.uploads.remove(upload)
        return True

    # The tree

    def add_folder(self) -> bool:
        state = State(self._folder(), self._name())
        thing = self._announce_new(state, is_folder=True)
        self._compare(thing, state, self.client.folder(state.name, state.parent))
        return True

    def rename(self) -> bool:
        return self._batch(self._renamed)

    def move(self) -> bool:
        return self._batch(self._moved)

    def favorite(self) -> bool:
        return self._batch(self._favored)

    def trash(self) -> bool:
        return self._batch(self._trashed)

    def several(self) -> bool:
        """One call with several changes, which all happen or none does."""
        return self._batch(*self._rng.choices((self._renamed, self._moved, self._favored, self._trashed), k=4))

    def restore(self) -> bool:
        thing = self._pick_trashed(lambda one: self._is_open(one.now.parent))
        if thing is None:
            return False
        self.account.announce("restored", thing, thing.now.but(trashed=False))
        return not self._refused(self.client.restore(thing.key))

    def purge(self) -> bool:
        """A folder goes with everything below; what was trashed there separately would stay, so there is none."""
        thing = self._pick_trashed(
            lambda one: all(low.state and not low.now.trashed for low in self.account.below(one))
        )
        if thing is None:
            return False
        gone = [thing, *self.account.below(thing)]
        if any(upload.parent in {one.key for one in gone} for upload in self.account.uploads):
            return False
        for one in gone:
            self.account.announce("purged" if one is thing else "", one, None)
        answer = self.client.json("POST", "/x/v1/trash/purge", json={"objectKeys": [thing.key]})
        assert answer["unprocessed"] == [], answer
        return True

    # The rest

    def share(self) -> bool:
        thing = self._pick(lambda one: not one.is_folder)
        if thing is None or len(self.account.shares) > _ROOM:
            return False
        name = self._name()
        self.account.shares[name] = False
        self.client.json("POST", "/x/v1/shares", json={"objectKeys": [thing.key], "shareName": name}, expect=201)
        self.account.shares[name] = True
        return True

    def board(self) -> bool:
        if len(self.account.boards) > _ROOM:
            return False
        name = self._name()
        self.account.boards[name] = False
        self.client.json("POST", "/boards", json={"boardName": name}, expect=201)
        self.account.boards[name] = True
        return True

    def read(self) -> bool:
        """Whatever fails below: other bytes than were acknowledged are never sent as if they were right."""
        thing = self._pick(lambda one: not one.is_folder)
        if thing is None:
            return False
        answer = self.client.get(f"/download/files/{thing.key}")
        assert answer.status_code == 200, answer.text
        assert answer.content == bytes_of(thing.now.contents[-1]), f"{thing.now} has other bytes"
        return True

    # Helpers

    def _put(self, content: Content, ending: str = "") -> bool:
        state = State(self._folder(), self._name() + ending, (content,))
        thing = self._announce_new(state)
        self._compare(thing, state, self.client.upload(state.name, bytes_of(content), state.parent))
        return True

    def _announce_new(self, state: State, *, is_folder: bool = False) -> Thing:
        thing = Thing(is_folder=is_folder, possible=[None])
        self.account.things.append(thing)
        self.account.announce("created", thing, state)
        return thing

    def _compare(self, thing: Thing, state: State, answer: Json) -> None:
        """The answer shows what was asked for."""
        assert fits(thing, state, answer), (state, answer)
        assert thing.key in {"", answer["objectKey"]}, answer
        thing.key = answer["objectKey"]

    def _batch(self, *changes: Callable[[Thing], tuple[str, str, State]]) -> bool:
        """Each change to a thing of its own that is not above or below another."""
        entries: list[Json] = []
        busy: list[Thing] = []
        for change in changes:
            thing = self._pick(lambda one: not any(self._is_related(one, other) for other in busy))
            if thing is None:
                break
            operation, kind, after = change(thing)
            if after != thing.now:
                entries.append(_entry(operation, thing, after))
                busy.append(thing)
                self.account.announce(kind, thing, after)
        if not entries:
            return False
        answer = self.client.json("PUT", "/nms/metadata/1.0", json={"objects": entries})
        refused = self._refused(answer)
        changed = [thing for thing in busy if thing.key not in refused]
        for thing, shown in zip(changed, answer["objects"], strict=True):
            assert fits(thing, thing.possible[-1], shown["object"]), (thing.possible, shown)
        return bool(changed)

    def _refused(self, answer: Json) -> set[str]:
        """Return the keys of what a batch left as it was because the disk is full; nothing else refuses a change."""
        errors = [one["object"] for one in answer["unprocessed"]]
        assert all(one["errorCode"] == "SKY5002" for one in errors), answer
        keys = {one["objectKey"] for one in errors}
        self.account.take_back(keys)
        return keys

    def _renamed(self, thing: Thing) -> tuple[str, str, State]:
        return "RENAME", "renamed", thing.now.but(name=self._name())

    def _moved(self, thing: Thing) -> tuple[str, str, State]:
        below = {id(one) for one in (thing, *self.account.below(thing))} if thing.is_folder else set()
        targets = [self.account.root, *(one.key for one in self._folders() if id(one) not in below)]
        return "MOVE", "moved", thing.now.but(parent=self._rng.choice(targets))

    def _favored(self, thing: Thing) -> tuple[str, str, State]:
        operation = "UNSETFAV" if thing.now.favorite else "SETFAV"
        return operation, "favorite", thing.now.but(favorite=not thing.now.favorite)

    def _trashed(self, thing: Thing) -> tuple[str, str, State]:
        if thing.is_folder and len(self.account.below(thing)) > _LARGE_FOLDER:
            return self._favored(thing)
        return "TRASH", "trashed", thing.now.but(trashed=True)

    def _is_related(self, one: Thing, other: Thing) -> bool:
        return one is other or one in self.account.below(other) or other in self.account.below(one)

    def _name(self) -> str:
        self._made += 1
        return f"{self._names}-{self._made}"

    def _folders(self) -> list[Thing]:
        return [one for one in self.account.things if one.is_folder and self.account.is_visible(one)]

    def _folder(self) -> str:
        return self._rng.choice([self.account.root, *(one.key for one in self._folders())])

    def _is_open(self, key: str) -> bool:
        folder = self.account.by_key(key)
        return key == self.account.root or (folder is not None and self.account.is_visible(folder))

    def _pick(self, good: Callable[[Thing], bool] = lambda _: True) -> Thing | None:
        found = [one for one in self.account.things if self.account.is_visible(one) and good(one)]
        return self._rng.choice(found) if found else None

    def _pick_trashed(self, good: Callable[[Thing], bool]) -> Thing | None:
        found = [one for one in self.account.certain() if one.now.trashed and good(one)]
        return self._rng.choice(found) if found else None


def _entry(operation: str, thing: Thing, after: State) -> Json:
    """An entry of a batch: a full echo with the change in it."""
    echo = {
        "objectKey": thing.key,
        "objectName": after.name,
        "sourceName": "DRIVE",
        "parentObjectKey": after.parent,
        "isFavorite": after.favorite,
        "status": "T" if after.trashed else "A",
    }
    return {"operation": operation, "correlationId": "crash", "object": echo}
