// The stream of live bars with the values of the indicators. Only the six timeframes have one.
import type { BarMessage, IndicatorText, StreamState } from '@tickwire/client';
import { isTimeframe } from '@tickwire/contract/timeframes.ts';
import { CLOSE_REFUSED, type SharedStream } from '../../services/shared-streams.ts';
import type { OpenBars } from '../bars/bar-feed.ts';

export interface IndicatorStreamEvents {
  readonly onBar: (bar: BarMessage) => void;
  /** Bars may have been missed. */
  readonly onMissed: () => void;
}

export class IndicatorStream {
  readonly #openBars: OpenBars | null;
  readonly #events: IndicatorStreamEvents;
  #open: { readonly key: string; readonly stream: SharedStream; symbol: string } | null = null;
  #state: StreamState = 'closed';
  /** The indicators that the service refused for a symbol. */
  #refused = '';

  /** `openBars`: `null` if no stream is available. */
  constructor(openBars: OpenBars | null, events: IndicatorStreamEvents) {
    this.#openBars = openBars;
    this.#events = events;
  }

  /** Values arrive without being asked for. */
  get live(): boolean {
    return this.#state === 'live';
  }

  /** Streams these indicators, as the service writes them. The connection stays for another instrument. */
  show(symbol: string, interval: string, indicators: readonly string[]): void {
    if (!isTimeframe(interval)) {
      this.close();
      return;
    }
    const openBars = this.#openBars;
    if (!openBars || indicators.length === 0) return;
    const key = `${interval} ${indicators.join(' ')}`;
    if (this.#refused === `${symbol} ${key}`) return;
    const known = this.#open;
    if (known?.key === key && known.stream.state !== 'closed') {
      if (known.symbol !== symbol) known.stream.setSymbols([symbol]);
      known.symbol = symbol;
      return;
    }
    this.close();
    this.#state = 'connecting';
    const stream = openBars(
      { symbols: [symbol], timeframe: interval, indicators: indicators as readonly IndicatorText[] },
      {
        onMessage: this.#events.onBar,
        onState: (state, { end }) => {
          if (this.#open && this.#open.key !== key) return;
          this.#state = state;
          if (end?.code === CLOSE_REFUSED) this.#refused = `${this.#open?.symbol ?? symbol} ${key}`;
          // Bars may have closed while there was no connection.
          if (state === 'live') this.#events.onMissed();
        },
        onGap: this.#events.onMissed,
        onRejected: () => this.close(),
      },
    );
    this.#open = { key, stream, symbol };
  }

  close(): void {
    const open = this.#open;
    this.#open = null;
    this.#state = 'closed';
    open?.stream.close();
  }
}
