"""Properties of the program that keep an error of memory from becoming more, read from the program itself."""
import re
import subprocess

import common
from common import case


def readelf(option):
    return subprocess.run(["readelf", "--wide", option, common.tlparse], stdout=subprocess.PIPE, text=True, check=True).stdout


@case
def code_and_tables_are_protected():
    """Code at an address of chance, no data that runs as code, and tables of addresses that are not writable."""
    segments = readelf("--program-headers")
    assert re.search(r"GNU_STACK .* RW  ", segments), segments
    assert not re.search(r"LOAD .* RWE ", segments), segments
    assert "GNU_RELRO" in segments, segments
    assert re.search(r"Type: +DYN", readelf("--file-header")), "not position-independent"
    assert re.search(r"FLAGS_1\).*NOW.*PIE", readelf("--dynamic")), "functions are not bound at the start"


@case
def functions_are_protected():
    """Canaries in frames, checked lengths, probes of large frames, and marks where indirect branches may land."""
    static = "INTERP" not in readelf("--program-headers")  # the program of a wheel: musl has no functions that check lengths
    if not static:
        symbols = readelf("--dyn-syms")
        assert "__memcpy_chk" in symbols and "__snprintf_chk" in symbols, "not fortified"
        assert "__stack_chk_fail" in symbols, "no canaries"
    if "X86-64" not in readelf("--file-header"):
        return  # objdump of this machine reads its own code only
    code = subprocess.run(["objdump", "--disassemble", "--no-show-raw-insn", common.tlparse], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert code.count("endbr64") > 1000, "no marks of CET"
    if static:
        assert code.count("%fs:0x28") > 1000, "no canaries"
        assert re.search(r"sub +\$0x1000,%rsp\n.*\bmovq +\$0x0,\(%rsp\)", code), "no probes of the stack"
    else:
        assert re.search(r"\b(orq|movq) +\$0x0,(0x[0-9a-f]+)?\(%rsp\)", code), "no probes of the stack"
