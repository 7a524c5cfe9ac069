"""Memories are content: in no field are they markup, a program, an address, or something that controls the page."""

import json
from typing import Any
from urllib.parse import quote

import pytest

from tests.ui.conftest import Look
from tests.ui.looking import Looking
from tests.web.conftest import Rest

pytestmark = pytest.mark.web

MARKUP = (
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "<svg/onload=alert(1)>",
    '"><iframe srcdoc="<script>parent.alert(1)</script>">',
    "<a href=javascript:alert(1)>here</a>",
    "<style>*{display:none}</style>",
    "<base href=https://evil.example/>",
    "<form action=https://evil.example/><button>ok</button></form>",
    "<meta http-equiv=refresh content=0;url=https://evil.example/>",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "</textarea><script>alert(1)</script>",
    "<details open ontoggle=alert(1)>",
    "&lt;b&gt;&#60;b&#62;",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "](https://evil.example/x.png)![x](https://evil.example/x.png)",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "__proto__",
    "constructor",
    "toString",
)
STRANGE = {
    "right to left": "שלום עולם مرحبا \u202egnitseretni\u202c end",
    "unseen": "zero\u200bwidth\u2060joined\ufeff and \x1b[31mred\x07 bell\x08",
    "long": "a" * 10_000,
    "high": "Z\u0351\u036b\u0343" * 200,
    "emoji": "👩‍👩‍👧‍👦" * 50,
    "lines": "\n" * 400 + "the end",
}


def unharmed(seen: Looking) -> None:
    """No text became an element, and no address leads elsewhere."""
    found = seen.page.evaluate(
        """() => [...document.querySelectorAll('body *')].filter(each =>
            ['SCRIPT', 'IFRAME', 'BASE', 'META', 'STYLE', 'IMG', 'OBJECT', 'EMBED'].includes(each.tagName)
            || [...each.attributes].some(({name}) => name.startsWith('on') || name === 'srcdoc')
            || (each.href && typeof each.href === 'string' && !each.href.startsWith(location.origin + '/'))
        ).map(each => each.outerHTML.slice(0, 200))"""
    )
    assert found == []


def remembered(rest: Rest, text: str, place: int) -> tuple[str, str]:
    """The text in every field of a memory: content, subject, tag, category, speaker, turn, session."""
    body = {"content": f"{text} {place}"[:500], "category": "fact", "subject": text[:200], "tags": [text[:50]]}
    id: str = rest("POST", "/api/memory/", 201, json={**body, "on_similar": "keep"}).json()["id"]
    session = f"hostile-{place}"
    turns = [{"role": "user", "content": f"{text} said {place}", "speaker": text[:200]}]
    rest("POST", f"/api/sessions/{session}/turns", 201, json={"turns": turns})
    return id, session


def test_no_text_becomes_markup_on_any_page(look: Look, rest: Rest) -> None:
    made = [remembered(rest, text, place) for place, text in enumerate(MARKUP)]
    seen = look("known", user=rest.user)
    for path in ("known", "talks", "talks?q=alert", "people", "time", "ask?q=alert+script+img", "decide", "health"):
        seen.go(path)
        unharmed(seen)
    for (id, session), text in zip(made, MARKUP, strict=True):
        seen.go(f"memory/{id}")
        assert text in seen.role("heading").first.inner_text()
        unharmed(seen)
        seen.go(f"talks/{session}")
        assert f"{text} said" in seen.text()
        unharmed(seen)


def test_no_name_becomes_markup_and_each_has_its_page(look: Look, rest: Rest) -> None:
    for place, text in enumerate(MARKUP):
        remembered(rest, text, place)
    seen = look("people", user=rest.user)
    entities = rest("GET", "/api/entities", params={"limit": 200}).json()["items"]
    assert len(entities) >= len(MARKUP) / 2
    for entity in entities:
        seen.go(f"people/{quote(entity['id'])}")
        assert entity["name"] in seen.role("heading").first.inner_text()
        unharmed(seen)


def test_no_address_becomes_markup(look: Look, rest: Rest) -> None:
    seen = look("ask", user=rest.user)
    for text in MARKUP:
        told = quote(text, safe="")
        for path in (f"ask?q={told}", f"known?q={told}", f"known?category={told}&subject={told}&type=semantic",
                     f"known?trust={told}&state={told}&age={told}&order={told}", f"decide?kind={told}",
                     f"memory/{told}", f"people/{told}", f"time?day={told}", f"talks/x?turn={told}", told):  # fmt: skip
            seen.go(path)
            unharmed(seen)


def test_an_error_message_is_shown_as_text(look: Look, rest: Rest) -> None:
    """A problem of the server names the requested value."""
    seen = look("known?category=" + quote("<img src=x onerror=alert(1)>", safe=""), user=rest.user)
    assert "<img src=x onerror=alert(1)>" in seen.text()
    unharmed(seen)


@pytest.mark.parametrize("name", STRANGE)
def test_strange_texts_do_not_break_a_page(look: Look, rest: Rest, name: str) -> None:
    text = STRANGE[name]
    id, session = remembered(rest, text, 1)
    seen = look("known", user=rest.user, width=360)
    for path in ("known", f"memory/{id}", "talks", f"talks/{session}", "people", "ask?q=said", "time"):
        seen.go(path)
        assert seen.beyond <= 0, path
        unharmed(seen)


def test_invisible_characters_are_shown_as_symbols(look: Look, rest: Rest) -> None:
    id = rest.create("Pay \u202eyltpmorp\u202c to \u200bBob", on_similar="keep")
    seen = look(f"memory/{id}", user=rest.user)
    assert "Pay ⟨U+202E⟩yltpmorp⟨U+202C⟩ to ⟨U+200B⟩Bob" in seen.role("heading").first.inner_text()


def test_a_turn_of_a_megabyte_opens_at_once_and_is_shown_whole_on_request(look: Look, rest: Rest) -> None:
    words = " ".join(f"word{number}" for number in range(120_000))
    rest("POST", "/api/sessions/long/turns", 201, json={"turns": [{"role": "user", "content": words[:1_000_000]}]})
    seen = look("talks/long", user=rest.user)
    assert len(seen.text()) < 5_000
    seen.role("button", "Show all").click()
    seen.role("button", "Show less").wait_for()
    assert "word9999" in seen.text()


def test_the_content_policy_stops_injected_markup(look: Look, rest: Rest) -> None:
    """If markup got in, it could do nothing: no program, no style, no request to another host."""
    seen = look(
        "health",
        user=rest.user,
        allowed=("Content Security Policy", "Content-Security-Policy", "TrustedHTML", "TrustedScript"),
    )
    done: dict[str, Any] = json.loads(
        seen.page.evaluate(
            """async () => {
                const done = {};
                done.html = true;
                try { document.body.insertAdjacentHTML('beforeend', '<b>x</b>'); } catch { done.html = false; }
                const script = document.createElement('script');
                try { script.textContent = 'window.ran = true'; document.body.append(script); } catch { /* refused */ }
                done.script = Boolean(window.ran);
                try { await fetch('https://evil.example/'); done.fetch = true; } catch { done.fetch = false; }
                try { setTimeout('window.late = true', 0); } catch { /* refused */ }
                await new Promise((done) => setTimeout(done, 100));
                done.eval = Boolean(window.late);
                return JSON.stringify(done);
            }"""
        )
    )
    assert done == {"html": False, "script": False, "fetch": False, "eval": False}
    seen.asked.clear()
