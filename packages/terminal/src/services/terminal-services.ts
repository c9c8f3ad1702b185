// The services of the signed-in terminal. A page declares what it needs: `Pick<TerminalServices, 'client' | 'quotes'>`.
import type { CoreClient, Instrument } from '@tickwire/client';
import type { AccountAlerts } from './account-alerts.ts';
import type { ActiveSignals } from './active-signals.ts';
import type { DayOpens } from './day-opens.ts';
import type { LatestNews } from './latest-news.ts';
import type { Notifier } from './notifier.ts';
import type { PlacedForms } from './placed-forms.ts';
import type { PriceFeed } from './price-feed.ts';
import type { QuoteBoard } from './quote-board.ts';
import type { ReplayPlace } from './replay-place.ts';
import type { ServiceStatus } from './service-status.ts';
import type { Session } from './session.ts';
import type { StoredDocuments } from './stored-documents.ts';
import type { StreamService } from './stream-service.ts';
import type { UnreadFirings } from './unread-firings.ts';

export interface Navigator {
  /** Opens a page of the terminal. `replace`: the back button skips the current address. */
  go(path: string, options?: { readonly replace?: boolean }): void;
  /** Opens the current page anew, with other services. */
  reopen(): void;
}

/** Replays of the past on the markets page. */
export interface ReplayMode {
  /** Of the replay that the markets page shows; `null` in the present. */
  services: TerminalServices | null;
  /** Opens the panel that starts a replay. `null` in a replay, and with an API key, which cannot stream one from a browser. */
  readonly open: ((button: HTMLElement, place: ReplayPlace) => void) | null;
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
  /** `null` with an API key: its streams are in use. */
  readonly unreadFirings: UnreadFirings | null;
  readonly documents: StoredDocuments;
  readonly streams: StreamService;
  readonly status: ServiceStatus;
  readonly notifier: Notifier;
  readonly navigator: Navigator;
  /** Opens the search in the lists of the venues; `null` in simulated markets, which have none. */
  readonly addInstrument: ((typed: string) => void) | null;
  readonly forms: PlacedForms;
  readonly replay: ReplayMode;
  /** Numbers of bars that were visible in the charts when their page was closed, the same in the present and in a replay. */
  readonly visibleBars: (number | null)[];
  /** Whether these services show the past, as of the clock of a replay. */
  readonly isReplay: boolean;
  /** Milliseconds to wait until about so many have passed on the clock of these services. */
  readonly pace: (ms: number) => number;
}
