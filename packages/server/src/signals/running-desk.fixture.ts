// Signals as the service opens them, over a real store, with a market that a test tells event by event. Opened a second
// time over the same folder it is the same service after a restart.
import { join } from 'node:path';
import type { ClosedSignal, SignalRequest } from '@tickwire/contract';
import { asEpochMs, CATALOGUE, Engine, type FeedEvent, type MarketSymbol } from '@tickwire/engine';
import { Intake } from '../journal/intake.ts';
import type { SignalClosedEvent, SignalEvent } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { silentLog } from '../ops/log.ts';
import { Recorder } from '../store/recorder.ts';
import { restoreMarket } from '../store/restore.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import type { Store } from '../store/store.ts';
import { MarketView } from '../views/market-view.ts';
import type { Publisher } from './desk.ts';
import { openSignals, type Signals } from './open.ts';

const log = silentLog;
export const BTCUSD = 'BTCUSD' as MarketSymbol;
const symbols = [BTCUSD];
const instruments = CATALOGUE.filter(({ symbol }) => symbol === BTCUSD);
/** A minute begins. */
export const NOON = Date.UTC(2026, 2, 4, 12);
export const PUBLISHER: Publisher = { publicId: 'pub_one', name: 'One' };

/** Times are seconds after noon. */
export class RunningDesk {
  readonly store: Store;
  readonly signals: Signals;
  /** What the journal told of signals in this run, oldest first. */
  readonly announced: readonly (SignalEvent | SignalClosedEvent)[];
  readonly #intake: Intake;
  readonly #recorder: Recorder;
  readonly #time: { second: number };

  private constructor(
    store: Store,
    signals: Signals,
    {
      announced,
      intake,
      recorder,
      time,
    }: Pick<RunningDesk, 'announced'> & { intake: Intake; recorder: Recorder; time: { second: number } },
  ) {
    this.store = store;
    this.signals = signals;
    this.announced = announced;
    this.#intake = intake;
    this.#recorder = recorder;
    this.#time = time;
  }

  static async open(folder: string, second = 0): Promise<RunningDesk> {
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
    const announced: (SignalEvent | SignalClosedEvent)[] = [];
    journal.subscribe(({ events }) => {
      for (const event of events) if (event.kind === 'signal' || event.kind === 'signal_closed') announced.push(event);
    });
    const barsUntil = (await store.market.number('bars_until')) ?? NOON;
    const recorder = new Recorder({ store: store.market, instruments, log, barsUntil });
    const engine = new Engine(instruments);
    const nameOf = (publisher: string): string => publisher;
    const signals = await openSignals({
      ...{ store, instruments, recorder, journal, nameOf, now, log },
      realm: 'live',
      folder: join(folder, 'live'),
      maxActive: 100,
      alwaysOpen: true,
      publisherOf: nameOf,
    });
    const view = new MarketView(instruments);
    await restoreMarket({ store: store.market, instruments, engine, view, recorder, judge: signals.judge });
    signals.restored();
    journal.subscribe(recorder.read);
    journal.subscribe(signals.desk.read);
    await signals.live();
    const intake = new Intake({ instruments, engine, journal, log, now });
    return new RunningDesk(store, signals, { announced, intake, recorder, time });
  }

  quote(second: number, bid: number, ask: number, source = 'venue'): void {
    this.tell(second, { kind: 'quote', symbol: BTCUSD, time: at(second), bid, ask, bidSize: 0, askSize: 0 }, source);
  }

  trade(second: number, price: number, side: 'buy' | 'sell'): void {
    this.tell(second, { kind: 'trade', symbol: BTCUSD, time: at(second), price, size: 1, side, sideMethod: null });
  }

  /** A minute that is known only as a bar; without a range, unless told otherwise. */
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

  /** A buy at 100 with a stop at 90 and a target of 120, unless told otherwise. */
  async publish(terms: Partial<SignalRequest> = {}): Promise<string> {
    const request = {
      symbol: BTCUSD,
      direction: 'buy',
      entry: 100,
      stop_loss: 90,
      take_profit: 120,
      ...terms,
    } as const;
    return (await this.signals.desk.publish(PUBLISHER, request, null)).id;
  }

  close(id: string): Promise<ClosedSignal> {
    return this.signals.desk.close(PUBLISHER, id);
  }

  async closed(id: string): Promise<Record<string, unknown> | null> {
    await this.signals.ledger.settle();
    const text = (await this.store.signals.signal(id))?.closed?.text;
    return text ? JSON.parse(text) : null;
  }

  /** Everything is written, and the service is gone. */
  async stop(): Promise<void> {
    await this.#recorder.flush();
    await this.signals.ledger.settle();
    await this.signals.ledger.mark();
    await this.store.close();
  }
}

const at = (second: number) => asEpochMs(NOON + second * 1_000);
