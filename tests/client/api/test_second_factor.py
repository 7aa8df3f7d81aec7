"""The second factor by the SDK."""

import base64

import pytest
from tests.client.serving import PASSWORD, Person

from skyshelf.client import AsyncClient, AuthenticationError, ConflictError, ForbiddenError, SecondFactorRequiredError
from skyshelf.service.accounts.login_codes import code_of, step_at


async def test_a_login_that_needs_a_code_has_its_own_error(client: AsyncClient, person: Person) -> None:
    assert (await client.second_factor.status()).is_on is False
    with pytest.raises(ConflictError):
        await client.second_factor.confirm("123456")
    with pytest.raises(ForbiddenError, match="password is wrong"):
        await client.second_factor.begin("not it")
    setup = await client.second_factor.begin(PASSWORD)
    assert setup.secret
    assert setup.secret in (setup.otpauth_uri or "")
    code = code_of(base64.b32decode(setup.secret), step_at(person.server.ctx.clock.now()))
    codes = await client.second_factor.confirm(code)
    assert ((await client.second_factor.status()).is_on, len(codes)) == (True, 10)

    async with AsyncClient(person.settings["server"]) as second:
        with pytest.raises(SecondFactorRequiredError) as needed:
            await second.login(person.account.email, PASSWORD)
        assert isinstance(needed.value, AuthenticationError)
        assert (needed.value.code, needed.value.exit_code, needed.value.retryable) == ("SKY2005", 13, False)
        with pytest.raises(AuthenticationError) as wrong:
            await second.login(person.account.email, PASSWORD, code=code)
        assert (wrong.value.code, type(wrong.value)) == ("SKY2006", AuthenticationError)
        await second.login(person.account.email, PASSWORD, code=codes[0])
        assert (await second.account.profile()).email_id == person.account.email

    new = await client.second_factor.renew_recovery_codes(PASSWORD, codes[1])
    with pytest.raises(ForbiddenError, match="code is wrong"):
        await client.second_factor.turn_off(PASSWORD, codes[2])
    await client.second_factor.turn_off(PASSWORD, new[0])
    assert (await client.second_factor.status()).is_on is False
