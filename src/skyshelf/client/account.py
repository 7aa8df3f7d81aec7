"""The account, its session, and what the server tells its clients."""

from skyshelf.client.credentials import Credentials
from skyshelf.client.engine import Engine
from skyshelf.client.errors import NotOfferedError, ObjectNotFoundError, RequestFailedError, UnexpectedAnswerError
from skyshelf.wire.account import Quota, UserProfile
from skyshelf.wire.endpoints.account import LOGIN, LOGOUT, PROFILE
from skyshelf.wire.error_codes import NOT_OFFERED
from skyshelf.wire.session import LoginAnswer, LoginRequest


async def profile(engine: Engine) -> UserProfile:
    """The user, with quota and devices; an AuthenticationError where the session is not valid."""
    return await engine.call(PROFILE, UserProfile)


async def quota(engine: Engine) -> Quota:
    """The quota, which is empty where the server tells none."""
    return (await profile(engine)).quota or Quota()


async def login(engine: Engine, request: LoginRequest) -> LoginAnswer:
    """Open a session, and let the engine use it from now on."""
    try:
        answer = await engine.call(LOGIN, LoginAnswer, body=request)
    except RequestFailedError as error:
        raise _not_offered(error, "logging in with a password: copy the session from a browser instead") from None
    if not answer.auth_token or not answer.device_key:
        raise UnexpectedAnswerError("the server opened a session and did not tell its token")
    engine.learned.clear()
    engine.credentials = Credentials(answer.auth_token, answer.user_id, answer.device_key)
    return answer


async def logout(engine: Engine) -> None:
    """End the session; its token stops working everywhere."""
    try:
        await engine.send(engine.plan(LOGOUT))
    except RequestFailedError as error:
        raise _not_offered(error, "logging out: end the session in the browser that it came from") from None
    engine.credentials = None


def _not_offered(error: RequestFailedError, what: str) -> RequestFailedError:
    if isinstance(error, ObjectNotFoundError) or error.status in {405, 501}:
        return NotOfferedError(
            f"this server does not offer {what}",
            status=error.status,
            code=error.code or NOT_OFFERED.code,
            method=error.method,
            path=error.path,
            request_id=error.request_id,
        )
    return error
