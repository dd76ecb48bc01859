"""Generates the pages of the documentation site that other files already say: commands, views, terms, and objects of report.json.

Nothing is copied by hand: commands come from the manual pages, views and terms from the help of the page, objects from
doc/report.schema.json. doc/site/views.json adds the question that a view answers and the members of report.json that it shows.
"""
import html
import json
import re
import subprocess

import python_types

SECTION = re.compile(r'<section class="Sh">\s*<h1 class="Sh" id="([^"]+)">.*?</h1>(.*?)</section>', re.S)
FOREIGN = re.compile(r'<a class="Xr" href="([^"]+)\.html">(.*?)</a>', re.S)
HELP = """
globalThis.window = {tl: {register: (_, api) => process.stdout.write(JSON.stringify({terms: api.TERMS, views: api.PAGE_TEXTS}))}};
require(process.argv[1]);
"""
ROOT = "report"


class Unknown(Exception):
    """A source has what this script does not know."""


def escaped(text):
    """Text without markup of Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|~$^&])", r"\\\1", text)


def prose(text):
    """Text of a source; names such as compile_time_s and functions such as f() are set as code."""
    parts = re.split(r"(\b\w+(?:[._]\w+)*_\w+\b(?:\(\))?|\b[a-z]+(?:\.\w+)+\(\))", text)
    return "".join(f"`{part}`" if i % 2 else escaped(part) for i, part in enumerate(parts))


def listed(pages, depth=1):
    """A hidden list of pages for the navigation."""
    return ["```{toctree}", ":hidden:", f":maxdepth: {depth}", "", *pages, "```", ""]


def save(folder, name, lines):
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


# commands


def command_page(text, names):
    """The page of a command, from the HTML of its manual page. Each section gets a heading of the site."""
    sections = SECTION.findall(text)
    if len(sections) < 4:
        raise Unknown("mandoc prints a manual page in another way")
    title = re.search(r'<code class="Nm">(.*?)</code>', text)[1]
    about = re.search(r'<span class="Nd">(.*?)</span>', text, re.S)[1]
    lines = [f"# {title.replace('tlparse-', 'tlparse ', 1)}", "", about[:1].upper() + re.sub(r"\s+", " ", about[1:]) + ".", ""]
    for name, body in sections:
        if name == "NAME":
            continue
        body = FOREIGN.sub(lambda found: found[0] if found[1] in names else found[2], body)
        body = re.sub(r"\n\s*\n", "\n", body).strip()  # a blank line would end the block
        lines += [f"## {name.replace('_', ' ').capitalize()}", "", "````{raw} html", f'<div class="manual" id="{name}">{body}</div>', "````", ""]
    return about, lines


def commands(top, out):
    pages = sorted((top / "doc").glob("tlparse*.1"), key=lambda page: page.stem)
    names = {page.stem for page in pages}
    rows = []
    for page in pages:
        printed = subprocess.run(["mandoc", "-T", "html", "-O", "fragment,man=%N.html", page], check=True, stdout=subprocess.PIPE, encoding="utf-8")
        about, lines = command_page(printed.stdout, names)
        save(out / "commands", page.stem, lines)
        rows.append(f"| {{doc}}`{page.stem.replace('tlparse-', 'tlparse ', 1)} <{page.stem}>` | {' '.join(about.split())} |")
    intro = ["# Commands", "", "These pages are the manual pages: `man tlparse-check` is the one of `tlparse check`.", ""]
    save(out / "commands", "index", [*intro, "| command | purpose |", "|---|---|", *rows, "", *listed(sorted(names))])


# views and terms


def page_help(top):
    bundle = top / "web/dist/help.js"
    done = subprocess.run(["node", "-e", HELP, bundle], check=True, stdout=subprocess.PIPE, encoding="utf-8", cwd=top)
    return json.loads(done.stdout)


def file_of(view):
    return view["page"].replace("/", "-") or "overview"


def member_link(schema, path):
    """(link to a member of report.json, its description). `path` begins at the root: totals.recompiles, compiles[].guards."""
    owner, found = ROOT, None
    for name in path.split("."):
        properties = schema.merged(schema.defs[owner])[0]
        if name.removesuffix("[]") not in properties:
            raise Unknown(f"doc/site/views.json: {owner} has no member {name}")
        name, found = name.removesuffix("[]"), properties[name.removesuffix("[]")]
        link = f'<a href="../report-json/{owner}.html#member-{name}"><code>{path}</code></a>'
        owner = schema.target(found) or owner
    return link, found.get("description") or schema.defs.get(schema.target(found), {}).get("description", "")


def views(top, out, schema):
    said = page_help(top)
    extra = json.loads((top / "doc/site/views.json").read_text(encoding="utf-8"))
    known = {file_of(view) for view in said["views"]}
    if known != set(extra):
        raise Unknown(f"doc/site/views.json and the page have different views: {sorted(known ^ set(extra))}")
    terms = {term["key"]: term for term in said["terms"]}
    rows = []
    for view in said["views"]:
        name, more = file_of(view), extra[file_of(view)]
        address = "c/…" if name == "compile" or view["page"] == "c" else view["page"]
        lines = [f"# {escaped(view['title'])}", "", f"**{escaped(more['question'])}**", "", prose(view["text"]), "", f"Address: `index.html#/{address}`", ""]
        if more.get("when"):
            lines += [f"Shown {more['when']}.", ""]
        if more.get("image"):
            lines += [f"```{{image}} ../{more['image']}", f":alt: {view['title']}", "```", ""]
        if more["members"]:
            lines += ["## Source of the numbers", "", "| member of report.json | content |", "|---|---|"]
            for path in more["members"]:
                link, description = member_link(schema, path)
                lines.append(f"| {link} | {prose(description)} |")
        if more.get("source"):
            lines += ["", more["source"]]
        if view["terms"]:
            lines += ["", "## Terms", "", *(f"- <a href=\"../terms.html#term-{key}\">{html.escape(terms[key]['term'])}</a>" for key in view["terms"])]
        save(out / "views", name, lines)
        rows.append(f"| [{escaped(view['title'])}]({name}.md) | {escaped(more['question'])} |")
    save(out / "views", "index", [
        "# Views", "", "The pages of a report. A report only has the views for which its log has records.", "", "| view | question |", "|---|---|", *rows, "",
        *listed([file_of(view) for view in said["views"]])])
    lines = ["# Terms", "", "The glossary of the report, which is also on its page *Help*.", ""]
    for term in sorted(said["terms"], key=lambda term: term["term"].casefold()):
        lines += [f"<a id=\"term-{term['key']}\"></a>{escaped(term['term'])}", f": {prose(term['text'])}", ""]
    save(out, "terms", lines)


# objects of report.json


class Schema:
    """doc/report.schema.json as pages."""

    def __init__(self, text):
        self.defs = json.loads(text)["$defs"]
        self.users = {}  # definition -> {definitions with a member of it}
        for name, schema in self.defs.items():
            for used in set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema))):
                self.users.setdefault(used, set()).add(name)

    @staticmethod
    def ref(schema):
        return schema["$ref"].removeprefix("#/$defs/") if "$ref" in schema else None

    def merged(self, schema):
        """(properties, required names) of an object, with those of its parts."""
        properties, required = {}, set(schema.get("required", ()))
        for part in [*schema.get("allOf", ()), *([self.defs[self.ref(schema)]] if "$ref" in schema else ())]:
            found, needed = self.merged(part)
            properties.update(found)
            required |= needed
        properties.update(schema.get("properties", {}))
        return properties, required

    def target(self, schema):
        """The definition that a member, its items or its values have, or None."""
        for part in (schema, schema.get("items"), schema.get("additionalProperties"), *schema.get("anyOf", ()), *schema.get("oneOf", ())):
            if isinstance(part, dict) and (self.ref(part) or (part is not schema and self.target(part))):
                return self.ref(part) or self.target(part)
        return None

    def kind(self, schema):
        """The type of a value, as Markdown."""
        if "$ref" in schema:
            return f"[{self.ref(schema)}]({self.ref(schema)}.md)"
        choices = schema.get("anyOf") or schema.get("oneOf")
        if choices:
            return " or ".join(self.kind(choice) for choice in choices)
        if "const" in schema or "enum" in schema:
            return " or ".join(f"`{json.dumps(value)}`" for value in schema.get("enum", [schema.get("const")]))
        if isinstance(schema.get("type"), list):
            return " or ".join(self.kind({**schema, "type": kind}) for kind in schema["type"])
        if schema.get("type") == "array":
            if "prefixItems" in schema:
                return f"[{', '.join(self.kind(item) for item in schema['prefixItems'])}]"
            return f"list of {self.kind(schema.get('items', {}))}"
        if schema.get("type") == "object":
            values = schema.get("additionalProperties")
            return f"map to {self.kind(values)}" if isinstance(values, dict) else "object"
        return schema.get("type", "any value")

    def nested(self, schema):
        """(suffix of the name, object) if a value is an object without a definition, or a list or map of them."""
        if "properties" in schema:
            return "", schema
        for suffix, key in (("[]", "items"), ("{}", "additionalProperties")):
            inner = schema.get(key)
            found = self.nested(inner) if isinstance(inner, dict) else None
            if found:
                return suffix + found[0], found[1]
        return None

    def members(self, schema, prefix=""):
        properties, required = self.merged(schema)
        for name, value in properties.items():
            optional = "" if name in required else ", optional"
            path = f"{prefix}{name}"
            anchor = "member-" + re.sub(r"[^A-Za-z0-9_.-]", "-", path)
            yield f'<a class="member" id="{anchor}" href="#{anchor}"><code>{html.escape(path)}</code></a> · {self.kind(value)}{optional}'
            yield f": {prose(value.get('description') or self.defs.get(self.ref(value), {}).get('description') or '—')}"
            yield ""
            inner = self.nested(value)
            if inner:
                yield from self.members(inner[1], f"{path}{inner[0]}.")

    def page(self, name):
        schema = self.defs[name]
        lines = [f"# {escaped(name)}", "", prose(schema.get("description", "")), ""]
        if "properties" in schema or "allOf" in schema:
            if name not in python_types.NOT_CLASSES:
                lines += [f"In Python: `tlparse.types.{python_types.class_name(name)}`", ""]
            lines += ["## Members", "", *self.members(schema)]
        else:
            lines += [f"Type: {self.kind(schema)}", ""]
            inner = self.nested(schema)
            lines += self.members(inner[1]) if inner else []
        users = sorted(self.users.get(name, set()) - {name})
        if users:
            lines += ["## Used by", "", ", ".join(f"[{escaped(user)}]({user}.md)" for user in users)]
        return lines


def objects(out, schema, description):
    names = sorted(schema.defs)
    for name in names:
        save(out / "report-json", name, schema.page(name))
    rows = [f"| [{escaped(name)}]({name}.md) | {prose(schema.defs[name].get('description', '').split('. ')[0].rstrip('.'))} |" for name in names]
    save(out / "report-json", "index", [
        "# Objects of report.json", "", prose(description), "", f"The root is [{ROOT}]({ROOT}.md). These pages are generated from [report.schema.json](../report.schema.json).", "",
        "| object | content |", "|---|---|", *rows, "", *listed(names)])


def write(top, out):
    """Writes all generated pages into the folder `out`."""
    text = (top / "doc/report.schema.json").read_text(encoding="utf-8")
    schema = Schema(text)
    commands(top, out)
    views(top, out, schema)
    objects(out, schema, json.loads(text)["description"])
