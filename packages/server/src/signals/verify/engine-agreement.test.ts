// The rules are implemented in the engine and, independently from docs/signals.md, in the verification. Over random markets with
// every kind of data loss, the engine, the checks of single records and the replay from the tape must agree.
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { type RandomLog, randomLog } from '../../../testing/signals/random-log.fixture.ts';
import { LogCheck } from './check-log.ts';
import { Findings } from './findings.ts';
import type { ParsedSignal } from './parsed-signal.ts';
import { ReplayCheck } from './replay-check.ts';

setDefaultTimeout(60_000);

const SEEDS = 60;

async function verify({ lines, tape }: RandomLog) {
  const findings = new Findings();
  const ended: ParsedSignal[] = [];
  const check = new LogCheck({ findings, onJudged: (signal) => ended.push(signal) });
  check.add(lines);
  await check.settle();
  const signals = [...ended, ...check.active.values()];
  if (signals.length === 0) return { findings, check, confirmed: 0 };
  const replay = new ReplayCheck(signals, { findings, judgedUntil: Number.POSITIVE_INFINITY });
  replay.read(tape);
  replay.end();
  return { findings, check, confirmed: replay.confirmed };
}

/** How often each kind of closing and each type of record occurred. */
async function verifyAll(rules: 1 | 2): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const log = randomLog({ seed, events: 400, rules });
    const { findings, confirmed, check } = await verify(log);
    expect([seed, findings.first, confirmed]).toEqual([seed, [], log.closings.length]);
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
    kinds.filter((kind) => !((seen.get(kind) ?? 0) > 10));

  test('under rules version 2', async () => {
    const types = ['published', 'filled', 'exited', 'amended', 'close_requested', 'closed', 'voided', 'signatures'];
    expect(missing(await verifyAll(2), [...LEVELS, ...ENDS, ...types])).toEqual([]);
  });

  test('under rules version 1', async () => {
    expect(missing(await verifyAll(1), [...LEVELS, ...ENDS])).toEqual([]);
  });
});
