"""The stacks that the whole product is tried on, each started once per run, and fresh accounts on them."""

import functools
import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from tests.end_to_end.plain_client import PASSWORD, PlainClient
from tests.real_parts.servers import Stack, embedded, scaled_out

from skyshelf.service.accounts import accounts

EMBEDDED, EMBEDDED_WORKERS, SCALED_OUT = "sqlite+disk", "sqlite+disk, 2 workers", "postgres+s3"
_NUMBERS = itertools.count()

NewClient = Callable[..., PlainClient]


@pytest.fixture(scope="package")
def stacks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Stack]]:
    """Starts a stack for its first test; it stays until the last, because tests alternate between them."""
    with ExitStack() as until:

        @functools.cache
        def started(name: str) -> Stack:
            folder = tmp_path_factory.mktemp("stack")
            if name == SCALED_OUT:
                return until.enter_context(scaled_out(folder))
            workers = ("--workers", "2") if name == EMBEDDED_WORKERS else ()
            return until.enter_context(embedded(folder, *workers))

        yield started


@pytest.fixture(params=[EMBEDDED, SCALED_OUT])
def stack_backend(request: pytest.FixtureRequest, stacks: Callable[[str], Stack]) -> Stack:
    return stacks(request.param)


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
