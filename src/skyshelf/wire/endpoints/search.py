"""Beyond the interface: searching on the server."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import Endpoint, Host, Origin, json_answer
from skyshelf.wire.search import SearchPage, SearchQuery

SEARCH: Final = Endpoint(
    name="search",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/search",
    summary="Finds objects by words of their names, and by what they are; the best match first.",
    query=SearchQuery,
    answers={200: json_answer(SearchPage)},
    errors=(errors.BAD_KEY, errors.BAD_CURSOR, errors.FOLDER_EXPECTED, errors.OBJECT_NOT_FOUND),
    origin=Origin.COMPLETIONS,
)

ENDPOINTS: Final = (SEARCH,)
