// Everything that can be followed live, as something to loop over.
import { type LiveOptions, LiveStream } from './live-stream.ts';
import type { StreamSetup } from './stream.ts';
import type { StreamKind } from './wire.ts';

/** Each call opens a connection of its own, which counts as a stream of the tier. */
export class Live {
  readonly #setupOf: (kind: StreamKind) => StreamSetup;

  constructor(setupOf: (kind: StreamKind) => StreamSetup) {
    this.#setupOf = setupOf;
  }

  /** Every change of bid and ask; the last known one of each symbol comes first, with volume 0. */
  ticks(options: LiveOptions<'market'>): LiveStream<'market'> {
    return this.#open('market', options);
  }

  /** Bars as they form, up to four times a second, and once more when they have closed. */
  bars(options: LiveOptions<'bars'>): LiveStream<'bars'> {
    return this.#open('bars', options);
  }

  orderFlow(options: LiveOptions<'orderflow'>): LiveStream<'orderflow'> {
    return this.#open('orderflow', options);
  }

  /** Signals as they are published; with `closes`, their closings too. Nothing is lost, over restarts of the service either. */
  signals(options: LiveOptions<'signals'> = {}): LiveStream<'signals'> {
    return this.#open('signals', options);
  }

  /** News as they appear, and their revisions. */
  news(options: LiveOptions<'news'> = {}): LiveStream<'news'> {
    return this.#open('news', options);
  }

  #open<K extends StreamKind>(kind: K, options: LiveOptions<K>): LiveStream<K> {
    return new LiveStream(this.#setupOf(kind), kind, options);
  }
}
