// Circuit breakers of origins, by account: if messages of an account to several destinations of an origin fail in a row, all of
// them wait, and one message tests the origin from time to time. One destination alone cannot stop the others, and destinations
// of other accounts are not concerned.
import { MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import { CircuitBreaker } from '../work/circuit-breaker.ts';
import { LruMap } from '../work/lru-map.ts';

const PAUSES = { firstMs: 5 * SECOND_MS, maxMs: MINUTE_MS };
const MIN_DESTINATIONS = 3;
/** More than fail at a time. Those used last are remembered. */
const MAX_FAILING = 10_000;
/** How long others wait while one message tests an origin. */
const TRIAL_MS = SECOND_MS;

interface FailingOrigin {
  readonly breaker: CircuitBreaker;
  readonly destinations: Set<string>;
  /** The destination whose message tests the origin. */
  trial: string | null;
}

/** `key`: of an account and an origin. */
export class OriginBreakers {
  readonly #now: () => number;
  readonly #failing = new LruMap<string, FailingOrigin>(MAX_FAILING);

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds to wait before a message may be sent; if 0, `ended` must follow. */
  enter(key: string, destination: string): number {
    const failing = this.#failing.get(key);
    if (!failing) return 0;
    const isTrial = failing.breaker.state === 'half_open';
    if (!failing.breaker.enter()) return Math.max(failing.breaker.retryInMs, TRIAL_MS);
    if (isTrial) failing.trial = destination;
    return 0;
  }

  ended(key: string, destination: string, outcome: 'reached' | 'failed' | 'cancelled'): void {
    if (outcome === 'reached') {
      this.#failing.delete(key);
      return;
    }
    let failing = this.#failing.get(key);
    const isTrial = failing?.trial === destination;
    if (failing && isTrial) failing.trial = null;
    if (outcome === 'cancelled') {
      if (isTrial) failing?.breaker.cancelled();
      return;
    }
    // Began before the origin was stopped.
    if (failing && !isTrial && failing.breaker.state !== 'closed') return;
    if (!failing) {
      failing = { breaker: new CircuitBreaker(this.#now, PAUSES), destinations: new Set(), trial: null };
      this.#failing.set(key, failing);
    }
    if (failing.destinations.size < MIN_DESTINATIONS) failing.destinations.add(destination);
    if (failing.destinations.size >= MIN_DESTINATIONS) failing.breaker.failed();
    else failing.breaker.cancelled();
  }
}

/** The origin of an opened address; a channel with one server for all destinations is an origin of its own. */
export function originOf(channel: string, address: unknown): string {
  const { url, endpoint } = address as { readonly url?: unknown; readonly endpoint?: unknown };
  const given = typeof url === 'string' ? url : typeof endpoint === 'string' ? endpoint : null;
  return (given !== null && URL.parse(given)?.origin) || channel;
}
