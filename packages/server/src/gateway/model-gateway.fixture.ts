// The gateway without sockets: the real lines, replays and slow-reader handling, between a market made by hand and readers
// that a test moves.
import type { ClientMessage } from '@tickwire/contract';
import { asEpochMs, CATALOGUE, Engine, type EngineEvent, type EngineInput, type MarketSymbol } from '@tickwire/engine';
import type { Journal, JournalEvent, SignalClosedEvent, SignalEvent } from '../journal/journal.ts';
import type { Announcements } from '../signals/announcements.ts';
import { MarketView } from '../views/market-view.ts';
import type { Connection } from './connection.ts';
import type { HandClock } from './hand-clock.fixture.ts';
import { Heartbeats } from './heartbeats.ts';
import type { ModelReader } from './model-reader.fixture.ts';
import { NewsReaders } from './news-readers.ts';
import { Replays } from './replays.ts';
import { Resuming } from './resuming.ts';
import { SlowReaders } from './slow-readers.ts';
import { Subscribing } from './subscribing.ts';
import { Subscriptions } from './subscriptions.ts';
import { Switchboard } from './switchboard.ts';

export const INSTRUMENTS = CATALOGUE.slice(0, 3);
export const SYMBOLS = INSTRUMENTS.map(({ symbol }) => symbol);
/** Ticks that can be replayed. */
const KEPT = 48;

/** What happened, by which readers are judged. */
export interface Fact {
  readonly seq: number;
  readonly volume: number;
  readonly closing?: boolean;
  /** Too late to change a bar that is forming. */
  readonly late?: boolean;
}

export class ModelGateway {
  readonly clock: HandClock;
  readonly readers: ModelReader[] = [];
  readonly switchboard: Switchboard;
  readonly replays: Replays;
  readonly journal: Journal & { lastSeq: number };
  /** By channel and symbol. */
  readonly facts = new Map<string, Fact[]>();
  readonly #engine = new Engine(INSTRUMENTS);
  readonly #market = new MarketView(INSTRUMENTS);
  readonly #signals: (SignalEvent | SignalClosedEvent)[] = [];
  readonly #subscriptions: Subscriptions;
  readonly #subscribing: Subscribing;
  readonly #slow: SlowReaders;
  readonly faults: unknown[] = [];
  #price = 1;

  constructor(clock: HandClock) {
    this.clock = clock;
    this.journal = { epoch: 'run', lastSeq: 1000, append: (events) => this.#append(events), subscribe: () => () => {} };
    const { journal, faults } = this;
    const market = this.#market;
    const announcements = this.#announcements();
    const now = (): number => clock.now;
    const publish = (topic: string, text: string): void => {
      for (const reader of this.readers) if (reader.topics.has(topic)) reader.receive(text);
    };
    const switchboard = new Switchboard({
      instruments: INSTRUMENTS,
      journal,
      market,
      signals: announcements,
      kept: KEPT,
      now,
      publish,
    });
    const onFault = (_: Connection, error: unknown): void => {
      faults.push(error);
    };
    const subscriptions = new Subscriptions(switchboard);
    const replays = new Replays((connection, tap) => subscriptions.settle(connection, tap), onFault);
    const news = new NewsReaders({ symbols: new Set(SYMBOLS), journal, replays });
    const resuming = new Resuming({ switchboard, news, replays, announcements, journal, onFault });
    const position = ({ held }: Connection) => {
      switchboard.flush();
      return held ? undefined : { epoch: announcements.epoch, seq: announcements.newest };
    };
    this.switchboard = switchboard;
    this.replays = replays;
    this.#subscriptions = subscriptions;
    this.#slow = new SlowReaders({ switchboard, subscriptions, journal, position });
    this.#subscribing = new Subscribing({
      switchboard,
      subscriptions,
      news,
      resuming,
      heartbeats: new Heartbeats({ lastTickAt: () => null, position: () => ({ epoch: '', seq: 0 }) }),
      simulated: false,
      maxSubscriptions: 100,
      now,
    });
  }

  quote(symbol: MarketSymbol, size: number, late = false): void {
    this.#price = 1 + ((this.#price * 7919) % 100) / 1000;
    const time = asEpochMs(this.clock.now - (late ? 60_000 : 0));
    const bid = this.#price;
    this.#bring({ kind: 'quote', symbol, time, bid, ask: bid + 0.001, bidSize: size, askSize: size });
  }

  trade(symbol: MarketSymbol, size: number, side: 'buy' | 'sell'): void {
    const time = asEpochMs(this.clock.now);
    this.#bring({ kind: 'trade', symbol, time, price: this.#price, size, side, sideMethod: null });
  }

  /** The minute before is filled in from a source of bars. */
  backfill(symbol: MarketSymbol): void {
    const time = asEpochMs(Math.floor(this.clock.now / 60_000) * 60_000 - 60_000);
    const prices = { open: 1, high: 2, low: 0.5, close: 1 };
    const bar = { time, ...prices, volume: 9, bidVolume: 4, askVolume: 5, basis: 'bid' as const };
    this.#bring({ kind: 'minute', symbol, bar });
  }

  minute(): void {
    this.#bring({ kind: 'clock', time: asEpochMs(this.clock.now) });
  }

  signal(symbol: MarketSymbol, closing: boolean): void {
    const n = this.#signals.length + 1;
    const signal = { id: `s${n}` } as SignalClosedEvent['signal'];
    const event = { kind: closing ? 'signal_closed' : 'signal', n, symbol, publisher: 'p', filledAt: null, signal };
    this.#append([event as SignalEvent | SignalClosedEvent]);
  }

  hear(connection: Connection, message: ClientMessage): void {
    if (message.action === 'subscribe') this.#subscribing.subscribe(connection, message);
    else if (message.action === 'unsubscribe') this.#subscribing.unsubscribe(connection, message);
  }

  sweep(): void {
    for (const { connection } of this.readers) {
      if (connection?.closed) connection.finish();
      else if (connection) this.#slow.look(connection);
    }
    this.replays.run();
  }

  /** The end of a connection has begun, or the runtime tells that it is gone. */
  closed(connection: Connection): void {
    connection.closed = true;
    this.#subscriptions.forget(connection);
  }

  factsOf(channel: string, symbol: string): Fact[] {
    const key = `${channel} ${symbol}`;
    if (!this.facts.has(key)) this.facts.set(key, []);
    return this.facts.get(key)!;
  }

  #bring(input: EngineInput): void {
    const out: EngineEvent[] = [];
    this.#engine.apply(input, out);
    this.#append(out);
  }

  #append(events: readonly JournalEvent[]): void {
    const batch = { firstSeq: this.journal.lastSeq + 1, source: '', events };
    this.journal.lastSeq += events.length;
    for (const [at, event] of events.entries()) this.#note(event, batch.firstSeq + at);
    const behind = this.readers.filter(({ connection }) => connection?.lag?.warned && !connection.closed);
    const before = behind.map(({ buffered }) => buffered);
    this.#market.read(batch);
    this.switchboard.read(batch);
    for (const [at, { buffered }] of behind.entries())
      if (buffered > before[at]!) throw new Error('the market fills the memory of a reader that is behind');
  }

  #note(event: JournalEvent, seq: number): void {
    if (event.kind === 'tick')
      this.factsOf('market', event.symbol).push({ seq, volume: event.volume, late: event.time < this.clock.now });
    else if (event.kind === 'flow') this.factsOf('orderflow', event.symbol).push({ seq, volume: event.size });
    else if (event.kind === 'signal' || event.kind === 'signal_closed') {
      this.#signals.push(event);
      this.factsOf('signals', event.symbol).push({ seq: event.n, volume: 0, closing: event.kind === 'signal_closed' });
    }
  }

  /** A log of signals whose store takes a turn to answer. */
  #announcements(): Announcements {
    const signals = this.#signals;
    const lastOf = (symbol: string, until = signals.length) => {
      const of = signals.slice(0, until).filter((each) => each.symbol === symbol);
      return { published: of.findLast(({ kind }) => kind === 'signal')?.n ?? 0, any: of.at(-1)?.n ?? 0 };
    };
    const later = <T>(value: () => T): Promise<T> => new Promise((done) => setImmediate(() => done(value())));
    return {
      epoch: 'log',
      get newest() {
        return signals.length;
      },
      lastOf,
      lastAt: (symbols: readonly string[], n: number) =>
        later(() => new Map(symbols.map((symbol) => [symbol, lastOf(symbol, n)]))),
      after: (n: number, limit: number) => later(() => signals.slice(n, n + limit)),
    } as unknown as Announcements;
  }
}
