import { bySymbol, Engine, type InstrumentSpec } from '@tickwire/engine';
import type { Guard } from '../access/guard.ts';
import type { Keyring } from '../access/keyring.ts';
import type { LimitSettings } from '../config/limit-settings.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type HistoryModuleOptions, historyModule } from '../history/module.ts';
import { once } from '../http/conditional-response.ts';
import type { Routes } from '../http/handler.ts';
import { readPosition } from '../journal/read-position.ts';
import type { BarSource } from '../market/bar-source.ts';
import { MarketView } from '../market/market-view.ts';
import { marketModule } from '../market/module.ts';
import { FlowChannel } from '../market/streams/flow-channel.ts';
import { PerpetualChannel } from '../market/streams/perpetual-channel.ts';
import { TickChannel } from '../market/streams/tick-channel.ts';
import { NEWS_CHANNEL } from '../news/streams/news-channel.ts';
import type { Log } from '../ops/log.ts';
import { pauses } from '../ops/pauses.ts';
import type { MarketStore } from '../store/store.ts';
import { eventStreams } from '../streams/event-streams.ts';
import type { RateLimiter } from '../work/rate-limiter.ts';
import type { GatewayChannel } from '../ws/channel.ts';
import { type CountedTogether, Gateway } from '../ws/gateway.ts';
import { LocalTopics } from '../ws/local-topics.ts';
import type { PushLines } from '../ws/push-queue.ts';
import { type DocumentSources, documentRoutes } from './as-of-documents.ts';
import { AsOfSignals, type SignalPast } from './as-of-signals.ts';
import { asOfStore } from './as-of-store.ts';
import { EventPlayer, type GoOn, startOf } from './event-player.ts';
import { Lockstep } from './lockstep.ts';
import { NewsTape } from './news-tape.ts';
import { PracticeBook } from './practice/practice-book.ts';
import { ReplayJournal } from './replay-journal.ts';
import { epochOf, type ReplayState } from './replay-state.ts';
import { restoreInstrument } from './restored-instrument.ts';
import { SymbolTape } from './symbol-tape.ts';

/** Messages that are kept for clients that resume. */
const KEPT_MESSAGES = 4_096;
/** Below what makes a client slow: the clock waits for it instead. */
const FULL_BYTES = 48 * 1024;
const CLOSE_MS = 500;

/** Nobody pushes ticks into the past. */
const NO_INGEST: PushLines = {
  open() {
    throw new ServiceError('ingest_disabled', 'A replay takes no ticks.');
  },
  push: () => Promise.reject(new ServiceError('ingest_disabled', 'A replay takes no ticks.')),
};

/** What the markets of all sessions are made of. */
export interface WorldSources
  extends Pick<
    HistoryModuleOptions,
    'simulated' | 'alwaysOpen' | 'venueSymbols' | 'tapeDays' | 'rows' | 'reads' | 'tiers' | 'requireConfirmed' | 'now'
  > {
  readonly instruments: readonly InstrumentSpec[];
  readonly bars: BarSource;
  readonly store: Pick<MarketStore, 'tapeOf' | 'firstTapeOf' | 'tapeDays' | 'histograms' | 'firstTradeBar'>;
  readonly documents: DocumentSources;
  readonly signals: SignalPast;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly guard: Guard;
  readonly failures: RateLimiter;
  readonly countsWith: CountedTogether;
  readonly limits: LimitSettings;
}

export class ReplayWorld {
  readonly routes: Routes;
  readonly journal: ReplayJournal;
  readonly market: MarketView;
  readonly practice: PracticeBook;
  /** Of the log. */
  readonly signals: AsOfSignals;
  readonly lockstep: Lockstep;
  /** Of its streams. */
  readonly gateway: Gateway;
  readonly #sources: WorldSources;
  readonly #specs: readonly InstrumentSpec[];
  readonly #engine: Engine;
  readonly #player: EventPlayer;
  readonly #close: () => Promise<void>;

  private constructor(state: ReplayState, sources: WorldSources) {
    const { log, instruments, store, documents, signals } = sources;
    const specs = bySymbol(instruments);
    this.#sources = sources;
    this.#specs = state.symbols.map((symbol) => specs.get(symbol)!);
    this.#engine = new Engine(this.#specs);
    this.market = new MarketView(this.#specs);
    this.journal = new ReplayJournal(epochOf(state), log);
    this.journal.subscribe(this.market.read);
    const past = { tape: store, bars: sources.bars };
    this.practice = new PracticeBook({ from: state.from, specs, store: past });
    this.signals = new AsOfSignals({ store: signals, symbols: state.symbols, clock: () => this.clock });
    const start = startOf(state.base);
    this.#player = new EventPlayer({
      engine: this.#engine,
      tapes: this.#specs.map((spec) => new SymbolTape(past, spec, start)),
      news: new NewsTape({ store: documents.news, hidden: documents.hiddenNews, from: state.base, to: state.to }),
      base: state.base,
      publish: (out, source) => this.journal.append(out, source),
      isStream: () => this.isStream,
      endTime: (time, publish) => this.lockstep.step(time, publish),
      asksEachTime: () => this.lockstep.isActive,
      isHeld: () => this.lockstep.isWaiting,
    });
    const { routes, channels, close } = this.#modules(state);
    this.lockstep = new Lockstep({ flush: () => this.gateway.hub.flush(), now: sources.now });
    this.gateway = this.#openGateway(channels);
    this.routes = { ...routes, eventStream: eventStreams({ ...sources, gateway: this.gateway }) };
    this.#close = close;
  }

  /** The markets when the clock is where the numbers of messages start. */
  static async open(state: ReplayState, sources: WorldSources): Promise<ReplayWorld> {
    const world = new ReplayWorld(state, sources);
    await world.#restore(state.base);
    return world;
  }

  /** Up to here everything is played. Epoch milliseconds. */
  get clock(): number {
    return this.#player.clock;
  }

  /** An instrument of the session. */
  spec(code: string): InstrumentSpec | undefined {
    const symbol = this.market.resolve(code);
    return this.#specs.find((spec) => spec.symbol === symbol);
  }

  /** See `EventPlayer.advance`. */
  advance(to: number, goOn: GoOn): Promise<void> {
    return this.#player.advance(to, goOn);
  }

  /** When the next event of the markets happens; `null` if none does by `to`. */
  nextEvent(to: number): Promise<number | null> {
    return this.#player.nextEvent(to);
  }

  /** Whether a client streams. */
  get isStream(): boolean {
    return this.gateway.own.size > 0;
  }

  /** Whether a client has not read what was sent to it. */
  get isFull(): boolean {
    return [...this.gateway.own].some(({ socket }) => socket.getBufferedAmount() > FULL_BYTES);
  }

  async close(): Promise<void> {
    await this.gateway.stop(this.isStream ? CLOSE_MS : 0);
    await this.#close();
  }

  /** The state at `base`: bars from the store, and the last minutes from the tape. */
  async #restore(base: number): Promise<void> {
    const start = startOf(base);
    const pause = pauses();
    for (const spec of this.#specs) {
      await pause();
      await restoreInstrument(spec, start, { engine: this.#engine, view: this.market }, this.#sources);
    }
    await this.#player.restore(start, (events, source) => this.market.read({ firstSeq: 0, source, events }));
  }

  #openGateway(channels: readonly GatewayChannel[]): Gateway {
    const { keyring, failures, simulated, countsWith, limits, log, now } = this.#sources;
    const topics = new LocalTopics((connection) => this.lockstep.noteSent(connection));
    const gateway = new Gateway({
      channels,
      catalogue: this.market,
      keyring,
      failures,
      journal: this.journal,
      simulated,
      ingest: NO_INGEST,
      limits,
      countsWith,
      topics,
      marketTime: () => this.#player.eventTime,
      log,
      now,
    });
    gateway.start(topics);
    this.journal.subscribe(gateway.read);
    return gateway;
  }

  #modules(state: ReplayState): {
    readonly routes: Routes;
    readonly channels: readonly GatewayChannel[];
    readonly close: () => Promise<void>;
  } {
    const { bars, store, documents, ...options } = this.#sources;
    const { journal } = this;
    const [market, instruments] = [this.market, this.#specs];
    const clock = (): number => this.clock;
    const digits = new Map(instruments.map((spec) => [spec.symbol, spec.digits]));
    const past = asOfStore({ bars, market: store, digits, clock });
    const channelSources = { instruments, journal, market, capacity: KEPT_MESSAGES, now: clock };
    const shared = { ...options, instruments, market, position: readPosition(journal) };
    const ticks = once(() => new TickChannel(channelSources));
    const flows = once(() => new FlowChannel(channelSources));
    const markets = marketModule({
      ...shared,
      catalogue: { read: () => {} },
      startedAt: state.base,
      ticks,
      flows,
      perpetuals: once(() => new PerpetualChannel({ isPerpetual: () => false, journal })),
      history: past,
      writer: null,
    });
    const history = historyModule({
      ...shared,
      journal,
      ticks,
      flows,
      store: past,
      tape: past,
      volumes: past,
      recorded: async () => true,
      marketTime: clock,
      asOf: clock,
    });
    return {
      routes: { ...markets.routes, ...history.routes, ...documentRoutes(documents, { market, history: past, clock }) },
      channels: [
        ...[markets, history].flatMap(({ channels }) => channels?.() ?? []).filter(({ name }) => name !== 'perpetual'),
        NEWS_CHANNEL,
      ],
      close: async () => history.drain?.(),
    };
  }
}
