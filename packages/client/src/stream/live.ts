// Every kind of stream, as async iterables.
import { type LiveOptions, LiveStream } from './live-stream.ts';
import type { StreamKind } from './messages.ts';
import type { ConnectionConfig } from './stream.ts';

/**
 * Streams to loop over, available as `client.live`. Streams of a client share a connection if they have different symbols, kinds or
 * timeframes; each connection counts as one of the streams that the tier allows.
 */
export class Live {
  readonly #configOf: (kind: StreamKind) => ConnectionConfig;

  /** Created by {@link TickwireClient}. */
  constructor(configOf: (kind: StreamKind) => ConnectionConfig) {
    this.#configOf = configOf;
  }

  /**
   * Every change of bid and ask. The last known tick of each symbol comes first, with volume 0.
   * @example for await (const { symbol, bid, ask } of client.live.ticks({ symbols: ['EURUSD'] })) console.log(symbol, bid, ask);
   */
  ticks(options: LiveOptions<'market'>): LiveStream<'market'> {
    return this.#open('market', options);
  }

  /**
   * Bars while they form, up to five times a second, and once more when they have closed.
   * @example for await (const bar of client.live.bars({ symbols: ['EURUSD'], timeframe: '1m' })) console.log(bar.close, bar.closed);
   */
  bars(options: LiveOptions<'bars'>): LiveStream<'bars'> {
    return this.#open('bars', options);
  }

  /**
   * Volume at price of bars while they form, up to twice a second, and once more when they have closed.
   * @example for await (const { poc, levels } of client.live.footprints({ symbols: ['BTCUSD'], timeframe: '5m' })) console.log(poc, levels.length);
   */
  footprints(options: LiveOptions<'footprint'>): LiveStream<'footprint'> {
    return this.#open('footprint', options);
  }

  /**
   * Traded volume at the bid and at the ask, with delta, cumulative delta and absorption.
   * @example for await (const { symbol, delta } of client.live.orderFlow({ symbols: ['BTCUSD'] })) console.log(symbol, delta);
   */
  orderFlow(options: LiveOptions<'orderflow'>): LiveStream<'orderflow'> {
    return this.#open('orderflow', options);
  }

  /**
   * Perpetuals: mark price, funding and open interest, at most once a second, and liquidations; `type` tells them apart. The current
   * figures of each symbol come first.
   * @example for await (const update of client.live.perpetuals({ symbols: ['BTCUSDT.P'] })) if (update.type === 'figures') console.log(update.funding_rate);
   */
  perpetuals(options: LiveOptions<'perpetual'> = {}): LiveStream<'perpetual'> {
    return this.#open('perpetual', options);
  }

  /**
   * Signals as they are published. With `fills: true` also fills, with `changes: true` partial exits and tighter stops, with
   * `closes: true` closings. Resumes across restarts of the service.
   * @example for await (const signal of client.live.signals({ closes: true })) console.log(signal.id, 'pnl' in signal);
   */
  signals(options: LiveOptions<'signals'> = {}): LiveStream<'signals'> {
    return this.#open('signals', options);
  }

  /**
   * Headlines as they are published, and their revisions.
   * @example for await (const { title, sentiment } of client.live.news({ symbols: ['XAUUSD'] })) console.log(title, sentiment);
   */
  news(options: LiveOptions<'news'> = {}): LiveStream<'news'> {
    return this.#open('news', options);
  }

  /**
   * Firings of the account's alerts and subscriptions. After a lost connection they resume, so that none is missed; `id` is the
   * same as in the list of firings and in every delivery.
   * @example for await (const { title, price, late } of client.live.alerts()) console.log(title, price, late);
   */
  alerts(options: LiveOptions<'alerts'> = {}): LiveStream<'alerts'> {
    return this.#open('alerts', options);
  }

  #open<K extends StreamKind>(kind: K, options: LiveOptions<K>): LiveStream<K> {
    return new LiveStream(this.#configOf(kind), kind, options);
  }
}
