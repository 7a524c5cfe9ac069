"""Objects of the memory over REST are as `memory schema` publishes them; REST's own objects are in its OpenAPI
document.
"""

from tests.memory.test_published_schema import problems
from tests.web.conftest import Rest


def test_rest_answers_match_the_published_schema(rest: Rest) -> None:
    rest.create("Ann's manager is Bob", subject="Ann", on_similar="keep")
    rest.create("Ann lives in Bonn", subject="Ann", on_similar="keep")
    given = {
        "Hit": rest("POST", "/api/search", json={"query": "Ann"}).json()["results"],
        "EntityProfile": [rest("GET", "/api/entities/Ann").json()],
        "Change": rest("GET", "/api/changes").json()["changes"],
        "UserProfile": [rest("GET", "/api/profile").json()],
        "Statistics": [rest("GET", "/api/stats").json()],
    }
    for name, values in given.items():
        assert values, name
        for value in values:
            assert problems(name, value) == [], name
