"""The words that the suite plants, and the forms in which it writes them.

No word is one of PyTorch, Python or tlparse, and neither is a half of one: what a form leaves of a word is still found.
"""
import base64
import unicodedata

# first half, second half: of a user, a company, a project, a host, a secret, a model, a file
WORDS = {
    "user": ("zubr", "owka"),
    "company": ("quux", "corpo"),
    "project": ("hyrul", "ganon"),
    "host": ("nordw", "eckel"),
    "secret": ("pazzw", "ordski"),
    "model": ("gpgpt", "fizzl"),
    "file": ("wundr", "kiste"),
}
SCRIPTS = {
    "cyrillic": ("жужел", "ицакум"),
    "greek": ("ξενοδ", "οχείομω"),
    "cjk": ("秘密計", "劃代号鳳"),
    "arabic": ("مشروعس", "ريخاص"),
    "devanagari": ("गुप्तपर", "ियोजनाखग"),
    "glagolitic": ("ⰂⰅⰎⰈⰕ", "ⰝⰪⰏⰂⰃ"),
    "coptic": ("ⲁⲃⲅⲇⲉⲍ", "ⲏⲑⲓⲕⲗ"),
    "tifinagh": ("ⵉⵎⴰⵣⵉ", "ⵖⴻⵏⴽⵜ"),
    "georgian": ("საიდუ", "მლოგფ"),
    "hangul": ("비밀계획", "봉황새벽"),
    "ethiopic": ("ምስጢራ", "ዊፕሮጀ"),
    "gothic": ("𐌲𐌰𐌼𐌰𐌽", "𐌸𐌴𐌹𐍄𐌺"),
}


def plain(key):
    return "".join(WORDS[key])


def mixed(text, step):
    """Every second character as it is, the others changed."""
    return "".join(step(c) if i % 2 else c for i, c in enumerate(text))


def letters(text, first):
    """As mathematical or other letters of a block that begins with a small a."""
    return "".join(chr(first + ord(c) - 97) for c in text)


def all_forms():
    """name -> text with words in that form"""
    u, c, p, h, s, m, f = (plain(key) for key in WORDS)
    halves = {key: WORDS[key] for key in WORDS}
    forms = {
        "plain": f"{u} {c} {p} {h} {s} {m} {f}",
        "upper": f"{u.upper()} {p.upper()}",
        "title": f"{u.title()} {c.title()}",
        "path": f"/home/{u}/{p}/{f}.py:12",
        "path with spaces": f"'/data/{c} lab/{p} v2/{f}.bin'",
        "relative path": f"{p}/{m}/{f}.yaml ../{c}/{u} ./{f}",
        "windows path": f"C:\\Users\\{u}\\{p}\\{f}.py and \\\\{h}\\{c}\\{f}",
        "url": f"https://{u}:{s}@{h}.{c}.example:8443/{p}/{f}?token={s}&m={m}#{f}",
        "documentation": f"https://pytorch.org/docs/{p}/{f}.html https://github.com/pytorch/{c}/{m} https://docs.pytorch.org/x#{p}",
        "storage": f"s3://{c}-{p}/{m}.safetensors hdfs://{h}/{u} gs://{c}/{f}",
        "query": f"?user={u}&key={s}&host={h}",
        "mail": f"{u}@{c}.com, {u}.{f}@{h}, git@{h}:{c}/{p}.git",
        "dotted name": f"{u}.{f} {c}.{p}.{m}",
        "single quotes": f"'{u}' '{p}'",
        "double quotes": f'"{c}" "{h}"',
        "f-string": f"f'{{{p}!r:>10}} {{{m}=}} of {u}'",
        "escape u": "".join(f"\\u{ord(x):04x}" for x in u + p),
        "escape x": "".join(f"\\x{ord(x):02x}" for x in c) + " " + mixed(s, lambda x: f"\\x{ord(x):02X}"),
        "escape U": mixed(m, lambda x: f"\\U{ord(x):08x}"),
        "octal": mixed(h, lambda x: f"\\{ord(x):03o}"),
        "escape braces": mixed(p, lambda x: f"\\u{{{ord(x):x}}}"),
        "percent": "".join(f"%{ord(x):02X}" for x in u) + " " + mixed(c, lambda x: f"%{ord(x):02x}"),
        "base64": base64.b64encode(f"{u}:{s}@{h}".encode()).decode(),
        "hex": f"{u}".encode().hex() + f" 0x{c.encode().hex()}",
        "kebab": f"{u}-{c}-{'-'.join(halves['project'])}",
        "snake": f"{'_'.join(halves['user'])} my_{p}_{m}_v2 {c}__{h}",
        "dots": f"{'.'.join(halves['model'])} {'.'.join(halves['secret'])}",
        "camel": f"{halves['file'][0]}{halves['file'][1].title()} {c.title()}{p.title()}Model my{m.title()}Fn",
        "letters apart": f"{'-'.join(u)} {'.'.join(p)} {' '.join(s)}",
        "zero width": "\u200b".join(u) + " " + "\u200d".join(c) + " " + "\N{SOFT HYPHEN}".join(p) + " \ufeff" + "\ufeff".join(h) + "\u2060".join(m),
        "combining": "".join(x + "\u0301" for x in u) + " " + "".join(x + "\ufe0e" for x in c),
        "directions": f"\u202e{u}\u202c \u2066{p}\u2069",
        "controls": mixed(u, lambda x: "\x7f" + x) + " \x1b[31m" + mixed(p, lambda x: f"\x1b[1m{x}") + f"\x1b[0m \\x1b[1m{c}",
        "fullwidth": letters(u, 0xFF41) + " " + letters(p, 0xFF41).upper(),
        "mathematical": letters(u, 0x1D41A) + " " + letters(c, 0x1D5BA) + " " + letters(p, 0x1D68A),
        "circled": letters(u, 0x24D0) + " " + letters(m, 0x249C),
        "emoji": f"\U0001f993{u}\U0001f993{c}→{p}❤\ufe0f{h}",
        "after torch": f"/v/site-packages/torch/{p}/{f}.py /v/site-packages/torch/nn/{u}:{s} '/v/site-packages/torch/{c} {m}/x.py' torch/_{h}/x.py _dynamo/{f}.py",
        "after a file of torch": f"/v/lib/site-packages/torch/nn/modules/linear.py:{u}:{p} \"/x/dist-packages/torch/_ops.py {c}\" /x/site-packages/torch/../{m}/{f}",
        "after a colon": f"x:{u} y::{p} z: {s}",
        "environment": f"HF_TOKEN={s} MASTER_ADDR={h} USER={u} export WANDB_API_KEY='{s}' MASTER_PORT:{p}",
        "options": f"--{p} {m} --api-key {s} -u {u}:{s} --host={h}",
        "tuple": f"('{u}', {p}, [{c!r}, {{'{m}': '{s}'}}])",
        "traceback": f'Traceback (most recent call last):\n  File "/home/{u}/{f}.py", line 7, in {p}\n    {m}.{c}({s})\n{p.title()}Error: {h}',
        "comment of a graph": f"# File: /home/{u}/My {p}/{f}.py:3 in {m}, code: return {c}(self, x)",
        "mangled": f"_ZN{len(p)}{p}{len(m)}{m}Ev {c}::{p}<{m}, int>::operator()(void*)",
        "entity": f"&lt;{u}&gt; " + "".join(f"&#{ord(x)};" for x in p) + " " + "".join(f"&#x{ord(x):x};" for x in c) + f" <b title={m}>{h}</b>",
        "json": f'{{"{p}": "{u}", "n": ["{c}", {{"{m}": null}}], "torch": "{s}", "version": "{h}", "cuda": "{f}", "started": "{u}"}}',
        "damaged json": f'{{"{p}": "{u}", "my_knob": "{c}", {m}: [1, "{s}',
        "with numbers": f"{u}42 {p}_1_2 0{c} 7{h}7 v2{m} x{f}9",
        "resumed": f"torch_dynamo_resume_in_{p}_at_47 torch_dynamo_resume_in_torch_dynamo_resume_in_{m}_at_1_at_{u}",
        "kernel": f"triton_poi_fused_{p}_add_0 cpp_fused_{m}_{u}_1 triton_per_fused_relu_{c}",
        "hosts": f"{h}.internal.{c}.net:29500 http://{h} ssh://{u}@{h}/~{u}",
        "accents": unicodedata.normalize("NFC", "".join(x + "\u0308" if x in "aou" else x for x in f"{u} {p}")),
        "shell": f"$(cat ~/.{c}/{f}) `{p}` ~{u}/x; {m} | {h} > /tmp/{s}",
        "torch names": f"torch.{p}.{m} aten.{c}.default prims::{u} L['{h}'].{f}[0] G['{s}']",
        "version": f"2.9.0+{c} 3.11.{u} git{s} 12.8-{h}",
        "settings": f"torch._inductor.config.{p} = '{c}' recompile_limit='{u}' cache_size_limit: {s}",
    }
    names = list(SCRIPTS)
    for at in range(0, len(names), 3):
        own = [SCRIPTS[name] for name in names[at : at + 3]]
        forms[" ".join(names[at : at + 3])] = " ".join(f"{a}{b} {a}_{b} x_{a} {b}.py /home/{a}/{b} '{a} {b}'" for a, b in own)
    return forms


FORMS = all_forms()
