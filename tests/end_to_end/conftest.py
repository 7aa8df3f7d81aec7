"""The stacks that the whole product is tried on, each started once per run, and fresh accounts on them."""

import itertools
from collections.abc import Callable, Iterator

import pytest
from tests.end_to_end.plain_client import PASSWORD, PlainClient
from tests.real_parts.servers import Stack, embedded, scaled_out

from skyshelf.service.accounts import accounts

EMBEDDED, EMBEDDED_WORKERS, SCALED_OUT = "sqlite+disk", "sqlite+disk, 2 workers", "postgres+s3"
_NUMBERS = itertools.count()

NewClient = Callable[..., PlainClient]


@pytest.fixture(scope="session", params=[EMBEDDED, SCALED_OUT])
def stack_backend(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("stack")
    starting = {
        EMBEDDED: lambda: embedded(folder),
        EMBEDDED_WORKERS: lambda: embedded(folder, "--workers", "2"),
        SCALED_OUT: lambda: scaled_out(folder),
    }
    with starting[request.param]() as stack:
        yield stack


@pytest.fixture
def stack(stack_backend: Stack) -> Iterator[Stack]:
    """A service that is whole when a test begins, whatever the test before has killed."""
    yield stack_backend
    stack_backend.restart()


@pytest.fixture
def new_client(stack: Stack) -> Iterator[NewClient]:
    """Makes clients of fresh accounts, logged in."""
    made: list[PlainClient] = []

    def make(**more: str) -> PlainClient:
        email = f"user{next(_NUMBERS)}@example.org"
        accounts.add_account(stack.ctx, email, "Ada", "Byron", PASSWORD)
        made.append(PlainClient(stack.urls).log_in(email, **more))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def client(new_client: NewClient) -> PlainClient:
    return new_client()
