// The list of signals in a replay, compared with a naive filter of random logs.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { NO_HASH, type PublishedRecord, SIGNAL_STATUSES, SignalQuery } from '@tickwire/contract';
import { HOUR_MS, SECOND_MS } from '@tickwire/engine';
import {
  type KnownSignal,
  PUBLISHERS,
  type RandomRecord,
  randomSignals,
  signalsKnownAt,
  writeSignals,
} from '../../testing/replay/recorded-signals.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { Random } from '../../testing/signals/random.fixture.ts';
import { parseRecord } from '../signals/log-records.ts';
import { signalDetail } from '../signals/signal-history.ts';
import { toSignal } from '../signals/wire-signals.ts';
import type { StoredRecord, StoredSignal } from '../store/signal-store.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { AsOfSignals } from './as-of-signals.ts';
import { practiceId } from './practice/practice-actions.ts';
import { PracticeLog } from './practice/practice-log.ts';
import { ReplaySignals } from './replay-signals.ts';

const FROM = Date.UTC(2026, 2, 4, 12);
const TO = FROM + 2 * HOUR_MS;
/** Of a session: signals on other instruments are not in it. */
const SYMBOLS = ['EURUSD', 'BTCUSD'];
const account = { name: 'Ada', publicId: 'pub_a' };
const NAMES: Readonly<Record<string, string>> = { pub_a: 'Ada', pub_b: 'Bob' };
const nameOf = (publisher: string): string | undefined => NAMES[publisher];
const publisherOf = (name: string): string | undefined =>
  PUBLISHERS.find((publisher) => name === publisher || name.toLowerCase() === NAMES[publisher]?.toLowerCase());

/** Several pages of signals on each instrument. */
const given = randomSignals({ from: FROM, to: TO, seed: 41, every: 8 * SECOND_MS });
const practised = randomSignals({ from: FROM, to: TO, seed: 43, every: 90 * SECOND_MS });
const folder = temporaryFolder();
const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
let stored: readonly StoredRecord[] = [];
beforeAll(async () => {
  stored = await writeSignals(store.signals, FROM, NO_HASH, given);
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The signals of the second log as practice signals, which are known at once and cannot be voided. */
function practiceAt(clock: number): PracticeLog {
  const ids = new Map<string, string>();
  const entries = practised.flatMap(({ record }: RandomRecord, action) => {
    const at = Date.parse(record.at);
    if (at > clock || record.type === 'voided' || record.symbol === 'XAUUSD') return [];
    const signal = ids.get(record.signal) ?? practiceId(action);
    ids.set(record.signal, signal);
    return [{ at, action, record: { ...record, signal, publisher: 'practice' }, rankR: 1, note: null }];
  });
  return new PracticeLog(FROM, entries);
}

function signalsAt(clock: number): ReplaySignals {
  const log = new AsOfSignals({ store: store.signals, symbols: SYMBOLS, clock: () => clock });
  return new ReplaySignals({ practice: practiceAt(clock), log, account, nameOf, publisherOf });
}

/** All signals that are known, newest first. */
async function knownAt(clock: number): Promise<KnownSignal[]> {
  const practice = practiceAt(clock);
  const own = await practice.list({ status: 'all', limit: 500 });
  const records = await practice.records(own.map(({ id }) => id));
  const practiced = own.map((signal) => ({
    stored: signal,
    published: parseRecord<PublishedRecord>(signal.published),
    records: records.get(signal.id)!,
  }));
  const others = signalsKnownAt(stored, given, clock).filter(({ published }) => SYMBOLS.includes(published.symbol));
  // The sort is stable.
  return [...practiced, ...others.reverse()].sort((a, b) => Date.parse(b.published.at) - Date.parse(a.published.at));
}

const isPractice = ({ published }: KnownSignal): boolean => published.publisher === 'practice';
const userOf = (signal: KnownSignal): string => {
  const { publisher } = signal.published;
  return isPractice(signal) ? account.name : (nameOf(publisher) ?? publisher);
};

function expected(known: readonly KnownSignal[], { status, symbol, user, before, limit }: SignalQuery): KnownSignal[] {
  const last = before === undefined ? -1 : known.findIndex((signal) => signal.stored.id === before);
  if (before !== undefined && last < 0) return [];
  const publisher = user === undefined ? undefined : publisherOf(user);
  return known
    .slice(last + 1)
    .filter((signal) => {
      const { closed, voided } = signal.stored;
      return (
        (status === 'all' || ((closed ?? voided) ? 'closed' : 'active') === status) &&
        (symbol === undefined || signal.published.symbol === symbol) &&
        (user === undefined ||
          (user === 'practice' && isPractice(signal)) ||
          signal.published.publisher === publisher ||
          (publisher === account.publicId && isPractice(signal)))
      );
    })
    .slice(0, limit);
}

test('the list is that of a naive filter of the log and the practice signals, whatever is asked for', async () => {
  const random = new Random(47);
  const ids = [
    ...new Set(given.map(({ record }) => record.signal)),
    ...practised.map((_, action) => practiceId(action)),
    'nobody',
  ];
  const ahead = given.filter(({ record, knownAt: time }) => time > Date.parse(record.at));
  let found = 0;
  for (let round = 0; round < 250; round++) {
    // Some clocks are at the time at which a record is known, or just before it.
    const clock = random.chance(0.3)
      ? random.whole(FROM - 10 * SECOND_MS, TO)
      : random.of(random.chance(0.3) ? given : ahead).knownAt - random.whole(0, 1);
    const known = await knownAt(clock);
    const cursor = random.chance(0.7) && known.length > 0 ? random.of(known).stored.id : random.of(ids);
    const query = SignalQuery.parse({
      status: random.of(SIGNAL_STATUSES),
      limit: `${random.of([1, 7, 60, 500])}`,
      ...(random.chance(0.4) && { symbol: random.of(SYMBOLS) }),
      ...(random.chance(0.4) && { user: random.of(['ada', 'pub_a', 'Bob', 'pub_c', 'practice', 'nobody']) }),
      ...(random.chance(0.5) && { before: cursor }),
    });
    const page = expected(known, query);
    const signals = signalsAt(clock);
    expect({ clock, query, items: await signals.list(query) }).toEqual({
      clock,
      query,
      items: page.map((signal) => toSignal(signal.stored, userOf(signal))),
    });
    expect(await signals.listInDetail(query)).toEqual(
      page.map((signal) => signalDetail(signal.stored, signal.records, userOf(signal))),
    );
    found += page.length;
  }
  expect(found).toBeGreaterThan(1_000);
});

test('a signal is as of the clock, and unknown before its publication and in other sessions', async () => {
  for (const clock of given.filter((_, index) => index % 197 === 0).map(({ knownAt: time }) => time)) {
    const log = new AsOfSignals({ store: store.signals, symbols: SYMBOLS, clock: () => clock });
    const known = new Map(signalsKnownAt(stored, given, clock).map((signal) => [signal.stored.id, signal]));
    for (const id of new Set(given.map(({ record }) => record.signal))) {
      const signal = known.get(id);
      const isListed = signal && SYMBOLS.includes(signal.published.symbol);
      const found = await log.signal(id);
      expect<StoredSignal | null>(found ? { ...found, rankR: null } : null).toEqual(isListed ? signal.stored : null);
    }
  }
});

test('pages that are asked for one after the other have every signal once', async () => {
  const signals = signalsAt(TO);
  const query = SignalQuery.parse({ status: 'all', limit: '17' });
  const seen: string[] = [];
  for (let before: string | undefined; ; before = seen.at(-1)) {
    const page = await signals.list({ ...query, before });
    if (page.length === 0) break;
    seen.push(...page.map(({ id }) => id));
  }
  expect(seen).toEqual((await knownAt(TO)).map((signal) => signal.stored.id));
});
