// Circuit breakers per host: if messages to several destinations of a host fail in a row, all of them wait, and one message
// tests the host from time to time. One destination alone cannot stop a host that serves others as well.
import { MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import { CircuitBreaker } from '../ops/circuit-breaker.ts';

/** Short, because others share a host with the destinations that failed. */
const PAUSES = { firstMs: 5 * SECOND_MS, maxMs: MINUTE_MS };
const MIN_DESTINATIONS = 3;
/** More hosts than fail at a time. Beyond it, all of them start over. */
const MAX_HOSTS = 10_000;
/** How long others wait while one message tests a host. */
const TRIAL_MS = SECOND_MS;

interface FailingHost {
  readonly breaker: CircuitBreaker;
  readonly destinations: Set<string>;
  /** The destination whose message tests the host. */
  trial: string | null;
}

export class HostBreakers {
  readonly #now: () => number;
  readonly #failing = new Map<string, FailingHost>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds to wait before a message may be sent; if 0, `ended` must follow. */
  enter(host: string, destination: string): number {
    const failing = this.#failing.get(host);
    if (!failing) return 0;
    const isTrial = failing.breaker.state === 'half_open';
    if (!failing.breaker.enter()) return Math.max(failing.breaker.retryInMs, TRIAL_MS);
    if (isTrial) failing.trial = destination;
    return 0;
  }

  ended(host: string, destination: string, outcome: 'reached' | 'failed' | 'cancelled'): void {
    if (outcome === 'reached') {
      this.#failing.delete(host);
      return;
    }
    let failing = this.#failing.get(host);
    const isTrial = failing?.trial === destination;
    if (failing && isTrial) failing.trial = null;
    if (outcome === 'cancelled') {
      if (isTrial) failing?.breaker.cancelled();
      return;
    }
    // Began before the host was stopped.
    if (failing && !isTrial && failing.breaker.state !== 'closed') return;
    if (!failing) {
      if (this.#failing.size >= MAX_HOSTS) this.#failing.clear();
      failing = { breaker: new CircuitBreaker(this.#now, PAUSES), destinations: new Set(), trial: null };
      this.#failing.set(host, failing);
    }
    if (failing.destinations.size < MIN_DESTINATIONS) failing.destinations.add(destination);
    if (failing.destinations.size >= MIN_DESTINATIONS) failing.breaker.failed();
    else failing.breaker.cancelled();
  }
}

/** The host of an opened address; channels with one server for all destinations are a host of their own. */
export function hostOf(channel: string, address: unknown): string {
  const { url, endpoint } = address as { readonly url?: unknown; readonly endpoint?: unknown };
  const given = typeof url === 'string' ? url : typeof endpoint === 'string' ? endpoint : null;
  return (given !== null && URL.parse(given)?.host) || channel;
}
