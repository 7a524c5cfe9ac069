"""The shipped page is built from its source, and small."""

import gzip
import hashlib
from pathlib import Path

import sandbox.extensions.memory_web as web

FOLDER = Path(web.__file__).parent
SOURCE, BUNDLE = FOLDER / "ui", FOLDER / "static"
MOST = 300_000  # bytes over the wire, without what few pages need: see ``LATER``
LATER = {  # a browser fetches these for a graph, and for letters such as "ş"
    "graph.js",
    "layout.worker.js",
    "inter-latin-ext-wght-normal.woff2",
    "literata-latin-ext-wght-normal.woff2",
}


def test_the_bundle_was_built_from_this_source() -> None:
    digest = hashlib.sha256()
    left_out = {"node_modules", "__pycache__", "server.d.ts"}
    files = [each for each in SOURCE.rglob("*") if each.is_file() and not left_out & {*each.parts}]
    for name in sorted(each.relative_to(SOURCE).as_posix() for each in files):
        digest.update(f"{name}\0".encode())
        digest.update((SOURCE / name).read_bytes() + b"\0")
    built = (BUNDLE / "SOURCE").read_text(encoding="utf-8").strip()
    assert built == digest.hexdigest(), (
        "the page is not what its source gives: run `make ui`, and commit what it builds"
    )


def test_the_page_is_small_and_loads_from_no_other_host() -> None:
    files = {each.name: each.read_bytes() for each in BUNDLE.iterdir()}
    assert files.keys() > LATER
    shipped = [content for name, content in files.items() if name not in {*LATER, "LICENCES.txt"}]
    assert sum(len(gzip.compress(content)) for content in shipped) < MOST
    assert "LICENCES.txt" in files
    for name in ("index.html", "app.css"):
        assert b"//" not in files[name].replace(b"/*", b"").replace(b"*/", b""), name
    assert b"<script>" not in files["index.html"]
    assert b"style=" not in files["index.html"]
    code = "".join(each.read_text(encoding="utf-8") for each in (SOURCE / "src").rglob("*.ts*"))
    for sink in ("innerHTML", "outerHTML", "dangerouslySet", "insertAdjacentHTML", "document.write", "eval("):
        assert sink not in code, sink
