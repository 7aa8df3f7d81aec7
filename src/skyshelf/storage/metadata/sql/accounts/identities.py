"""Identities, tokens that are spent, and passkeys, in SQL."""

from collections.abc import Sequence

from msgspec.structs import asdict

from skyshelf.storage.metadata.contracts import sessions as records
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.statements import Columns, Expiring, SqlNoun, Value, raw

_IDENTITY, _ORIGIN = Columns(records.Identity), Columns(records.SessionOrigin)


class SqlIdentities(SqlNoun):
    """An account has at most one identity of an issuer, and an identity belongs to one account."""

    def find(self, issuer: str, subject: str) -> records.Identity | None:
        """Takes one statement."""
        source = "FROM identities WHERE issuer = :issuer AND subject = :subject"
        return _IDENTITY.one(self._sql, source, {"issuer": issuer, "subject": subject})

    def of_account(self, account_id: int) -> list[records.Identity]:
        """Return all of an account, oldest first."""
        source = "FROM identities WHERE account_id = :account ORDER BY created_at, issuer"
        return _IDENTITY.all(self._sql, source, {"account": account_id})

    def linked_among(self, account_ids: Sequence[int]) -> set[int]:
        """Return the accounts among these that have an identity, in one statement."""
        linked = "SELECT DISTINCT account_id FROM identities WHERE account_id = ANY(:accounts)"
        return set(self._sql.column(linked, {"accounts": list(account_ids)}))

    def add(self, account_id: int, identity: records.NewIdentity, now: int) -> bool:
        """Link it; false where it belongs to an account, or the account has another one of that issuer.

        LimitReached where the account has too many.
        """
        lock_account(self._sql, account_id)
        bounds.refuse(self._sql, account_id, "identities")
        row = {"account_id": account_id, **asdict(identity), "created_at": now, "last_used_at": now}
        return self._sql.insert("identities", "ON CONFLICT DO NOTHING", **row) > 0

    def used(self, issuer: str, subject: str, email: str, now: int) -> None:
        """Note a login, and the address that the provider gave."""
        self._sql.update("identities", {"email": email, "last_used_at": now}, issuer=issuer, subject=subject)

    def remove(self, account_id: int, issuer: str) -> bool:
        """Unlink the account's identity of that issuer; false where it has none. Sessions go on."""
        lock_account(self._sql, account_id)
        return self._sql.delete("identities", account_id=account_id, issuer=issuer) > 0

    # Sessions

    def put_origin(self, account_id: int, secret_hash: bytes, origin: records.SessionOrigin) -> None:
        """The open session with that secret_hash came from there. It is forgotten when the session ends."""
        lock_account(self._sql, account_id)
        self._sql.insert("identity_sessions", secret_hash=secret_hash, account_id=account_id, **asdict(origin))

    def origin_of(self, secret_hash: bytes) -> records.SessionOrigin | None:
        """Return where a session came from; None where a password opened it. One statement."""
        return _ORIGIN.one(self._sql, "FROM identity_sessions WHERE secret_hash = :secret", {"secret": secret_hash})

    def end_sessions(self, issuer: str, *, subject: str = "", sid: str = "") -> dict[int, int]:
        """End the sessions that came from this subject, from this session of the provider, or, with both, from both.

        How many ended, by account. Nothing ends where neither is given.
        """
        if not subject and not sid:
            return {}
        params: dict[str, Value] = {"issuer": issuer}
        params |= {name: value for name, value in (("subject", subject), ("sid", sid)) if value}
        where = " AND ".join(f"{name} = :{name}" for name in params)
        accounts = self._sql.column(f"SELECT DISTINCT account_id FROM identity_sessions WHERE {where}", params)
        ended = {}
        # In one order, so that two calls never wait for each other.
        for account_id in sorted(accounts):
            lock_account(self._sql, account_id)
            count = self._sql.run(
                "DELETE FROM sessions WHERE account_id = :account AND secret_hash IN (SELECT secret_hash FROM"
                f" identity_sessions WHERE {where})",
                {**params, "account": account_id},
            )
            if count:
                ended[account_id] = count
        return ended


class SqlSpentTokens(Expiring):
    """What counts once, however many try at the same moment and on however many instances. Only digests come here."""

    _table, _key = "spent_tokens", "token_hash"

    def spend(self, token_hash: bytes, expires_at: int) -> bool:
        """Use it up; false where it was used before. After expires_at it may be forgotten."""
        on_conflict = "ON CONFLICT (token_hash) DO NOTHING"
        return self._sql.insert("spent_tokens", on_conflict, token_hash=token_hash, expires_at=expires_at) > 0


_PASSKEY, _NEW = Columns(records.Passkey), Columns(records.NewPasskey)


class SqlPasskeys(SqlNoun):
    """No credential belongs to two accounts. Whatever counts once counts once, on however many instances."""

    def add(self, account_id: int, passkey: records.NewPasskey, now: int) -> bool:
        """False if the credential is known already, whosever it is. LimitReached where there are too many."""
        lock_account(self._sql, account_id)
        bounds.refuse(self._sql, account_id, "passkeys")
        row = {"account_id": account_id, **_NEW.write(passkey), "created_at": now, "last_used_at": 0}
        return self._sql.insert("passkeys", "ON CONFLICT (credential_id) DO NOTHING", **row) > 0

    def of_account(self, account_id: int) -> list[records.Passkey]:
        """Return all of an account, newest first, in one statement."""
        source = "FROM passkeys WHERE account_id = :account ORDER BY created_at DESC, passkey_key DESC"
        return _PASSKEY.all(self._sql, source, {"account": account_id})

    def find(self, credential_id: bytes) -> records.Passkey | None:
        """Return the passkey with that id, of whatever account. One statement."""
        return _PASSKEY.one(self._sql, "FROM passkeys WHERE credential_id = :credential", {"credential": credential_id})

    def rename(self, account_id: int, passkey_key: str, name: str) -> bool:
        """False where the account has no such passkey."""
        return self._sql.update("passkeys", {"name": name}, account_id=account_id, passkey_key=raw(passkey_key)) > 0

    def remove(self, account_id: int, passkey_key: str) -> bool:
        """False where the account has no such passkey."""
        lock_account(self._sql, account_id)
        return self._sql.delete("passkeys", account_id=account_id, passkey_key=raw(passkey_key)) > 0

    def remove_all(self, account_id: int) -> int:
        """Remove all of them and return how many there were."""
        lock_account(self._sql, account_id)
        return self._sql.delete("passkeys", account_id=account_id)

    def counts(self, account_ids: Sequence[int]) -> dict[int, int]:
        """Return how many passkeys those of the accounts have that have any. One statement."""
        rows = self._sql.all(
            "SELECT account_id, count(*) FROM passkeys WHERE account_id = ANY(:accounts) GROUP BY account_id",
            {"accounts": list(account_ids)},
        )
        return dict(rows)

    def use(self, account_id: int, passkey_key: str, use: records.PasskeyUse, now: int) -> bool:
        """Note a signature. False if the passkey is gone, or its counter is not beyond that of an earlier signature;
        counters that are always zero count nothing."""
        return self._sql.changed(
            "UPDATE passkeys SET sign_count = :count, is_backed_up = :backed_up, last_used_at = :now, is_verifying ="
            " CASE WHEN :verifying = 1 THEN 1 ELSE is_verifying END WHERE account_id = :account AND passkey_key = :key"
            " AND (sign_count < :count OR (sign_count = 0 AND :count = 0))",
            {
                "account": account_id,
                "key": raw(passkey_key),
                "count": use.sign_count,
                "backed_up": int(use.is_backed_up),
                "verifying": int(use.is_verifying),
                "now": now,
            },
        )
