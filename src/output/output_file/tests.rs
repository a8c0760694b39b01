use super::*;

/// A folder that is deleted when dropped.
fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The names of the files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_that_is_there_is_left_alone_unless_told_otherwise() {
    let folder = scratch();
    let path = folder.path().join("f");
    fs::write(&path, "old\n").unwrap();
    for existing in [Existing::Refuse, Existing::Resume] {
        let error = write(&path, existing, b"new").unwrap_err();
        assert!(matches!(error.reason, Refusal::Exists), "{error}");
        assert!(error.to_string().contains("--overwrite") && error.to_string().contains("/f:"));
    }
    let error = GrowingFile::create(&path, Existing::Refuse).unwrap_err();
    assert!(matches!(error.reason, Refusal::Exists), "{error}");
    let error = GrowingFile::open(&path, Existing::Refuse, Some("o")).unwrap_err();
    assert!(error.to_string().contains("--resume"), "{error}");
    assert_eq!(read(&path), "old\n");

    write(&path, Existing::Overwrite, b"new").unwrap();
    assert_eq!(read(&path), "new");
    let mut file = GrowingFile::create(&path, Existing::Overwrite).unwrap();
    assert_eq!(read(&path), "new", "not before there is something to write");
    file.push(b"1\n").unwrap();
    file.push(b"2\n").unwrap();
    assert_eq!(read(&path), "1\n2\n");
}

#[test]
fn an_empty_file_is_as_good_as_none() {
    let folder = scratch();
    let path = folder.path().join("f");
    fs::write(&path, "").unwrap();
    write(&path, Existing::Refuse, b"new").unwrap();
    assert_eq!(read(&path), "new");
    fs::write(&path, "").unwrap();
    let mut file = GrowingFile::create(&path, Existing::Refuse).unwrap();
    file.push(b"1\n").unwrap();
    assert_eq!(read(&path), "1\n");
}

#[test]
fn half_a_line_is_cut_off_and_the_rest_continued() {
    let folder = scratch();
    // Longer than a chunk.
    let half = "x".repeat(CHUNK as usize + 7);
    for (number, (there, kept)) in [
        ("# ours\n1\n2", "# ours\n1\n"),
        ("# ours\n", "# ours\n"),
        ("# ou", ""),
        ("# ours", ""),
        ("", ""),
        (&format!("# ours\n{half}"), "# ours\n"),
    ]
    .into_iter()
    .enumerate()
    {
        // A file of its own: a program that another test starts at this moment may hold the last one's lock for a while.
        let path = folder.path().join(number.to_string());
        fs::write(&path, there).unwrap();
        let mut file = GrowingFile::open(&path, Existing::Resume, Some("# ours")).unwrap();
        assert_eq!(file.is_empty(), kept.is_empty(), "{there}");
        let mut whole = String::new();
        file.reader().unwrap().read_to_string(&mut whole).unwrap();
        assert_eq!(whole, kept);
        assert_eq!(read(&path), there, "nothing is changed before it must be");
        file.push(b"next\n").unwrap();
        assert_eq!(read(&path), format!("{kept}next\n"));
    }
}

#[test]
fn what_others_have_written_is_not_continued() {
    let folder = scratch();
    let path = folder.path().join("f");
    for there in ["notes", "# o, my notes\n", "#\n", "\n# ours\n"] {
        fs::write(&path, there).unwrap();
        let error = GrowingFile::open(&path, Existing::Resume, Some("# ours")).unwrap_err();
        assert!(matches!(error.reason, Refusal::Foreign), "{error}");
        assert_eq!(read(&path), there);
    }
}

#[test]
fn a_file_is_written_by_one_at_a_time() {
    let folder = scratch();
    let path = folder.path().join("f");
    let first = GrowingFile::create(&path, Existing::Refuse).unwrap();
    for existing in [Existing::Refuse, Existing::Overwrite, Existing::Resume] {
        let error = GrowingFile::open(&path, existing, Some("")).unwrap_err();
        assert!(matches!(error.reason, Refusal::InUse), "{error}");
    }
    drop(first);
    GrowingFile::create(&path, Existing::Refuse).unwrap();
}

#[test]
fn a_failure_leaves_neighbours_and_no_part() {
    let folder = scratch();
    let path = folder.path().join("page.html");
    fs::write(folder.path().join("page.html.part"), "neighbour").unwrap();
    write(&path, Existing::Refuse, b"1").unwrap();
    assert_eq!(names(folder.path()), ["page.html", "page.html.part"]);
    assert_eq!(read(&folder.path().join("page.html.part")), "neighbour");

    // Another process is first.
    let late = folder.path().join("late");
    let mut claimed = WholeFile::claim(&late, Existing::Refuse).unwrap();
    fs::write(&late, "theirs").unwrap();
    let error = claimed.write(b"ours").unwrap_err();
    assert!(matches!(error.reason, Refusal::Exists), "{error}");
    assert_eq!(read(&late), "theirs");
    assert_eq!(
        names(folder.path()),
        ["late", "page.html", "page.html.part"]
    );

    let nowhere = folder.path().join("no/such/page.html");
    let error = WholeFile::claim(&nowhere, Existing::Refuse).unwrap_err();
    assert!(error.to_string().contains("no/such/page.html"), "{error}");
    let error = GrowingFile::create(&nowhere, Existing::Refuse).unwrap_err();
    assert!(error.to_string().contains("no/such/page.html"), "{error}");
    let error = WholeFile::claim(folder.path(), Existing::Overwrite).unwrap_err();
    assert!(error.to_string().contains("is a folder"), "{error}");
}

#[test]
fn a_file_is_written_again_and_again() {
    let folder = scratch();
    let path = folder.path().join("f");
    let mut file = WholeFile::claim(&path, Existing::Refuse).unwrap();
    assert!(names(folder.path()).is_empty(), "claiming makes nothing");
    file.write(b"1").unwrap();
    file.write(b"2").unwrap();
    assert_eq!(read(&path), "2");
}

#[test]
fn no_file_has_two_uses_in_one_run() {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("games"), "").unwrap();
    let (games, a, b) = (path("games"), path("a"), path("b"));
    let around = folder.path().join(".").join("a");
    let check = |outputs: [&Path; 2]| check_distinct([games.as_path()], outputs.map(Some));
    assert!(check([&a, &b]).is_ok());
    let error = check([&a, &around]).unwrap_err();
    assert!(matches!(error.reason, Refusal::Twice(_)) && error.path == around);
    let error = check([&games, &b]).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("games: is given twice; choose a different file for each output")
    );
    assert!(check_distinct([games.as_path()], [None, None]).is_ok());
    // A folder to be made, and a file of its name.
    assert!(
        check([&a, &folder.path().join("b/../a")]).is_ok(),
        "there is no b"
    );
    assert!(check([&a, &a]).is_err());
    // Inputs that do not exist are told as such.
    assert!(check_distinct([a.as_path()], [Some(a.as_path())]).is_ok());
    // Two names on most systems.
    let upper = path("A");
    fs::write(&upper, "").unwrap();
    let is_one_file = a.exists();
    fs::remove_file(&upper).unwrap();
    assert_eq!(check([&a, &upper]).is_err(), is_one_file);
}

#[test]
fn what_a_killed_run_has_left_is_swept_away_and_nothing_else() {
    let folder = scratch();
    let kept = [
        ".page.html.aB3dE.part",
        ".page.html.part",
        ".other.html.aB3dEf.part",
        "page.html.aB3dEf.part",
    ];
    for name in kept.iter().chain(&[".page.html.aB3dEf.part"]) {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let path = folder.path().join("page.html");
    // That of a run that still lives.
    let held = parts::temporary(&path).unwrap();
    WholeFile::claim(&path, Existing::Refuse).unwrap();
    assert!(held.path().exists());
    drop(held);
    let mut expected = kept;
    expected.sort_unstable();
    assert_eq!(names(folder.path()), expected);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn links_are_written_through() {
        let folder = scratch();
        fs::create_dir(folder.path().join("real")).unwrap();
        for name in ["there", "new"] {
            let real = folder.path().join("real").join(name);
            if name == "there" {
                fs::write(&real, "old").unwrap();
            }
            let link = folder.path().join(name);
            symlink(Path::new("real").join(name), &link).unwrap();
            let chain = folder.path().join(format!("{name}-chain"));
            symlink(&link, &chain).unwrap();
            write(&chain, Existing::Overwrite, b"page").unwrap();
            assert_eq!(read(&real), "page");
            let mut file = GrowingFile::create(&link, Existing::Overwrite).unwrap();
            file.push(b"row\n").unwrap();
            assert_eq!(read(&real), "row\n");
            assert!(link.is_symlink() && chain.is_symlink());
        }
        let circle = folder.path().join("circle");
        symlink("circle", &circle).unwrap();
        let error = write(&circle, Existing::Refuse, b"").unwrap_err();
        assert!(error.to_string().contains("links"), "{error}");
    }

    #[test]
    fn devices_and_pipes_stay_what_they_are() {
        for path in ["/dev/null", "/dev/stdout"] {
            let path = Path::new(path);
            let kind = fs::symlink_metadata(path).unwrap().file_type();
            if path.ends_with("null") {
                write(path, Existing::Refuse, b"page").unwrap();
                let mut twice =
                    [1, 2].map(|_| GrowingFile::create(path, Existing::Refuse).unwrap());
                twice[0].push(b"row\n").unwrap();
            } else {
                assert_eq!(regular_file(path).unwrap(), None);
            }
            assert_eq!(fs::symlink_metadata(path).unwrap().file_type(), kind);
        }

        let folder = scratch();
        let pipe = folder.path().join("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let cat = Command::new("cat")
            .arg(&pipe)
            .stdout(Stdio::piped())
            .spawn();
        let mut file = WholeFile::claim(&pipe, Existing::Refuse).unwrap();
        file.write(b"page").unwrap();
        drop(file);
        let read = cat.unwrap().wait_with_output().unwrap().stdout;
        assert_eq!(read, b"page");
        assert_eq!(names(folder.path()), ["pipe"]);

        let error = open_stream(&pipe, Duration::from_millis(1)).unwrap_err();
        assert!(matches!(error.reason, Refusal::NoReader), "{error}");
        // Ends the wait of the thread that opens it.
        File::open(&pipe).unwrap();
    }

    #[test]
    fn a_file_is_known_by_any_of_its_names() {
        let folder = scratch();
        let path = |name: &str| folder.path().join(name);
        let (games, other) = (path("games"), path("other"));
        fs::write(&games, "1. e4 *").unwrap();
        fs::hard_link(&games, path("hard")).unwrap();
        symlink("hard", path("soft")).unwrap();
        let check = |input: &Path, outputs: [&Path; 2]| {
            let checked = check_distinct([input], outputs.map(Some));
            checked.map_err(|error| error.to_string())
        };
        for name in ["hard", "soft"] {
            let error = check(&games, [&other, &path(name)]).unwrap_err();
            let expected = format!(
                "/{name}: is given twice, also as {}; choose",
                games.display()
            );
            assert!(error.contains(&expected), "{error}");
            assert!(check(&path(name), [&games, &other]).is_err());
            assert!(check(&other, [&path(name), &games]).is_err(), "two outputs");
        }
        // Files to be made, one of them through a link.
        symlink("new", path("link")).unwrap();
        assert!(check(&games, [&path("link"), &path("new")]).is_err());
        symlink(".", path("again")).unwrap();
        assert!(check(&games, [&path("again/new"), &path("new")]).is_err());
        assert!(check(&games, [&path("again/new"), &other]).is_ok());
        // An input opened by another process, or by its number.
        let open = File::open(&games).unwrap();
        let number = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&open));
        assert!(check(Path::new(&number), [&path("hard"), &other]).is_err());
        let null = Path::new("/dev/null");
        assert!(check(null, [null, null]).is_ok());
    }

    #[test]
    fn permissions_are_those_of_any_new_file_or_of_the_old_one() {
        let folder = scratch();
        let (plain, page) = (folder.path().join("plain"), folder.path().join("page"));
        fs::write(&plain, "").unwrap();
        write(&page, Existing::Refuse, b"1").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!(mode(&page), mode(&plain));
        fs::set_permissions(&page, fs::Permissions::from_mode(0o640)).unwrap();
        write(&page, Existing::Overwrite, b"2").unwrap();
        assert_eq!(mode(&page), 0o640);
    }
}
