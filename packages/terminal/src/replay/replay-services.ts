// What the markets page works with in a replay: the same services as in the present, as of the clock of the session. After a seek
// they are created again, so that nothing of another time stays.
import type { Alert } from '@tickwire/client';
import { AccountAlerts } from '../services/account-alerts.ts';
import { ActiveSignals } from '../services/active-signals.ts';
import { DayOpens } from '../services/day-opens.ts';
import { LatestNews } from '../services/latest-news.ts';
import type { SignalAttempt } from '../services/placed-forms.ts';
import { PriceFeed } from '../services/price-feed.ts';
import { QuoteBoard } from '../services/quote-board.ts';
import { Session } from '../services/session.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { showPositionSize } from '../signals/position-size.tsx';
import { PublishAttempt } from '../signals/publish-attempt.ts';
import { showReview } from '../signals/review-in-place.tsx';
import { frameScheduler } from '../ui/frame-scheduler.ts';
import { poll } from '../ui/poll.ts';
import { PRACTICE } from './practice.ts';
import type { Replay } from './replay.ts';
import { replayClient } from './replay-client.ts';
import { ReplayStreams } from './replay-streams.ts';

/** Requests that follow the clock are repeated after this time at the earliest and at the latest, however fast it runs. */
const SOONEST_MS = 10_000;
const LATEST_MS = 30_000;

export interface ReplayServices {
  readonly services: TerminalServices;
  readonly close: () => void;
}

/** A replay has no alerts. */
const NOTHING = {
  alerts: async () => ({ items: [] as Alert[], count: 0 }),
};

/** `onPublished`: a practice signal was published. */
export function openReplayServices(
  live: TerminalServices,
  { clock, session: replayed }: Replay,
  onPublished: () => void,
): ReplayServices {
  const { notifier, status } = live;
  const { id, symbols } = replayed.peek();
  const { account } = live.session;
  const session = new Session({ account, onEnd: live.session.end, signOut: live.session.signOut });
  const client = replayClient({
    url: location.origin,
    id,
    onClock: (time) => clock.reach(time),
    onResponse: status.recordResponse,
  });
  // Without an account, they are not lent to other tabs.
  const own = { account: null, signal: session.signal, signedIn: true, end: session.end };
  const streams = new ReplayStreams({ client, session: own, notifier, status });
  const instruments = live.instruments.filter(({ symbol }) => symbols.includes(symbol));
  const quotes = new QuoteBoard(
    instruments,
    (run) => frameScheduler.next(run),
    () => clock.time,
  );
  const prices = new PriceFeed({ client, quotes, streams, notifier, session });
  prices.onTick(session.signal, ({ time }) => clock.reach(time * 1_000));
  const pace = (ms: number): number => {
    const { speed } = replayed.peek();
    return Math.max(SOONEST_MS, Math.min(LATEST_MS, speed === 'max' ? 0 : ms / speed));
  };
  const dayOpens = new DayOpens(quotes, client, status.peekAllowance, (task) => poll(async () => pace(await task())));
  const attempt = (): SignalAttempt => {
    const sent = new PublishAttempt(client);
    return {
      request: (build) => sent.request(build, clock.time),
      publish: async (request) => {
        const id = await sent.publish(request);
        onPublished();
        return id;
      },
    };
  };
  const services: TerminalServices = {
    ...live,
    client,
    session,
    instruments,
    quotes,
    prices,
    dayOpens,
    // Those of others have no stream in a replay.
    activeSignals: new ActiveSignals({ client, streams, notifier, user: PRACTICE }),
    latestNews: new LatestNews({ client, streams, notifier }),
    accountAlerts: new AccountAlerts({ client: NOTHING, streams, notifier, mayStream: () => false }),
    unreadFirings: null,
    streams,
    addInstrument: null,
    replay: { services: null, open: null },
    forms: {
      ...live.forms,
      review: async (...form) => showReview(services, ...form),
      attempt: async () => attempt(),
      size: async (into) => showPositionSize(client, into),
    },
    isReplay: true,
    pace,
  };
  return {
    services,
    close: () => {
      dayOpens.stop();
      session.close();
    },
  };
}
