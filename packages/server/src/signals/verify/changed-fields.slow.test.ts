// Each field of each type of record is changed in turn, with the hashes of all later records recomputed, as the owner of the file
// could. Verification must find every change of a field that follows from other records or from the tape.
import { expect, test } from 'bun:test';
import { atScale } from '../../../testing/scale.fixture.ts';
import { randomLog } from '../../../testing/signals/random-log.fixture.ts';
import { type Draft, rewritten } from '../../../testing/signals/tampering.fixture.ts';
import { verifyWithTape } from '../../../testing/signals/verified-log.fixture.ts';

/** Records tried for each field. */
const TRIES = atScale(1, 3);

/** Fields that the log and the tape alone do not prove, and why. Heads kept outside prove all of them. */
const UNPROVEN: readonly (readonly [field: RegExp, why: string])[] = [
  [/^opened\.(log|public_key|realm)$/, 'chosen when the log was opened: heads name the log and its key'],
  [/\.at$/, 'the clock of the service: only its order is known'],
  [
    /^published\.(entry|max_slippage|stop_loss|breakeven_after|targets\.#\.price)$/,
    'terms that lead to the same result: signatures prove them',
  ],
  [/^amended\.stop_loss$/, 'a stop that leads to the same result: signatures prove it'],
  [/^voided\.reason$/, "the operator's words"],
  [/^(filled|exited|closed)\.recovered$/, 'whether the service was interrupted'],
  [/^(exited|closed)\.decided\.source$/, 'the tape has no source for minutes'],
  [/^feed\./, 'what happened to a source: heads prove when it was declared'],
  [/^closed\.decided_seq$/, 'only a bound, if a deadline closed the signal'],
];

const PRICES = /\b(?:bid|ask|price|open|high|low|close|entry|stop_loss|take_profit|entry_price|exit_price|spread)$/;
const TIME = /^\d{4}-\d\d-\d\dT/;
const OTHERS: Readonly<Record<string, unknown>> = {
  ...{ buy: 'sell', sell: 'buy', market: 'limit', limit: 'stop', stop: 'market', tape: 'backfill', backfill: 'tape' },
  ...{ take_profit: 'stop_loss', stop_loss: 'manual', manual: 'expired', expired: 'manual', unfilled: 'expired' },
  ...{ sim: 'live' },
};

/** Another value of the same form; `undefined` removes the field. */
function otherValue(value: unknown, path: string): unknown {
  if (typeof value === 'number') {
    if (PRICES.test(path)) return Math.round((value + 0.001) * 1e7) / 1e7;
    return path.endsWith('fraction') ? Math.round(value * 9_000) / 10_000 : value + 1;
  }
  if (typeof value !== 'string') return undefined;
  if (value in OTHERS) return OTHERS[value];
  if (TIME.test(value)) return new Date(Date.parse(value) + 1).toISOString();
  return /^[0-9a-f]{64,}$/.test(value) ? value.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) : `${value}x`;
}

function* fieldsOf(value: object, prefix = ''): Generator<string> {
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'object' && member !== null) yield* fieldsOf(member, `${prefix}${name}.`);
    else yield prefix + name;
  }
}

function changeField(draft: Draft, path: string): void {
  const names = path.split('.');
  const last = names.pop()!;
  let holder = draft as Record<string, unknown>;
  for (const name of names) holder = holder[name] as Record<string, unknown>;
  const changed = otherValue(holder[last], path);
  if (changed === undefined) delete holder[last];
  else holder[last] = changed;
}

test('finds every changed field, except those that nothing else proves', async () => {
  const log = randomLog({ seed: 6, events: 450 });
  const tried = new Map<string, number>();
  const unseen = new Set<string>();
  for (const [n, { text }] of log.lines.entries()) {
    const record = JSON.parse(text) as Draft;
    for (const path of fieldsOf(record)) {
      const field = `${record.type}.${path.replace(/\.\d+\./, '.#.')}`;
      const tries = tried.get(field) ?? 0;
      if (tries >= TRIES || path === 'n' || path === 'prev') continue;
      tried.set(field, tries + 1);
      const forged = rewritten(log.lines, (drafts) => changeField(drafts[n]!, path));
      const { findings } = await verifyWithTape(forged, log.tape);
      if (findings.length === 0) unseen.add(field);
    }
  }
  expect([...unseen].filter((field) => !UNPROVEN.some(([pattern]) => pattern.test(field)))).toEqual([]);
  expect([...new Set(log.types)].sort()).toEqual([
    ...[
      'amended',
      'close_requested',
      'closed',
      'exited',
      'feed',
      'filled',
      'opened',
      'published',
      'publisher_key',
      'voided',
    ],
  ]);
  expect(tried.size).toBeGreaterThan(140);
});
