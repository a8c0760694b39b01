//! A browser for tests of pages.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Path of a Chromium binary.
pub(crate) struct Browser(PathBuf);

impl Browser {
    /// The browser of this machine, or `None` with a message.
    #[allow(clippy::print_stderr)]
    pub(crate) fn find() -> Option<Browser> {
        let names = [
            "chromium-headless-shell",
            "chromium",
            "chromium-browser",
            "google-chrome",
        ];
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let named = names
            .iter()
            .flat_map(|name| folders.iter().map(move |it| it.join(name)));
        let found = named.into_iter().find(|file| file.is_file());
        if found.is_none() {
            eprintln!("skipped: no Chromium on the PATH ({})", names.join(", "));
        }
        found.map(Browser)
    }

    /// Starts the browser with a page, and returns its standard output.
    pub(crate) fn open(&self, options: &[String], page: &Path) -> Vec<u8> {
        let output = Command::new(&self.0)
            .args(["--headless", "--no-sandbox", "--disable-gpu"])
            .args(options)
            .arg(format!("file://{}", page.display()))
            .output()
            .expect("a browser");
        assert!(output.status.success(), "{output:?}");
        output.stdout
    }

    /// Opens a page in a window of `width` pixels with the test's script, and returns the notes that it leaves in the
    /// body, `document.body.dataset.notes`. The script pushes to the array `notes`; errors, the script's exceptions and
    /// violations of the page's policy are noted too.
    fn visit(&self, page: &Path, script: &str, width: u32) -> String {
        let text = std::fs::read_to_string(page).expect("a page");
        let script = format!(
            r#"<script>
const notes = [];
addEventListener("error", (event) => notes.push("error: " + event.message));
addEventListener("securitypolicyviolation", (event) => notes.push("violation: " + event.blockedURI));
addEventListener("load", () => {{
try {{
{script}
}} catch (error) {{
  notes.push(`thrown: ${{error}}`);
}}
notes.push(`scrolls ${{document.documentElement.scrollWidth > innerWidth}}`);
notes.push(`visits ${{performance.getEntriesByType("resource").length}}`);
document.body.dataset.notes = notes.join("; ");
}});
</script>"#
        );
        let visited = page.with_extension("visit.html");
        let text = text.replacen("<main>", &format!("{script}<main>"), 1);
        std::fs::write(&visited, text).expect("a file");
        let options = ["--dump-dom".into(), format!("--window-size={width},900")];
        let dom = self.open(&options, &visited);
        let dom = String::from_utf8_lossy(&dom).into_owned();
        let (_, notes) = dom.split_once("data-notes=\"").expect("notes");
        let (notes, _) = notes.split_once('"').expect("an end");
        notes.to_owned()
    }
}

/// Checks the notes of a script on a page in windows of these widths in pixels, and that nothing scrolls sideways and
/// the page loads no other file; without a browser nothing is checked.
pub(crate) fn check_notes(page: &Path, script: &str, widths: &[u32], expected: &str) {
    let Some(browser) = Browser::find() else {
        return;
    };
    for &width in widths {
        let notes = browser.visit(page, script, width);
        let expected = format!("{expected}; scrolls false; visits 0");
        assert_eq!(notes, expected, "{width} wide");
    }
}
