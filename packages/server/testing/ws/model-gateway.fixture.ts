// The gateway without sockets: the real topics, replays and slow-consumer handling, between a market and clients that a test
// controls.
import type { ClientMessage } from '@tickwire/contract';
import { asEpochMs, CATALOGUE, Engine, type EngineEvent, type EngineInput, type MarketSymbol } from '@tickwire/engine';
import { RowAllowance } from '../../src/access/row-allowance.ts';
import { LiveIndicators } from '../../src/history/live-indicators.ts';
import { ReadWork } from '../../src/http/read-work.ts';
import type { Journal, JournalEvent, SignalClosedEvent, SignalEvent } from '../../src/journal/journal.ts';
import { MarketView } from '../../src/market/market-view.ts';
import type { SignalEvents } from '../../src/signals/signal-events.ts';
import type { Subscribe } from '../../src/ws/channel.ts';
import { Channels } from '../../src/ws/channels.ts';
import type { Connection } from '../../src/ws/connection.ts';
import { Heartbeats } from '../../src/ws/heartbeats.ts';
import { Hub } from '../../src/ws/hub.ts';
import { ReplayQuota } from '../../src/ws/replay-quota.ts';
import { ReplayScheduler } from '../../src/ws/replay-scheduler.ts';
import { ResumeHandler } from '../../src/ws/resume.ts';
import { SlowConsumers } from '../../src/ws/slow-consumers.ts';
import { StreamCounts } from '../../src/ws/stream-counts.ts';
import { SubscribeHandler } from '../../src/ws/subscribe.ts';
import type { Subscriber } from '../../src/ws/subscriber.ts';
import { Subscriptions } from '../../src/ws/subscriptions.ts';
import type { Topic } from '../../src/ws/topic.ts';
import { openChannels } from './channels.fixture.ts';
import type { ManualClock } from './manual-clock.fixture.ts';

export const INSTRUMENTS = CATALOGUE.slice(0, 3);
export const SYMBOLS = INSTRUMENTS.map(({ symbol }) => symbol);
/** Ticks that can be replayed. */
const CAPACITY = 48;

/** An event that happened, against which clients are checked. */
export interface ModelEvent {
  readonly seq: number;
  readonly volume: number;
  readonly closing?: boolean;
  /** Too late to change a bar that is forming. */
  readonly late?: boolean;
}

/** What the gateway needs of a client: its topics, its connection and where to send messages. */
export interface AttachedClient {
  readonly topics: ReadonlySet<string>;
  readonly connection: Connection | null;
  buffered: number;
  receive(text: string): void;
}

export class ModelGateway<Client extends AttachedClient = AttachedClient> {
  readonly clock: ManualClock;
  readonly clients: Client[] = [];
  readonly hub: Hub;
  readonly replays: ReplayScheduler;
  readonly journal: Journal & { lastSeq: number };
  /** By channel and symbol. */
  readonly events = new Map<string, ModelEvent[]>();
  readonly #engine = new Engine(INSTRUMENTS);
  readonly #market = new MarketView(INSTRUMENTS);
  readonly #signals: (SignalEvent | SignalClosedEvent)[] = [];
  readonly #channels: Channels;
  readonly #subscriptions: Subscriptions;
  readonly #subscribe: SubscribeHandler;
  readonly #slow: SlowConsumers;
  readonly faults: unknown[] = [];
  #price = 1;

  constructor(clock: ManualClock) {
    this.clock = clock;
    this.journal = { epoch: 'run', lastSeq: 1000, append: (events) => this.#append(events), subscribe: () => () => {} };
    const { journal, faults } = this;
    const market = this.#market;
    const signalEvents = this.#createSignalEvents();
    const now = (): number => clock.now;
    const publish = (name: string, text: string): void => {
      for (const client of this.clients) if (client.topics.has(name)) client.receive(text);
    };
    const counts = new StreamCounts();
    const hub = new Hub({
      now,
      publish,
      // As many sockets as delay the next write by a millisecond.
      audienceOf: () => 100,
      sockets: () => 100,
      counts,
    });
    const onFault = (_: Subscriber, error: unknown): void => {
      faults.push(error);
    };
    const subscriptions = new Subscriptions(hub);
    const replays = new ReplayScheduler((subscriber, live) => subscriptions.goLive(subscriber, live), onFault);
    const quota = new ReplayQuota(1e9, now);
    const opened = openChannels({
      instruments: INSTRUMENTS,
      journal,
      market,
      signals: signalEvents,
      indicators: new LiveIndicators({ store: { bars: async () => [] }, view: market }, new ReadWork(), {}),
      rows: new RowAllowance(),
      capacity: CAPACITY,
      simulated: false,
      now,
    });
    const channels = new Channels({ channels: opened, hub, catalogue: market, journal, replays, quota, counts });
    const resume = new ResumeHandler({ channels, replays, quota, follows: false, onFault });
    this.hub = hub;
    this.replays = replays;
    this.#channels = channels;
    this.#subscriptions = subscriptions;
    this.#slow = new SlowConsumers({ hub, channels, subscriptions, journal, counts });
    this.#subscribe = new SubscribeHandler({
      hub,
      channels,
      catalogue: market,
      subscriptions,
      resume,
      slow: this.#slow,
      heartbeats: new Heartbeats(channels),
      simulated: false,
      maxSubscriptions: 100,
      now,
    });
  }

  /** The topic of a subscription. */
  topic(
    channel: 'market' | 'orderflow' | 'signals',
    symbol: MarketSymbol,
    options: Pick<Subscribe, 'closes' | 'fills' | 'changes'> = {},
  ): Topic {
    return this.#channels.topics(channel).open(symbol, { action: 'subscribe', ...options }) as Topic;
  }

  quote(symbol: MarketSymbol, size: number, late = false): void {
    this.#price = 1 + ((this.#price * 7919) % 100) / 1000;
    const time = asEpochMs(this.clock.now - (late ? 60_000 : 0));
    const bid = this.#price;
    this.#apply({ kind: 'quote', symbol, time, bid, ask: bid + 0.001, bidSize: size, askSize: size });
  }

  trade(symbol: MarketSymbol, size: number, side: 'buy' | 'sell'): void {
    const time = asEpochMs(this.clock.now);
    this.#apply({ kind: 'trade', symbol, time, price: this.#price, size, side, sideMethod: null });
  }

  /** Backfills the previous minute from a source of bars. */
  backfill(symbol: MarketSymbol): void {
    const time = asEpochMs(Math.floor(this.clock.now / 60_000) * 60_000 - 60_000);
    const prices = { open: 1, high: 2, low: 0.5, close: 1 };
    const bar = { time, ...prices, volume: 9, bidVolume: 4, askVolume: 5, basis: 'bid' as const };
    this.#apply({ kind: 'minute', symbol, bar });
  }

  minute(): void {
    this.#apply({ kind: 'clock', time: asEpochMs(this.clock.now) });
  }

  signal(symbol: MarketSymbol, closing: boolean): void {
    const n = this.#signals.length + 1;
    const signal = { id: `s${n}` } as SignalClosedEvent['signal'];
    const event = { kind: closing ? 'signal_closed' : 'signal', n, symbol, publisher: 'p', filledAt: null, signal };
    this.#append([event as SignalEvent | SignalClosedEvent]);
  }

  receive(subscriber: Subscriber, message: ClientMessage): void {
    if (message.action === 'subscribe') this.#subscribe.subscribe(subscriber, message);
    else if (message.action === 'unsubscribe') this.#subscribe.unsubscribe(subscriber, message);
  }

  sweep(): void {
    for (const { connection } of this.clients) {
      if (connection?.closed) connection.finishClosing();
      else if (connection) this.#slow.check(connection, connection.socket.getBufferedAmount());
    }
    this.replays.run();
  }

  /** A connection starts to close, or has closed. */
  closed(connection: Connection): void {
    connection.closed = true;
    for (const subscriber of connection.subscribers) this.#subscriptions.removeAll(subscriber);
  }

  eventsOf(channel: string, symbol: string): ModelEvent[] {
    const key = `${channel} ${symbol}`;
    if (!this.events.has(key)) this.events.set(key, []);
    return this.events.get(key)!;
  }

  #apply(input: EngineInput): void {
    const out: EngineEvent[] = [];
    this.#engine.apply(input, out);
    this.#append(out);
  }

  #append(events: readonly JournalEvent[]): void {
    const batch = { firstSeq: this.journal.lastSeq + 1, source: '', events };
    this.journal.lastSeq += events.length;
    for (const [at, event] of events.entries()) this.#record(event, batch.firstSeq + at);
    const behind = this.clients.filter(
      ({ connection }) => connection?.subscribers.some(({ lag }) => lag?.warned) && !connection.closed,
    );
    const before = behind.map(({ buffered }) => buffered);
    this.#market.read(batch);
    this.hub.read(batch);
    for (const [at, { buffered }] of behind.entries())
      if (buffered > before[at]!) throw new Error('live events are buffered for a slow client');
  }

  #record(event: JournalEvent, seq: number): void {
    if (event.kind === 'tick')
      this.eventsOf('market', event.symbol).push({ seq, volume: event.volume, late: event.time < this.clock.now });
    else if (event.kind === 'flow') this.eventsOf('orderflow', event.symbol).push({ seq, volume: event.size });
    else if (event.kind === 'signal' || event.kind === 'signal_closed') {
      this.#signals.push(event);
      this.eventsOf('signals', event.symbol).push({ seq: event.n, volume: 0, closing: event.kind === 'signal_closed' });
    }
  }

  /** A signal log whose store answers in the next turn of the event loop. */
  #createSignalEvents(): SignalEvents {
    const signals = this.#signals;
    const lastOf = (symbol: string, until = signals.length) => {
      const of = signals.slice(0, until).filter((each) => each.symbol === symbol);
      const last = (wanted: string): number => of.findLast(({ kind }) => kind === wanted)?.n ?? 0;
      return { published: last('signal'), filled: 0, changed: 0, closed: last('signal_closed') };
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
    } as unknown as SignalEvents;
  }
}
