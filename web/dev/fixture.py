#!/usr/bin/env python3
"""Fake a report folder after doc/report-data.md from a log, roughly. Only to look at the page before the binary exists.
fixture.py LOG OUT [--times N]"""
import base64, collections, gzip, json, re, shutil, sys
from pathlib import Path
REC = re.compile(rb"[VIWEC]\d{4} \d\d:\d\d:\d\d\.\d{6} \d+ [^:]+:\d+\] (\{.*)")
log, out = Path(sys.argv[1]), Path(sys.argv[2])
times = int(sys.argv[4]) if len(sys.argv) > 4 else 1
strings, recs = {}, []
cur = None
for n, line in enumerate(log.read_bytes().split(b"\n"), 1):
    if line.startswith(b"\t") and cur: cur[1].append(line[1:]); continue
    m = REC.search(line)
    if m:
        env = json.loads(m[1]); cur = (env, [], n)
        if "str" in env: strings[env["str"][1]] = env["str"][0]; cur = None
        else: recs.append(cur)
def cid(e):
    p = lambda k: "-" if e.get(k) is None else str(e[k])
    a = e.get("compiled_autograd_id")
    return ("" if a is None else f"!{a}/") + p("frame_id") + "/" + p("frame_compile_id")
def cdir(e):
    p = lambda k: "-" if e.get(k) is None else str(e[k])
    return "_".join(p(k) for k in ("compiled_autograd_id", "frame_id", "frame_compile_id", "attempt"))
COMMON = {"rank", "compiled_autograd_id", "frame_id", "frame_compile_id", "attempt", "has_payload", "stack", "subgraph_name"}
C, streams, stacks, kinds, breaks = {}, collections.defaultdict(bytearray), [], collections.Counter(), {}
kb = collections.Counter(); number = 0; configs = {}
caches = {"fx_graph": dict(hit=0, miss=0, bypass=0), "aotautograd": dict(hit=0, miss=0, bypass=0)}
failures = []; index = {}
LANG = {"dynamo_output_graph": "graph", "inductor_output_code": "python", "dynamo_cpp_guards_str": "guards", "dynamo_guards": "json"}
torch = None
def frame(f): return {"function": f.get("name", "?"), "file": strings.get(f.get("filename"), "?"), "line": f.get("line", 0), "code": f.get("loc")}
for env, pl, line in recs:
    keys = [k for k in env if k not in COMMON]
    if not keys: continue
    key = keys[0]; payload = b"\n".join(pl); i = cid(env); d = cdir(env)
    name = env[key].get("name", key) if isinstance(env[key], dict) else key
    kinds[key, name if key == "artifact" else None] += 1; kb[key, name if key == "artifact" else None] += len(payload) + 200
    if key == "chromium_event": continue
    c = C.setdefault(i, dict(id=i, frame_id=env.get("frame_id"), attempts=[], dirs=[], status="missing", frame=None, subgraph=None, stack=None, time_us=None, phases_us={},
        graph=dict(ops=None, nodes=None, inputs=None), guards=None, recompile_reasons=[], restarts=[], failure=None, backward_failure=None, graph_breaks=[], cache=[], artifacts=[], metrics=None, backward_metrics=None))
    if d not in c["dirs"]: c["dirs"].append(d)
    if env.get("attempt") is not None and env["attempt"] not in c["attempts"]: c["attempts"].append(env["attempt"])
    if key == "dynamo_start":
        at = -1; st = [frame(f) for f in env[key].get("stack", [])]
        st = [f for f in st if "convert_frame" not in f["file"]]
        for f in st:
            k = (at, f["function"], f["file"], f["line"])
            if k not in index: index[k] = len(stacks); stacks.append(dict(parent=at, **f, dump=None, compiles=[]))
            at = index[k]
        if at >= 0:
            if i not in stacks[at]["compiles"]: stacks[at]["compiles"].append(i)
            c["stack"] = at
            if not c["frame"]: c["frame"] = {k: st[-1][k] for k in ("function", "file", "line")}
        continue
    if key == "compilation_metrics":
        m = env[key]
        for k in ("dynamo_config", "inductor_config", "functorch_config", "compiler_config"):
            v = m.pop(k, None)
            if v:
                g = configs.setdefault((k, v), [0]); g[0] += 1
        m.pop("inductor_provenance", None)
        c["metrics"] = m
        c["status"] = "error" if m.get("fail_type") else "empty" if not m.get("graph_op_count") else "restart" if m.get("restart_reasons") else "ok"
        c["frame"] = dict(function=m.get("co_name"), file=m.get("co_filename"), line=m.get("co_firstlineno"))
        c["time_us"] = m.get("duration_us")
        c["graph"] = dict(ops=m.get("graph_op_count"), nodes=m.get("graph_node_count"), inputs=m.get("graph_input_count")); c["guards"] = m.get("guard_count")
        ph = dict(dynamo="dynamo_cumulative_compile_time_us", aot="aot_autograd_cumulative_compile_time_us", inductor="inductor_cumulative_compile_time_us", codegen="inductor_code_gen_cumulative_compile_time_us", pre_grad="pre_grad_pass_time_us", joint="joint_graph_pass_time_us", post_grad="post_grad_pass_time_us", backward="backward_cumulative_compile_time_us", triton="triton_compile_time_us")
        c["phases_us"] = {k: m[v] for k, v in ph.items() if m.get(v)}
        c["restarts"] = m.get("restart_reasons") or []
        if m.get("fail_type"):
            c["failure"] = dict(type=m["fail_type"], reason=m.get("fail_reason"), file=m.get("fail_user_frame_filename"), line=m.get("fail_user_frame_lineno"))
            failures.append(dict(compile=i, attempt=env.get("attempt"), type=m["fail_type"], reason=m.get("fail_reason"), place=dict(file=m["fail_user_frame_filename"], line=m["fail_user_frame_lineno"]) if m.get("fail_user_frame_filename") else None))
    if not payload and key not in ("compilation_metrics",): continue
    text = payload.decode("utf-8", "replace")
    cache = re.fullmatch(r"(fx_graph|aotautograd)_cache_(hit|miss|bypass)", name)
    if cache: caches[cache[1]][cache[2]] += 1; c["cache"].append(dict(cache=cache[1], result=cache[2], reason=None))
    if name == "torch_version": torch = json.loads(text)["pytorch_version"]
    if name == "recompile_reasons":
        try: v = json.loads(text)
        except ValueError: v = text
        c["recompile_reasons"] += v if isinstance(v, list) else [v]
    if name == "dynamo_graph_break_reason":
        m = re.search(r"[Gg]raph break in user code at (.+?):(\d+)\s*$", text, re.M)
        r = re.search(r"Graph Break Reason: (.*)", text); reason = r[1] if r else text.split("\n")[0]
        k = (reason, m and m[0])
        b = breaks.setdefault(k, dict(id=None, reason=reason, explanation=(re.search(r"Explanation: (.*)", text) or [0, None])[1], hints=re.findall(r"Hint: (.*)", text), url=(re.search(r"(https://\S+)", text) or [0, None])[1],
            place=dict(file=m[1], line=int(m[2]), function=None) if m else None, stack=[], count=0, compiles=[], time_us=0, n=len(breaks)))
        b["count"] += 1
        if i not in b["compiles"]: b["compiles"].append(i)
        if b["n"] not in c["graph_breaks"]: c["graph_breaks"].append(b["n"])
    off = len(streams[d]); streams[d] += payload
    lang = LANG.get(key, "graph" if "graph" in key else "json" if key == "artifact" and env[key].get("encoding") == "json" else "graph" if "graph" in name else "python" if "runnable" in name else "text")
    stem = name if key != "compilation_metrics" else key
    ext = "html" if key in ("compilation_metrics", "dynamo_guards", "inductor_output_code") else "json" if lang == "json" else "txt"
    c["artifacts"].append(dict(name=f"{stem}_{number}.{ext}", kind=key, url=f"{d}/{stem}_{number}.{ext}", bytes=len(payload), line=line, number=number, attempt=env.get("attempt"), suffix="", readable_url=None, dir=d, text=[off, len(payload)] if payload else None, lang=lang, subgraph=env.get("subgraph_name")))
    number += 1
comp = [c for c in C.values()]
recompiles = collections.OrderedDict()
for c in comp:
    if c["frame_id"] is not None: recompiles.setdefault(str((c["frame"] or {}).get("function")) + str(c["frame_id"]), []).append(c)
recompiles = [dict(frame=v[0]["frame"], chain=[c["id"] for c in v], limit_hit=any("limit" in ((c["failure"] or {}).get("reason") or "") for c in v),
    causes=[dict(guard=g, source=None, count=n) for g, n in collections.Counter(r.split("\n")[0] for c in v for r in c["recompile_reasons"]).most_common()], time_us=sum(c["time_us"] or 0 for c in v)) for v in recompiles.values() if len(v) > 1]
findings = [dict(kind="failure", severity="error", title=f"{(C[f['compile']]['frame'] or {}).get('function')} failed to compile: {f['type']}", place=f["place"], compiles=[f["compile"]], time_us=C[f["compile"]]["time_us"], why=(f["reason"] or "")[:300], advice="Look at the failure's stack.", link="#/failures") for f in failures]
findings += [dict(kind="recompile", severity="warning", title=f"{r['frame']['function']} was compiled {len(r['chain'])} times", place=r["frame"], compiles=r["chain"], time_us=r["time_us"], why=r["causes"][0]["guard"] if r["causes"] else None, advice="Mark the value dynamic with torch._dynamo.mark_dynamic.", link="#/recompiles") for r in recompiles]
findings += [dict(kind="graph_break", severity="warning", title=f"Graph break: {b['reason'][:100]}", place=b["place"], compiles=b["compiles"], time_us=None, why=b["explanation"], advice=(b["hints"] or [None])[0], link="#/breaks") for b in breaks.values()]
if times > 1:
    base = [c for c in comp if c["frame_id"] is not None]
    new = []
    for t in range(times):
        for c in base: new.append(dict(c, id=f"{t}x{c['id']}"))
    comp = new
for c in comp: c["artifact_count"] = len(c["artifacts"]); c["bytes"] = sum(a["bytes"] for a in c["artifacts"])
shutil.rmtree(out, ignore_errors=True); (out / "data").mkdir(parents=True)
web = Path(__file__).parent.parent
shutil.copytree(web / "dist", out / "assets")
def put(file, *parts):
    (out / "data" / file).write_text("".join(f'tl.put({json.dumps(k)},"{base64.b64encode(gzip.compress(v, 6)).decode()}");\n' for k, v in parts))
texts = {}
for d, s in streams.items():
    starts = list(range(0, len(s), 1 << 20)) + [len(s)]; texts[d] = starts
    for k in range(len(starts) - 1): put(f"{d}.{k}.js", (f"{d}/{k}", bytes(s[starts[k]:starts[k + 1]])))
D = ("artifacts", "metrics", "backward_metrics")
for k in range(0, len(comp), 32): put(f"compiles.{k//32}.js", (f"compiles/{k//32}", json.dumps([{x: c[x] for x in D} for c in comp[k:k+32]]).encode()))
put("configs.js", ("configs", json.dumps([dict(kind=k, values=json.loads(v), compiles=n[0]) for (k, v), n in configs.items()]).encode()))
size = log.stat().st_size
report = dict(format="tlparse-report", version=1, tool=dict(name="tlparse", version="0.1.0"), run=dict(torch=torch, python="3.11.7", cuda=None, triton=None, rank=None, world_size=None, started="2026-11-21T00:05:19.705000Z", duration_us=14200000),
    log=dict(files=[dict(name=log.name, bytes=size)], bytes=size, records=len(recs), counters=dict(ok=len(recs)), kinds=[dict(key=k[0], name=k[1], records=n, bytes=kb[k]) for k, n in kinds.items()], unknown_keys=[], faults=[]),
    compiles=[{k: v for k, v in c.items() if k not in D} for c in comp], stacks=stacks, graph_breaks=[{k: v for k, v in b.items() if k != "n"} for b in breaks.values()], recompiles=recompiles, failures=failures, caches=caches, findings=findings, parts=dict(compiles=32, texts=texts, configs=True))
put("report.js", ("report", json.dumps(report).encode()))
CSP = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'"
(out / "index.html").write_text(f'''<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{CSP}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>tlparse</title><link rel="stylesheet" href="assets/app.css"></head>
<body data-tl-page="report"><div id="app"></div><script src="assets/app.js"></script><script src="data/report.js"></script><noscript><h1>Report</h1><ul><li>plain</li></ul></noscript></body></html>''')
from html import escape
for d, s in list(streams.items())[:2]:
    (out / d).mkdir(exist_ok=True)
    for c in comp:
        for a in c["artifacts"]:
            if a["dir"] == d and a["kind"] == "inductor_output_code":
                t = bytes(s[a["text"][0]:sum(a["text"])]).decode()
                lines = "\n".join(f'<span id="L{n}">{escape(l)}</span>' for n, l in enumerate(t.split("\n"), 1))
                (out / a["url"]).write_text(f'''<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{CSP}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{a["name"]}</title><link rel="stylesheet" href="../assets/app.css"></head>
<body data-tl-page="code" data-tl-lang="python" data-tl-root="../"><header><nav><a href="../index.html">Report</a> <a href="../index.html#/c/{c["id"].replace("/","%2F")}">[{c["id"]}]</a></nav><h1>{a["name"]}</h1></header>
<main><pre id="code">{lines}</pre></main><script src="../assets/app.js"></script></body></html>''')
print(len(comp), "compiles", out)
