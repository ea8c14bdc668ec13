"""Transcripts: inputs with what must come back, as tests (stdlib.md 7, workspace.md 6.10)."""

from repl.transcripts.matching import Answer, mismatch
from repl.transcripts.reading import Check, Load, LoadFailure, Malformed, Script, read_script

__all__ = ["Answer", "Check", "Load", "LoadFailure", "Malformed", "Script", "mismatch", "read_script"]
