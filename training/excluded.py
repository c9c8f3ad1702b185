"""Step 1a. excluded.py FILE: keys of evaluation texts, which prep.py leaves out of training. Reads nothing but their keys.

FILE is JSON: for each set, a list of (text, label)."""

import json
import sys
from pathlib import Path

from paths import WORK
from texts import key

sets = json.loads(Path(sys.argv[1]).read_text())
keys = sorted({key(text) for rows in sets.values() for text, _ in rows})
(WORK / "excluded.json").write_text(json.dumps(keys))
print(len(keys), "keys are left out of training")
