// A raw recording of Binance's combined stream (hftbacktest's collector): <local ns> {"stream":…,"data":…} to a line.
// Trades carry the exchange's time T and id t. Best quotes of the spot market carry no time at all, and the recorder's own
// clock may be seconds off, to either side. So a quote gets the local time, put right by the smallest delay seen lately
// between the exchange's stamps and the local clock: then no quote is older than a trade that came before it.
import { epoch } from '../date-time.ts';
import { textOf } from '../decimal.ts';
import type { RowSink } from '../row-sink.ts';
import { mostMatch } from '../sample.ts';
import { type Format, type FormatContext, LineReader, type RowReader } from './format.ts';

const LINE = /^\d{18,19} \{.*\}$/;
const SPACE = 32;
/** The correction forgets what is older than one to two of these, so a clock that is set anew shows soon. */
const WINDOW_MS = 30_000;
/** Quotes that come before the first stamped message wait for it, so many at most. */
const MAX_WAITING = 10_000;

interface Message {
  readonly stream?: string;
  readonly data?: {
    readonly s?: string;
    readonly E?: number;
    readonly T?: number;
    readonly t?: number;
    readonly p?: string;
    readonly q?: string;
    readonly m?: boolean;
    readonly b?: unknown;
    readonly a?: unknown;
    readonly B?: string;
    readonly A?: string;
  };
}

/** How far the exchange's clock is ahead of the local one, less the smallest delay of a message. */
class ClockCorrection {
  #current = Number.NaN;
  #before = Number.NaN;
  #since = Number.NEGATIVE_INFINITY;

  seen(local: number, exchange: number): void {
    if (local - this.#since > WINDOW_MS) {
      this.#since = local;
      this.#before = this.#current;
      this.#current = Number.NaN;
    }
    const ahead = exchange - local;
    if (!(ahead <= this.#current)) this.#current = ahead;
  }

  get known(): boolean {
    return !Number.isNaN(this.#current);
  }

  at(local: number): number {
    if (!this.known) return local;
    return local + (this.#before > this.#current ? this.#before : this.#current);
  }
}

class Recording {
  readonly #sink: RowSink;
  readonly #symbol: string;
  readonly #clock = new ClockCorrection();
  #waiting: (() => void)[] = [];
  /** Quotes wait no longer. */
  #unstamped = false;

  constructor(sink: RowSink, symbol: string) {
    this.#sink = sink;
    this.#symbol = symbol.toUpperCase();
  }

  line(bytes: Uint8Array, start: number, end: number): void {
    const sink = this.#sink;
    const space = bytes.indexOf(SPACE, start);
    const local = space < 0 || space >= end ? Number.NaN : epoch(bytes, start, space);
    if (Number.isNaN(local)) {
      sink.skip('bad_time');
      return;
    }
    let message: Message;
    try {
      message = JSON.parse(textOf(bytes, space + 1, end)) as Message;
    } catch {
      sink.skip('not_json');
      return;
    }
    const { stream, data } = message ?? {};
    // The snapshot of the book over REST stands among the messages and has no stream.
    if (typeof stream !== 'string' || typeof data !== 'object' || data === null) {
      sink.skip('other_stream');
      return;
    }
    if (typeof data.E === 'number') {
      this.#clock.seen(local, data.E);
      if (this.#waiting.length > 0) this.end();
    }
    const kind = stream.slice(stream.indexOf('@') + 1);
    if (kind !== 'trade' && kind !== 'bookTicker') {
      sink.skip('other_stream');
      return;
    }
    if (data.s !== this.#symbol) {
      sink.skip('unknown_symbol');
      return;
    }
    if (kind === 'trade') {
      const side = data.m === true ? 'sell' : data.m === false ? 'buy' : null;
      sink.trade(data.T ?? Number.NaN, numberOf(data.p), numberOf(data.q), side, data.t ?? null);
    } else this.#quote(local, data);
  }

  end(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#unstamped = true;
    for (const quote of waiting) quote();
  }

  #quote(local: number, data: NonNullable<Message['data']>): void {
    const take = (): void => {
      // Futures stamp their quotes.
      const time = data.T ?? this.#clock.at(local);
      this.#sink.quote(time, numberOf(data.b), numberOf(data.a), numberOf(data.B), numberOf(data.A));
    };
    // A recording of quotes alone has nothing to put the clock right by.
    if (this.#waiting.length >= MAX_WAITING) this.end();
    if (data.T !== undefined || this.#clock.known || this.#unstamped) take();
    else this.#waiting.push(take);
  }
}

const numberOf = (value: unknown): number => (typeof value === 'string' && value !== '' ? Number(value) : Number.NaN);

function rows({ options, sink }: FormatContext): RowReader {
  const recording = new Recording(sink, options.symbol);
  const lines = new LineReader(sink, 0, (bytes, start, end) => recording.line(bytes, start, end));
  return {
    chunk: (bytes) => lines.chunk(bytes),
    end: () => {
      lines.end();
      recording.end();
    },
  };
}

export const binanceRecording: Format = {
  name: 'binance-recording',
  title: 'recording of Binance streams',
  detect: ({ lines }) =>
    mostMatch(lines, LINE) && lines.some((line) => line.includes('"stream":') || line.includes('"lastUpdateId"'))
      ? 1
      : 0,
  rows,
};
