// A client of the model: it reads its messages when the test says so, and checks each of them against the guarantees of the
// protocol.
import type { Channel, ClientMessage, StreamPosition, Timeframe } from '@tickwire/contract';
import { Connection, type Socket } from '../../src/ws/connection.ts';
import type { Subscriber } from '../../src/ws/subscriber.ts';
import { type ModelEvent, type ModelGateway, SYMBOLS } from './model-gateway.fixture.ts';

/** A byte counts this often towards the buffer, so that a few messages make a client slow. */
const WEIGHT = 256;

export interface SubscribeOptions {
  readonly symbols: readonly string[];
  readonly seq: boolean;
  readonly latest: boolean;
  readonly rate?: number | undefined;
  readonly timeframe?: Timeframe | undefined;
  readonly closes: boolean;
}

/** What a client knows about one topic. */
interface TopicState {
  readonly options: SubscribeOptions;
  readonly symbol: string;
  /** Every message is sent: neither throttled nor bars. */
  readonly whole: boolean;
  numbered: boolean;
  /** `seq` of the last message; `null` if none was seen. */
  last: number | null;
  /** Sum of the volumes after message `from`; `from` is `null` if the sum cannot be checked. */
  from: number | null;
  volume: number;
  /** Newest `seq` of the market at the time of the request, and messages since the answer. */
  since: number;
  messages: number;
}

type Received = Record<string, unknown> & { readonly symbol: string; readonly seq?: number; readonly prev?: number };

export class ModelClient {
  readonly channel: Exclude<Channel, 'news' | 'alerts'>;
  readonly topics = new Set<string>();
  connection: Connection | null = null;
  buffered = 0;
  closeCode = 0;
  /** Whether messages are read as they arrive. */
  reading = true;
  readonly topicStates = new Map<string, TopicState>();
  /** Messages whose predecessor was not seen, until a gap notice declares it. */
  breaks: { readonly symbol: string; readonly seq: number }[] = [];
  readonly notices: Received[] = [];
  readonly data: Received[] = [];
  readonly #gateway: ModelGateway;
  readonly #named: boolean;
  readonly #buffer: string[] = [];
  readonly #requests = new Map<
    number,
    { readonly options: SubscribeOptions; readonly resume?: StreamPosition; readonly at: Map<string, number> }
  >();
  #lastId = 0;

  /** `named`: its connection is one that carries several channels; bars are then a channel of their own. */
  constructor(gateway: ModelGateway, channel: Exclude<Channel, 'news' | 'alerts'>, named = false) {
    this.#gateway = gateway;
    this.channel = channel;
    this.#named = named;
    gateway.clients.push(this);
    this.connect();
  }

  /** Connects, or reconnects and resumes what it can. */
  connect(): void {
    if (this.connection && !this.connection.closed) return;
    this.connection = new Connection(this.#named ? 'ws' : this.channel, 'here', null, this.#gateway.clock.now);
    const { topics } = this;
    const socket = {
      get subscriptions() {
        return [...topics];
      },
      isSubscribed: (topic: string) => topics.has(topic),
      subscribe: (topic: string) => topics.add(topic),
      unsubscribe: (topic: string) => topics.delete(topic),
      send: (text: string) => this.receive(text),
      cork: (work: () => void) => work(),
      getBufferedAmount: () => this.buffered,
      close: (code: number) => {
        this.closeCode = code;
        this.#closed();
      },
    };
    const { connection } = this;
    connection.socket = socket as unknown as Socket;
    connection.onClosing = () => this.#gateway.closed(connection);
    const before = [...this.topicStates.values()];
    this.topicStates.clear();
    for (const state of before) {
      const { whole, numbered, options, symbol, last } = state;
      if (!whole || !numbered || last === null) continue;
      this.topicStates.set(symbol, state);
      this.subscribe({ ...options, symbols: [symbol], seq: true }, { epoch: this.#epoch, seq: last });
    }
  }

  disconnect(): void {
    if (!this.connection || this.connection.closed) return;
    this.#closed();
    this.#buffer.length = this.buffered = 0;
    this.breaks = [];
  }

  subscribe(options: SubscribeOptions, resume?: StreamPosition): void {
    const at = new Map(options.symbols.map((symbol) => [symbol, this.#newest(symbol, options)]));
    this.#requests.set(++this.#lastId, { options, at, ...(resume && { resume }) });
    this.#send({
      action: 'subscribe',
      id: this.#lastId,
      symbols: [...options.symbols],
      seq: options.seq,
      ...(options.latest && { delivery: 'latest' }),
      ...(options.rate !== undefined && { max_rate: options.rate }),
      ...(options.timeframe && { channel: 'bars', timeframe: options.timeframe }),
      ...(options.closes && { closes: true }),
      ...(resume && { resume_from: resume }),
    });
  }

  unsubscribe(symbols: readonly string[], bars: boolean): void {
    this.#requests.set(++this.#lastId, {
      options: { symbols, seq: false, latest: false, closes: false },
      at: new Map(),
    });
    this.#send({ action: 'unsubscribe', id: this.#lastId, symbols: [...symbols], ...(bars && { channel: 'bars' }) });
  }

  receive(text: string): void {
    if (!this.connection || this.#buffer.length > 100_000)
      throw new Error('the client is not connected, or reads too little');
    this.#buffer.push(text);
    this.buffered += text.length * WEIGHT;
    if (this.reading) this.read(Number.POSITIVE_INFINITY);
  }

  /** Reads that many messages. */
  read(messages: number): void {
    for (let left = messages; left > 0 && this.#buffer.length > 0; left--) {
      const text = this.#buffer.shift()!;
      this.buffered -= text.length * WEIGHT;
      const message = JSON.parse(text) as Received;
      if (message.event === undefined) this.#data(message);
      else this.#notice(message);
    }
  }

  /** After everything was read: throws if anything is missing or was counted twice. */
  check(): void {
    if (this.breaks.length > 0) throw new Error(`undeclared gap: ${JSON.stringify(this.breaks)}`);
    for (const { symbol, options, whole, numbered, last, from, volume, since, messages } of this.topicStates.values()) {
      const events = this.#events(symbol, options);
      // Once there were trades, bars are built from them, and quotes change none.
      const traded = options.timeframe && this.#gateway.eventsOf('orderflow', symbol).length > 0;
      if (messages === 0 && !traded && events.some(({ seq, late }) => seq > since && !(options.timeframe && late)))
        throw new Error(`${this.channel} ${symbol}: no message since ${since}`);
      const newest = events.at(-1)?.seq ?? 0;
      if (!options.timeframe && numbered && last !== null && last < newest)
        throw new Error(`${this.channel} ${symbol}: the last message is ${last}, the newest ${newest}`);
      if (from === null || options.timeframe || !(whole || numbered)) continue;
      const real = events.filter(({ seq }) => seq > from).reduce((sum, event) => sum + event.volume, 0);
      if (Math.abs(real - volume) > 1e-6) throw new Error(`${this.channel} ${symbol}: volume ${volume}, not ${real}`);
    }
  }

  get subscriber(): Subscriber {
    return this.connection!.subscribers[0]!;
  }

  get #epoch(): string {
    return this.channel === 'signals' ? 'log' : 'run';
  }

  #send(message: ClientMessage): void {
    if (!this.connection || this.connection.closed) return;
    const channel = 'channel' in message && message.channel === 'bars' ? 'bars' : this.channel;
    this.#gateway.receive(this.#named ? this.connection.subscriber(channel) : this.subscriber, message);
  }

  #closed(): void {
    this.topics.clear();
    this.#gateway.closed(this.connection!);
  }

  #events(symbol: string, { closes }: SubscribeOptions): ModelEvent[] {
    return this.#gateway.eventsOf(this.channel, symbol).filter(({ closing }) => closes || !closing);
  }

  #newest(symbol: string, options: SubscribeOptions): number {
    return this.#events(symbol, options).at(-1)?.seq ?? 0;
  }

  #notice(message: Received): void {
    this.notices.push(message);
    const request = this.#requests.get(message.id as number);
    if (message.event === 'subscribed') for (const symbol of request!.options.symbols) this.#start(symbol, request!);
    else if (message.event === 'unsubscribed') this.#end(request!.options.symbols, message);
    else if (message.event === 'gap') this.#gap(message);
    else if (message.event === 'error' && message.resume_from) {
      const { seq: position } = message.resume_from as StreamPosition;
      for (const { symbol, options, last } of this.topicStates.values()) {
        const missed = this.#events(symbol, options).filter(({ seq }) => seq > (last ?? 0) && seq <= position);
        if (last !== null && missed.length > 0)
          throw new Error(`told to resume from ${position}, but never received ${missed[0]!.seq}`);
      }
    }
  }

  #start(
    symbol: string,
    { options, resume, at }: { options: SubscribeOptions; resume?: StreamPosition; at: Map<string, number> },
  ): void {
    const key = options.timeframe ? `${options.timeframe} ${symbol}` : symbol;
    const known = this.topicStates.get(key);
    const { rate, timeframe, closes } = options;
    if (known && known.options.rate === rate && known.options.closes === closes) {
      if (known.numbered !== options.seq && !known.whole) known.from = null;
      if (known.numbered !== options.seq) known.last = null;
      this.topicStates.set(key, { ...known, numbered: options.seq, options, since: at.get(symbol)!, messages: 0 });
      return;
    }
    if (resume) throw new Error('resumed an unknown subscription');
    const whole = rate === undefined && timeframe === undefined;
    const newest = at.get(symbol)!;
    const last = this.channel === 'signals' && options.seq ? newest : null;
    const from = whole ? newest : null;
    const start = { last, from, volume: 0, since: newest, messages: 0 };
    this.topicStates.set(key, { options, symbol, whole, numbered: options.seq, ...start });
  }

  #end(symbols: readonly string[], { bars, channel }: Received): void {
    const left = (bars as { timeframe: string; symbols: string[] }[] | undefined) ?? [];
    const held = new Set(left.flatMap((each) => each.symbols.map((symbol) => `${each.timeframe} ${symbol}`)));
    const ticks = new Set(this.notices.at(-1)!.symbols as string[]);
    for (const [key, { options, symbol }] of this.topicStates) {
      if (this.#named && (options.timeframe !== undefined) !== (channel === 'bars')) continue;
      const stays = options.timeframe ? held.has(key) : ticks.has(symbol);
      if (!stays && symbols.includes(symbol)) this.topicStates.delete(key);
    }
  }

  #gap(message: Received): void {
    const symbols = message.symbols as string[];
    if (message.reason === 'slow') {
      const from = message.from_seq as number;
      this.breaks = this.breaks.filter(({ symbol, seq }) => !(symbols.includes(symbol) && seq >= from));
      return;
    }
    for (const state of this.topicStates.values())
      if (state.whole && symbols.includes(state.symbol)) state.last = state.from = null;
  }

  #data(message: Received): void {
    const { symbol = this.#signalSymbol(message), seq, prev, timeframe, channel } = message;
    if (this.#named ? channel !== (timeframe ? 'bars' : this.channel) : channel !== (timeframe ? 'bars' : undefined))
      throw new Error(`${this.channel}: a message of ${channel}`);
    const key = timeframe ? `${timeframe} ${symbol}` : symbol;
    const state = this.topicStates.get(key);
    if (!state) throw new Error(`${this.channel} ${key}: not subscribed`);
    if (state.numbered !== (seq !== undefined)) throw new Error(`${key}: numbered differently than requested`);
    const volume =
      this.channel === 'orderflow' ? (message.bid_volume as number) + (message.ask_volume as number) : message.volume;
    const { last } = state;
    state.messages++;
    this.data.push(message);
    if (seq !== undefined && prev !== undefined) {
      if (last !== null && seq <= last) throw new Error(`${this.channel} ${key}: ${seq} after ${last}`);
      if (last !== null && prev !== last) this.breaks.push({ symbol, seq });
      if (last === null && state.from === null && volume === 0) [state.from, state.volume] = [seq, 0];
      state.last = seq;
    }
    if (typeof volume === 'number') state.volume += volume;
  }

  #signalSymbol({ id }: Received): string {
    for (const symbol of SYMBOLS)
      if (this.#gateway.eventsOf('signals', symbol).some(({ seq }) => `s${seq}` === id)) return symbol;
    throw new Error(`no signal ${id}`);
  }
}
