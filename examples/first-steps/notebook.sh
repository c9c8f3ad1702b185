#!/usr/bin/env bash
# A notebook with the bars of two symbols and a year in one data frame. Needs Node 20 and Python 3.9 or newer. In an empty folder:
#   bash /path/to/tickwire/examples/first-steps/notebook.sh
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/start-service.sh"

say 'Create a key'
#> docs/start/python.md
npx tickwire keys create --tier pro --scope read,alerts,publish --name "Python bot" >"$here/key.log"

use_key

say 'Install the Python package'
#> docs/start/python.md
python3 -m venv .venv && . .venv/bin/activate
pip install ./python
pip install pandas ipykernel nbclient

say 'Run the notebook'
cp examples/first-steps/year.ipynb "$here"
cd "$here"
#> docs/start/python.md
jupyter execute year.ipynb

# The notebook saved the closes: a header, and an hour per line with both symbols.
[[ $(head -n 1 closes.csv) == time,EURUSD,XAUUSD ]]
[[ $(grep -cE '^2025-[0-9]{2}-[0-9]{2} [0-9:+]+,[0-9.]+,[0-9.]+$' closes.csv) == 8760 ]]
interrupt $service || true
say "Done: $(($(wc -l <closes.csv) - 1)) hours of two symbols"
