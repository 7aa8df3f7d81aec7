"""The account, its session, and what the server tells its clients."""

from skyshelf.client.beyond import beyond
from skyshelf.client.credentials import Credentials
from skyshelf.client.engine import Engine
from skyshelf.client.errors import UnexpectedAnswerError
from skyshelf.wire.endpoints.account import LOGIN, LOGOUT, PROFILE
from skyshelf.wire.resources.account import Quota, UserProfile
from skyshelf.wire.resources.session import LoginAnswer, LoginRequest


async def profile(engine: Engine) -> UserProfile:
    """The user, with quota and devices; an AuthenticationError where the session is not valid."""
    return await engine.call(PROFILE, UserProfile)


async def quota(engine: Engine) -> Quota:
    """The quota, which is empty where the server tells none."""
    return (await profile(engine)).quota or Quota()


async def login(engine: Engine, request: LoginRequest) -> LoginAnswer:
    """Open a session, and let the engine use it from now on."""
    with beyond("logging in with a password: copy the session from a browser instead"):
        answer = await engine.call(LOGIN, LoginAnswer, body=request)
    if not answer.auth_token or not answer.device_key:
        raise UnexpectedAnswerError("the server opened a session and did not tell its token")
    engine.learned.clear()
    engine.credentials = Credentials(answer.auth_token, answer.user_id, answer.device_key)
    return answer


async def logout(engine: Engine) -> None:
    """End the session; its token stops working everywhere."""
    with beyond("logging out: end the session in the browser that it came from"):
        await engine.send(engine.plan(LOGOUT))
    engine.credentials = None
