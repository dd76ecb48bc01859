"""The checks in a tree of guards as PyTorch prints it. Independent of the C sources.

PyTorch prints a line for each condition of a check, and a check on several values again, without its code, below each of them.
"""
import re

LEAF = re.compile(r"^((?:\| )*)\+- ((?:__)?[A-Z][A-Z0-9_]*(?:__)?)(?:: |$)")
NODE = re.compile(r"^(?:\| )*\+- ")
RELATIONAL = ("NO_TENSOR_ALIASING", "OBJECT_ALIASING", "STORAGE_OVERLAPPING", "SYMBOLIC_SHAPE_GUARD")
MARKS = "'_dynamo_dynamic_indices'"  # of the first of the conditions on marks of a tensor
SHARED = re.compile(r" is [LG]\[")


class Leaves:
    """Reads the lines of a tree in order."""

    def __init__(self):
        self.before = None  # the check in the line before: depth, kind, whether it is on one object with several sources, whether it has the marks

    def read(self, text):
        """What the line is: "check", "condition" (a further one of the check before), "again" (a check that was printed before), or None."""
        if not (found := LEAF.match(text)):
            self.before = None if NODE.match(text) else self.before
            return None
        what = self.what(found, text)
        marked = MARKS in text or bool(what != "check" and self.before and self.before[3])
        self.before = (found[1], found[2], SHARED.search(text) is not None, marked)
        return what

    def what(self, found, text):
        depth, kind = found.groups()
        if kind in RELATIONAL and text.endswith(kind):
            return "again"
        same = self.before is not None and self.before[:2] == (depth, kind)
        if kind == "DIMENSION_DYNAMIC_MARKING_GUARD":
            same = same and not (MARKS in text and self.before[3])
        elif kind == "LAMBDA_GUARD" and not depth:
            same = same and self.before[2] == (SHARED.search(text) is not None)
        elif kind != "SYMBOLIC_SHAPE_GUARD":
            same = False
        return "condition" if same else "check"
