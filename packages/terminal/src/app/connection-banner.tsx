// A line above the page while it shows old data: the browser is offline, or the service cannot be reached.
import { useEffect } from 'preact/hooks';
import type { StreamHealth } from '../services/stream-health.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { useNow, useSettled } from '../ui/hooks.ts';
import { online } from '../ui/online.ts';
import { timeText } from '../ui/relative-time.ts';

/** A connection that is lost for a moment is not worth a line that moves the page. */
const SHOW_AFTER_MS = 2_000;

export type Outage = 'offline' | 'unreachable' | null;

/** `prices`: the stream of prices; `undefined` before it is opened. */
export function outageOf(isOnline: boolean, prices: StreamHealth | undefined): Outage {
  if (!isOnline) return 'offline';
  // Too many open tabs are another matter, and the status bar reports it.
  return prices?.lost && !prices.limited ? 'unreachable' : null;
}

/** `newestAt`: time of the newest price, milliseconds since the epoch; `null` if there is none. */
export function outageText(outage: Exclude<Outage, null>, newestAt: number | null, now: number): string {
  const what = outage === 'offline' ? 'Offline' : 'The service cannot be reached';
  const data = newestAt === null ? 'no prices yet' : `prices as of ${timeText(newestAt, now)}`;
  return `${what}: ${data}. Nothing on this page is updated until the connection is back.`;
}

type Services = Pick<TerminalServices, 'streams' | 'quotes'>;

export function ConnectionBanner({ streams, quotes }: Services) {
  const now = useNow(1_000);
  const outage = outageOf(online.value, streams.health.value.get('market'));
  const lasting = useSettled(outage, SHOW_AFTER_MS, null);
  const shown = outage === 'offline' ? outage : outage && lasting;
  const { newestAgeMs } = quotes;
  useEffect(() => {
    document.body.dataset.outage = String(shown !== null);
  }, [shown]);
  return (
    <p class="banner" role="status" hidden={shown === null}>
      {shown && outageText(shown, newestAgeMs === null ? null : now - newestAgeMs, now)}
    </p>
  );
}
