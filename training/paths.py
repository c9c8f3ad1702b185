"""File locations, relative to this folder."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
#: Files exchanged between the steps; not committed.
WORK = HERE / "work"
#: The unpacked npm packages that the model builds on; not committed.
PACKAGES = HERE / "packages"
#: Labelled headlines, next to the repository.
HEADLINES = HERE.parent.parent / "shared" / "data" / "headlines"
