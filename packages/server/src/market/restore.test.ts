// Recorded events are passed to the judge at the next start, with seq and source.
import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import {
  asEpochMs,
  asSymbol,
  CATALOGUE,
  DAY_MS,
  Engine,
  type MarketSymbol,
  MINUTE_MS,
  type QuoteEvent,
} from '@tickwire/engine';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { silentLog } from '../ops/log.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { Intake } from './intake.ts';
import { MarketView } from './market-view.ts';
import { Recorder } from './recorder.ts';
import { clockProblem, type RestoredRecord, restoreMarket } from './restore.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOON = Date.UTC(2026, 2, 4, 12);
const EURUSD = asSymbol('EURUSD');
const XAUUSD = asSymbol('XAUUSD');
const quote = (symbol: MarketSymbol, ms: number, bid: number): QuoteEvent => ({
  kind: 'quote',
  symbol,
  time: asEpochMs(NOON + ms),
  bid,
  ask: bid + 1,
  bidSize: 0,
  askSize: 0,
});
const trade = { kind: 'trade', symbol: XAUUSD, price: 1.5, size: 2, side: 'buy', sideMethod: null } as const;
const bar = { open: 1, high: 2, low: 1, close: 2, volume: 5, bidVolume: 5, askVolume: 0, basis: 'trade' } as const;

const openStore = (): Store => openSqliteStore({ folder, realm: 'live', exclusive: true });
const parts = ({ market: store }: Store) => ({
  store,
  instruments: CATALOGUE,
  engine: new Engine(CATALOGUE),
  view: new MarketView(CATALOGUE),
  recorder: new Recorder({ store, instruments: CATALOGUE, log: silentLog, barsUntil: 0 }),
});

test('passes every tick and minute of all sources to the judge in the order of seq, after the market is restored', async () => {
  const store = openStore();
  const { engine, recorder } = parts(store);
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
  journal.subscribe(recorder.read);
  const intake = new Intake({ instruments: CATALOGUE, engine, journal, log: silentLog, now: () => NOON + 200_000 });
  const [oanda, anna, bert] = ['oanda', 'push:pub_anna', 'push:pub_bert'].map((source) => intake.sinkFor(source));
  intake.clock(NOON);
  oanda!.fill([{ kind: 'minute', symbol: EURUSD, bar: { ...bar, time: asEpochMs(NOON) } }]);
  oanda!.accept([quote(EURUSD, 60_000, 1.1), quote(XAUUSD, 60_001, 1.2)]);
  await recorder.flush();
  anna!.accept([quote(EURUSD, 60_500, 1.11), { ...trade, time: asEpochMs(NOON + 61_000) }]);
  // A late tick, after the next minute has started.
  bert!.accept([quote(EURUSD, 120_001, 1.13), quote(EURUSD, 119_000, 1.12)]);
  anna!.accept([quote(XAUUSD, 120_002, 1.21)]);
  await recorder.flush();
  await store.close();

  const again = openStore();
  const restoring = parts(again);
  const judged: RestoredRecord[] = [];
  const bidsInView: unknown[] = [];
  const restored = await restoreMarket({
    ...restoring,
    judge: (record) => {
      judged.push(record);
      bidsInView.push(restoring.view.tick(XAUUSD)?.bid);
    },
  });
  expect(judged.map(({ event, source }) => [event.kind, (event as QuoteEvent).symbol as string, source])).toEqual([
    ['minute', 'EURUSD', 'oanda'],
    ['quote', 'EURUSD', 'oanda'],
    ['quote', 'XAUUSD', 'oanda'],
    ['quote', 'EURUSD', 'push:pub_anna'],
    ['trade', 'XAUUSD', 'push:pub_anna'],
    ['quote', 'EURUSD', 'push:pub_bert'],
    ['quote', 'EURUSD', 'push:pub_bert'],
    ['quote', 'XAUUSD', 'push:pub_anna'],
  ]);
  const seqs = judged.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(judged[6]!.event).toEqual(quote(EURUSD, 119_000, 1.12));
  expect(new Set(bidsInView)).toEqual(new Set([1.21]));
  expect(restored).toEqual({ until: asEpochMs(NOON + 120_002), ticks: 8, seq: seqs.at(-1)! });
  await again.close();
});

test('passes a running minute to the judge, without a bar and without extending the known time', async () => {
  const own = temporaryFolder();
  const open = (): Store => openSqliteStore({ folder: own, realm: 'live', exclusive: true });
  const store = open();
  const { engine, recorder } = parts(store);
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
  journal.subscribe(recorder.read);
  const intake = new Intake({ instruments: CATALOGUE, engine, journal, log: silentLog, now: () => NOON + 30_000 });
  const oanda = intake.sinkFor('oanda');
  intake.clock(NOON);
  oanda.accept([quote(XAUUSD, 5_000, 1.2)]);
  const running = { ...bar, time: asEpochMs(NOON), bidVolume: 0, partial: true as const };
  oanda.fill([{ kind: 'minute', symbol: EURUSD, bar: running }]);
  await recorder.flush();
  await store.close();

  const again = open();
  const restoring = parts(again);
  const judged: RestoredRecord[] = [];
  const restored = await restoreMarket({ ...restoring, judge: (record) => judged.push(record) });
  expect(judged[1]).toEqual({
    seq: judged[1]!.seq,
    event: { kind: 'minute', symbol: EURUSD, bar: running },
    source: 'oanda',
  });
  expect(restored!.until).toBe(asEpochMs(NOON + 5_000));
  expect([restoring.engine.forming(EURUSD, '1m'), restoring.view.recent(EURUSD, '1m', 0, NOON + 60_000)]).toEqual([
    null,
    [],
  ]);
  await again.close();
  rmSync(own, { recursive: true, force: true });
});

test('a store that is ahead of the clock is named with its end and the difference', () => {
  const now = Date.UTC(2026, 2, 4, 12);
  expect([clockProblem(0, now), clockProblem(now, now), clockProblem(now + MINUTE_MS, now)]).toEqual([
    null,
    null,
    null,
  ]);
  expect(clockProblem(now + 90 * MINUTE_MS, now)).toBe(
    'the stored market data ends at 2026-03-04T13:30:00.000Z, 90 min ahead of the clock of this machine: the markets stand still until then. Correct the clock, or restore a backup',
  );
  expect(clockProblem(now + 60 * DAY_MS, now)).toContain('60 days ahead of the clock');
});
