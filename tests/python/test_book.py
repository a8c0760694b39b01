"""scripts/book finds the links of a book that lead nowhere, and knows which links lead out of it."""

from loading import load_script

book = load_script("book.py")


def test_links_that_lead_nowhere_are_found(tmp_path):
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "tree.svg").write_text("<svg/>")
    (tmp_path / "two.html").write_text('<h2 id="here">Here</h2>')
    (tmp_path.parent / "outside.html").write_text("")
    (tmp_path / "one.html").write_text(
        '<h2 id="top">Top</h2><a href="#top"></a><a href="two.html#here"></a><img src="img/tree.svg">'
        '<a href="https://example.org/none"></a>'
        '<a href="#none"></a><a href="two.html#none"></a><a href="none.html"></a><a href="../outside.html"></a>'
    )
    pages, broken = book.broken_links(tmp_path.resolve())
    assert pages == 2
    assert broken == [f"one.html: {link}" for link in ("#none", "two.html#none", "none.html", "../outside.html")]


def test_links_out_of_the_book_lead_to_the_repository_or_are_text():
    page = "[a](../src/lib.rs), [`b[0]`](../README.md#top), [c](c.md), ![d](../d.png), <../e>"
    there = "[a](https://host/blob/x/src/lib.rs), [`b[0]`](https://host/blob/x/README.md#top), [c](c.md), ![d](../d.png), <../e>"
    assert book.link_outside(page, "https://host/blob/x") == there
    assert book.link_outside(page, "") == "a, `b[0]`, [c](c.md), ![d](../d.png), <../e>"


def test_the_list_of_pages_has_parts_and_titles():
    summary = "# Summary\n\n[Cassius](README.md)\n\n# For players\n\n- [Getting started](getting-started.md)\n- [The default search](search.md)\n"
    part = "\n```{toctree}\n:hidden:\n:caption: For players\n\nGetting started <getting-started>\nThe default search <default-search>\n```\n"
    assert book.contents(summary) == part
