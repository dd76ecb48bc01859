#!/usr/bin/env python3
"""Collect the words that `tlparse share --redact` keeps: PyTorch's in src/share/vocabulary.txt, the names of its settings in src/share/settings.txt,
and the names in PyTorch's own files in src/share/torch_names.txt. The words of our own messages and schemas are added by the build.

    vocabulary.py TORCH      collect them anew; TORCH is the folder of an installed PyTorch: site-packages/torch
    vocabulary.py --table WORDS.txt NAMES.txt SETTINGS.txt FILE.inc FILE.d [--packed]
                             (from meson) write their bytes for C, each word with a 0 or, if it is a setting, a 1; FILE.d: the files that were read

What a redacted report says consists of these words, numbers and punctuation. They are the words of our own messages and schemas, and PyTorch's names:
operators, settings, metrics, events, guards, exceptions, and the sentences with which it explains graph breaks. No word comes from a log.

The names of PyTorch's modules, functions and classes, and the words of its links, are kept only in paths below site-packages/torch, in frames of such
files, and in links to its documentation.
"""
import collections
import json
import os
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
LIST = TOP / "src/share/vocabulary.txt"
SETTINGS = TOP / "src/share/settings.txt"
TORCH_NAMES = TOP / "src/share/torch_names.txt"
TORCH_NAMES_HEAD = "# Made by tools/vocabulary.py: the names that `tlparse share --redact` keeps in frames of PyTorch's own files, one a line.\n"
SETTINGS_HEAD = "# Made by tools/vocabulary.py: the settings of PyTorch whose values `tlparse share --redact config` removes, one a line.\n"
HEAD = "# Made by tools/vocabulary.py: the words of PyTorch that `tlparse share --redact` keeps, one a line.\n"
WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
# Of Python and C, of values in guards and metrics, and of dates.
OTHERS = """None True False NaN nan inf int_oo int float bool str list tuple dict set object type range slice Tensor Size dtype device shape stride cpu cuda
    mps xpu float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 complex64 f16 f32 f64 bf16 i8 i16 i32 i64 b8 u8 Float Double Half Long Int
    Bool Byte self args kwargs lambda module Linux GCC main html js json txt log zst gz torch aten prims nn functional ops rank_none run rank unknown
    Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec triton_poi triton_per triton_red triton_tem triton_for cpp_fused poi per red tem fused
    https http com pytorch meta github io compile graph break site gb hit miss bypass full_miss ms us
    and as assert async await break class continue def del elif else except finally for from global if import in is nonlocal not or pass raise return
    try while with yield abs all any bool bytes callable delattr dir divmod enumerate eval exec filter format frozenset getattr globals hasattr hash hex
    id input isinstance issubclass iter len map max min next object open ord pow print property repr reversed round setattr sorted staticmethod sum super
    vars zip __init__ __call__ __name__ __dict__ __class__ __getitem__ __setitem__ __getattr__ __setattr__ __len__ __iter__ __file__ __main__ call_impl
    auto bool break case char const constexpr continue default do double else enum extern false float for if include inline int int32_t int64_t long
    namespace nullptr operator private public return sizeof static static_cast std struct switch template true typename uint8_t uint32_t uint64_t unsigned
    using void while pragma omp simd parallel reinterpret_cast TORCH_CHECK empty_strided empty_strided_cpu empty_strided_cuda reinterpret_tensor
    primals tangents arg buf tmp getitem placeholder get_attr call_function call_method call_module output forward backward kernel async_compile
    assert_size_stride alloc_from_pool extern_kernels libdevice math tl triton jit program_id arange load store where broadcast_to full zeros_like
    constexpr heuristics pointwise reduction persistent_reduction xnumel ynumel rnumel xindex yindex rindex xmask ymask rmask xoffset yoffset roffset
    XBLOCK YBLOCK RBLOCK R0_BLOCK r0_numel r0_index r0_mask r0_offset in_ptr out_ptr in_out_ptr eviction_policy evict_first evict_last other tl_math
    inductor_meta triton_meta signature configs constants device_str size_hints filename autograd_backward wrapped_call_impl weight bias requires_grad
    contiguous_format channels_last memory_format strided layout Sym SymInt annotations GraphModule Module Parameter
    ClosureGuardAccessor CodeGuardAccessor DICT_LENGTH DIMENSION_DYNAMIC_MARKING_GUARD DUAL_LEVEL_MATCH DictGetItemGuardAccessor
    DictGuardManager FALSE_MATCH FrameLocalsGuardAccessor FuncDefaultsGuardAccessor FuncKwDefaultsGuardAccessor GenericGetAttrGuardAccessor
    GetAttrGuardAccessor GetGenericDictGuardAccessor GetItemGuardAccessor GlobalWeakRefGuardAccessor GlobalsGuardAccessor GradGuardAccessor
    GuardManager KeyManager KeyValueManager LAMBDA_GUARD LENGTH_CHECK ListGetItemGuardAccessor NOT_NONE NO_HASATTR NO_TENSOR_ALIASING
    OBJECT_ALIASING PythonLambdaGuardAccessor RootGuardManager TORCH_FUNCTION_MODE_STACK TREE_GUARD_MANAGER TRUE_MATCH TupleGetItemGuardAccessor
    TypeDictGuardAccessor TypeGuardAccessor TypeMROGuardAccessor ValueManager accessed_by framelocals_idx tag_safe
    addmm_template_autotuning autotune_choices_stats autotune_dtypes autotune_hints autotune_offset autotune_shape autotune_shape_hinted
    autotune_strides autotune_strides_hinted baddbmm_template_autotuning bmm_template_autotuning conv2d_template_autotuning
    convolution_template_autotuning flex_attention_backward_template_autotuning flex_attention_template_autotuning
    grouped_mm_template_autotuning int_mm_template_autotuning linear_binary_template_autotuning linear_unary_template_autotuning
    mm_plus_mm_template_autotuning mm_template_autotuning packed_linear_template_autotuning qlinear_binary_template_autotuning
    qlinear_unary_template_autotuning scaled_mm_template_autotuning""".split()


def words(text):
    return set(WORD.findall(text))


def sources():
    return sorted((TOP / "src").rglob("*.[ch]"))


def schemas():
    return sorted((TOP / "doc").glob("*.schema.json"))


def is_kept(word):
    return 1 < len(word) < 80 and re.search("[A-Za-z]", word)


def of_sources():
    found = set()
    for path in sources():
        # Tables of what is removed, which no message has: names of models and services, of users and hosts, of files.
        if path.name.startswith("secret_") or path.name in ("redact_context.c", "redact_path.c"):
            continue
        text = re.sub(r"/\*.*?\*/", " ", path.read_text(encoding="utf-8"), flags=re.S)
        for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r"^#include.*$", "", text, flags=re.M)):
            found |= words(re.sub(r"%[-0-9.*l]*[a-z]|\\[ntr]", " ", literal))
    for path in schemas():

        def walk(node):
            if isinstance(node, dict):
                for key, value in node.items():
                    if key in ("properties", "$defs", "definitions", "patternProperties"):
                        for name in value:
                            found.update(words(name))
                    if key in ("enum", "const"):
                        found.update(words(json.dumps(value)))
                    walk(value)
            elif isinstance(node, list):
                for value in node:
                    walk(value)

        walk(json.loads(path.read_text(encoding="utf-8")))
    return found


def settings_of(torch):
    found = set()
    for name in ("_dynamo", "_inductor", "_functorch"):
        found |= set(re.findall(r"^\s*(\w+)\s*(?::[^=\n]+)?=", (torch / name / "config.py").read_text(encoding="utf-8"), re.M))
    return found


# Whose functions are in the stacks of logs.
TRACED = ("_dynamo", "_functorch", "_subclasses", "_higher_order_ops", "fx/experimental", "fx/interpreter.py", "fx/graph_module.py", "_inductor", "nn/modules",
          "autograd", "_library", "_export", "export", "_ops.py", "_compile.py", "_tensor.py", "functional.py", "nn/functional.py", "utils/_traceback.py",
          "utils/checkpoint.py", "_guards.py", "_logging", "__init__.py")
OFTEN = 20  # files: a name that so many have is one of PyTorch, not of one function
# Whose functions are in most stacks: all of them. Of the other files only what the recorded logs have: a frame keeps its file and line, and each
# name is a part of the program.
COMMON = ("_ops.py", "_compile.py", "nn/modules/module.py", "_dynamo/eval_frame.py", "_dynamo/convert_frame.py", "_dynamo/exc.py", "fx/interpreter.py",
          "_dynamo/repro/after_dynamo.py", "_functorch/aot_autograd.py", "_inductor/compile_fx.py", "_inductor/scheduler.py", "utils/_traceback.py",
          "_subclasses/fake_tensor.py", "fx/experimental/sym_node.py", "fx/experimental/proxy_tensor.py", "autograd/function.py", "_tensor.py")
RECORDED = TOP / "tests/data/corpus"


def of_frames():
    """The words of frames in the recorded logs: functions and source lines, of stacks as records have them and as Python prints them."""
    printed = r'File \\*"[^"]*site-packages/torch/[^"]*", line \d+, in (\w+)(?:\\n|\n\t?) *([^\n\\]*)'
    found = set()
    for log in sorted(RECORDED.glob("*/*.zst")):
        text = subprocess.run(["zstdcat", log], stdout=subprocess.PIPE, check=True).stdout.decode(errors="replace")
        for parts in re.findall(printed + r'|"name": ?"(\w+)"|"loc": ?"((?:[^"\\]|\\.)*)"', text):
            found |= words(" ".join(parts))
    return found


def names_of(torch):
    """Of modules; of functions and lines that stacks have; of what many files use; the words of links."""
    found, uses, seen = set(), collections.Counter(), of_frames()
    for path in sorted(torch.rglob("*.py")):
        parts = path.relative_to(torch).parts
        if "testing" in parts or "test" in parts:
            continue
        found |= {part.removesuffix(".py") for part in parts}
        where = "/".join(parts)
        if not any(where == name or where.startswith(f"{name}/") for name in TRACED):
            continue
        source = path.read_text(encoding="utf-8", errors="replace")
        for link in re.findall(r"https://(?:meta-pytorch\.github\.io|(?:docs\.)?pytorch\.org|github\.com/pytorch)/([^\s\"')>{}]*)", source):
            found |= words(link)
        used = words(re.sub(r'"""(?s:.*?)"""|#.*', " ", source))
        uses.update(used)
        if where in COMMON:
            found |= set(re.findall(r"^ *(?:async )?def (\w+)", source, re.M)) | (used & seen)
        else:
            found |= set(re.findall(r"^ *(?:async )?(?:def|class) (\w+)", source, re.M)) & seen
    return found | {name for name, count in uses.items() if count >= OFTEN}


def of_torch(torch):
    def text(name):
        return (torch / name).read_text(encoding="utf-8", errors="replace")

    found = set()
    for name in re.findall(r"^- func: (\w+)", text("../torchgen/packaged/ATen/native/native_functions.yaml"), re.M):
        found |= {name, name.rstrip("_"), name.lstrip("_")}
    found |= set(re.findall(r'^\s+"(\w+)",$', text("_prims/__init__.py"), re.M))
    for entries in json.loads(text("_dynamo/graph_break_registry.json")).values():
        for entry in entries:
            for key in ("Gb_type", "Explanation"):
                found |= words(re.sub(r"\{[^}]*\}", " ", str(entry.get(key, ""))))
            for hint in entry.get("Hints", []):
                found |= words(re.sub(r"\{[^}]*\}", " ", hint))
    found |= settings_of(torch)
    for device in "cpu", "cuda": # functions that code of AOTInductor calls
        found |= set(re.findall(r"\baoti_torch_\w+", text(f"include/torch/csrc/inductor/aoti_torch/generated/c_shim_{device}.h")))
    metrics = text("_dynamo/utils.py")
    found |= set(re.findall(r"^    (\w+): ", metrics[metrics.index("class CompilationMetrics") :].split("\nclass ")[0], re.M))
    found |= set(re.findall(r"^class (\w+)", text("_dynamo/exc.py"), re.M))
    found |= set(re.findall(r"^    def ([A-Z_]{4,})\(", text("_dynamo/guards.py"), re.M))
    event = re.compile(r'(?:dynamo_timed|log_instant_event|log_event_start|log_pt2_compile_event|trace_structured|trace_structured_artifact|'
                       r'add_event_data|chromium_event_timed)\(\s*f?"([^"{]+)"')
    named = re.compile(r'"name": "([\w.]+)"')
    for path in sorted(torch.rglob("*.py")):
        if "testing" in path.parts or "test" in path.parts:
            continue
        source = path.read_text(encoding="utf-8", errors="replace")
        if "dynamo_timed" in source or "trace_structured" in source or "event" in source:
            for name in event.findall(source) + named.findall(source):
                found |= words(name)
    for name in ("BuiltinVariable", "UserDefinedObjectVariable", "TensorVariable", "FunctionalTensor", "FakeTensor", "GraphModule", "GraphLowering",
                 "OutputGraph", "call_user_compiler", "compile_to_module", "compile_inner", "_compile"):
        found.add(name)
    return found


def read_list(path):
    return [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def fold(lines):
    """The bytes that each line has in common with the one before, and the rest of each."""
    shared = [len(os.path.commonprefix(lines[max(i - 1, 0) : i + 1])) if i else 0 for i in range(len(lines))]
    return bytes(shared), b"".join(lines[i][n:] for i, n in enumerate(shared))


def all_words():
    return sorted(filter(is_kept, of_sources() | set(read_list(LIST))))


def write_table(words_of, names, settings, out, depfile, packed):
    """For src/share/vocabulary.c: both lists, sorted, without what a word has in common with the one before; `packed`: as a frame of zstd."""
    listed, marked = all_words(), set(read_list(settings))
    if not marked <= set(listed):
        sys.exit(f"the words lack {', '.join(sorted(marked - set(listed)))}")
    lists = [[word.encode("ascii") + bytes([word in marked]) for word in listed], [word.encode("ascii") + b"\0" for word in read_list(names)]]
    folded = [fold(lines) for lines in lists]
    blob = b"".join(shared for shared, _ in folded) + b"".join(rest for _, rest in folded)
    stored = blob
    if packed:
        import zstandard

        stored = zstandard.ZstdCompressor(level=22).compress(blob)
    sizes = {"WORD_COUNT": len(lists[0]), "NAME_COUNT": len(lists[1]), "WORD_BYTES": len(b"".join(lists[0])), "NAME_BYTES": len(b"".join(lists[1])),
             "FOLDED_BYTES": len(blob)}
    rows = "".join(",".join(map(str, stored[at : at + 64])) + ",\n" for at in range(0, len(stored), 64))
    depfile.write_text(f"{out}: " + " ".join(str(path).replace(" ", "\\ ") for path in [words_of, names, settings, *sources(), *schemas()]) + "\n", encoding="utf-8")
    out.write_text(f"enum {{ {', '.join(f'{name} = {size}' for name, size in sizes.items())} }};\n"
                   f"static const unsigned char stored[] = {{\n{rows}}};\n", encoding="ascii")


def main():
    if sys.argv[1:2] == ["--table"]:
        packed = "--packed" in sys.argv
        write_table(*(Path(name) for name in sys.argv[2:] if name != "--packed"), packed)
        return
    torch = Path(sys.argv[1]).resolve()
    found = sorted(filter(is_kept, of_torch(torch) | set(OTHERS)))
    extra = sorted(name for name in names_of(torch) - set(found) if 1 < len(name) < 64 and name.isascii())
    LIST.write_text(HEAD + "".join(f"{word}\n" for word in found), encoding="utf-8")
    TORCH_NAMES.write_text(TORCH_NAMES_HEAD + "".join(f"{name}\n" for name in extra), encoding="utf-8")
    SETTINGS.write_text(SETTINGS_HEAD + "".join(f"{name}\n" for name in sorted(settings_of(torch)) if "_" in name.strip("_")), encoding="utf-8")
    print(f"{len(found)} words")


if __name__ == "__main__":
    main()
