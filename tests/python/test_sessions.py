"""Some of the sessions of scripts/torture-sessions: what the engine says is what the model of the protocol allows. A release runs more."""

import torture_sessions
from loading import BINARY


def test_sessions_are_as_the_model_says():
    searches, faults = torture_sessions.run(BINARY, seed=1, sessions=250)
    assert not faults, "\n\n".join(faults)
    assert searches > 1_000


def test_the_model_sees_what_is_wrong(tmp_path):
    """An engine that plays one move wherever it is."""
    engine = tmp_path / "engine"
    engine.write_text(
        "#!/bin/sh\nwhile read -r line; do case $line in uci) echo uciok;; isready) echo readyok;;"
        " go*) echo bestmove e2e4;; quit) exit;; esac; done\n"
    )
    engine.chmod(0o755)
    _, faults = torture_sessions.run(str(engine), seed=1, sessions=1)
    assert len(faults) == 1
