"""The outcome of each object of a batch, read so no rejection is ever taken for a success."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import DecodeError, Raw, Struct, ValidationError, json

from skyshelf.client.errors import InvalidRequestError, RequestFailedError, UnexpectedAnswerError
from skyshelf.client.objects.remote_object import RemoteObject, remote_object
from skyshelf.wire.error_codes import find


class Outcome(Struct, frozen=True, kw_only=True):
    """One object of a batch: changed, with its new state where the server sends it; or rejected, with the reason."""

    key: str
    ok: bool
    object: RemoteObject | None = None
    code: str | None = None
    message: str | None = None

    @property
    def reason(self) -> str:
        """Why it was rejected, in a sentence."""
        row = find(self.code) if self.code else None
        code = f" with {self.code}" if self.code else ""
        return self.message or (row.message if row else None) or f"the server rejected it{code} without a reason"


class UnprocessedError(InvalidRequestError):
    """Entries of a batch were rejected; `outcomes` has the outcome of every entry, successes included."""

    def __init__(self, message: str, outcomes: Sequence[Outcome], *, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.outcomes = tuple(outcomes)

    @property
    def succeeded(self) -> tuple[Outcome, ...]:
        """The entries that succeeded."""
        return BatchResult(self.outcomes).succeeded

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The entries that were rejected."""
        return BatchResult(self.outcomes).failed


OnError = Literal["raise", "return"]
"""What a batch does about rejected entries: raise an UnprocessedError with all outcomes, or return them."""


class BatchResult(Struct, frozen=True):
    """The outcome of every object of a call, in the order given. It is true where all objects were changed."""

    outcomes: tuple[Outcome, ...]

    @property
    def ok(self) -> bool:
        """Whether all objects were changed."""
        return all(outcome.ok for outcome in self.outcomes)

    @property
    def succeeded(self) -> tuple[Outcome, ...]:
        """The outcomes of the objects that were changed."""
        return tuple(outcome for outcome in self.outcomes if outcome.ok)

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The outcomes of the objects that the server rejected."""
        return tuple(outcome for outcome in self.outcomes if not outcome.ok)

    def raise_for_failures(self) -> "BatchResult":
        """Raise an UnprocessedError with all outcomes if anything was rejected; otherwise return the result."""
        failed = self.failed
        if failed:
            first = failed[0]
            more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
            raise UnprocessedError(f"{first.key}: {first.reason}{more}", self.outcomes, code=first.code)
        return self

    def settled(self, on_error: OnError) -> "BatchResult":
        """Return the result, unless rejections are to be raised."""
        return self.raise_for_failures() if on_error == "raise" else self

    def __bool__(self) -> bool:
        """Whether all objects were changed, like `ok`; true for no objects at all."""
        return self.ok

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)


class TolerantAnswer(Struct):
    """The response to a batch or a restore, with entries of any form: servers omit a lot here."""

    objects: list[Raw] | None = None
    unprocessed: list[object] | None = None


def read_outcomes(keys: Sequence[str], answer: TolerantAnswer) -> list[Outcome]:
    """Return the outcomes of the keys that were sent.

    Every entry in `unprocessed` is a rejection. One without a key counts for the keys that the server does not list as
    done, or else separately.
    """
    refused: dict[str, Outcome] = {}
    nameless: list[Outcome] = []
    for entry in answer.unprocessed or ():
        outcome = _refusal(entry)
        if outcome.key:
            refused[outcome.key.upper()] = outcome
        else:
            nameless.append(outcome)
    done = _done(answer.objects or ())
    lists_what_is_done = answer.objects is not None
    outcomes = []
    for key in keys:
        spelled = key.upper()
        if spelled in refused:
            outcomes.append(_for(key, refused.pop(spelled)))
        elif spelled in done or not (lists_what_is_done or nameless):
            outcomes.append(Outcome(key=key, ok=True, object=done.get(spelled)))
        elif nameless:
            outcomes.append(_for(key, nameless[0]))
        else:
            outcomes.append(Outcome(key=key, ok=False, message="the server does not report its outcome"))
    if nameless and all(outcome.ok for outcome in outcomes):
        outcomes += nameless
    # Rejections of keys that were not sent are reported too.
    return [*outcomes, *refused.values()]


def _for(key: str, outcome: Outcome) -> Outcome:
    return Outcome(key=key, ok=False, code=outcome.code, message=outcome.message)


def _refusal(entry: object) -> Outcome:
    if isinstance(entry, str):
        return Outcome(key=entry, ok=False)
    if not isinstance(entry, Mapping):
        return Outcome(key="", ok=False)
    inner = entry.get("object")
    fields = {**entry, **inner} if isinstance(inner, Mapping) else entry
    if isinstance(inner, str):
        fields = {"objectKey": inner, **entry}
    return Outcome(
        key=_text(fields.get("objectKey")) or "",
        ok=False,
        code=_text(fields.get("errorCode")) or _text(fields.get("code")),
        message=_text(fields.get("errorMessage")) or _text(fields.get("message")),
    )


def _text(value: object) -> str | None:
    if isinstance(value, str):
        return value or None
    return None if value is None or isinstance(value, bool) else json.encode(value).decode()


def _done(entries: Iterable[Raw]) -> dict[str, RemoteObject]:
    done: dict[str, RemoteObject] = {}
    for raw in entries:
        try:
            fields = json.decode(raw, type=dict[str, Raw])
        except (ValidationError, DecodeError):
            # Not an object, so no evidence of a success.
            continue
        # An entry of a batch holds the object; a restore lists bare objects.
        try:
            shown = remote_object(fields.get("object", raw) if "objectKey" not in fields else raw).detached_copy()
        except UnexpectedAnswerError:
            continue
        done[shown.key.upper()] = shown
    return done


def unanswered(keys: Iterable[str], error: RequestFailedError) -> list[Outcome]:
    """Return the outcomes of objects whose call failed as a whole, or was not sent."""
    return [Outcome(key=key, ok=False, code=error.code, message=error.message) for key in keys]
