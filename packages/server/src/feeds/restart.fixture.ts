// The service between its feeds and its store, run after run over one folder, at a time of the test's choosing.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { Engine, type InstrumentSpec, type MarketSymbol } from '@tickwire/engine';
import { loadConfig } from '../config.ts';
import { coverageOf } from '../http/coverage.ts';
import { loadInstruments } from '../instruments.ts';
import { Intake } from '../journal/intake.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { silentLog as log } from '../ops/log.ts';
import { Recorder } from '../store/recorder.ts';
import { type RestoredRecord, restoreMarket } from '../store/restore.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import type { MarketStore } from '../store/store.ts';
import { type Settings, temporaryFolder } from '../testing/service.fixture.ts';
import { MarketView } from '../views/market-view.ts';
import { type FeedSet, openFeeds } from './open.ts';
import { until } from './venues/reference-loop.fixture.ts';

export interface Run {
  /** What entered the journal, but for bars and clocks. */
  readonly events: readonly JournalEvent[];
  /** What the tape of earlier runs had. */
  readonly judged: readonly RestoredRecord[];
  readonly set: FeedSet;
  readonly store: MarketStore;
  readonly view: MarketView;
  readonly recorder: Recorder;
  /** Resolves once every feed is connected and has taken in what was missed. */
  live(): Promise<void>;
  /** It is so late now, and the service looks at its clock. */
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

  /** One run with the venues and other settings given. */
  async run(settings: Settings, venues: object, scene: (run: Run) => Promise<void>): Promise<void> {
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
    const judged: RestoredRecord[] = [];
    const judge = (record: RestoredRecord): void => void judged.push(record);
    const restored = await restoreMarket({ store, instruments, engine, view, recorder, judge });
    const events: JournalEvent[] = [];
    journal.subscribe(view.read);
    journal.subscribe(recorder.read);
    journal.subscribe((batch) => events.push(...batch.events.filter(({ kind }) => kind !== 'bar' && kind !== 'clock')));
    const set = await openFeeds({ config, instruments, engine, view, store, recorder, intake, restored, log, now });
    recorder.connected = () => set.connected(now());
    const passTime = (): void => {
      const clock = set.clock(now());
      if (clock !== null) intake.clock(clock);
    };
    passTime();
    await recorder.flush();
    set.start();
    try {
      await scene({
        events,
        judged,
        set,
        store,
        view,
        recorder,
        async live() {
          await until(() => set.feeds.every((feed) => feed.status().state === 'live'), 'the feeds');
          await until(() => set.clock(now()) !== null, 'what was missed');
        },
        at: (time) => {
          this.time = time;
          passTime();
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

/** `12:10 2 missing`: from when, how many bars, why. */
async function coverage(
  market: { readonly store: MarketStore; readonly view: MarketView },
  spec: InstrumentSpec,
  timeframe: Timeframe,
  { from, to, now }: { readonly from: number; readonly to: number; readonly now: number },
): Promise<string[]> {
  const options = { ...market, simulated: false, alwaysOpen: false };
  const query = { timeframe, from, to, before: undefined };
  const { bars, absent } = await coverageOf(options, spec, query, now);
  const expected = (to - from) / TIMEFRAME_MS[timeframe] - absent.reduce((sum, each) => sum + each.bars, 0);
  if (bars !== expected) throw new Error(`${bars} bars are there, ${expected} are not absent`);
  return absent.map((each) => `${each.from.slice(11, 16)} ${each.bars} ${each.reason}`);
}
