// The state of connection and data in words. It is that of the worst stream, and among live ones that of the newest price.
import { WORST_FIRST } from '../services/shared-streams.ts';
import type { StreamHealth } from '../services/stream-health.ts';
import { setNumber } from '../ui/format.ts';
import { LIVE_WITHIN_MS, SILENT_AFTER_MS, spanOf } from '../ui/price-age.ts';

export type StatusHealth = 'live' | 'quiet' | 'stale' | 'connecting' | 'reconnecting' | 'crowded' | 'closed';

export interface StatusText {
  readonly health: StatusHealth;
  /** In the bar. */
  readonly text: string;
  /** In the bar of a phone. */
  readonly short: string;
  /** For screen readers, only when the health changes. */
  readonly announcement: string;
}

const TOO_MANY: StatusText = {
  health: 'crowded',
  text: 'too many open tabs: close another tab, or stop a program that uses streams',
  short: 'too many open tabs',
  announcement: 'Too many streams are open. Parts of this page are not updated. Close another tab.',
};

/** `null` if there are no streams. */
export function worstOf(streams: Iterable<StreamHealth>): StreamHealth | null {
  let worst: StreamHealth | null = null;
  for (const stream of streams) {
    const rank = WORST_FIRST.indexOf(stream.state);
    if (!worst || rank < WORST_FIRST.indexOf(worst.state)) worst = stream;
  }
  return worst;
}

/** `ageMs`: age of the newest price of all instruments; `null` before the first. */
export function statusText(streams: Iterable<StreamHealth>, ageMs: number | null, now: number): StatusText {
  const all = [...streams];
  const worst = worstOf(all);
  if (worst?.state !== 'closed' && all.some(({ limited }) => limited)) return TOO_MANY;
  if (worst === null || (worst.state === 'connecting' && !worst.lost)) {
    return { health: 'connecting', text: 'connecting…', short: 'connecting…', announcement: 'Connecting' };
  }
  const { state, reason, retryAt } = worst;
  if (state === 'closed') {
    const text = `disconnected${reason && `: ${reason}`}`;
    return { health: 'closed', text, short: 'disconnected', announcement: 'Disconnected. Prices no longer move.' };
  }
  if (state === 'connecting') {
    const wait = retryAt === null || retryAt <= now ? '' : ` in ${Math.ceil((retryAt - now) / 1_000)} s`;
    const old = ageMs === null ? '' : ` · last price ${spanOf(ageMs)} ago`;
    const announcement = 'Connection lost, reconnecting. Prices may be old.';
    return { health: 'reconnecting', text: `reconnecting${wait}…${old}`, short: 'reconnecting…', announcement };
  }
  if (state === 'stale') {
    const old = ageMs === null ? '' : ` · last price ${spanOf(ageMs)} ago`;
    const announcement = 'No data from the service. Prices may be old.';
    return { health: 'stale', text: `no data from the service${old}`, short: 'no data', announcement };
  }
  return liveWords(ageMs);
}

function liveWords(ageMs: number | null): StatusText {
  if (ageMs === null) {
    const announcement = 'Connected. There is no price yet.';
    return { health: 'quiet', text: 'connected · no price yet', short: 'no price yet', announcement };
  }
  if (ageMs < LIVE_WITHIN_MS) {
    // Tenths below a second make visible that prices arrive.
    const age = ageMs < 1_000 ? `${setNumber((Math.floor(ageMs / 100) / 10).toFixed(1))} s` : spanOf(ageMs);
    return { health: 'live', text: `live · ${age}`, short: `live ${age}`, announcement: 'Prices are live' };
  }
  const span = spanOf(ageMs);
  if (ageMs < SILENT_AFTER_MS) {
    const announcement = 'No new prices for ten seconds';
    return { health: 'stale', text: `stale · last price ${span} ago`, short: `stale ${span}`, announcement };
  }
  const announcement = 'Connected, but no new prices for a minute';
  return { health: 'quiet', text: `connected · no price for ${span}`, short: `no price ${span}`, announcement };
}
