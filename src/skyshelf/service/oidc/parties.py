"""All providers of a server, by their ids."""

import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from skyshelf.service.oidc.relying_party import RelyingParty
from skyshelf.service.oidc.settings import Provider
from skyshelf.wire.resources.identities import LoginProvider


class Parties(Mapping[str, RelyingParty]):
    """What one process knows of the providers. Nothing is fetched before somebody logs in."""

    def __init__(self, providers: Sequence[Provider] = ()) -> None:
        self._parties = {provider.id: RelyingParty(provider) for provider in providers}

    def __getitem__(self, provider_id: str) -> RelyingParty:
        return self._parties[provider_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parties)

    def __len__(self) -> int:
        return len(self._parties)

    def of_issuer(self, issuer: str) -> Provider | None:
        """The provider with that issuer, unless the operator has removed it."""
        return next((one.provider for one in self._parties.values() if one.provider.issuer == issuer), None)


def wire_provider(provider: Provider) -> LoginProvider:
    """What pages need to know of a provider."""
    return LoginProvider(id=provider.id, name=provider.name, label=provider.label or None)


class ProviderCounts:
    """How logins through providers went in this process, by provider and outcome. Any thread may call."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, provider_id: str, outcome: str) -> None:
        with self._lock:
            self._counts[provider_id, outcome] += 1

    def take(self) -> dict[tuple[str, str], int]:
        """All since the last time."""
        with self._lock:
            taken, self._counts = self._counts, Counter()
        return dict(taken)
