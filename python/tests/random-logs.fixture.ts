// Prints random logs of the engine with their tapes, one JSON object per line, for the verification in Python.
import { randomLog } from '../../packages/server/testing/signals/random-log.fixture.ts';

const [first = 1, count = 10, events = 400] = process.argv.slice(2).map(Number);
for (let seed = first; seed < first + count; seed++) {
  const { lines, tape, closings } = randomLog({ seed, events });
  const entries = lines.map(({ hash, text }) => ({ hash, record: JSON.parse(text) as unknown }));
  process.stdout.write(`${JSON.stringify({ seed, entries, tape, closings })}\n`);
}
