"""The stage that identifies the caller: a session of the interface, or an app with its password.

Results are remembered until anything is committed: an ended session or a revoked password is refused at
once, and a client that only reads costs no query for it. A session is remembered with the head of its requests, an
app by the digest of its credentials, which also stands for them in the names of heads: no password stays in memory for
longer than its request.
"""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from skyshelf.server.http.authentication import (
    AcceptedApps,
    bearer_in,
    cookies_of,
    credentials_in,
    nonce_cookie_name,
    refuse_other_sites,
    session_cookie_name,
    session_headers,
)
from skyshelf.server.http.offload import forbid_offload
from skyshelf.server.http.proxies import prefix_of
from skyshelf.server.pipeline.admission.requesters import Requesters
from skyshelf.server.pipeline.operation import Credential
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.service.accounts import app_passwords, delegations, leave, sessions
from skyshelf.service.accounts.accounts import check_operator
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.accounts.delegations import Delegate, app_of
from skyshelf.service.audit import note_caller
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.endpoint import Access
from skyshelf.wire.headers import AGENT_SESSION
from skyshelf.wire.leave import is_token


class Identity(msgspec.Struct, frozen=True):
    """The caller of a request, and how long this is known to be valid."""

    caller: Caller
    app: App | None = None
    """The app, if the caller authenticated with an app password."""
    version: object = None
    """The version of the store before the rows were read; None if they are not valid for later requests."""
    since: int = 0
    until: int = 0
    """When the session or password expires, or its use has to be recorded."""

    def holds(self, version: object, now: int) -> bool:
        return self.version == version and self.since <= now < self.until


APPS_REMEMBERED: Final = 1024
_AGENT_SESSION: Final = AGENT_SESSION.lower()
_AGENT_ID: Final = re.compile(r"agent-[0-9a-f]{16}")


class _Undecided(Exception):
    """Raised if only a thread can decide: something has to be written, or a failure has to be counted."""


class Callers:
    """Finds the caller of a request, and refuses a caller who may not do what the request asks for."""

    def __init__(self, ctx: ServiceContext, apps: AcceptedApps, requesters: Requesters) -> None:
        self._ctx = ctx
        self._apps = apps
        self._requesters = requesters
        self._known_apps: dict[bytes | None, Identity] = {}

    def find_now(self, request: ServerRequest, version: object) -> bool:
        """Find the caller without writing; return False if `find` has to decide. The version was read before."""
        if self.recall(request, version):
            return True
        try:
            found = self._look_up(request, version)
        except _Undecided:
            return False
        self._remember(request, found)
        self._accept(request, found)
        return True

    def recall(self, request: ServerRequest, version: object) -> bool:
        """Find the caller remembered with the head; return False if the store has to be asked."""
        if request.is_identified or request.operation.credential is Credential.NONE:
            request.is_identified = True
            return True
        if request.operation.credential is Credential.APP_PASSWORD:
            refuse_other_sites(request)
            known = self._known_apps.get(request.head.credential)
        else:
            known = request.head.identity if self._is_session_proof(request) else None
        if known is None or not known.holds(version, self._ctx.clock.now()):
            return False
        self._accept(request, known)
        return True

    def find(self, request: ServerRequest) -> None:
        """Find the caller, or refuse the request; for a worker thread."""
        if request.is_identified or request.operation.credential is Credential.NONE:
            request.is_identified = True
            return
        self._accept(request, self._look_up(request, None))

    @staticmethod
    def _is_session_proof(request: ServerRequest) -> bool:
        """Return whether a session remembered for these headers identifies the caller of this operation."""
        # Without a token, only a nonce authorizes a download; an operator is looked up each time.
        access = request.operation.access
        return access is Access.SESSION or (access is Access.SESSION_OR_NONCE and request.head.has_credential)

    def _remember(self, request: ServerRequest, found: Identity) -> None:
        if found.app is None:
            # A nonce authorizes one request only.
            request.head.identity = found if found.until else None
            return
        credential = request.head.credential
        self._known_apps.pop(credential, None)
        self._known_apps[credential] = found
        if len(self._known_apps) > APPS_REMEMBERED:
            del self._known_apps[next(iter(self._known_apps))]

    def _look_up(self, request: ServerRequest, version: object) -> Identity:
        """Look up the caller in the store. With a version, raise _Undecided if something would have to be written."""
        look_up = self._app if request.operation.credential is Credential.APP_PASSWORD else self._session
        try:
            found = look_up(request, version)
        except ServiceError:
            self._requesters.forget(request)
            raise
        self._requesters.remember(request, found.caller.account_id)
        return found

    def _app(self, request: ServerRequest, version: object) -> Identity:
        refuse_other_sites(request)
        authorization, now = request.authorization, self._ctx.clock.now()
        if authorization is None:
            raise _Undecided if version is not None else _missing_app_password()
        email, password = credentials_in(authorization)
        if is_token(password):
            delegate = self._delegate(request, password, version)
            return Identity(delegate.caller, app_of(delegate))
        if version is None:
            app = app_passwords.by_password(self._ctx, email, password, request.head.client.address)
        else:
            found = app_passwords.without_a_write(self._ctx, email, password)
            if found is None:
                raise _Undecided
            app = found
        return Identity(app.caller, app, version, now, app.touched_until if version is not None else 0)

    def _session(self, request: ServerRequest, version: object) -> Identity:
        """Return the caller of a session.

        The session is checked before the application: without a session, a caller learns nothing else. To an account
        that is not an operator, an operator's endpoint does not exist.
        """
        ctx, headers, access, now = self._ctx, request.headers, request.operation.access, self._ctx.clock.now()
        if (token := bearer_in(headers)) is not None:
            delegate = self._delegate(request, token, version)
            self._apps.check(headers)
            if access is Access.OPERATOR:
                raise ServiceError(codes.NOT_OFFERED)
            return Identity(self._with_agent(delegate.caller, headers))
        cookies, secure = cookies_of(request), request.head.client.is_secure
        if access is Access.SESSION_OR_NONCE and "authorization" not in headers:
            given = request.query_params.get("nonce"), cookies.get(nonce_cookie_name(secure=secure))
            return Identity(sessions.by_nonce(ctx, [nonce for nonce in given if nonce]), None, version, now)
        cookie = cookies.get(session_cookie_name(secure=secure, prefix=prefix_of(request)), "")
        authorization, user_id, device_key = session_headers(headers, cookie)
        until = 0
        if version is None:
            caller = sessions.by_token(ctx, authorization=authorization, user_id=user_id, device_key=device_key)
        else:
            found = sessions.without_a_write(ctx, authorization=authorization, user_id=user_id, device_key=device_key)
            if found is None:
                raise _Undecided
            caller, until = found.caller, found.until
        self._apps.check(headers)
        if access is Access.OPERATOR:
            check_operator(ctx, caller)
        return Identity(self._with_agent(caller, headers), None, version, now, until)

    def _delegate(self, request: ServerRequest, token: str, version: object) -> Delegate:
        """Return who calls with a delegation. It is looked up for each request, by a thread, which counts it: what is
        remembered of callers and answers is not for delegations."""
        if version is not None:
            raise _Undecided
        # Bytes that a proxy sends are not counted.
        forbid_offload(request.scope)
        return delegations.by_token(self._ctx, token)

    @staticmethod
    def _with_agent(caller: Caller, headers: Mapping[str, str]) -> Caller:
        agent = headers.get(_AGENT_SESSION)
        # The agent bridge sends no other form of id.
        if agent and _AGENT_ID.fullmatch(agent):
            return msgspec.structs.replace(caller, agent_session=agent)
        return caller

    def _accept(self, request: ServerRequest, found: Identity) -> None:
        request.identity = found
        caller, operation = found.caller, request.operation
        request.scope["user_id"] = caller.account_key
        if request.requester is not None:
            request.requester.key = caller.account_id
            note_caller(caller)
        leave.check(
            self._ctx,
            caller,
            operation.needs,
            is_webdav=operation.is_webdav,
            sends_content=request.scope["method"] != "HEAD",
        )
        if operation.refuses_paused:
            with self._ctx.metadata.read() as unit:
                if unit.alarms.is_paused(caller.account_id, caller.counted_device):
                    raise ServiceError(codes.SESSION_PAUSED)
        # Checked before the body is read: the commit would refuse it in any case.
        if operation.needs_write_mode:
            self._ctx.mode.check(self._ctx.metadata)
        if operation.needs_space:
            self._ctx.reservations.disk.check()
        # Not before: what is refused, or has to wait, is checked again.
        request.is_identified = True


def _missing_app_password() -> ServiceError:
    return ServiceError(codes.APP_PASSWORD_REFUSED, "An app password is needed")
