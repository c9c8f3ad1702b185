// The signal service over a real store, with a market driven event by event by the test. Opened again over the same
// folder, it is the same service after a restart.
import { join } from 'node:path';
import {
  type ClosedSignal,
  type ClosingSignal,
  type SignalDetail,
  type SignalRequest,
  TIERS,
} from '@tickwire/contract';
import { asEpochMs, CATALOGUE, Engine, type FeedEvent, type MarketSymbol, trustedSources } from '@tickwire/engine';
import { type AnySignalEvent, isSignalEvent } from '../../src/journal/journal.ts';
import { MemoryJournal } from '../../src/journal/memory-journal.ts';
import { Intake } from '../../src/market/intake.ts';
import { MarketView } from '../../src/market/market-view.ts';
import { Recorder } from '../../src/market/recorder.ts';
import { restoreMarket } from '../../src/market/restore.ts';
import { silentLog } from '../../src/ops/log.ts';
import { openSignals, type Signals } from '../../src/signals/open-signals.ts';
import type { LimitedPublisher } from '../../src/signals/publication-limits.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';

const log = silentLog;
export const BTCUSD = 'BTCUSD' as MarketSymbol;
const symbols = [BTCUSD];
const instruments = CATALOGUE.filter(({ symbol }) => symbol === BTCUSD);
/** Start of a minute. */
export const NOON = Date.UTC(2026, 2, 4, 12);
export const PUBLISHER: LimitedPublisher = {
  publicId: 'pub_one',
  name: 'One',
  tierName: 'premium',
  tier: TIERS.premium,
  house: false,
};

/** Times are seconds after noon. */
export class RunningSignals {
  readonly store: Store;
  readonly signals: Signals;
  /** Signal events in the journal of this run, oldest first. */
  readonly published: readonly AnySignalEvent[];
  readonly #intake: Intake;
  readonly #recorder: Recorder;
  readonly #time: { second: number };

  private constructor(
    store: Store,
    signals: Signals,
    {
      published,
      intake,
      recorder,
      time,
    }: Pick<RunningSignals, 'published'> & { intake: Intake; recorder: Recorder; time: { second: number } },
  ) {
    this.store = store;
    this.signals = signals;
    this.published = published;
    this.#intake = intake;
    this.#recorder = recorder;
    this.#time = time;
  }

  static async open(folder: string, second = 0): Promise<RunningSignals> {
    const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
    const time = { second };
    const now = (): number => NOON + time.second * 1_000;
    const journal = await MemoryJournal.open(
      {
        load: async () => (await store.market.number('seq_reserved')) ?? 1,
        save: (ceiling) => store.market.setNumber('seq_reserved', ceiling),
      },
      log,
    );
    const published: AnySignalEvent[] = [];
    journal.subscribe(({ events }) => {
      for (const event of events) if (isSignalEvent(event)) published.push(event);
    });
    const barsUntil = (await store.market.number('bars_until')) ?? NOON;
    const recorder = new Recorder({ store: store.market, instruments, log, barsUntil });
    const engine = new Engine(instruments);
    const nameOf = (publisher: string): string => publisher;
    const signals = await openSignals({
      isTrusted: trustedSources(),
      ...{ store, instruments, recorder, journal, nameOf, now, log },
      realm: 'live',
      folder: join(folder, 'live'),
      maxActive: 100,
      alwaysOpen: true,
      publisherOf: nameOf,
    });
    journal.subscribe(signals.events.read);
    const view = new MarketView(instruments);
    await restoreMarket({ store: store.market, instruments, engine, view, recorder, judge: signals.judge });
    signals.restored();
    journal.subscribe(recorder.read);
    journal.subscribe(signals.service.read);
    await signals.live();
    const intake = new Intake({ instruments, engine, journal, log, now });
    return new RunningSignals(store, signals, { published, intake, recorder, time });
  }

  quote(second: number, bid: number, ask: number, source = 'venue'): void {
    this.tell(second, { kind: 'quote', symbol: BTCUSD, time: at(second), bid, ask, bidSize: 0, askSize: 0 }, source);
  }

  trade(second: number, price: number, side: 'buy' | 'sell'): void {
    this.tell(second, { kind: 'trade', symbol: BTCUSD, time: at(second), price, size: 1, side, sideMethod: null });
  }

  /** A minute known only as a bar, by default without a range. */
  minute(second: number, price: number, range = 0): void {
    this.#time.second = second + 60;
    const prices = { open: price, high: price + range, low: price - range, close: price };
    const sums = { volume: 1, bidVolume: 0, askVolume: 0, basis: 'bid' } as const;
    this.#intake.fill([{ kind: 'minute', symbol: BTCUSD, bar: { time: at(second), ...prices, ...sums } }], 'venue');
  }

  cut(second: number): void {
    this.tell(second, { kind: 'disconnect', symbols, time: at(second) });
  }

  backfilled(second: number): void {
    const time = at(second);
    this.tell(second, { kind: 'backfilled', symbols, count: 1, from: time, to: time, time });
  }

  gap(from: number, to: number): void {
    this.tell(to, { kind: 'gap', symbols, from: at(from), to: at(to), time: at(to) });
  }

  clock(second: number): void {
    this.#time.second = second;
    this.#intake.clock(at(second));
  }

  tell(second: number, event: FeedEvent, source = 'venue'): void {
    this.#time.second = second;
    this.#intake.accept([event], source);
  }

  /** By default a buy at 100 with a stop at 90 and a target at 120. */
  async publish(terms: Partial<SignalRequest> = {}): Promise<string> {
    const request = {
      symbol: BTCUSD,
      direction: 'buy',
      entry: 100,
      stop_loss: 90,
      ...(!terms.targets && { take_profit: 120 }),
      ...terms,
    } as const;
    return (await this.signals.service.publish(PUBLISHER, request, null)).id;
  }

  /** Requests to close: the next quote does it. */
  close(id: string): Promise<ClosedSignal | ClosingSignal> {
    return this.signals.service.close(PUBLISHER, id);
  }

  /** Requests to close, and executes the request with a quote. */
  async closeWith(id: string, second: number, bid: number, ask: number): Promise<ClosedSignal | ClosingSignal> {
    const closing = this.close(id);
    await Bun.sleep(1);
    this.quote(second, bid, ask);
    return closing;
  }

  amend(id: string, stop_loss: number): Promise<SignalDetail> {
    return this.signals.service.amend(PUBLISHER, id, { stop_loss });
  }

  detail(id: string): Promise<SignalDetail> {
    return this.signals.service.detail(id);
  }

  async closed(id: string): Promise<Record<string, unknown> | null> {
    await this.signals.ledger.drain();
    const text = (await this.store.signals.signal(id))?.closed?.text;
    return text ? JSON.parse(text) : null;
  }

  /** Writes all ticks to the tape. */
  flush(): Promise<void> {
    return this.#recorder.drain();
  }

  /** Writes everything and closes the store. */
  async stop(): Promise<void> {
    await this.#recorder.drain();
    await this.signals.ledger.drain();
    await this.signals.ledger.markJudged();
    await this.store.close();
  }
}

const at = (second: number) => asEpochMs(NOON + second * 1_000);
