"""The process of `canaille.py`: Canaille, a real OpenID Connect provider, with its data in memory.

It is started as a script with a JSON file of settings: the port, the key it signs with, and its people.
"""

import json
import sys
from pathlib import Path


def main() -> None:
    from canaille import create_app  # type: ignore[import-not-found]
    from canaille.app import models  # type: ignore[import-not-found]
    from canaille.backends import Backend  # type: ignore[import-not-found]
    from werkzeug.serving import make_server

    given = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    app = create_app(
        {
            "SECRET_KEY": "only for tests",
            "SERVER_NAME": f"localhost:{given['port']}",
            "PREFERRED_URL_SCHEME": "http",
            "CANAILLE": {
                "DATABASE": "memory",
                "ENABLE_REGISTRATION": False,
                "PASSWORD_COMPROMISSION_CHECK_API_URL": "",
            },
            "CANAILLE_OIDC": {"DYNAMIC_CLIENT_REGISTRATION_OPEN": True, "ACTIVE_JWKS": [given["key"]]},
        }
    )
    app.config["SESSION_COOKIE_NAME"] = "canaille"
    with app.app_context():
        people = {}
        for person in given["people"]:
            one = models.User(
                user_name=person["name"],
                formatted_name=f"{person['given_name']} {person['family_name']}",
                given_name=person["given_name"],
                family_name=person["family_name"],
                emails=[person["email"]],
                password=person["password"],
            )
            Backend.instance.save(one)
            people[person["name"]] = one
        for name in {group for person in given["people"] for group in person["groups"]}:
            members = [people[person["name"]] for person in given["people"] if name in person["groups"]]
            Backend.instance.save(models.Group(display_name=name, members=members))
    make_server("127.0.0.1", given["port"], app, threaded=True).serve_forever()


if __name__ == "__main__":
    main()
