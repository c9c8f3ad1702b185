// The one stream that is always open: the prices of all instruments. It fills the quote board.
import type { CoreClient, MarketTick } from '@tickwire/client';
import type { Notifier } from './notifier.ts';
import type { QuoteBoard } from './quote-board.ts';
import type { Session } from './session.ts';
import type { StreamService } from './stream-service.ts';

export interface PriceFeedOptions {
  readonly client: CoreClient;
  readonly quotes: QuoteBoard;
  readonly streams: StreamService;
  readonly notifier: Notifier;
  readonly session: Pick<Session, 'signedIn'>;
}

/** Quotes per second and instrument: a little more than the page draws. */
const MAX_RATE = 20;

export class PriceFeed {
  readonly #listeners = new Set<(tick: MarketTick) => void>();

  constructor({ client, quotes, streams, notifier, session }: PriceFeedOptions) {
    const onMessage = (tick: MarketTick): void => {
      quotes.quote(tick);
      for (const listener of this.#listeners) listener(tick);
    };
    // With an API key, quotes also build the newest bar of the chart, which needs every one of them.
    const rate = session.signedIn ? { maxRate: MAX_RATE } : {};
    streams.open('market', { symbols: ['*'], ...rate }, { onMessage });
    const load = async (): Promise<void> => {
      const { items } = await client.quotes();
      // A tick that arrived in the meantime is newer than this response.
      for (const quote of items) if (quotes.row(quote.symbol)?.bid === null) quotes.quote(quote);
    };
    load().catch((error: unknown) => notifier.reportError(error, 'Quotes'));
  }

  /** Every received tick, unlike the quote board, which reports changes once per frame. */
  onTick(signal: AbortSignal, listener: (tick: MarketTick) => void): void {
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => this.#listeners.delete(listener));
  }
}
