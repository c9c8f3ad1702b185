// The services of the signed-in terminal. A page declares what it needs: `Pick<TerminalServices, 'client' | 'quotes'>`.
import type { CoreClient, Instrument } from '@tickwire/client';
import type { AccountAlerts } from './account-alerts.ts';
import type { ActiveSignals } from './active-signals.ts';
import type { DayOpens } from './day-opens.ts';
import type { LatestNews } from './latest-news.ts';
import type { Notifier } from './notifier.ts';
import type { PriceFeed } from './price-feed.ts';
import type { QuoteBoard } from './quote-board.ts';
import type { ServiceStatus } from './service-status.ts';
import type { Session } from './session.ts';
import type { StoredDocuments } from './stored-documents.ts';
import type { StreamService } from './stream-service.ts';

export interface Navigator {
  /** Opens a page of the terminal. `replace`: the back button skips the current address. */
  go(path: string, options?: { readonly replace?: boolean }): void;
}

export interface TerminalServices {
  readonly client: CoreClient;
  readonly session: Session;
  readonly instruments: readonly Instrument[];
  readonly quotes: QuoteBoard;
  readonly prices: PriceFeed;
  readonly dayOpens: DayOpens;
  readonly activeSignals: ActiveSignals;
  readonly latestNews: LatestNews;
  readonly accountAlerts: AccountAlerts;
  readonly documents: StoredDocuments;
  readonly streams: StreamService;
  readonly status: ServiceStatus;
  readonly notifier: Notifier;
  readonly navigator: Navigator;
}
