// The market part of the service, from feeds to store: several runs over one folder, on a test clock.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { Engine, type InstrumentSpec, type MarketSymbol } from '@tickwire/engine';
import { loadConfig } from '../../src/config/config.ts';
import { coverageOf } from '../../src/history/coverage.ts';
import type { JournalEvent } from '../../src/journal/journal.ts';
import { MemoryJournal } from '../../src/journal/memory-journal.ts';
import { type FeedSet, openFeeds } from '../../src/market/feeds/open-feeds.ts';
import { loadInstruments } from '../../src/market/instruments.ts';
import { Intake } from '../../src/market/intake.ts';
import { MarketView } from '../../src/market/market-view.ts';
import { PerpetualIntake } from '../../src/market/perpetual-intake.ts';
import { Recorder } from '../../src/market/recorder.ts';
import { type RestoredRecord, restoreMarket } from '../../src/market/restore.ts';
import { silentLog as log } from '../../src/ops/log.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { MarketStore } from '../../src/store/store.ts';
import { type Settings, temporaryFolder } from '../service.fixture.ts';
import { until } from './reference-loop.fixture.ts';

export interface Run {
  /** Journal events without bars and clock events. */
  readonly events: readonly JournalEvent[];
  /** Records restored from the tape of earlier runs. */
  readonly restored: readonly RestoredRecord[];
  readonly set: FeedSet;
  readonly store: MarketStore;
  readonly view: MarketView;
  readonly recorder: Recorder;
  /** Resolves once every feed is connected and its backfill is done. */
  live(): Promise<void>;
  /** Sets the time and advances the market clock. */
  at(time: number): void;
  coverage(symbol: MarketSymbol, timeframe: Timeframe, from: number, to: number): Promise<string[]>;
}

export class Restarts implements Disposable {
  time: number;
  readonly now = (): number => this.time;
  readonly #folder = temporaryFolder();

  constructor(time = Date.now()) {
    this.time = time;
  }

  /** One run with the given settings and venues. */
  async run(settings: Settings, venues: object, test: (run: Run) => Promise<void>): Promise<void> {
    const file = join(this.#folder, 'tickwire.json');
    writeFileSync(file, JSON.stringify({ venues }));
    const config = loadConfig({
      flags: { ...settings, data: this.#folder, config: file },
      env: {},
      cwd: this.#folder,
    });
    const instruments = loadInstruments(config);
    const { market: store, close } = openSqliteStore({ folder: this.#folder, realm: config.realm, exclusive: true });
    const { now } = this;
    const engine = new Engine(instruments);
    const view = new MarketView(instruments);
    const barsUntil = (await store.number('bars_until')) ?? 0;
    const recorder = new Recorder({ store, instruments, log, barsUntil });
    const reserved = {
      load: async () => (await store.number('seq_reserved')) ?? 1,
      save: (ceiling: number) => store.setNumber('seq_reserved', ceiling),
    };
    const journal = await MemoryJournal.open(reserved, log);
    const intake = new Intake({ instruments, engine, journal, log, now });
    const records: RestoredRecord[] = [];
    const judge = (record: RestoredRecord): void => void records.push(record);
    const restored = await restoreMarket({ store, instruments, engine, view, recorder, judge });
    const events: JournalEvent[] = [];
    journal.subscribe(view.read);
    journal.subscribe(recorder.read);
    journal.subscribe((batch) => events.push(...batch.events.filter(({ kind }) => kind !== 'bar' && kind !== 'clock')));
    const perpetuals = new PerpetualIntake(journal);
    const parts = { config, instruments, engine, view, store, recorder, intake, perpetuals, restored };
    const set = await openFeeds({ ...parts, log, now });
    recorder.connected = () => set.connected(now());
    const advanceClock = (): void => {
      const clock = set.clock(now());
      if (clock !== null) intake.clock(clock);
    };
    advanceClock();
    await recorder.flush();
    set.start();
    try {
      await test({
        events,
        restored: records,
        set,
        store,
        view,
        recorder,
        async live() {
          await until(() => set.feeds.every((feed) => feed.status().state === 'live'), 'the feeds');
          await until(() => set.clock(now()) !== null, 'the backfill');
        },
        at: (time) => {
          this.time = time;
          advanceClock();
        },
        coverage: (symbol, timeframe, from, to) => {
          const spec = instruments.find((each) => each.symbol === symbol)!;
          return coverage({ store, view }, spec, timeframe, { from, to, now: now() });
        },
      });
    } finally {
      set.stop();
      await recorder.flush();
      await close();
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** `12:10 2 missing`: start, number of bars, reason. */
async function coverage(
  market: { readonly store: MarketStore; readonly view: MarketView },
  spec: InstrumentSpec,
  timeframe: Timeframe,
  { from, to, now }: { readonly from: number; readonly to: number; readonly now: number },
): Promise<string[]> {
  const options = { ...market, simulated: false, alwaysOpen: false, venueSymbols: new Set([spec.symbol]) };
  const query = { timeframe, from, to, before: undefined };
  const { bars, absent } = await coverageOf(options, spec, query, now);
  const expected = (to - from) / TIMEFRAME_MS[timeframe] - absent.reduce((sum, each) => sum + each.bars, 0);
  if (bars !== expected) throw new Error(`${bars} bars, expected ${expected}`);
  return absent.map((each) => `${each.from.slice(11, 16)} ${each.bars} ${each.reason}`);
}
