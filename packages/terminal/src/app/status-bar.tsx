// The line at the foot: connection and age of the newest price, messages, the service's figures, and the request quota.
// Screen readers hear changes of the state, but not the ticking of the age.

import type { StreamKind } from '@tickwire/client';
import { plural } from '@tickwire/contract/plural.ts';
import { useEffect } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { duration } from '../ui/format.ts';
import { useNow, useSettled } from '../ui/hooks.ts';
import { online } from '../ui/online.ts';
import { statusText } from './status-text.ts';

/** A state is announced once it has lasted this long: short ones are not worth an interruption. */
const ANNOUNCE_AFTER_MS = 1_500;

const TITLES: Readonly<Record<StreamKind, string>> = {
  market: 'prices',
  orderflow: 'order flow',
  perpetual: 'perpetuals',
  signals: 'signals',
  news: 'news',
  alerts: 'alerts',
  bars: 'bars',
  footprint: 'footprints',
};

type Services = Pick<TerminalServices, 'quotes' | 'streams' | 'status' | 'notifier' | 'session'>;

export function StatusBar({ quotes, streams, status, notifier, session }: Services) {
  const now = useNow(1_000);
  const streamHealth = streams.health.value;
  const { health, text, short, announcement } = statusText(streamHealth.values(), quotes.newestAgeMs, now);
  const announced = useSettled(announcement, ANNOUNCE_AFTER_MS, '');
  const live = String(streams.pricesLive);
  useEffect(() => {
    // The style sheet shows all prices as outdated unless they are live.
    document.body.dataset.live = live;
  }, [live]);
  const each = [...streamHealth].map(
    ([kind, { state, reason }]) => `${TITLES[kind]}: ${state}${reason && `, ${reason}`}`,
  );
  return (
    <>
      <span class="stream" data-health={health} title={each.join('\n')}>
        <i />
        <span class="long">{text}</span>
        <span class="short">{short}</span>
      </span>
      <span class="unseen" role="status">
        {announced}
      </span>
      <span class="notice" role="status">
        {notifier.message}
      </span>
      {/* Without a connection the figures would be old. */}
      {online.value && health !== 'reconnecting' && health !== 'closed' && (
        <ServiceFigures status={status} session={session} />
      )}
    </>
  );
}

function ServiceFigures({ status, session }: Pick<Services, 'status' | 'session'>) {
  const statistics = status.statistics.value;
  const allowance = status.allowance.value;
  return (
    <>
      <span class="service">
        {statistics &&
          [
            `${plural(statistics.instruments_active, 'instrument')} active`,
            statistics.clients_connected === 1 ? '1 client' : `${statistics.clients_connected} clients`,
            `up ${duration(statistics.uptime_seconds)}`,
          ].join(' · ')}
      </span>
      <span
        class="allowance"
        title={`REST requests left in this minute, for all ${session.signedIn ? 'your signed-in sessions' : 'keys of the account'}`}
        data-low={allowance !== null && allowance.remaining < allowance.limit / 10}
      >
        {allowance && `${allowance.remaining} / ${allowance.limit} requests`}
      </span>
    </>
  );
}
