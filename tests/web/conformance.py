"""Runs schemathesis for minutes with all checks: `python -m tests.web.conformance [SECONDS]`; it has the same exit
code.
"""

import sys
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.web.serving import serving
from tests.web.test_conformance import schemathesis

if __name__ == "__main__":
    seconds = sys.argv[1] if len(sys.argv) > 1 else "600"
    print(f"schemathesis {version('schemathesis')}, all checks, {seconds} s")
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder) / "home", "--require-token") as server,
    ):
        ran = schemathesis(server.url, server.token, "--max-time", seconds, folder=Path(folder))
        print(ran.stdout, ran.stderr)
        code, log = server.stop()
        print(log)
    sys.exit(ran.returncode or code or ("Traceback" in log))
