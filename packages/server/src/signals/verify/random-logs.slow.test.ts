// Verification has no complaint about true logs of random markets with every kind of data loss, although neither the records nor
// the tape tell when a source was disconnected. Whether the engine is right is for the second judge: python/tests/test_verify.py
// verifies the same logs.
import { expect, test } from 'bun:test';
import { randomLog } from '../../../testing/signals/random-log.fixture.ts';
import { verifyWithTape } from '../../../testing/signals/verified-log.fixture.ts';

const SEEDS = 100;

/** How often each kind of closing and each type of record occurred. */
async function verifyAll(): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const log = randomLog({ seed, events: 400 });
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
  ...['stop_loss bar best', 'expired bar', 'expired trade', 'unfilled trade', 'unfilled bar'],
];

test('the records and the tape of random markets confirm every closing', async () => {
  const types = ['published', 'filled', 'exited', 'amended', 'close_requested', 'closed', 'voided', 'signatures'];
  const seen = await verifyAll();
  expect([...LEVELS, ...ENDS, ...types].filter((kind) => !((seen.get(kind) ?? 0) > 5))).toEqual([]);
});
