// Folds bars shorter than a minute into minutes: the first open, the highest high, the lowest low, the last close.
import { asEpochMs, type BarBasis, MINUTE_MS } from '@tickwire/engine';
import { ImportError } from './import-error.ts';
import type { SkipReason } from './import-report.ts';
import type { OhlcPrices } from './import-row.ts';
import type { BarDraft, RowSink } from './row-sink.ts';

export class MinuteFolder {
  readonly #sink: RowSink;
  readonly #basis: BarBasis;
  readonly #volume: 'sum' | 'last';
  #minute = Number.NEGATIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #bar: BarDraft | null = null;

  /** `volume`: traded volumes add up; of the sizes of quotes, the last one counts. */
  constructor(sink: RowSink, basis: BarBasis, volume: 'sum' | 'last') {
    this.#sink = sink;
    this.#basis = basis;
    this.#volume = volume;
  }

  /** Adds a bar in the order of the file. Its line must be set in the sink. */
  add(time: number, bar: BarDraft): void {
    const fault = faultOf(time, bar);
    if (fault) {
      this.#sink.skip(fault);
      return;
    }
    if (time <= this.#last) {
      throw new ImportError(
        'wrong_columns',
        `its rows are not in order of time (${new Date(asEpochMs(time)).toISOString()} after a later row), so they cannot be folded into minutes: sort the file`,
      );
    }
    this.#last = time;
    const minute = time - (time % MINUTE_MS);
    if (minute !== this.#minute) this.flush();
    this.#minute = minute;
    this.#bar = this.#bar ? this.#join(this.#bar, bar) : bar;
  }

  /** Passes on the last minute. */
  flush(): void {
    if (this.#bar) this.#sink.bar(this.#minute, '1m', this.#basis, this.#bar);
    this.#bar = null;
  }

  #join(first: BarDraft, next: BarDraft): BarDraft {
    return {
      ...joinPrices(first, next),
      ask: first.ask && next.ask ? joinPrices(first.ask, next.ask) : (first.ask ?? next.ask),
      volume: this.#volume === 'sum' ? first.volume + next.volume : next.volume,
      bidVolume: first.bidVolume + next.bidVolume,
      askVolume: first.askVolume + next.askVolume,
    };
  }
}

function faultOf(time: number, bar: BarDraft): SkipReason | null {
  if (!(time >= 0)) return 'bad_time';
  if (!hasPrices(bar) || (bar.ask && !hasPrices(bar.ask))) return 'bad_price';
  if (!isPossible(bar) || (bar.ask && !isPossible(bar.ask))) return 'impossible_bar';
  return bar.volume >= 0 ? null : 'bad_size';
}

const hasPrices = ({ open, high, low, close }: OhlcPrices): boolean => open > 0 && high > 0 && low > 0 && close > 0;
const isPossible = ({ open, high, low, close }: OhlcPrices): boolean =>
  high >= Math.max(open, close) && low <= Math.min(open, close);
const joinPrices = (first: OhlcPrices, next: OhlcPrices): OhlcPrices => ({
  open: first.open,
  high: Math.max(first.high, next.high),
  low: Math.min(first.low, next.low),
  close: next.close,
});
