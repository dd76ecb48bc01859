"""The console examples of the documentation site print what the pages say."""
import json
import re
import shlex
import subprocess
from pathlib import Path

import common
from common import case, environment, samples

BLOCK = re.compile(r"(?m)^```console\n((?:.*\n)*?)```$")
DATA = samples.LOGS.parent


def blocks():
    """(page, command, what it prints) of each example in doc/site. A block has one command."""
    for page in sorted((common.DOC / "site").glob("*.md")):
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            command, _, printed = block.partition("\n")
            assert command.startswith("$ tlparse ") and "\n$ " not in printed, (page.name, command)
            yield page.name, command, printed


@case
def the_site_shows_what_commands_print():
    """In a folder with the logs of the tutorial and the sample logs. Both streams are in the order in which a terminal shows them."""
    for folder in (*(DATA / "tutorial").iterdir(), *samples.LOGS.iterdir()):
        if folder.is_dir():
            Path(folder.name).symlink_to(folder)
    examples = list(blocks())
    assert len([page for page, _, _ in examples if page == "tutorial.md"]) >= 5
    for page, command, expected in examples:
        arguments = shlex.split(command.removeprefix("$ tlparse "))
        done = subprocess.run([common.tlparse, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=common.LIMIT_S,
                              env=environment(LC_ALL="C.UTF-8", COLUMNS="80"), encoding="utf-8", check=False)
        assert done.stdout == expected, f"{page}: {command}\n{done.stdout}"
        failed = "rule failed" in expected
        assert done.returncode == int(failed), (page, command, done.returncode)


@case
def the_tutorial_removes_the_recompile():
    """What the prose of the tutorial says about its two logs."""
    before, after = (common.report_of(DATA / "tutorial" / name) for name in ("before", "after"))
    old, new = (json.loads((report / "report.json").read_text()) for report in (before, after))
    assert (old["totals"]["recompiles"], new["totals"]["recompiles"]) == (1, 0)
    assert (old["totals"]["compiles"], new["totals"]["compiles"]) == (2, 1)
    first, second = (item["time_us"] for item in old["compiles"][:2])
    only = new["compiles"][0]["time_us"]
    assert round((only - first) / 1e6, 1) == 2.5 and round(second / 1e6, 2) == 1.40, (first, second, only)
