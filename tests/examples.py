"""How many examples a property gets: few in every run, ten times as many with `--hypothesis-profile thorough`."""

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

DEFAULT, THOROUGH = "few", "thorough"
_FEW, _MANY = 20, 200


def register_profiles() -> None:
    """The time of an example depends on the machine, not on the program: neither profile looks at it."""
    patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    # The same examples in every run: whether a change passes is no matter of luck.
    settings.register_profile(DEFAULT, patient, max_examples=_FEW, derandomize=True, database=None)
    settings.register_profile(THOROUGH, patient, max_examples=_MANY)
    settings.load_profile(DEFAULT)
    # Hypothesis also takes examples from the constants of all local modules, which are other ones in every worker.
    providers._get_local_constants = lambda: providers._local_constants


def examples(count: int) -> int:
    """This many for a property whose examples are costly, or which many tests share; more of them if asked for."""
    return count * settings().max_examples // _FEW
