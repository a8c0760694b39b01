"""Builds the documents as a book, and checks that every link in it leads somewhere.

    scripts/book                    # the book is target/book/index.html
    scripts/book --repository URL   # links to files outside the book lead to URL/FILE; without it they are plain text

Exit code: 0; 1 if the book cannot be built as it stands, or a link in it leads nowhere.
"""

import argparse
import html.parser
import pathlib
import re
import shutil
import sys
import urllib.parse

import sphinx.cmd.build

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BOOK = ROOT / "target" / "book"
# What is made of docs/ for Sphinx.
SOURCE = ROOT / "target" / "book-source"
# Pages that have another name in the book: its first page, and one whose name Sphinx has for its own.
RENAMED = {"README": "index", "search": "default-search"}
# A link from docs/ to what lies beside it, as in [text](../src/lib.rs); the text may have brackets of its own within backticks.
OUTSIDE = re.compile(r"(?<!!)\[(?P<text>(?:`[^`]*`|[^\[\]`])*)\]\(\.\./(?P<file>[^()\s]+)\)")
# Attributes that hold links.
LINKS = {"href", "src"}


def link_outside(text, repository):
    """The page with its links to files outside the book made links into the repository, or plain text."""

    def link(match):
        if not repository:
            return match["text"]
        return f"[{match['text']}]({repository}/{match['file']})"

    return OUTSIDE.sub(link, text)


def contents(summary):
    """The list of pages, SUMMARY.md, as Sphinx wants it: parts with a heading, and pages with a title."""
    parts = []
    for line in summary.splitlines()[1:]:
        if line.startswith("# "):
            parts.append(f":caption: {line[2:]}\n")
        elif match := re.fullmatch(r"- \[(.*)\]\((.*)\.md\)", line):
            parts[-1] += f"\n{match[1]} <{RENAMED.get(match[2], match[2])}>"
    return "".join(f"\n```{{toctree}}\n:hidden:\n{part}\n```\n" for part in parts)


def make_source(repository):
    """Makes of docs/ what Sphinx reads; its first page has the list of the others."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(DOCS, SOURCE, ignore=shutil.ignore_patterns("*.md"))
    for page in DOCS.glob("*.md"):
        text = link_outside(page.read_text(encoding="utf-8"), repository)
        if page.stem == "README":
            text += contents((DOCS / "SUMMARY.md").read_text(encoding="utf-8"))
        for old, new in RENAMED.items():
            text = text.replace(f"]({old}.md", f"]({new}.md")
        if page.stem != "SUMMARY":
            (SOURCE / f"{RENAMED.get(page.stem, page.stem)}.md").write_text(text, encoding="utf-8")


class Page(html.parser.HTMLParser):
    """The links of a page, and the names by which its places can be linked to."""

    def __init__(self, text):
        super().__init__()
        self.links = []
        self.names = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in LINKS and value:
                self.links.append(value)
            elif name == "id":
                self.names.add(value)


def broken_links(book):
    """The number of pages in a folder, and the links that lead nowhere in it, as "page: link"."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(book.rglob("*.html"))}
    broken = []
    for path, page in pages.items():
        for link in page.links:
            address = urllib.parse.urlsplit(link)
            if address.scheme or address.netloc:
                continue
            to = (path.parent / urllib.parse.unquote(address.path)).resolve() if address.path else path
            if not to.is_file() or not to.is_relative_to(book):
                broken.append(f"{path.relative_to(book)}: {link}")
            elif address.fragment and to in pages:
                if urllib.parse.unquote(address.fragment) not in pages[to].names:
                    broken.append(f"{path.relative_to(book)}: {link}")
    return len(pages), broken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repository", default="", metavar="URL")
    arguments = parser.parse_args()

    make_source(arguments.repository.rstrip("/"))
    shutil.rmtree(BOOK, ignore_errors=True)
    # Whatever Sphinx warns of would be missing from a page.
    cache = ROOT / "target" / "book-cache"
    if sphinx.cmd.build.main(["-q", "-E", "-W", "--keep-going", "-d", str(cache), str(SOURCE), str(BOOK)]) != 0:
        return 1
    pages, broken = broken_links(BOOK)
    for link in broken:
        print(f"book: a link leads nowhere: {link}", file=sys.stderr)
    print(f"book: {pages} pages in {BOOK}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
