// The rules are implemented in the engine and, independently from docs/signals.md, in the verification. Over random markets with
// every kind of data loss, the engine, the checks of single records and the replay from the tape must agree.
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { randomLog } from '../../../testing/signals/random-log.fixture.ts';
import { verifyWithTape } from '../../../testing/signals/verified-log.fixture.ts';

setDefaultTimeout(60_000);

const SEEDS = 100;

/** How often each kind of closing and each type of record occurred. */
async function verifyAll(rules: 1 | 2): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const log = randomLog({ seed, events: 400, rules });
    const { findings, confirmed, check } = await verifyWithTape(log.lines, log.tape);
    expect([seed, findings, confirmed]).toEqual([seed, [], log.closings.length]);
    for (const kind of [...log.closings, ...log.types]) seen.set(kind, (seen.get(kind) ?? 0) + 1);
    seen.set('signatures', (seen.get('signatures') ?? 0) + check.signatures.valid);
  }
  return seen;
}

const LEVELS = ['take_profit', 'stop_loss'].flatMap((reason) =>
  ['quote', 'trade', 'bar'].map((by) => `${reason} ${by}`),
);
const ENDS = [
  ...['expired', 'unfilled', 'manual'].map((reason) => `${reason} quote`),
  ...['stop_loss bar best', 'expired bar', 'expired trade', 'unfilled trade'],
];

describe('record checks and replay confirm whatever the engine decides in random markets', () => {
  const missing = (seen: ReadonlyMap<string, number>, kinds: readonly string[]): string[] =>
    kinds.filter((kind) => !((seen.get(kind) ?? 0) > 5));

  test('under rules version 2', async () => {
    const types = ['published', 'filled', 'exited', 'amended', 'close_requested', 'closed', 'voided', 'signatures'];
    expect(missing(await verifyAll(2), [...LEVELS, ...ENDS, ...types])).toEqual([]);
  });

  test('under rules version 1', async () => {
    expect(missing(await verifyAll(1), [...LEVELS, ...ENDS])).toEqual([]);
  });
});
