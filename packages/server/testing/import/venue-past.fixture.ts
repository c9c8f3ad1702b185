// The past of a fake exchange, and the parts of the service that record its live trades and fetch its history: several runs over
// one folder, on a test clock.
import { rmSync } from 'node:fs';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import {
  asEpochMs,
  asSymbol,
  type Bar,
  DAY_MS,
  Engine,
  HOUR_MS,
  type MarketSymbol,
  MINUTE_MS,
  roundSize,
  type TradeEvent,
} from '@tickwire/engine';
import { VenueHistory } from '../../src/import/venue/venue-history.ts';
import type { JournalEvent } from '../../src/journal/journal.ts';
import { MemoryJournal } from '../../src/journal/memory-journal.ts';
import type { VenueConnector } from '../../src/market/feeds/connector.ts';
import { loadInstruments } from '../../src/market/instruments.ts';
import { Intake } from '../../src/market/intake.ts';
import { MarketView } from '../../src/market/market-view.ts';
import { Recorder } from '../../src/market/recorder.ts';
import { restoreMarket } from '../../src/market/restore.ts';
import { silentLog as log } from '../../src/ops/log.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { MarketStore } from '../../src/store/store.ts';
import type { FakeTrade } from '../feeds/fake-tape.fixture.ts';
import { FakeVenue } from '../feeds/fake-venue.fixture.ts';
import { until } from '../feeds/reference-loop.fixture.ts';
import { connectorFor, VENUES_UNDER_TEST, type VenueUnderTest } from '../feeds/venues-under-test.fixture.ts';
import { temporaryFolder } from '../service.fixture.ts';

export const BTC = asSymbol('BTCUSDT');
export const ETH = asSymbol('ETHUSDT');
/** A Wednesday, long ago: bars count as closed by the real time. */
export const STARTED = Date.UTC(2025, 10, 19, 10, 7, 23);

export interface PastRun {
  readonly store: MarketStore;
  readonly view: MarketView;
  readonly history: VenueHistory;
  readonly events: readonly JournalEvent[];
  /** Moves the time to `time`, minute by minute, with a recorded trade every 20 seconds unless it is disconnected. */
  live(time: number): Promise<void>;
  setConnected(isConnected: boolean): void;
  /** Fetches until nothing is missing. */
  fetchAll(): Promise<void>;
}

export class VenuePast implements AsyncDisposable {
  time = STARTED - 1_500 * DAY_MS;
  readonly fake: FakeVenue;
  readonly connector: VenueConnector;
  readonly folder = temporaryFolder();
  readonly #venue: VenueUnderTest;
  /** Of the trades: BTC, if the venue is Binance. */
  readonly #symbol: MarketSymbol;

  /** A trade a day for four years, one an hour for 400 days, one each other minute for 8 days, and one in the minute of the start. */
  constructor(venue: VenueUnderTest = VENUES_UNDER_TEST.find(({ name }) => name === 'binance')!) {
    this.#venue = venue;
    this.#symbol = asSymbol(venue.instrument);
    this.fake = new FakeVenue(venue.protocol(), { now: () => this.time });
    this.connector = connectorFor(venue, this.fake);
    this.#trades(STARTED - 400 * DAY_MS, DAY_MS);
    this.#trades(STARTED - 8 * DAY_MS, HOUR_MS);
    this.#trades(STARTED - MINUTE_MS, 2 * MINUTE_MS);
    this.time = STARTED - 10_000;
    this.fake.tape.make(venue.btc, 1);
    this.time = STARTED;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fake[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Bars of all trades of the venue that lie from `from` on and before `to`. */
  barsOf(timeframe: Timeframe, from: number, to: number): Bar[] {
    const length = TIMEFRAME_MS[timeframe];
    const inside = this.fake.tape.of(this.#venue.btc).filter((trade) => msOf(trade) >= from && msOf(trade) < to);
    return [...Map.groupBy(inside, (trade) => msOf(trade) - (msOf(trade) % length))].map(([time, trades]) => {
      const prices = trades.map(({ price }) => Number(price));
      const sum = (taker?: 'buy' | 'sell') =>
        roundSize(trades.reduce((all, each) => all + (!taker || each.taker === taker ? Number(each.size) : 0), 0));
      return {
        ...{ time: asEpochMs(time), open: prices[0]!, high: Math.max(...prices), low: Math.min(...prices) },
        ...{ close: prices.at(-1)!, volume: sum(), bidVolume: sum('sell'), askVolume: sum('buy'), basis: 'trade' },
      } as Bar;
    });
  }

  async run(
    test: (run: PastRun) => Promise<void>,
    {
      connectors = [this.connector],
      symbols = [this.#symbol],
    }: { connectors?: VenueConnector[]; symbols?: MarketSymbol[] } = {},
  ): Promise<void> {
    const { name, btc } = this.#venue;
    // Bars of trades, whatever the venue calls its market.
    const known = loadInstruments({
      ...{ data: '/nonexistent', feeds: ['binance'], venues: {}, instruments: null, realm: 'live' },
    });
    const coin = known.find(({ symbol }) => symbol === BTC)!;
    const instruments = symbols.map(
      (symbol) => known.find((spec) => spec.symbol === symbol && spec.bars) ?? { ...coin, symbol },
    );
    const { market: store, close } = openSqliteStore({ folder: this.folder, realm: 'live', exclusive: true });
    const now = () => this.time;
    const engine = new Engine(instruments);
    const view = new MarketView(instruments);
    const recorder = new Recorder({ store, instruments, log, barsUntil: (await store.number('bars_until')) ?? 0 });
    const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, log);
    const intake = new Intake({ instruments, engine, journal, log, now });
    await store.gatherTape(0);
    await restoreMarket({ store, instruments, engine, view, recorder });
    let isConnected = true;
    const connected = () => (isConnected ? symbols : []);
    recorder.connected = connected;
    const events: JournalEvent[] = [];
    journal.subscribe(view.read);
    journal.subscribe(recorder.read);
    journal.subscribe((batch) => events.push(...batch.events));
    const feeds = { connected, historyOf: () => connectors };
    const history = await VenueHistory.open({ instruments, feeds, store, view, recorder, intake, log, now });
    intake.clock(this.time);
    try {
      await test({
        ...{ store, view, history, events },
        live: async (time) => {
          while (this.time < time) {
            const next = Math.min(time, this.time + 20_000);
            this.time = next;
            const trades = this.fake.tape.make(btc, 1).map((trade) => tradeOf(trade, this.#symbol));
            if (isConnected) intake.accept(trades, name);
            intake.clock(this.time);
            if (this.time % MINUTE_MS < 20_000) await recorder.flush();
          }
        },
        setConnected: (value) => {
          isConnected = value;
          const time = asEpochMs(this.time);
          if (!value) intake.accept([{ kind: 'disconnect', symbols: [this.#symbol], time }], name);
        },
        fetchAll: async () => {
          await until(() => {
            history.tick();
            return history.isIdle;
          }, 'the history');
          await recorder.drain();
        },
      });
    } finally {
      await history.stop();
      await recorder.drain();
      await close();
    }
  }

  #trades(until: number, everyMs: number): void {
    for (; this.time < until; this.time += everyMs) this.fake.tape.make(this.#venue.btc, 1);
  }
}

/** The closed bars of all timeframes in the store, ascending. */
export async function storedBars(store: MarketStore, to: number, symbol = BTC): Promise<Record<Timeframe, Bar[]>> {
  const range = { symbol, from: 0, to, limit: 1_000_000, first: 'oldest' } as const;
  const all = await Promise.all(TIMEFRAMES.map((timeframe) => store.bars({ ...range, timeframe })));
  return Object.fromEntries(TIMEFRAMES.map((timeframe, at) => [timeframe, all[at]])) as Record<Timeframe, Bar[]>;
}

const msOf = ({ timeUs }: FakeTrade): number => Math.floor(timeUs / 1_000);

const tradeOf = (trade: FakeTrade, symbol: MarketSymbol): TradeEvent => ({
  ...({ kind: 'trade', symbol, time: asEpochMs(msOf(trade)), price: Number(trade.price) } as const),
  ...{ size: Number(trade.size), side: trade.taker, sideMethod: null, id: trade.id },
});
