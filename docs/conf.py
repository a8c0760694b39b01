"""Settings of the book that `scripts/book` makes of these pages."""

project = "Cassius"
author = "The Cassius maintainers"
html_title = "Cassius"
language = "en"

extensions = ["myst_parser"]
# Names of headings to link to, as GitHub has them.
myst_heading_anchors = 4

html_theme = "furo"
html_static_path = ["book.css"]
html_css_files = ["book.css"]
# Text is as it stands in the files, where people read it too.
smartquotes = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
