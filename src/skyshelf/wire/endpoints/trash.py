"""Beyond the interface: deleting for good."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.trash import EmptyTrashAnswer, PurgeAnswer, PurgeRequest

PURGE: Final = Endpoint(
    name="purge",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/trash/purge",
    summary="Deletes chosen objects of the trash for good; each is gone or refused on its own.",
    body=PurgeRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(PurgeAnswer)},
    errors=(errors.NOT_IN_TRASH,),
    origin=Origin.COMPLETIONS,
)
EMPTY_TRASH: Final = Endpoint(
    name="empty_trash",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/trash/empty",
    summary="Deletes everything in the trash for good; answers at once, however much that is.",
    answers={200: json_answer(EmptyTrashAnswer)},
    origin=Origin.COMPLETIONS,
)

ENDPOINTS: Final = (
    PURGE,
    EMPTY_TRASH,
)
