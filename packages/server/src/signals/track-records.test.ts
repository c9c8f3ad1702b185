// Track records from a real store.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import {
  type ClosedRecord,
  iso,
  type LogRecord,
  NO_HASH,
  type PublishedRecord,
  PublisherDetail,
  PublisherList,
  PublishersQuery,
} from '@tickwire/contract';
import { asEpochMs, asSymbol, DAY_MS, HOUR_MS, MINUTE_MS, type TickEvent, trustedSources } from '@tickwire/engine';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import {
  closed as closedRow,
  fill as fillRow,
  published as publishedRow,
  write,
} from '../../testing/store/signal-samples.fixture.ts';
import type { AnySignalEvent } from '../journal/journal.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { chainRecord, type UnchainedRecord } from './log-records.ts';
import type { MarketPrices } from './ranking-signals.ts';
import { TrackRecords } from './track-records.ts';

const START = Date.UTC(2026, 2, 2);

let folder: string;
let store: Store;
let records: TrackRecords;
let tail = { n: -1, hash: NO_HASH };
let now = START;
let bid = 1.1;
let source = 'oanda';
beforeEach(async () => {
  folder = temporaryFolder();
  store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  records = new TrackRecords({
    store: store.signals,
    nameOf: (publisher) => `Name of ${publisher}`,
    isTrusted: trustedSources(),
  });
  [tail, now, bid, source] = [{ n: -1, hash: NO_HASH }, START, 1.1, 'oanda'];
  const opened = { type: 'opened', rules: 2, at: iso(now), log: 'log_1', realm: 'live', public_key: '00' } as const;
  await store.signals.write(write({ records: [append(opened)] }));
  await records.restore();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function append(record: UnchainedRecord<LogRecord>) {
  const stored = chainRecord(record, tail.n + 1, tail.hash);
  tail = stored;
  return stored;
}

const quote = (source: string) => ({ kind: 'quote', seq: 1, time: iso(now), bid: 1.1, ask: 1.1001, source }) as const;
const INSTRUMENT = { digits: 5, pip_size: 0.0001 };

/** A buy at 1.1001 with 100 pips of risk and 200 of reward, filled at once unless it is a limit. */
async function publish(publisher: string, over: Partial<PublishedRecord> = {}): Promise<PublishedRecord> {
  const record: UnchainedRecord<PublishedRecord> = {
    type: 'published',
    rules: 2,
    at: iso(now),
    signal: `sig_${tail.n + 1}`,
    publisher,
    symbol: 'EURUSD',
    direction: 'buy',
    entry: 1.1001,
    stop_loss: 1.0901,
    take_profit: 1.1201,
    order: 'market',
    entry_deadline: iso(now + DAY_MS),
    deadline: iso(now + 30 * DAY_MS),
    instrument: INSTRUMENT,
    quote: quote('oanda'),
    ...over,
  };
  const stored = append(record);
  const { signal: id, symbol, order } = record;
  const row = { id, publisher, symbol: asSymbol(symbol), order, at: now, quoteAt: now };
  await store.signals.write(write({ records: [stored], published: [publishedRow(stored.n, row)] }));
  announce('signal', stored.n);
  const signal = JSON.parse(stored.text) as PublishedRecord;
  if (order === 'market') await fill(signal);
  return signal;
}

async function fill(signal: PublishedRecord): Promise<void> {
  const { rules, signal: id, publisher, symbol, quote: filled } = signal;
  const common = { rules, at: iso(now), signal: id, publisher, symbol };
  const stored = append({ type: 'filled', ...common, entry_price: 1.1001, filled_at: iso(now), filled });
  const ofSignals = [{ n: stored.n, id, stream: 'filled' }] as const;
  await store.signals.write(write({ records: [stored], ofSignals, fills: [fillRow(id, now)] }));
  announce('signal_filled', stored.n);
}

/** A part of the position exits at 100 pips of profit. */
async function exit(signal: PublishedRecord, fraction: number): Promise<void> {
  const { rules, signal: id, publisher, symbol } = signal;
  const common = { rules, at: iso(now), signal: id, publisher, symbol, exited_at: iso(now), decided: quote('oanda') };
  const stored = append({ type: 'exited', ...common, target: 1, fraction, price: 1.1101 });
  await store.signals.write(write({ records: [stored], ofSignals: [{ n: stored.n, id, stream: 'changed' }] }));
  announce('signal_changed', stored.n);
}

async function close(signal: PublishedRecord, r: number, over: Partial<ClosedRecord> = {}): Promise<void> {
  const stored = append({
    type: 'closed',
    rules: 2,
    at: iso(now),
    signal: signal.signal,
    publisher: signal.publisher,
    symbol: signal.symbol,
    instrument: INSTRUMENT,
    reason: r > 0 ? 'take_profit' : 'stop_loss',
    entry_price: 1.1001,
    exit_price: Math.round((1.1001 + r * 0.01) * 1e5) / 1e5,
    last_exit: { fraction: 1, price: Math.round((1.1001 + r * 0.01) * 1e5) / 1e5 },
    closed_at: iso(now),
    pnl: r * 100,
    pnl_percent: r * 0.9,
    pnl_r: r,
    filled: null,
    decided: quote('oanda'),
    decided_seq: 2,
    ...over,
  });
  const row = { decidedAt: now, rankR: r };
  await store.signals.write(write({ records: [stored], closed: [closedRow(signal.signal, stored.n, row)] }));
  announce('signal_closed', stored.n);
}

async function voidSignal(signal: PublishedRecord): Promise<void> {
  const { rules, signal: id, publisher, symbol } = signal;
  const stored = append({ type: 'voided', rules, at: iso(now), signal: id, publisher, symbol, reason: 'bad tick' });
  const ofSignals = [{ n: stored.n, id, stream: 'closed' }] as const;
  await store.signals.write(write({ records: [stored], ofSignals, voided: [{ id, n: stored.n, at: now }] }));
  announce('signal_closed', stored.n);
}

const announce = (kind: AnySignalEvent['kind'], n: number): void =>
  records.read({ firstSeq: 1, source: '', events: [{ kind, n } as never] });

async function trades(publisher: string, results: readonly number[], symbol = 'EURUSD'): Promise<void> {
  for (const r of results) {
    const signal = await publish(publisher, { symbol });
    now += HOUR_MS;
    await close(signal, r);
  }
}

/** Ends the trial of a publisher with 3 R in total. */
async function endTrial(publisher: string): Promise<void> {
  for (let count = 0; count < 30; count++) {
    await trades(publisher, [0.1]);
    now += DAY_MS;
  }
}

/** A market with one price, and minute bars that once fell by 150 pips. */
const market: MarketPrices = {
  get time() {
    return now;
  },
  quoteSource: () => source,
  tick: (symbol) => ({ kind: 'tick', symbol, time: asEpochMs(now), bid, ask: bid + 0.0001 }) as TickEvent,
  recent: (_symbol, _timeframe, from, to) =>
    [START + 5 * MINUTE_MS]
      .filter((time) => time >= from && time <= to)
      .map((time) => ({ time: asEpochMs(time), open: 1.1, high: 1.101, low: 1.0851, close: 1.1 }) as never),
};
/** The ranking is kept for a second, so each question comes later than the one before. */
let asked = 0;
const valuation = () => ({ market, now: now + 2_000 * ++asked });

async function list(query: Record<string, unknown> = {}): Promise<PublisherList> {
  const found = await records.list(PublishersQuery.parse(query), valuation());
  expect(PublisherList.parse(found)).toEqual(found);
  return found;
}
const names = async (query: Record<string, unknown> = {}) => (await list(query)).items.map((each) => each.publisher);

async function detail(publisher: string, risk = 1): Promise<PublisherDetail> {
  const found = (await records.detail(publisher, risk, valuation()))!;
  expect(PublisherDetail.parse(found)).toEqual(found);
  return found;
}

describe('a track record', () => {
  test('has figures, decisions, months and equity from the log', async () => {
    await trades('pub_a', [2, -1, 2]);
    const record = await detail('pub_a', 2);
    expect(record).toMatchObject({
      name: 'Name of pub_a',
      status: 'unproven',
      decisions: 3,
      ranked_signals: 3,
      total_r: 3,
      open_r: 0,
      worst_open_r: null,
      drawdown_r: 0,
      voided: 0,
      months: [{ month: '2026-03', decisions: 3, r: 3, percent: 6 }],
      equity_now: { total_r: 3, open: 0 },
    });
    expect(record.equity.map(({ total_r }) => total_r)).toEqual([2, 1, 3]);
    expect(record.instruments).toMatchObject([{ symbol: 'EURUSD', ranked_signals: 3, max_drawdown_r: 1 }]);
    expect(await records.equity('pub_a')).toEqual(record.equity);
    expect(await records.detail('pub_b', 1, valuation())).toBeUndefined();
  });

  test('marks open signals at the exit side, and counts an open loss', async () => {
    await trades('pub_a', [2]);
    now += MINUTE_MS;
    await publish('pub_a');
    bid = 1.0951;
    expect(await detail('pub_a')).toMatchObject({
      open_r: -0.5,
      worst_open_r: -0.5,
      drawdown_r: 0.5,
      decisions: 2,
      equity_now: { total_r: 1.5, open: 1 },
      exposure: [
        { asset: 'EUR', net_r: 1, signals: 1 },
        { asset: 'USD', net_r: -1, signals: 1 },
      ],
    });
    bid = 1.1051;
    expect(await detail('pub_a')).toMatchObject({ open_r: 0.5, decisions: 1, drawdown_r: 0 });
  });

  test('finds the worst excursion in the minute bars after the fill', async () => {
    await publish('pub_a');
    now += 10 * MINUTE_MS;
    expect(await detail('pub_a')).toMatchObject({ open_r: -0.01, worst_open_r: -1.5 });
    await publish('pub_b');
    now += 10 * MINUTE_MS;
    expect(await detail('pub_b')).toMatchObject({ worst_open_r: -0.01 });
  });

  test('counts the R for ranking in the evidence, and not in the figures', async () => {
    await endTrial('pub_a');
    // A spread of 40 pips: 200 pips of profit are 0.5 R for ranking.
    const wide = { ...quote('oanda'), bid: 1.0961, ask: 1.1001 };
    await close(await publish('pub_a', { quote: wide }), 2);
    const { e_value, total_r } = await detail('pub_a');
    // 1 + 0.11 · 0.5
    expect([e_value, total_r]).toEqual([1.055, 5]);
  });

  test('values an open loss with a risk of at least ten spreads', async () => {
    await endTrial('pub_a');
    // 100 pips of risk, but the spread of this quote is 40 pips: 400 pips for ranking.
    await publish('pub_a', { quote: { ...quote('oanda'), bid: 1.0961, ask: 1.1001 } });
    bid = 1.0601;
    const { e_value, open_r } = await detail('pub_a');
    expect([e_value, open_r]).toEqual([0.89, -4]);
  });

  test('counts an open signal as a whole loss while the price was pushed', async () => {
    await endTrial('pub_a');
    await publish('pub_a');
    bid = 1.0951;
    const { e_value } = await detail('pub_a');
    [bid, source] = [1.1101, 'push:pub_friend'];
    const pushed = await detail('pub_a');
    // 1 − 0.11 instead of 1 − 0.11 · 0.5
    expect([e_value, pushed.e_value, pushed.decisions]).toEqual([0.945, 0.89, 31]);
  });

  test('shows the conditions of the trial, and then its number and the e-value for a rank', async () => {
    await trades('pub_a', [2, -1]);
    expect((await detail('pub_a')).progress).toEqual({
      trial_ended_at: null,
      number: null,
      decisions: 2,
      days: 1,
      sum_r: 1,
      need: 20,
      further: null,
    });
    await endTrial('pub_b');
    await endTrial('pub_a');
    await trades('pub_a', [1]);
    const ended = { number: 2, decisions: 3, days: null, sum_r: null, need: 40, further: null };
    const before = (await detail('pub_a')).progress;
    expect(before).toMatchObject(ended);
    await records.restore();
    expect((await detail('pub_a')).progress).toEqual(before);
  });

  test('reserves for the highest R that the targets allow', async () => {
    await endTrial('pub_a');
    const targets = [
      { price: 1.1801, fraction: 0.5 },
      { price: 1.2001, fraction: 0.5 },
    ];
    const signal = await publish('pub_a', { targets, take_profit: 1.2001 });
    await close(signal, -1);
    // 9 R: at most a wealth of 1 / 11 is staked, by the six greatest fractions.
    expect((await detail('pub_a')).e_value).toBe(
      Number((1 - (0.02 + 0.04 + 0.06 + 0.08 + 6 / 11) / 10).toPrecision(4)),
    );
  });

  test('values what is still open after a partial exit', async () => {
    const signal = await publish('pub_a');
    await exit(signal, 0.5);
    bid = 1.1001;
    expect((await detail('pub_a')).open_r).toBe(0.5);
  });

  test('removes the result of a signal that is voided, before or after it closed', async () => {
    const closedBefore = await publish('pub_a');
    await close(closedBefore, 2);
    const open = await publish('pub_a');
    await voidSignal(closedBefore);
    await voidSignal(open);
    const after = await detail('pub_a');
    expect(after).toMatchObject({ decisions: 0, total_r: 0, open_r: 0, voided: 2 });
    await records.restore();
    expect(await detail('pub_a')).toMatchObject({ decisions: 0, total_r: 0, open_r: 0, voided: 2 });
  });

  test('removes exactly the result that a voided signal had when it closed', async () => {
    // One decision of two signals, the second with a partial exit.
    const first = await publish('pub_a');
    const second = await publish('pub_a');
    await exit(second, 0.5);
    await close(first, 2);
    // The other half exits at −2 R: −0.5 R in all.
    await close(second, -2, { pnl_r: -0.5, last_exit: { fraction: 0.5, price: 1.0801 } });
    expect((await detail('pub_a')).progress.sum_r).toBe(0.75);
    await voidSignal(second);
    expect((await detail('pub_a')).progress.sum_r).toBe(2);
    await records.restore();
    expect((await detail('pub_a')).progress.sum_r).toBe(2);
  });

  test('does not reopen a trial when a signal is voided after it, before and after a restart', async () => {
    const won = await publish('pub_a');
    await close(won, 5);
    for (let count = 1; count < 30; count++) {
      now += DAY_MS;
      await trades('pub_a', [-0.1]);
    }
    const { trial_ended_at } = (await detail('pub_a')).progress;
    expect(trial_ended_at).not.toBeNull();
    await voidSignal(won);
    expect((await detail('pub_a')).progress.trial_ended_at).toBe(trial_ended_at);
    await records.restore();
    expect((await detail('pub_a')).progress.trial_ended_at).toBe(trial_ended_at);
  });

  test('leaves out untrusted prices', async () => {
    await close(await publish('pub_a', { quote: quote('push:pub_x') }), 2);
    await close(await publish('pub_a'), 2, { decided: quote('push:pub_a'), self_sourced: true });
    expect(await detail('pub_a')).toMatchObject({
      decisions: 1,
      total_r: -1,
      unranked: 1,
      losses: 1,
      warnings: [{ code: 'untrusted_prices' }],
    });
  });

  test('learns of the fill of a pending signal', async () => {
    const pending = await publish('pub_a', { order: 'limit' });
    bid = 1.0951;
    expect((await detail('pub_a')).open_r).toBe(0);
    await fill(pending);
    expect((await detail('pub_a')).open_r).toBe(-0.5);
    await records.restore();
    expect((await detail('pub_a')).open_r).toBe(-0.5);
  });

  test('is the same after a restart', async () => {
    await trades('pub_a', [2, -1]);
    await publish('pub_a');
    const before = await detail('pub_a');
    await records.restore();
    const { equity_now, ...after } = await detail('pub_a');
    expect({ ...after, equity_now: before.equity_now }).toEqual(before);
  });
});

describe('the list', () => {
  beforeEach(async () => {
    await trades('pub_a', [1, 1]);
    await trades('pub_b', [2, -1, -1, 2], 'XAUUSD');
    now += 60 * DAY_MS;
    await trades('pub_c', Array<number>(10).fill(-1));
    await trades('pub_b', [1], 'EURUSD');
  });

  test('is in the order of evidence by default, with pages', async () => {
    const all = ['pub_a', 'pub_b', 'pub_c'];
    expect((await names()).toSorted()).toEqual(all);
    const order = await names();
    const first = await list({ limit: '2' });
    expect([first.items.map((each) => each.publisher), first.count, first.total, first.next]).toEqual([
      order.slice(0, 2),
      2,
      3,
      2,
    ]);
    const second = await list({ limit: '2', offset: '2' });
    expect([second.items.map((each) => each.publisher), second.next]).toEqual([order.slice(2), null]);
    expect(first.time_waived).toBe(false);
  });

  test('filters by symbol and shows the figures of that symbol', async () => {
    const { items } = await list({ symbol: 'xauusd' });
    expect(items).toMatchObject([{ publisher: 'pub_b', signals: 4, total_r: 2, decisions: 5 }]);
    expect(await names({ symbol: 'GBPUSD' })).toEqual([]);
  });

  test('filters by period, decisions, drawdown and status', async () => {
    const { items } = await list({ period: '30', sort: 'name' });
    expect(items.map(({ publisher, ranked_signals }) => [publisher, ranked_signals])).toEqual([
      ['pub_a', 0],
      ['pub_b', 1],
      ['pub_c', 10],
    ]);
    expect((await list({ period: '365', symbol: 'EURUSD', sort: 'name' })).items.map((each) => each.total_r)).toEqual([
      2, 1, -10,
    ]);
    expect(await names({ min_decisions: '5', sort: 'name' })).toEqual(['pub_b', 'pub_c']);
    expect(await names({ max_drawdown: '2', sort: 'name' })).toEqual(['pub_a', 'pub_b']);
    expect(await names({ max_drawdown: '1.9999' })).toEqual(['pub_a']);
    expect(await names({ status: 'losing,ranked' })).toEqual(['pub_c']);
  });

  test('sorts by any field, in both orders, without a value last', async () => {
    expect(await names({ sort: 'total_r' })).toEqual(['pub_b', 'pub_a', 'pub_c']);
    expect(await names({ sort: 'total_r', order: 'asc' })).toEqual(['pub_c', 'pub_a', 'pub_b']);
    expect(await names({ sort: 'decisions' })).toEqual(['pub_c', 'pub_b', 'pub_a']);
    expect(await names({ sort: 'name', order: 'desc' })).toEqual(['pub_c', 'pub_b', 'pub_a']);
    expect(await names({ sort: 'max_drawdown_r' })).toEqual(['pub_a', 'pub_b', 'pub_c']);
    // pub_a has lost nothing.
    expect(await names({ sort: 'profit_factor' })).toEqual(['pub_b', 'pub_c', 'pub_a']);
    expect(await names({ sort: 'profit_factor', order: 'asc' })).toEqual(['pub_c', 'pub_b', 'pub_a']);
  });

  test('rejects unknown values', () => {
    for (const query of [
      { period: '31' },
      { sort: 'luck' },
      { status: 'best' },
      { max_drawdown: '-1' },
      { offset: '-1' },
    ])
      expect(PublishersQuery.safeParse(query).success).toBe(false);
  });
});
