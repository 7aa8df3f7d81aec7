"""Batch operations: many objects per request, each with its full echo, and an outcome for each."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Final

from msgspec import json
from msgspec.structs import replace

from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import ConfigurationError, InvalidRequestError, RequestFailedError
from skyshelf.client.objects.outcomes import BatchResult, Outcome, TolerantAnswer, read_outcomes, unanswered
from skyshelf.client.objects.remote_object import RemoteObject, Target, is_path, key_of, remote_object
from skyshelf.client.objects.trash_listing import trash_objects
from skyshelf.wire.endpoints.objects import BATCH, RESTORE
from skyshelf.wire.error_codes import OBJECT_NOT_FOUND, ROOT_FIXED
from skyshelf.wire.limits import BATCH_ENTRIES_MAX, JSON_BODY_BYTES_MAX
from skyshelf.wire.names import BadName, clean_name
from skyshelf.wire.resources.batch import EchoBatch, EchoEntry, Operation
from skyshelf.wire.resources.objects import ObjectStatus
from skyshelf.wire.resources.trash import RestoreRequest

_FAVORING: Final = frozenset({Operation.SET_FAVORITE, Operation.UNSET_FAVORITE})


async def apply(
    engine: Engine, operation: Operation, changes: Iterable[tuple[RemoteObject, dict[str, object]]]
) -> BatchResult:
    """Apply one operation to objects, each with the fields that it changes."""
    if engine.credentials is None:
        raise ConfigurationError("not logged in: run `skyshelf login`")
    correlation = engine.credentials.user_id
    entries: dict[str, EchoEntry] = {}
    targets: dict[str, RemoteObject] = {}
    outcomes: list[Outcome] = []
    for target, fields in changes:
        if target.is_root and operation not in _FAVORING:
            # It has no full echo, without which the server would report a misleading reason.
            outcomes.append(Outcome(key=target.key, ok=False, code=ROOT_FIXED.code, message=ROOT_FIXED.message))
            continue
        echo = target.echo(**fields)
        entries[target.key] = EchoEntry(operation=operation, correlation_id=correlation, object=echo)
        targets[target.key] = target
    slices = list(_slices(list(entries.items())))
    for number, part in enumerate(slices):
        keys = [key for key, _ in part]
        try:
            body = EchoBatch(objects=[entry for _, entry in part])
            answered = read_outcomes(keys, await engine.call(BATCH, TolerantAnswer, body=body))
            outcomes += [_remembered(engine, one, targets.get(one.key), entries.get(one.key)) for one in answered]
        except RequestFailedError as error:
            if not number:
                raise
            # Earlier requests succeeded, so their outcomes are returned.
            return BatchResult((*outcomes, *unanswered((key for left in slices[number:] for key, _ in left), error)))
    return BatchResult(tuple(outcomes))


def _remembered(engine: Engine, outcome: Outcome, target: RemoteObject | None, entry: EchoEntry | None) -> Outcome:
    """An outcome with the whole object, which listings of this client show from now on."""
    if not outcome.ok or target is None or entry is None:
        return outcome
    written = outcome.object
    if written is None or not written.name or not written.wire.object_type:
        # The server says less than what was sent, which holds now.
        answered = {} if written is None else json.decode(written.sent())
        shown = {name: value for name, value in answered.items() if value is not None}
        written = remote_object(json.encode({**json.decode(json.encode(entry.object)), **shown}))
        outcome = replace(outcome, object=written)
    is_trashed = entry.operation is Operation.TRASH
    engine.written.put(written, written.parent_key or target.parent_key, is_trashed=is_trashed)
    return outcome


def trashed(targets: Iterable[RemoteObject]) -> list[tuple[RemoteObject, dict[str, object]]]:
    """The changes that trash objects."""
    return [(target, {"status": ObjectStatus.TRASHED.value}) for target in targets]


def favored(targets: Iterable[RemoteObject], favorite: bool) -> list[tuple[RemoteObject, dict[str, object]]]:
    """The changes that add objects to the favourites, or remove them."""
    return [(target, {"is_favorite": favorite}) for target in targets]


def renamed(targets: Iterable[tuple[RemoteObject, str]]) -> list[tuple[RemoteObject, dict[str, object]]]:
    """The changes that give objects other names."""
    return [(target, {"object_name": name}) for target, name in targets]


def moved(targets: Iterable[RemoteObject], folder_key: str) -> list[tuple[RemoteObject, dict[str, object]]]:
    """The changes that move objects to another folder."""
    return [(target, {"parent_object_key": folder_key}) for target in targets]


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
            # What the server lists decides, and not what was trashed before.
            engine.written.forget(outcome.key)
        trash = {found.key.upper() async for found in trash_objects(engine, on_incomplete=lambda _: None)}
        result = BatchResult(
            tuple(
                one if one.ok or one.code == OBJECT_NOT_FOUND.code or one.key.upper() in trash else _restored(one.key)
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


def _restored(key: str) -> Outcome:
    return Outcome(key=key, ok=True)


async def change_in_parts(keys: Iterable[str], change: Callable[[list[str]], Awaitable[TolerantAnswer]]) -> BatchResult:
    """Change objects, as many per request as one may hold.

    When the first request fails, its error is raised; when a later one does, the result says which objects are changed.
    """
    unique = list(dict.fromkeys(keys))
    outcomes: list[Outcome] = []
    for start in range(0, len(unique), BATCH_ENTRIES_MAX):
        part = unique[start : start + BATCH_ENTRIES_MAX]
        try:
            outcomes += read_outcomes(part, await change(part))
        except RequestFailedError as error:
            if not start:
                raise
            return BatchResult((*outcomes, *unanswered(unique[start:], error)))
    return BatchResult(tuple(outcomes))


def _read_restored(body: bytes) -> TolerantAnswer:
    """The interface does not define the body of a success: it can be empty, or list fewer objects than restored."""
    if not body.strip():
        return TolerantAnswer()
    answer = decode(TolerantAnswer, body)
    return answer if answer.objects else TolerantAnswer(None, answer.unprocessed)


def _slices(entries: list[tuple[str, EchoEntry]]) -> Iterator[list[tuple[str, EchoEntry]]]:
    """Parts that fit into one request, by number and by size."""
    part: list[tuple[str, EchoEntry]] = []
    size = 0
    for key, entry in entries:
        length = len(json.encode(entry)) + 1
        if part and (len(part) == BATCH_ENTRIES_MAX or size + length > JSON_BODY_BYTES_MAX - 1024):
            yield part
            part, size = [], 0
        part.append((key, entry))
        size += length
    if part:
        yield part


def name_for(name: str) -> str:
    """A new name in its stored form; InvalidRequestError where it is not valid."""
    try:
        return clean_name(name)
    except BadName as error:
        raise InvalidRequestError(error.message, code=error.code) from None


def keys_in_trash(targets: Iterable[Target]) -> list[str]:
    """The keys of trashed objects; paths only lead to objects outside the trash."""
    keys = []
    for target in targets:
        if is_path(target):
            raise InvalidRequestError(f"{target} is a path: name an object in the trash by its key")
        keys.append(key_of(target))
    return keys
