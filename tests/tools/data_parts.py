"""The scripts in data/ of a report: what they hold, unpacked."""
import base64
import json
import re

import zstandard

CALL = re.compile(rb'tl\.put\("((?:[^"\\]|\\.)*)",\s*"([A-Za-z0-9+/=]*)"\)')


def parts(script):
    """{key: bytes} of one script. A frame that was written as a stream does not have its length."""
    unpacker = zstandard.ZstdDecompressor()
    return {json.loads(b'"%s"' % key): unpacker.decompressobj().decompress(base64.b64decode(text)) for key, text in CALL.findall(script)}
