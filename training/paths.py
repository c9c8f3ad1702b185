"""File locations, relative to this folder."""

import os
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: Files exchanged between the steps; not committed.
WORK = Path(os.environ.get("SENTI_WORK", HERE / "work"))
#: The unpacked npm packages that the model builds on; not committed.
PACKAGES = HERE / "packages"
#: Labelled headlines, next to the repository.
HEADLINES = HERE.parent.parent / "shared" / "data" / "headlines"
#: Labelled headlines of our own: one half for development, one to be measured on.
OWN = HERE / "own-headlines"
#: The model file to start from: its words and word vectors are kept.
TODAY = Path(os.environ.get("SENTI_TODAY", HERE.parent / "packages" / "sentiment" / "model" / "sentiment.bin"))
