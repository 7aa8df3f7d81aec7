"""How many examples a property gets: few in every run, ten times as many with `--hypothesis-profile thorough`."""

from hypothesis import HealthCheck, settings

DEFAULT, THOROUGH = "few", "thorough"
_FEW, _MANY = 20, 200


def register_profiles() -> None:
    """The time of an example depends on the machine, not on the program: neither profile looks at it."""
    for name, count in ((DEFAULT, _FEW), (THOROUGH, _MANY)):
        settings.register_profile(name, max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile(DEFAULT)


def examples(count: int) -> int:
    """This many for a property whose examples are costly, or which many tests share; more of them if asked for."""
    return count * settings().max_examples // _FEW
