"""Facts files as lines, for the suites that change them. The format is described in src/facts/facts_file.h."""
import subprocess

import xxhash

HASH_DIGITS = 16
REST = HASH_DIGITS + 4  # ["<hash>", and what the hash is of


def read(path):
    return subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()


def write(path, lines):
    text = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    subprocess.run(["zstd", "-1qf", f"--stream-size={len(text)}", "-o", path], input=text, check=True)


def is_definition(line):
    return line.startswith('["')


def rehashed(lines):
    """The lines with the hashes of definitions that were changed, also where other definitions refer to them."""
    renamed = {}
    for line in lines:
        if not is_definition(line):
            yield line
            continue
        old, rest = line[2:HASH_DIGITS + 2], line[REST:]
        for before, after in renamed.items():
            rest = rest.replace(f'"{before}"', f'"{after}"')
        new = xxhash.xxh3_64_hexdigest(rest.encode("utf-8", "surrogatepass"))
        if new != old:
            renamed[old] = new
        yield f'["{new}",{rest}'
