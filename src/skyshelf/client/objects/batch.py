"""Changes of many objects: several per request, and an outcome for each."""

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final
from unicodedata import normalize

from msgspec import Raw, Struct, json
from msgspec.structs import replace

from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import ConfigurationError, InvalidRequestError, RequestFailedError
from skyshelf.client.objects.listing import folder_objects, trash_objects
from skyshelf.client.objects.outcomes import BatchResult, Outcome, TolerantAnswer, read_outcomes, unanswered
from skyshelf.client.objects.remote_object import RemoteObject, Target, is_path, key_of, remote_object
from skyshelf.wire.batches import batched
from skyshelf.wire.endpoints.objects import BATCH, COPY, RESTORE
from skyshelf.wire.error_codes import OBJECT_NOT_FOUND, ROOT_FIXED
from skyshelf.wire.limits import BATCH_ENTRIES_MAX, COPIES_MAX, JSON_BODY_BYTES_MAX
from skyshelf.wire.names import clean_name
from skyshelf.wire.refusals import BadName
from skyshelf.wire.resources.batch import CopyRequest, EchoBatch, EchoEntry, Operation, RestoreRequest
from skyshelf.wire.resources.objects import ObjectStatus

_LABELS: Final = {
    "object_name": "name",
    "parent_object_key": "folder",
    "status": "status",
    "is_favorite": "favourite mark",
}
"""What people call the fields that a batch changes."""

_FAVORING: Final = frozenset({Operation.SET_FAVORITE, Operation.UNSET_FAVORITE})


async def apply(
    engine: Engine, operation: Operation, changes: Iterable[tuple[RemoteObject, Mapping[str, object]]]
) -> BatchResult:
    """Apply one operation to objects, each with the fields that it changes."""
    if engine.credentials is None:
        raise ConfigurationError("not logged in: run `skyshelf login`")
    correlation = engine.credentials.user_id
    entries: dict[str, EchoEntry] = {}
    targets: dict[str, RemoteObject] = {}
    wanted: dict[str, Mapping[str, object]] = {}
    outcomes: list[Outcome] = []
    for target, fields in changes:
        if target.is_root and operation not in _FAVORING:
            # The root has no full echo, without which the server would report a misleading reason.
            outcomes.append(Outcome(key=target.key, ok=False, code=ROOT_FIXED.code, message=ROOT_FIXED.message))
            continue
        echo = target.echo(**fields)
        entries[target.key] = EchoEntry(operation=operation, correlation_id=correlation, object=echo)
        targets[target.key], wanted[target.key] = target, fields

    async def change(keys: list[str]) -> list[Outcome]:
        body = EchoBatch(objects=[entries[key] for key in keys])
        answered = read_outcomes(keys, await engine.call(BATCH.read_as(TolerantAnswer), body=body))
        checked = (_checked(one, wanted.get(one.key, {})) for one in answered)
        return [_remembered(engine, one, targets.get(one.key), entries.get(one.key)) for one in checked]

    return BatchResult((*outcomes, *await _change_each(list(_slices(entries)), change)))


def _checked(outcome: Outcome, wanted: Mapping[str, object]) -> Outcome:
    """Return an outcome as a rejection where the object that the server shows is not what was requested."""
    if not outcome.ok or outcome.object is None:
        return outcome
    for name, value in wanted.items():
        shown = getattr(outcome.object.wire, name)
        if shown is not None and _spelled(name, shown) != _spelled(name, value):
            label = _LABELS[name]
            message = f"the server reports success, but shows the item with another {label}: {shown}"
            return Outcome(key=outcome.key, ok=False, message=message)
    return outcome


def _spelled(name: str, value: object) -> object:
    if not isinstance(value, str):
        return value
    return normalize("NFC", value) if name == "object_name" else value.upper()


def _remembered(engine: Engine, outcome: Outcome, target: RemoteObject | None, entry: EchoEntry | None) -> Outcome:
    """Complete an outcome with the whole object, which listings of this client show from now on."""
    if not outcome.ok or target is None or entry is None:
        return outcome
    written = outcome.object
    if written is None or not written.name or not written.wire.object_type:
        # The response has fewer fields than were sent; those are current.
        answered = {} if written is None else json.decode(written.sent())
        shown = {name: value for name, value in answered.items() if value is not None}
        written = remote_object(json.encode({**json.decode(json.encode(entry.object)), **shown}))
        outcome = replace(outcome, object=written)
    is_trashed = entry.operation is Operation.TRASH
    engine.written.put(written, written.parent_key or target.parent_key, is_trashed=is_trashed)
    return outcome


async def restore(engine: Engine, keys: Sequence[str]) -> BatchResult:
    """Restore objects from the trash.

    After a lost response, a server may reject what it has restored already: it is no longer in the trash.
    """
    is_repeated = False

    async def change(part: list[str]) -> TolerantAnswer:
        request = replace(engine.plan(RESTORE, body=RestoreRequest(object_keys=part)), repeatable=False)
        return await engine.once_only(
            lambda: engine.read(request, lambda response: _read_restored(response.body)), happened
        )

    async def happened() -> None:
        nonlocal is_repeated
        is_repeated = True

    result = await change_in_parts(keys, change)
    known = engine.written.trashed()
    if is_repeated and not result.ok:
        for outcome in result.failed:
            # The server's listing decides, not what was trashed before.
            engine.written.forget(outcome.key)
        trash = {found.key.upper() async for found in trash_objects(engine, on_incomplete=lambda _: None)}
        missing = OBJECT_NOT_FOUND.code
        result = BatchResult(
            tuple(
                one if one.ok or one.code == missing or one.key.upper() in trash else Outcome(key=one.key, ok=True)
                for one in result
            )
        )
    for outcome in result.succeeded:
        written = outcome.object or known.get(outcome.key.upper())
        engine.written.forget(outcome.key)
        if written is not None and written.name:
            active = remote_object(json.encode(written.echo(status=ObjectStatus.ACTIVE.value)))
            engine.written.put(active, active.parent_key)
    return result


async def change_in_parts(keys: Iterable[str], change: Callable[[list[str]], Awaitable[TolerantAnswer]]) -> BatchResult:
    """Change objects, as many per request as one may hold.

    When the first request fails, its error is raised; when a later one does, the result says which objects are changed.
    """
    parts = list(batched(dict.fromkeys(keys), BATCH_ENTRIES_MAX))

    async def read(part: list[str]) -> list[Outcome]:
        return read_outcomes(part, await change(part))

    return BatchResult(tuple(await _change_each(parts, read)))


async def _change_each(
    parts: Sequence[list[str]], change: Callable[[list[str]], Awaitable[list[Outcome]]]
) -> list[Outcome]:
    """Change one part after another; what earlier requests changed is returned when a later one fails."""
    outcomes: list[Outcome] = []
    for number, part in enumerate(parts):
        try:
            outcomes += await change(part)
        except RequestFailedError as error:
            if not number:
                raise
            return [*outcomes, *unanswered((key for left in parts[number:] for key in left), error)]
    return outcomes


def _read_restored(body: bytes) -> TolerantAnswer:
    """Read the body of a success, which the interface does not define: it can be empty, or list too few objects."""
    if not body.strip():
        return TolerantAnswer()
    answer = decode(TolerantAnswer, body)
    return answer if answer.objects else TolerantAnswer(None, answer.unprocessed)


def _slices(entries: Mapping[str, EchoEntry]) -> Iterator[list[str]]:
    """Yield the keys of entries that fit into one request, by number and by size."""
    part: list[str] = []
    size = 0
    for key, entry in entries.items():
        length = len(json.encode(entry)) + 1
        if part and (len(part) == BATCH_ENTRIES_MAX or size + length > JSON_BODY_BYTES_MAX - 1024):
            yield part
            part, size = [], 0
        part.append(key)
        size += length
    if part:
        yield part


def name_for(name: str) -> str:
    """Return a new name in its stored form; InvalidRequestError where it is not valid."""
    try:
        return clean_name(name)
    except BadName as error:
        raise InvalidRequestError(error.message, code=error.code) from None


def keys_in_trash(targets: Iterable[Target]) -> list[str]:
    """Return the keys of trashed objects; paths only lead to objects outside the trash."""
    keys = []
    for target in targets:
        if is_path(target):
            raise InvalidRequestError(f"{target} is a path: name an object in the trash by its key")
        keys.append(key_of(target))
    return keys


_COPYING: Final = "copy on the server; download and upload instead"


class _Copy(Struct, rename="camel"):
    source_key: str
    object: Raw


class _CopyAnswer(Struct):
    objects: list[_Copy] | None = None
    unprocessed: list[object] | None = None


async def copy_objects(
    engine: Engine, keys: Sequence[str], folder_key: str, progress: Callable[[int], None] | None = None
) -> BatchResult:
    """Copy objects into a folder; the outcomes are those of the objects, and of what was refused inside them."""
    outcomes: list[Outcome] = []
    count = 0
    waiting = deque([(list(dict.fromkeys(keys)), folder_key)])
    while waiting:
        some, target = waiting.popleft()
        for part in batched(some, COPIES_MAX):
            with require_extension(_COPYING):
                body = CopyRequest(object_keys=part, parent_object_key=target)
                answer = await engine.call(COPY.read_as(_CopyAnswer), body=body)
            made = answer.objects or []
            count += len(made)
            if progress is not None:
                progress(count)
            refused = [one for one in read_outcomes(part, TolerantAnswer(None, answer.unprocessed)) if not one.ok]
            outcomes += refused
            for one in made:
                copy = remote_object(one.object)
                if target == folder_key:
                    outcomes.append(Outcome(key=one.source_key, ok=True, object=copy))
                if copy.is_folder:
                    inside = [found.key async for found in folder_objects(engine, one.source_key, None)]
                    if inside:
                        waiting.append((inside, copy.key))
    return BatchResult(tuple(outcomes))
