"""Configuration of Sphinx. tools/docs.py gives the version, and puts this file and the documents together in build/site-source."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

project = "tlparse"
html_show_copyright = False
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = "tlparse"
html_static_path = ["style"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # it fetches pages, which browsers block on file://
html_theme_options = {"navigation_with_keys": False}
nitpicky = False
smartquotes = False
default_role = "code"
highlight_language = "none"
pygments_style = "default"

myst_enable_extensions = ["attrs_inline", "deflist"]
myst_heading_anchors = 4

suppress_warnings = ["myst.header"]  # doc/performance.md has headings of the third level only

autodoc_mock_imports = ["mcp", "pytest"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}


def literal_blocks(app, what, name, obj, options, lines):
    """An indented block after a line that ends with a colon is code in the docstrings."""
    for i in range(len(lines) - 2):
        if lines[i].endswith(":") and not lines[i].endswith("::") and not lines[i + 1].strip() and lines[i + 2].startswith("    "):
            lines[i] += ":"


def setup(app):
    app.connect("autodoc-process-docstring", literal_blocks)
