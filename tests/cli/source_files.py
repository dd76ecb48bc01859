"""--source: which files of a folder are shown whole, and which are not read."""
import json
import os
import sys
from pathlib import Path

from common import call, case, fails, makes, open_file, said

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "schema"))
import page_data

TEXT = "import torch\n\n\ndef fn(x):\n    y = torch.sin(x)\n    return y * 2  # at home\n"
FILE = "/home/jane/proj/model.py"


def log(*lines, name="a.log"):
    """A log whose stack quotes these (file, line, code)."""
    files = list(dict.fromkeys(file for file, _, _ in lines))
    stack = [{"line": line, "name": "fn", "filename": files.index(file), "loc": code} for file, line, code in lines]
    lead = "V0101 12:00:00.000000 7 torch/a.py:1] "
    records = [{"str": [file, i]} for i, file in enumerate(files)]
    records.append({"dynamo_start": {"stack": stack}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0})
    Path(name).write_text("".join(f"{lead}{json.dumps(item)}\n" for item in records), encoding="utf-8")
    return name


def source(path, text=TEXT):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8", newline="")
    return path


def shown(*arguments, out="out"):
    """{file: (folder, path below it, number of quoted lines, text)}, and what the program said of --source."""
    done = makes(*arguments, "--overwrite", out=out)
    data = page_data.read(Path(out))
    items = json.loads(data["report"])["parts"].get("sources", [])
    assert sum(key.startswith("sources/") for key in data) == len(items)
    found = {item["file"]: (item["folder"], item["below"], item["quoted"], json.loads(data[f"sources/{k}"])["text"]) for k, item in enumerate(items)}
    return found, "\n".join(line for line in said(done).split("\n") if "--source" in line)


@case
def a_file_whose_quoted_lines_agree_is_shown_whole():
    source("proj/model.py")
    log((FILE, 5, "y = torch.sin(x)"), (FILE, 6, "return y * 2  # at home"), (FILE, 6, "return y * 2  # at home"))
    assert shown("a.log", "--source", "proj") == ({FILE: ("proj", "model.py", 2, TEXT)}, "")
    assert shown("a.log", "--source", ".") == ({FILE: (".", "proj/model.py", 2, TEXT)}, ""), "the longest end of the path"
    assert shown("a.log") == ({}, ""), "nothing is read without the option"
    assert "sources" not in json.loads(page_data.read(Path("out"))["report"])["parts"]


@case
def a_file_that_differs_in_a_line_is_not_shown():
    source("proj/model.py", "\n" + TEXT)
    log((FILE, 5, "y = torch.sin(x)"), (FILE, 3, ""), ("/home/jane/proj/other.py", 1, "x"))
    found, told = shown("a.log", "--source", "proj")
    assert not found
    assert told == ('tlparse: --source has no file of the program; proj/model.py is not the file of the log: line 5 is not "y = torch.sin(x)"; '
                    "/home/jane/proj/other.py was not found"), told
    source("proj/model.py", "x\n")
    assert "line 5 is not" in shown("a.log", "--source", "proj")[1], "the file ends before"


@case
def without_a_quoted_line_no_file_is_read():
    source("proj/model.py")
    log((FILE, 5, ""), ("/home/jane/proj/b.py", 0, "x"))
    assert shown("a.log", "--source", "proj") == ({}, "")


@case
def another_file_of_this_name_does_not_hide_the_right_one():
    source("a/model.py", "x\n")
    source("b/proj/model.py")
    log((FILE, 5, "y = torch.sin(x)"))
    assert shown("a.log", "--source", "a", "--source", "b") == ({FILE: ("b", "proj/model.py", 1, TEXT)}, "")
    source("b/model.py", "z\n")
    source("a/model.py")
    source("b/proj/model.py", "y\n")
    assert shown("a.log", "--source", "b", "--source", "a")[0][FILE][:2] == ("a", "model.py")


@case
def lines_may_end_in_any_way_and_begin_with_a_mark():
    text = "\ufeff" + TEXT.replace("\n", "\r\n")
    source("proj/model.py", text)
    log((FILE, 1, "import torch"), (FILE, 6, "return y * 2  # at home"))
    found, told = shown("a.log", "--source", "proj")
    assert found[FILE][3] == text[1:] and not told, told
    windows = "C:\\work\\proj\\model.py"
    log((windows, 6, "return y * 2  # at home"))
    assert shown("a.log", "--source", ".")[0][windows][1] == "proj\\model.py"


@case
def what_a_hostile_log_may_not_read():
    secret = source("secret/key.py")
    source("proj/plain.txt")
    source("proj/latin.py", TEXT)
    Path("proj/latin.py").write_bytes(TEXT.encode() + b"# \xe4\n")
    Path("proj/nul.py").write_bytes(TEXT.encode() + b"\0\n")
    Path("proj/large.py").write_bytes(TEXT.encode() + b"#\n" * (2 << 20))
    Path("proj/link.py").symlink_to(Path(secret).resolve())
    Path("proj/dir").symlink_to(Path("secret").resolve())
    os.mkfifo("proj/pipe.py")
    Path("proj/folder.py").mkdir()
    code = "y = torch.sin(x)"
    asked = ["/w/proj/plain.txt", "/w/proj/latin.py", "/w/proj/nul.py", "/w/proj/large.py", "/w/proj/link.py", "/w/proj/dir/key.py", "/w/proj/pipe.py",
             "/w/proj/folder.py", "/w/proj/../secret/key.py", "../secret/key.py", "/../secret/key.py", "/w/./../secret/key.py", str(Path(secret).resolve()),
             "/w//key.py", "/w/a\0/key.py", "/w/" + "a/" * 100 + "key.py", "/w/" + "a" * 300 + "/key.py", "/w/\ud800.py", ".py", "/.py", ""]
    log(*((path, 5, code) for path in asked))
    found, told = shown("a.log", "--source", "proj")
    assert not found, found
    assert "--source has no file of the program" in told, told


@case
def a_folder_that_is_not_there():
    fails(2, "--source none: No such file or directory", log((FILE, 5, "x")), "-o", "out", "--source", "none")
    Path("file").write_text("x")
    fails(2, "--source file: Not a directory", "a.log", "-o", "out", "--source", "file")


@case
def ranks_of_a_job_count_a_file_once():
    source("proj/model.py")
    for rank in range(3):
        log((FILE, 5, "y = torch.sin(x)"), ("/home/jane/proj/b.py", 1, "x"), name=f"dedicated_log_torch_trace_rank_{rank}_a.log")
    done = makes(".", "--all-ranks-html", "--source", "proj")
    told = [line for line in said(done).split("\n") if "--source" in line]
    assert told == ["tlparse: --source has 1 of 2 files of the program; /home/jane/proj/b.py was not found"], told
    for rank in range(3):
        assert "sources/0" in page_data.read(Path("out", f"rank_{rank}")), rank


@case
def a_shared_report_has_the_file_and_a_redacted_one_does_not():
    source("proj/model.py")
    log((FILE, 5, "y = torch.sin(x)"))
    for out, arguments in (("whole.html", []), ("clean.html", ["--redact", "paths,code,config,names"]), ("names.html", ["--redact", "names"])):
        done = call("share", "a.log", "--source", "proj", *arguments, "-o", out)
        assert done.returncode == 0, said(done)
    data = {out: open_file(Path(out).read_bytes())[1] for out in ("whole.html", "clean.html", "names.html")}
    assert json.loads(data["whole.html"]["data/sources/0"])["text"] == TEXT
    for out in ("clean.html", "names.html"):
        assert json.loads(data[out]["data/sources/0"]) is None
        assert not any(b"at home" in content for content in data[out].values())
    assert not any(b"jane" in content or b"proj" in content for path, content in data["clean.html"].items() if path.startswith("data/"))
