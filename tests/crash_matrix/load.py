"""The load: one thread per account, with mixed operations from a seed, and a journal of what was acknowledged."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import httpx2
from tests.crash_matrix.contents import Content, bytes_of, fresh, md5_of, picture, shared
from tests.crash_matrix.model import Account, Json, State, Thing, Unfinished, fits
from tests.end_to_end.plain_client import PlainClient

_ROOM = 40
"""Things in one account before more leave than come: it bounds what a check has to read."""
_VERSIONS = 3
_CHUNK = 9_000


class NoAnswer(Exception):
    """The operation may have happened or not: its connection broke, or the service failed on the way."""


class Dead(NoAnswer):
    """Nobody listens any more."""


class OnceClient(PlainClient):
    """Sends every request once, and keeps a journal. What is answered counts, and what is not answered is unknown."""

    def __init__(self, url: str, journal: Path) -> None:
        super().__init__([url])
        self._journal = journal.open("a")
        self.failures: list[str] = []
        """Answers that say that the service failed."""

    def close(self) -> None:
        super().close()
        self._journal.close()

    def note(self, text: str) -> None:
        print(f"{time.time():.3f} {text}", file=self._journal, flush=True)

    def request(self, method: str, path: str, *, headers: dict[str, str] | None = None, **more: Any) -> httpx2.Response:
        asked = f"{method} {path} {more.get('params', '')} {more.get('json', '')} {len(more.get('content') or b'')}"
        try:
            answer = self._http.request(method, self.urls[0] + path, headers=self.headers | (headers or {}), **more)
        except httpx2.TransportError as error:
            self.note(f"{asked}: {error!r}")
            raise (Dead if isinstance(error, httpx2.ConnectError) else NoAnswer)(str(error)) from error
        self.note(f"{asked}: {answer.status_code}")
        if answer.status_code >= 500 or answer.status_code == 429:
            self.failures.append(f"{asked}: {answer.status_code} {answer.text[:300]}")
            raise NoAnswer(self.failures[-1])
        return answer

    def upload_many(self, files: list[tuple[str, bytes, str]]) -> list[Json]:
        about = json.dumps({"files": [self.described(name, data, folder) for name, data, folder in files]})
        data = b"".join(data for _, data, _ in files)
        request = httpx2.Request("POST", "http://form", files={"metadataString": (None, about), "file": ("f", data)})
        kind = {"Content-Type": request.headers["content-type"]}
        made: Json = self.json("POST", "/x/v1/uploads/many", content=request.read(), headers=kind)
        outcomes: list[Json] = made["files"]
        return outcomes


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
                except NoAnswer as unanswered:
                    self.unanswered[label] += 1
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
            (self.chunk, 12), (self.rename, 5), (self.move, 5), (self.favorite, 3), (self.restore, 4), (self.read, 3),
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
        content = picture(self._rng)
        thing = self._new(content, ".png")
        made = self.client.upload(thing.possible[-1].name, bytes_of(content), thing.possible[-1].parent)  # type: ignore[union-attr]
        self._made_sure(thing, made)
        self.client.get(f"/download/avimages/{thing.key}", params={"size": "small"})
        return True

    def upload_many(self) -> bool:
        contents = [self._rng.choice((fresh, fresh, shared))(self._rng) for _ in range(self._rng.randint(2, 6))]
        things = [self._new(content) for content in contents]
        files = [
            (state.name, bytes_of(content), state.parent)
            for thing, content in zip(things, contents, strict=True)
            if (state := thing.possible[-1]) is not None
        ]
        for thing, outcome in zip(things, self.client.upload_many(files), strict=True):
            if "object" in outcome:
                self._made_sure(thing, outcome["object"])
        return True

    def new_version(self) -> bool:
        thing = self._pick(lambda one: not one.is_folder and len(one.now.contents) < _VERSIONS)
        if thing is None:
            return False
        content, state = fresh(self._rng), thing.now
        after = self._may_become(thing, state.but(contents=(*state.contents, content)))
        self._made_sure(thing, self.client.upload(after.name, bytes_of(content), after.parent))
        return True

    def begin(self) -> bool:
        content = self._rng.choice((fresh, fresh, shared))(self._rng)
        upload = Unfinished(self._name(), self._folder(), content, {-1, 0})
        thing = Thing(is_folder=False, possible=[None, State(upload.parent, upload.name, (content,))])
        # Content that is known makes the file at once; either of the two may be there until it is answered.
        self.account.things.append(thing)
        self.account.uploads.append(upload)
        answer = self.client.initiate(upload.name, bytes_of(content), upload.parent)
        if "objectKey" in answer:
            self.account.uploads.remove(upload)
            self._made_sure(thing, answer)
        else:
            assert answer["offset"] == 0, answer
            self.account.things.remove(thing)
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
        thing = Thing(is_folder=False, possible=[None, State(upload.parent, upload.name, (upload.content,))])
        self.account.things.append(thing)
        if offset == end:
            made = self.client.initiate(upload.name, data, upload.parent)
        else:
            made = self.client.chunk(upload.key, offset, data[offset:])
        self.account.uploads.remove(upload)
        self._made_sure(thing, made)
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
        thing = Thing(is_folder=True, possible=[None, state])
        self.account.things.append(thing)
        self._made_sure(thing, self.client.folder(state.name, state.parent))
        return True

    def rename(self) -> bool:
        thing = self._pick()
        return thing is not None and self._batch("RENAME", thing, thing.now.but(name=self._name()))

    def move(self) -> bool:
        thing = self._pick()
        if thing is None:
            return False
        below = {id(one) for one in (thing, *self.account.below(thing))} if thing.is_folder else set()
        targets = [self.account.root, *(one.key for one in self._folders() if id(one) not in below)]
        return self._batch("MOVE", thing, thing.now.but(parent=self._rng.choice(targets)))

    def favorite(self) -> bool:
        thing = self._pick()
        if thing is None:
            return False
        operation = "UNSETFAV" if thing.now.favorite else "SETFAV"
        return self._batch(operation, thing, thing.now.but(favorite=not thing.now.favorite))

    def trash(self) -> bool:
        thing = self._pick(lambda one: not one.is_folder or len(self.account.below(one)) < 4)
        return thing is not None and self._batch("TRASH", thing, thing.now.but(trashed=True))

    def restore(self) -> bool:
        thing = self._pick_trashed(lambda one: self._is_open(one.now.parent))
        if thing is None:
            return False
        after = self._may_become(thing, thing.now.but(trashed=False))
        answer = self.client.restore(thing.key)
        assert answer["unprocessed"] == [], answer
        thing.possible = [after]
        return True

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
            one.possible.append(None)
        answer = self.client.json("POST", "/x/v1/trash/purge", json={"objectKeys": [thing.key]})
        assert answer["unprocessed"] == [], answer
        self.account.forget(gone)
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

    def _put(self, content: Content) -> bool:
        thing = self._new(content)
        state = thing.possible[-1]
        assert state is not None
        self._made_sure(thing, self.client.upload(state.name, bytes_of(content), state.parent))
        return True

    def _new(self, content: Content, ending: str = "") -> Thing:
        thing = Thing(is_folder=False, possible=[None, State(self._folder(), self._name() + ending, (content,))])
        self.account.things.append(thing)
        return thing

    def _made_sure(self, thing: Thing, answer: Json) -> None:
        """The service answered: the last possible state is the only one."""
        state = thing.possible[-1]
        assert state is not None
        assert answer["objectName"] == state.name, answer
        assert thing.is_folder or answer["hash"] == md5_of(state.contents[-1]), answer
        assert thing.key in {"", answer["objectKey"]}, answer
        thing.key, thing.possible, thing.touched = answer["objectKey"], [state], True

    def _may_become(self, thing: Thing, after: State) -> State:
        thing.possible.append(after)
        return after

    def _batch(self, operation: str, thing: Thing, after: State) -> bool:
        if after == thing.now:
            return False
        self._may_become(thing, after)
        echo = {
            "objectKey": thing.key,
            "objectName": after.name,
            "sourceName": "DRIVE",
            "parentObjectKey": after.parent,
            "isFavorite": after.favorite,
            "status": "T" if after.trashed else "A",
        }
        answer = self.client.batch(operation, echo)
        assert answer["unprocessed"] == [], answer
        assert fits(thing, after, answer["objects"][0]["object"]), (after, answer)
        thing.possible = [after]
        return True

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
