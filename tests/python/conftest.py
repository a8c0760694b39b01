"""Fixtures that several files of tests use."""

import chess.engine
import pytest

from loading import BINARY


@pytest.fixture
def engine():
    """Cassius, driven by python-chess."""
    with chess.engine.SimpleEngine.popen_uci(BINARY, timeout=20) as engine:
        yield engine
