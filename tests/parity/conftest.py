"""Settings that make thousands of calls affordable, for as long as a module runs."""

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from skyshelf.service.accounts import passwords


@pytest.fixture(scope="module", autouse=True)
def cheap_refusals_and_passwords() -> Iterator[None]:
    """Neither hashing nor the delay of refusals differs between places."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        patch.setattr("skyshelf.server.pipeline.admission.admission.DELAY_SECONDS", 0.0)
        passwords.nobodys_hash.cache_clear()
        yield
    passwords.nobodys_hash.cache_clear()
