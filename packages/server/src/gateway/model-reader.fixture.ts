// A reader of the model: takes what its link carries when it cares to, and checks every message against what it was promised.
import type { Channel, ClientMessage, Position, Timeframe } from '@tickwire/contract';
import { Connection, type Socket } from './connection.ts';
import type { Fact, ModelGateway } from './model-gateway.fixture.ts';

/** A byte weighs this much on a model's link, so that a few messages make a reader slow. */
const WEIGHT = 256;

export interface Wish {
  readonly symbols: readonly string[];
  readonly seq: boolean;
  readonly latest: boolean;
  readonly rate?: number | undefined;
  readonly timeframe?: Timeframe | undefined;
  readonly closes: boolean;
}

/** What a reader knows of one line. */
interface Standing {
  readonly wish: Wish;
  readonly symbol: string;
  /** Every message comes, at the rate of the market. */
  readonly whole: boolean;
  numbered: boolean;
  /** Number of the last message; null where none was seen. */
  last: number | null;
  /** Volume that it was told of since message `from`; null where that cannot be told. */
  from: number | null;
  volume: number;
  /** Newest of the market when it was asked for, and messages since the answer. */
  since: number;
  messages: number;
}

type Told = Record<string, unknown> & { readonly symbol: string; readonly seq?: number; readonly prev?: number };

export class ModelReader {
  readonly channel: Exclude<Channel, 'news'>;
  readonly topics = new Set<string>();
  connection: Connection | null = null;
  buffered = 0;
  closeCode = 0;
  /** Whether everything is read as it comes. */
  reading = true;
  readonly standings = new Map<string, Standing>();
  /** Messages whose predecessor was not seen, until a gap tells of it. */
  breaks: { readonly symbol: string; readonly seq: number }[] = [];
  readonly notices: Told[] = [];
  readonly data: Told[] = [];
  readonly #gateway: ModelGateway;
  readonly #pipe: string[] = [];
  readonly #asked = new Map<
    number,
    { readonly wish: Wish; readonly resume?: Position; readonly at: Map<string, number> }
  >();
  #asks = 0;

  constructor(gateway: ModelGateway, channel: Exclude<Channel, 'news'>) {
    this.#gateway = gateway;
    this.channel = channel;
    gateway.readers.push(this);
    this.connect();
  }

  /** Comes, or comes back: it resumes what it can, and forgets the rest. */
  connect(): void {
    if (this.connection && !this.connection.closed) return;
    this.connection = new Connection(this.channel, 'here', null, this.#gateway.clock.now);
    const link = {
      subscribe: (topic: string) => this.topics.add(topic),
      unsubscribe: (topic: string) => this.topics.delete(topic),
      send: (text: string) => this.receive(text),
      cork: (work: () => void) => work(),
      getBufferedAmount: () => this.buffered,
      close: (code: number) => {
        this.closeCode = code;
        this.#gone();
      },
    };
    const { connection } = this;
    connection.socket = link as unknown as Socket;
    connection.onEnd = () => this.#gateway.closed(connection);
    const before = [...this.standings.values()];
    this.standings.clear();
    for (const standing of before) {
      const { whole, numbered, wish, symbol, last } = standing;
      if (!whole || !numbered || last === null) continue;
      this.standings.set(symbol, standing);
      this.subscribe({ ...wish, symbols: [symbol], seq: true }, { epoch: this.#epoch, seq: last });
    }
  }

  disconnect(): void {
    if (!this.connection || this.connection.closed) return;
    this.#gone();
    this.#pipe.length = this.buffered = 0;
    this.breaks = [];
  }

  subscribe(wish: Wish, resume?: Position): void {
    const at = new Map(wish.symbols.map((symbol) => [symbol, this.#newest(symbol, wish)]));
    this.#asked.set(++this.#asks, { wish, at, ...(resume && { resume }) });
    this.#say({
      action: 'subscribe',
      id: this.#asks,
      symbols: [...wish.symbols],
      seq: wish.seq,
      ...(wish.latest && { delivery: 'latest' }),
      ...(wish.rate !== undefined && { max_rate: wish.rate }),
      ...(wish.timeframe && { channel: 'bars', timeframe: wish.timeframe }),
      ...(wish.closes && { closes: true }),
      ...(resume && { resume_from: resume }),
    });
  }

  unsubscribe(symbols: readonly string[], bars: boolean): void {
    this.#asked.set(++this.#asks, { wish: { symbols, seq: false, latest: false, closes: false }, at: new Map() });
    this.#say({ action: 'unsubscribe', id: this.#asks, symbols: [...symbols], ...(bars && { channel: 'bars' }) });
  }

  receive(text: string): void {
    if (!this.connection || this.#pipe.length > 100_000) throw new Error('nobody reads here');
    this.#pipe.push(text);
    this.buffered += text.length * WEIGHT;
    if (this.reading) this.read(Number.POSITIVE_INFINITY);
  }

  /** Takes that many messages off the link. */
  read(messages: number): void {
    for (let left = messages; left > 0 && this.#pipe.length > 0; left--) {
      const text = this.#pipe.shift()!;
      this.buffered -= text.length * WEIGHT;
      const told = JSON.parse(text) as Told;
      if (told.event === undefined) this.#data(told);
      else this.#notice(told);
    }
  }

  /** With everything read: whether anything is missing, or was counted twice. */
  judge(): void {
    if (this.breaks.length > 0) throw new Error(`undeclared: ${JSON.stringify(this.breaks)}`);
    for (const { symbol, wish, whole, numbered, last, from, volume, since, messages } of this.standings.values()) {
      const facts = this.#facts(symbol, wish);
      // Bars go by trades once there were any, and then a quote changes none.
      const traded = wish.timeframe && this.#gateway.factsOf('orderflow', symbol).length > 0;
      if (messages === 0 && !traded && facts.some(({ seq, late }) => seq > since && !(wish.timeframe && late)))
        throw new Error(`${this.channel} ${symbol}: not a word since ${since}`);
      const newest = facts.at(-1)?.seq ?? 0;
      if (!wish.timeframe && numbered && last !== null && last < newest)
        throw new Error(`${this.channel} ${symbol}: stands at ${last}, the newest is ${newest}`);
      if (from === null || wish.timeframe || !(whole || numbered)) continue;
      const real = facts.filter(({ seq }) => seq > from).reduce((sum, fact) => sum + fact.volume, 0);
      if (Math.abs(real - volume) > 1e-6) throw new Error(`${this.channel} ${symbol}: volume ${volume}, not ${real}`);
    }
  }

  get #epoch(): string {
    return this.channel === 'signals' ? 'log' : 'run';
  }

  #say(message: ClientMessage): void {
    if (this.connection && !this.connection.closed) this.#gateway.hear(this.connection, message);
  }

  #gone(): void {
    this.topics.clear();
    this.#gateway.closed(this.connection!);
  }

  #facts(symbol: string, { closes }: Wish): Fact[] {
    return this.#gateway.factsOf(this.channel, symbol).filter(({ closing }) => closes || !closing);
  }

  #newest(symbol: string, wish: Wish): number {
    return this.#facts(symbol, wish).at(-1)?.seq ?? 0;
  }

  #notice(told: Told): void {
    this.notices.push(told);
    const asked = this.#asked.get(told.id as number);
    if (told.event === 'subscribed') for (const symbol of asked!.wish.symbols) this.#begin(symbol, asked!);
    else if (told.event === 'unsubscribed') this.#end(asked!.wish.symbols, told);
    else if (told.event === 'gap') this.#gap(told);
    else if (told.event === 'error' && told.resume_from) {
      const { seq: position } = told.resume_from as Position;
      for (const { symbol, wish, last } of this.standings.values()) {
        const missed = this.#facts(symbol, wish).filter(({ seq }) => seq > (last ?? 0) && seq <= position);
        if (last !== null && missed.length > 0)
          throw new Error(`sent back to ${position}, but never saw ${missed[0]!.seq}`);
      }
    }
  }

  #begin(symbol: string, { wish, resume, at }: { wish: Wish; resume?: Position; at: Map<string, number> }): void {
    const key = wish.timeframe ? `${wish.timeframe} ${symbol}` : symbol;
    const known = this.standings.get(key);
    const { rate, timeframe, closes } = wish;
    if (known && known.wish.rate === rate && known.wish.closes === closes) {
      if (known.numbered !== wish.seq && !known.whole) known.from = null;
      if (known.numbered !== wish.seq) known.last = null;
      this.standings.set(key, { ...known, numbered: wish.seq, wish, since: at.get(symbol)!, messages: 0 });
      return;
    }
    if (resume) throw new Error('only what is known is resumed');
    const whole = rate === undefined && timeframe === undefined;
    const newest = at.get(symbol)!;
    const last = this.channel === 'signals' && wish.seq ? newest : null;
    const from = whole ? newest : null;
    const start = { last, from, volume: 0, since: newest, messages: 0 };
    this.standings.set(key, { wish, symbol, whole, numbered: wish.seq, ...start });
  }

  #end(symbols: readonly string[], { bars }: Told): void {
    const left = (bars as { timeframe: string; symbols: string[] }[] | undefined) ?? [];
    const held = new Set(left.flatMap((each) => each.symbols.map((symbol) => `${each.timeframe} ${symbol}`)));
    const ticks = new Set(this.notices.at(-1)!.symbols as string[]);
    for (const [key, { wish, symbol }] of this.standings) {
      const stays = wish.timeframe ? held.has(key) : ticks.has(symbol);
      if (!stays && symbols.includes(symbol)) this.standings.delete(key);
    }
  }

  #gap(told: Told): void {
    const symbols = told.symbols as string[];
    if (told.reason === 'slow') {
      const from = told.from_seq as number;
      this.breaks = this.breaks.filter(({ symbol, seq }) => !(symbols.includes(symbol) && seq >= from));
      return;
    }
    for (const standing of this.standings.values())
      if (standing.whole && symbols.includes(standing.symbol)) standing.last = standing.from = null;
  }

  #data(told: Told): void {
    const { symbol = this.#signalSymbol(told), seq, prev, timeframe } = told;
    const key = timeframe ? `${timeframe} ${symbol}` : symbol;
    const standing = this.standings.get(key);
    if (!standing) throw new Error(`${this.channel} ${key}: not subscribed`);
    if (standing.numbered !== (seq !== undefined)) throw new Error(`${key}: numbered otherwise than asked`);
    const volume =
      this.channel === 'orderflow' ? (told.bid_volume as number) + (told.ask_volume as number) : told.volume;
    const { last } = standing;
    standing.messages++;
    this.data.push(told);
    if (seq !== undefined && prev !== undefined) {
      if (last !== null && seq <= last) throw new Error(`${this.channel} ${key}: ${seq} after ${last}`);
      if (last !== null && prev !== last) this.breaks.push({ symbol, seq });
      if (last === null && standing.from === null && volume === 0) [standing.from, standing.volume] = [seq, 0];
      standing.last = seq;
    }
    if (typeof volume === 'number') standing.volume += volume;
  }

  #signalSymbol({ id }: Told): string {
    for (const symbol of this.#gateway.switchboard.symbols)
      if (this.#gateway.factsOf('signals', symbol).some(({ seq }) => `s${seq}` === id)) return symbol;
    throw new Error(`no signal ${id}`);
  }
}
