// Composition root of the signed-in terminal: creates the services, the pages and the frame around them.
import { CoreClient, TickwireError } from '@tickwire/client';
import { listenToPush } from '../alerts/push-subscription.ts';
import { addPalette } from '../palette/palette.tsx';
import { AccountAlerts } from '../services/account-alerts.ts';
import { AccountDocuments } from '../services/account-documents.ts';
import { ActiveSignals } from '../services/active-signals.ts';
import { DayOpens } from '../services/day-opens.ts';
import { keepLastPrices } from '../services/last-prices.ts';
import { LatestNews } from '../services/latest-news.ts';
import { Notifier } from '../services/notifier.ts';
import { PriceFeed } from '../services/price-feed.ts';
import { QuoteBoard } from '../services/quote-board.ts';
import { SESSION_EVERY_MS } from '../services/request-pacing.ts';
import type { ServiceStatus } from '../services/service-status.ts';
import { Session, type SessionOptions } from '../services/session.ts';
import { BrowserDocuments } from '../services/stored-documents.ts';
import { StreamService } from '../services/stream-service.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { UnreadFirings } from '../services/unread-firings.ts';
import { element } from '../ui/dom/elements.ts';
import { frameScheduler } from '../ui/frame-scheduler.ts';
import { poll } from '../ui/poll.ts';
import { canRegisterWorker, registerWorker } from '../ui/worker.ts';
import { showFirings } from './firing-toasts.tsx';
import { dismissFirstSteps, needsFirstSteps } from './first-run.ts';
import { type LazyPages, loadPages, NOT_FOUND, pageEntries } from './pages.tsx';
import { entryAddress, Router } from './router.tsx';
import { showShell } from './shell.tsx';

/** By then the terminal's own streams are counted among the clients. */
const FIRST_STATISTICS_MS = 1_000;

export interface OpenSessionOptions extends Omit<SessionOptions, 'account'> {
  readonly url: string;
  /** `null` to use the session cookie. */
  readonly apiKey: string | null;
  readonly status: ServiceStatus;
  /** The key or the cookie is valid: the first page is about to open. */
  readonly onValid: () => void;
}

/** Rejects if the key or the session cookie is not valid. */
export async function openSession(options: OpenSessionOptions): Promise<Session> {
  const { url, apiKey, status, onValid, onEnd, signOut } = options;
  const client = new CoreClient({ url, onResponse: status.recordResponse, ...(apiKey !== null && { apiKey }) });
  // Reading the account renews the session cookie.
  const [{ items: instruments }, account] = await Promise.all([
    client.symbols(),
    apiKey === null ? client.account.get() : null,
  ]);
  onValid();
  const session = new Session({ account, onEnd, signOut });
  const notifier = new Notifier(session);
  const streams = new StreamService({ client, session, notifier, status });
  const quotes = new QuoteBoard(instruments, (run) => frameScheduler.next(run));
  const router = new Router();
  const earlier = new BrowserDocuments(localStorage);
  const openLazily = (open: (pages: LazyPages) => unknown): void => {
    loadPages().then(open, (error) => notifier.reportError(error, 'Terminal'));
  };
  const documents = account
    ? new AccountDocuments(client.account.documents, {
        earlier,
        unsaved: new BrowserDocuments(localStorage, `tickwire.unsaved.${account.id}`),
      })
    : earlier;
  const accountAlerts = new AccountAlerts({
    client,
    streams,
    notifier,
    mayStream: () => session.signedIn || router.current.peek()?.name === 'alerts',
  });
  const services: TerminalServices = {
    client,
    session,
    instruments,
    quotes,
    streams,
    status,
    notifier,
    navigator: router,
    addInstrument: status.simulated.peek()
      ? null
      : (typed) => openLazily((lazy) => lazy.openAddInstrument(services, typed)),
    forms: {
      alert: async (...form) => (await loadPages()).showAlertForm(services, ...form),
      review: async (...form) => (await loadPages()).showReview(services, ...form),
      attempt: async () => new (await loadPages()).PublishAttempt(client),
      size: async (into) => (await loadPages()).showPositionSize(client, into),
      expiries: async (isMarketOrder) => (await loadPages()).expiryChoices(isMarketOrder ? 'market' : null),
      publishPage: async (draft) => (await loadPages()).openPublishForm(router, draft),
    },
    documents,
    prices: new PriceFeed({ client, quotes, streams, notifier, session }),
    dayOpens: new DayOpens(quotes, client, status.peekAllowance),
    activeSignals: new ActiveSignals({ client, streams, notifier }),
    latestNews: new LatestNews({ client, streams, notifier }),
    accountAlerts,
    visibleBars: [],
    replay: {
      services: null,
      open: account && ((button, place) => openLazily((lazy) => lazy.openReplayPanel(services, button, place))),
    },
    isReplay: false,
    pace: (ms) => ms,
    unreadFirings: account && new UnreadFirings({ client, documents, notifier, accountAlerts, status }, session.signal),
  };
  const statistics = poll(() => refreshStatistics(services), FIRST_STATISTICS_MS);
  session.signal.addEventListener('abort', () => {
    statistics.stop();
    services.dayOpens.stop();
  });
  keepLastPrices(localStorage, account?.id ?? 'key', quotes, session.signal);
  const pages = pageEntries(services);
  showShell(services, pages, router);
  showFirings(services);
  listenToPush(services);
  // A browser without workers, or one that refuses this one, has no offline page.
  if (canRegisterWorker()) registerWorker().catch(() => {});
  router.start(pages, NOT_FOUND, session);
  addPalette({
    signal: session.signal,
    pages: pages.map((page) => ({ name: page.name, label: page.label, open: () => router.go(entryAddress(page)) })),
    openPalette: () => openLazily((lazy) => lazy.openPalette(lazy.commandsOf(services), session.signal)),
    openShortcuts: () => openLazily((lazy) => lazy.openShortcutsDialog()),
  });
  if (account !== null) startFirstSteps(services, account.id);
  return session;
}

/** Once per account, after the first page. */
function startFirstSteps(services: TerminalServices, account: string): void {
  if (!needsFirstSteps(localStorage, account)) return;
  loadPages().then(
    ({ showFirstSteps }) =>
      showFirstSteps(services, element('first-steps', HTMLElement), () => dismissFirstSteps(localStorage, account)),
    // Shown next time.
    () => undefined,
  );
}

async function refreshStatistics({ client, quotes, status, notifier }: TerminalServices): Promise<number> {
  try {
    const statistics = await client.session();
    quotes.setServiceTime(Date.parse(statistics.server_time));
    status.statistics.value = statistics;
  } catch (error) {
    notifier.reportError(error, 'Statistics');
    if (error instanceof TickwireError && error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1_000;
  }
  return SESSION_EVERY_MS;
}
