"""Gathers the documents of the repository for the site: `site.py FOLDER`; `site.py --finish FOLDER` finishes the pages that were made of them.

They stay where they are in the tree, but for those in PLACES. Links among them go on working; a link to a source, which the site does not
have, becomes its text. A link to what does not exist stays, and is an error of the strict build.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PLACES = {"docs/clients.md": "index.md", "README.md": "overview.md", "examples/README.md": "examples.md"}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
IMAGES = {".png", ".svg"}
# What stands in each page, and what should.
ROLES = {
    "<footer>": '<footer role="contentinfo">',
    '<div role="contentinfo">': "<div>",
    'class="rst-versions" role="note"': 'class="rst-versions" role="navigation"',
}


def place(path: str) -> str:
    return PLACES.get(path, path)


def moved(page: str, link: re.Match[str]) -> str:
    """A link of a page, as it is on the site."""
    mark, text, target = link.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return link[0]
    path, hash_, anchor = target.partition("#")
    source = os.path.normpath(os.path.join(os.path.dirname(page), path))
    if not os.path.exists(source):
        return link[0]
    if not source.endswith((".md", *IMAGES)):
        return text
    where = os.path.relpath(place(source), os.path.dirname(place(page)) or ".")
    return f"{mark}[{text}]({where}{hash_}{anchor})"


def gather(out: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], check=True, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        source, target = Path(name), out / place(name)
        image = (source.suffix in IMAGES or source.name == "site.css") and name.startswith("docs/")
        if not source.exists() or not (image or source.suffix == ".md"):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if image:
            shutil.copy(source, target)
            continue
        # What is between fences is no link.
        parts = re.split(r"(^```.*?^```$)", source.read_text(), flags=re.DOTALL | re.MULTILINE)
        parts[::2] = [LINK.sub(lambda link: moved(name, link), part) for part in parts[::2]]
        target.write_text("".join(parts))


def finish(site: Path) -> None:
    """Says to programs that read pages aloud what each part is, as the theme does not, and lets keys scroll what is too wide."""
    for page in site.rglob("*.html"):
        text = page.read_text()
        for before, after in ROLES.items():
            if before not in text:
                raise SystemExit(f"{page}: the theme has another form, without {before}")
            text = text.replace(before, after)
        text = text.replace("<pre><code", '<pre><code tabindex="0"').replace("<th></th>", "<td></td>")
        page.write_text(text)


if sys.argv[1] == "--finish":
    finish(Path(sys.argv[2]))
else:
    os.chdir(Path(__file__).parent.parent)
    gather(Path(sys.argv[1]))
