"""Where things stand, relative to this folder."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
#: Everything the steps hand to each other; not committed.
WORK = HERE / "work"
#: The unpacked npm packages that the model builds on; not committed.
PACKAGES = HERE / "packages"
#: Labelled headlines; kept beside the repository.
HEADLINES = HERE.parent.parent / "shared" / "data" / "headlines"
