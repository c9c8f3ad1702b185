// What was recorded is handed on at the next start, with seq and source, to whoever has to judge by it.
import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { asEpochMs, asSymbol, CATALOGUE, Engine, type MarketSymbol, type QuoteEvent } from '@tickwire/engine';
import { Intake } from '../journal/intake.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { silentLog } from '../ops/log.ts';
import { temporaryFolder } from '../testing/service.fixture.ts';
import { MarketView } from '../views/market-view.ts';
import { Recorder } from './recorder.ts';
import { type RestoredRecord, restoreMarket } from './restore.ts';
import { openSqliteStore } from './sqlite/open.ts';
import type { Store } from './store.ts';

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

test('the judge hears of every tick and minute of several sources in the order of seq, once the market stands', async () => {
  const store = openStore();
  const { engine, recorder } = parts(store);
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
  journal.subscribe(recorder.read);
  const intake = new Intake({ instruments: CATALOGUE, engine, journal, log: silentLog, now: () => NOON + 200_000 });
  const [oanda, anna, bert] = ['oanda', 'push:pub_anna', 'push:pub_bert'].map((source) => intake.from(source));
  intake.clock(NOON);
  oanda!.fill([{ kind: 'minute', symbol: EURUSD, bar: { ...bar, time: asEpochMs(NOON) } }]);
  oanda!.accept([quote(EURUSD, 60_000, 1.1), quote(XAUUSD, 60_001, 1.2)]);
  await recorder.flush();
  anna!.accept([quote(EURUSD, 60_500, 1.11), { ...trade, time: asEpochMs(NOON + 61_000) }]);
  // One that comes late, after the next minute has begun.
  bert!.accept([quote(EURUSD, 120_001, 1.13), quote(EURUSD, 119_000, 1.12)]);
  anna!.accept([quote(XAUUSD, 120_002, 1.21)]);
  await recorder.flush();
  await store.close();

  const again = openStore();
  const restoring = parts(again);
  const heard: RestoredRecord[] = [];
  const standing: unknown[] = [];
  const restored = await restoreMarket({
    ...restoring,
    judge: (record) => {
      heard.push(record);
      standing.push(restoring.view.tick(XAUUSD)?.bid);
    },
  });
  expect(heard.map(({ event, source }) => [event.kind, event.symbol as string, source])).toEqual([
    ['minute', 'EURUSD', 'oanda'],
    ['quote', 'EURUSD', 'oanda'],
    ['quote', 'XAUUSD', 'oanda'],
    ['quote', 'EURUSD', 'push:pub_anna'],
    ['trade', 'XAUUSD', 'push:pub_anna'],
    ['quote', 'EURUSD', 'push:pub_bert'],
    ['quote', 'EURUSD', 'push:pub_bert'],
    ['quote', 'XAUUSD', 'push:pub_anna'],
  ]);
  const seqs = heard.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(heard[6]!.event).toEqual(quote(EURUSD, 119_000, 1.12));
  expect(new Set(standing)).toEqual(new Set([1.21]));
  expect(restored).toEqual({ until: asEpochMs(NOON + 120_002), ticks: 8, seq: seqs.at(-1)! });
  await again.close();
});

test('a minute that still ran is told to the judge, is no bar, and says nothing of the time after it', async () => {
  const own = temporaryFolder();
  const open = (): Store => openSqliteStore({ folder: own, realm: 'live', exclusive: true });
  const store = open();
  const { engine, recorder } = parts(store);
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
  journal.subscribe(recorder.read);
  const intake = new Intake({ instruments: CATALOGUE, engine, journal, log: silentLog, now: () => NOON + 30_000 });
  const oanda = intake.from('oanda');
  intake.clock(NOON);
  oanda.accept([quote(XAUUSD, 5_000, 1.2)]);
  const running = { ...bar, time: asEpochMs(NOON), bidVolume: 0, partial: true as const };
  oanda.fill([{ kind: 'minute', symbol: EURUSD, bar: running }]);
  await recorder.flush();
  await store.close();

  const again = open();
  const restoring = parts(again);
  const heard: RestoredRecord[] = [];
  const restored = await restoreMarket({ ...restoring, judge: (record) => heard.push(record) });
  expect(heard[1]).toEqual({
    seq: heard[1]!.seq,
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
