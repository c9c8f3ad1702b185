// A line: one ordered run of messages of one symbol. It knows its continuity numbers, who listens to it, and what it owes to
// those who are behind. A paced line follows another and says only its newest, so many times a second.
import type { Timeframe } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { plain, sequenced } from './encode.ts';
import { Owed } from './owed.ts';

export type Publish = (topic: string, text: string) => void;

export interface LineOptions {
  readonly symbol: MarketSymbol;
  /** Its topic at the runtime; unique among all lines. */
  readonly topic: string;
  readonly epoch: string;
  /** Of a line of bars. */
  readonly timeframe?: Timeframe;
  /** The newest message without its closing brace, with this volume in it; null where there is none. */
  readonly newest: (owed: Readonly<Owed>) => string | null;
}

export class Line {
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe | null;
  /** Another once continuity was lost. */
  epoch: string;
  readonly newest: LineOptions['newest'];
  /** Names the line within a connection: a connection takes it in one way at a time. */
  readonly key: string;
  seq = 0;
  prev = 0;
  /** Accounts of those who are behind. */
  readonly owed = new Set<Owed>();
  /** Paced lines that go by this one. */
  readonly followers: PacedLine[] = [];
  readonly #topic: string;
  readonly #numberedTopic: string;
  readonly #taps: Tap[] = [];
  #plain = 0;
  #sequenced = 0;

  constructor({ symbol, topic, epoch, timeframe = undefined, newest }: LineOptions) {
    this.symbol = symbol;
    this.timeframe = timeframe ?? null;
    this.key = timeframe ? `${timeframe} ${symbol}` : symbol;
    this.epoch = epoch;
    this.newest = newest;
    this.#topic = topic;
    this.#numberedTopic = `${topic}+`;
  }

  /** One object for all who take the line in the same way. */
  tap(numbered: boolean, latest: boolean): Tap {
    const at = (numbered ? 1 : 0) + (latest ? 2 : 0);
    this.#taps[at] ??= { line: this, sequenced: numbered, latest, topic: numbered ? this.#numberedTopic : this.#topic };
    return this.#taps[at];
  }

  listeners(numbered: boolean, change: 1 | -1): void {
    if (numbered) this.#sequenced += change;
    else this.#plain += change;
  }

  /** Whether a message would reach anyone; if not, it need not be encoded. */
  get heard(): boolean {
    return this.#plain > 0 || this.#sequenced > 0;
  }

  /** Counts a message, whether or not anyone listens: continuity does not depend on listeners. */
  advance(seq: number, volume: number, askVolume: number): void {
    this.prev = this.seq;
    this.seq = seq;
    if (this.owed.size > 0) for (const owed of this.owed) owed.add(volume, askVolume);
  }

  /** Sends the message that was just counted to whoever listens. */
  publish(body: string, publish: Publish): void {
    if (this.#plain > 0) publish(this.#topic, plain(body));
    if (this.#sequenced > 0) publish(this.#numberedTopic, sequenced(body, this.seq, this.prev, this.epoch));
  }

  /** The newest message as one reader gets it by itself. */
  text(numbered: boolean, owed: Readonly<Owed>, prev = this.prev): string | null {
    const body = this.newest(owed);
    if (body === null) return null;
    return numbered ? sequenced(body, this.seq, prev, this.epoch) : plain(body);
  }
}

/** How a reader takes a line. */
export interface Tap {
  readonly line: Line;
  readonly sequenced: boolean;
  /** Only the newest when the reader is behind, without notice: it was asked for. */
  readonly latest: boolean;
  readonly topic: string;
}

export class PacedLine extends Line {
  /** What came on the line it follows since its last message. */
  readonly owes = new Owed();
  readonly everyMs: number;
  /** seq of the newest event it has not told of; 0 where there is none. */
  pending = 0;
  dueAt = 0;

  constructor(options: LineOptions, rate: number) {
    super(options);
    this.everyMs = 1000 / rate;
  }

  /** Nobody listens and nobody is owed: it can go. */
  get idle(): boolean {
    return !this.heard && this.owed.size === 0;
  }
}
