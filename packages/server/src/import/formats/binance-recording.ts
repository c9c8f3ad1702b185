// A raw recording of Binance's combined stream (hftbacktest's collector), one message per line: <local ns> {"stream":…,"data":…}.
// Trades have the exchange's time T and id t. Quotes of the spot market have no time, and the recorder's clock may be off by
// seconds. So a quote gets the local time, corrected by the smallest recent difference between the exchange's times and the
// local clock: no quote is then older than a trade before it.

import { latin1Text } from '../files/bytes.ts';
import { mostLinesMatch } from '../files/file-sample.ts';
import { parseUnixTime } from '../rows/date-time.ts';
import { LineReader, type RowReader } from '../rows/line-reader.ts';
import type { RowSink } from '../rows/row-sink.ts';
import type { Format, FormatContext } from './format.ts';

const LINE = /^\d{18,19} \{.*\}$/;
const SPACE = 32;
/** The correction covers the current window and the one before, so it follows soon when the clock is set. */
const WINDOW_MS = 30_000;
/** Quotes before the first message with a time wait for it; at most this many. */
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

/** How far the exchange's clock is ahead of the local one, minus the smallest network delay. */
class ClockCorrection {
  #current = Number.NaN;
  #before = Number.NaN;
  #since = Number.NEGATIVE_INFINITY;

  observe(local: number, exchange: number): void {
    if (local - this.#since > WINDOW_MS) {
      this.#since = local;
      this.#before = this.#current;
      this.#current = Number.NaN;
    }
    const ahead = exchange - local;
    if (!(ahead <= this.#current)) this.#current = ahead;
  }

  get isKnown(): boolean {
    return !Number.isNaN(this.#current);
  }

  correct(local: number): number {
    if (!this.isKnown) return local;
    return local + (this.#before > this.#current ? this.#before : this.#current);
  }
}

class RecordingParser {
  readonly #sink: RowSink;
  readonly #symbol: string;
  readonly #clock = new ClockCorrection();
  #waiting: (() => void)[] = [];
  /** Quotes use local time from now on, or the correction if there is one. */
  #stopWaiting = false;

  constructor(sink: RowSink, symbol: string) {
    this.#sink = sink;
    this.#symbol = symbol.toUpperCase();
  }

  line(bytes: Uint8Array, start: number, end: number): void {
    const sink = this.#sink;
    const space = bytes.indexOf(SPACE, start);
    const local = space < 0 || space >= end ? Number.NaN : parseUnixTime(bytes, start, space);
    if (Number.isNaN(local)) {
      sink.skip('bad_time');
      return;
    }
    let message: Message;
    try {
      message = JSON.parse(latin1Text(bytes, space + 1, end)) as Message;
    } catch {
      sink.skip('not_json');
      return;
    }
    const { stream, data } = message ?? {};
    // Snapshots of the book over REST are among the messages and have no stream.
    if (typeof stream !== 'string' || typeof data !== 'object' || data === null) {
      sink.skip('other_stream');
      return;
    }
    if (typeof data.E === 'number') {
      this.#clock.observe(local, data.E);
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
    this.#stopWaiting = true;
    for (const quote of waiting) quote();
  }

  #quote(local: number, data: NonNullable<Message['data']>): void {
    const emit = (): void => {
      // Quotes of futures have a time.
      const time = data.T ?? this.#clock.correct(local);
      this.#sink.quote(time, numberOf(data.b), numberOf(data.a), numberOf(data.B), numberOf(data.A));
    };
    // A recording of quotes only has no times to correct the clock by.
    if (this.#waiting.length >= MAX_WAITING) this.end();
    if (data.T !== undefined || this.#clock.isKnown || this.#stopWaiting) emit();
    else this.#waiting.push(emit);
  }
}

const numberOf = (value: unknown): number => (typeof value === 'string' && value !== '' ? Number(value) : Number.NaN);

function rows({ options, sink }: FormatContext): RowReader {
  const recording = new RecordingParser(sink, options.symbol);
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
    mostLinesMatch(lines, LINE) && lines.some((line) => line.includes('"stream":') || line.includes('"lastUpdateId"'))
      ? 1
      : 0,
  rows,
};
