"""Generations of the server's secrets in SQL. The value in use is in the settings, where version 0.2.0 had it."""

from collections.abc import Sequence
from typing import Final

from skyshelf.storage.metadata.contracts.secrets import Generations, OlderFactor, SecretAge
from skyshelf.storage.metadata.sql.statements import Params, SqlNoun, key_text, raw, replacing

_DEPENDING: Final = {
    "second-factor-key": (
        ("second_factors", "generation", "1 = 1"),
        (
            "second_factors",
            "codes_generation",
            "EXISTS (SELECT 1 FROM recovery_codes c WHERE c.account_id = second_factors.account_id)",
        ),
    ),
    "app_passwords.key": (("app_passwords", "generation", "1 = 1"),),
    "delegations.key": (("delegations", "generation", "1 = 1"),),
    "share-token-secret": (("shares", "generation", "revoked_at = 0"),),
    "board-link-secret": (("board_links", "generation", "1 = 1"),),
}
"""The rows that depend on a value: a table, the column with the generation, and a condition."""


_LINK_KEYS: Final = {"shares": "share_key", "board_links": "link_key"}


class SqlSecrets(SqlNoun):
    """Every instance reads a secret when it needs it, so all use the new value from the commit of a rotation on."""

    def get(self, name: str) -> Generations | None:
        """Return a secret; None before it was made. One statement."""
        number = "coalesce((SELECT max(g.number) FROM secret_generations g WHERE g.name = :name), 1)"
        rows = self._sql.all(
            f"SELECT {number}, value, 1 FROM settings WHERE name = :name UNION ALL SELECT number, former, 0"
            " FROM secret_generations WHERE name = :name AND former IS NOT NULL",
            {"name": name},
        )
        current = next((row[0] for row in rows if row[2]), None)
        return None if current is None else Generations(current, {row[0]: bytes(row[1]) for row in rows})

    def note_made(self, name: str, now: int) -> None:
        """Note when the first value was made."""
        new: Params = {"name": name, "number": 1, "begun_at": now, "retired_at": 0}
        self._sql.insert("secret_generations", "ON CONFLICT (name, number) DO NOTHING", **new)

    def rotate(self, name: str, value: bytes, now: int) -> bool:
        """Use another value from now on; false before there is one. The old one is kept if rows may depend on it."""
        locked = "SELECT value FROM settings WHERE name = :name FOR UPDATE"
        old = self._sql.value(locked, {"name": name})
        if old is None:
            return False
        found = self.get(name)
        assert found is not None, "the row is locked"
        number = found.current
        former: Params = {"retired_at": now, "former": old if name in _DEPENDING else None}
        made: Params = {"name": name, "number": number, "begun_at": 0, **former}
        self._sql.insert("secret_generations", replacing("name, number", *former), **made)
        begun: Params = {"name": name, "number": number + 1, "begun_at": now, "retired_at": 0}
        self._sql.insert("secret_generations", **begun)
        self._sql.update("settings", {"value": value}, name=name)
        return True

    def age(self, name: str) -> SecretAge | None:
        """Return how old a secret is; None before it was made."""
        found = self.get(name)
        if found is None:
            return None
        begun = "SELECT begun_at FROM secret_generations WHERE name = :name AND number = :number"
        begun_at = self._sql.value(begun, {"name": name, "number": found.current}) or 0
        return SecretAge(found.current, begun_at, sum(self._depending(name, found.former).values()))

    def forget_unneeded(self, retired_before: int) -> int:
        """Destroy earlier values on which nothing depends; how many.

        One that was retired after that time stays: somebody may have read it and not yet stored what depends on it.
        """
        retired = "SELECT name, number FROM secret_generations WHERE former IS NOT NULL AND retired_at < :before"
        gone = 0
        for name, number in self._sql.all(retired, {"before": retired_before}):
            if not self._depending(name, [number]).get(number):
                self._sql.update("secret_generations", {"former": None}, name=name, number=number)
                gone += 1
        return gone

    def _depending(self, name: str, numbers: Sequence[int] | dict[int, bytes]) -> dict[int, int]:
        counts: dict[int, int] = {}
        for table, column, condition in _DEPENDING.get(name, ()) if numbers else ():
            for number in numbers:
                rows = f"SELECT count(*) FROM {table} WHERE {column} = :number AND {condition}"
                counts[number] = counts.get(number, 0) + self._sql.number(rows, {"number": number})
        return counts

    # What moves to the value in use, without the people whom it belongs to.

    def links_before(self, table: str, generation: int, limit: int) -> list[str]:
        """Return keys of share links (`shares`) or links to albums (`board_links`) of earlier generations."""
        key = _LINK_KEYS[table]
        older = f"SELECT {key} FROM {table} WHERE generation < :generation ORDER BY {key} LIMIT :limit"
        return [key_text(one) for one in self._sql.column(older, {"generation": generation, "limit": limit})]

    def move_links(self, table: str, generation: int, tokens: dict[str, bytes]) -> None:
        """Give links other tokens, by key; their old ones stop working."""
        key = _LINK_KEYS[table]
        self._sql.run_many(
            f"UPDATE {table} SET token_hash = :token, generation = :generation WHERE {key} = :key",
            [{"key": raw(one), "token": token, "generation": generation} for one, token in sorted(tokens.items())],
        )

    def factors_before(self, generation: int, limit: int) -> list[OlderFactor]:
        """Return second factors of earlier generations."""
        rows = self._sql.all(
            "SELECT f.account_id, a.account_key, f.salt, f.mask, f.generation FROM second_factors f JOIN accounts a"
            " ON a.account_id = f.account_id WHERE f.generation < :generation ORDER BY f.account_id LIMIT :limit",
            {"generation": generation, "limit": limit},
        )
        return [OlderFactor(account_id, key_text(key), *rest) for account_id, key, *rest in rows]

    def end_recovery_codes(self, generation: int) -> int:
        """End recovery codes of earlier generations; how many."""
        return self._sql.run(
            "DELETE FROM recovery_codes WHERE account_id IN (SELECT f.account_id FROM second_factors f"
            " WHERE f.codes_generation < :generation)",
            {"generation": generation},
        )

    def end_app_passwords(self, generation: int) -> int:
        """Revoke app passwords of earlier generations; how many."""
        return self._sql.run(
            "DELETE FROM sessions WHERE secret_hash IN (SELECT p.secret_hash FROM app_passwords p"
            " WHERE p.generation < :generation)",
            {"generation": generation},
        )

    def end_delegations(self, generation: int) -> int:
        """End delegations of earlier generations; how many."""
        return self._sql.run(
            "DELETE FROM sessions WHERE secret_hash IN (SELECT d.secret_hash FROM delegations d"
            " WHERE d.generation < :generation)",
            {"generation": generation},
        )

    def end_password_links(self) -> int:
        """End all one-time links; how many."""
        return self._sql.run("DELETE FROM password_links")
