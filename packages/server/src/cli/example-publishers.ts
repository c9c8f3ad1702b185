// Starts the example publishers next to the service. They use the public API over a socket, with their own keys.
import { isIP } from 'node:net';
import { HOUR_MS } from '@tickwire/engine';
import type { PublisherFailure, RunningPublishers } from '@tickwire/house';
import type { SingleProcess } from '../app/single-process.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ops/log.ts';
import { openAccessStore } from '../store/open-store.ts';
import { RateLimiter } from '../work/rate-limiter.ts';
import { examplePublisherKeys, PUBLISHER_NAMES } from './example-publisher-keys.ts';

/** They start this long after the service, so that it answers the first requests of users before. */
const START_AFTER_MS = 200;
/** A recurring error of a publisher is logged once an hour. */
const REPEAT_MS = HOUR_MS;
/** How long the stop waits for a publication in progress. */
const STOP_MS = 1_000;

/** Runs until `stop`. Failures are logged and do not affect the service. */
export function runExamplePublishers(
  config: Config,
  app: Pick<SingleProcess, 'url' | 'keyring'>,
  log: Log,
): { stop(): Promise<void> } {
  const due = Promise.withResolvers<boolean>();
  const startTimer = setTimeout(() => due.resolve(true), START_AFTER_MS);
  const started = due.promise
    .then((isDue) => (isDue ? start(config, app, log) : null))
    .catch((error) => {
      log.error('the example publishers could not be started', { error });
      return null;
    });
  return {
    async stop() {
      clearTimeout(startTimer);
      due.resolve(false);
      const house = await started;
      if (!house) return;
      const timeout = Promise.withResolvers<void>();
      const timer = setTimeout(timeout.resolve, STOP_MS);
      await Promise.race([house.stop(), timeout.promise]);
      clearTimeout(timer);
      log.info('example publishers stopped', house.counts());
    },
  };
}

async function start(
  config: Config,
  { url, keyring }: Pick<SingleProcess, 'url' | 'keyring'>,
  log: Log,
): Promise<RunningPublishers | null> {
  if (config.house.length === 0) return null;
  // A separate connection, as on the command line; the keyring is reloaded afterwards.
  await using opened = await openAccessStore(config);
  const options = { folder: config.data, strategies: config.house, store: opened.access, log, now: Date.now() };
  const publishers = await examplePublisherKeys(options);
  await keyring.reload();
  if (publishers.length === 0) return null;
  log.info('example publishers started', {
    publishers: publishers.map(({ strategy }) => PUBLISHER_NAMES[strategy]),
  });
  const address = reachable(url);
  const { startPublishers } = await import('@tickwire/house');
  return startPublishers({ url: address, publishers, onError: troubleLog(log, Date.now), fetch: fetchFrom(address) });
}

/** The address of the service from this machine, if it listens on all addresses. */
export function reachable(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const loopback = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[hostname];
  return loopback ? `${protocol}//${loopback}${port && `:${port}`}` : url;
}

/**
 * Connects directly, without the proxy of the environment. The certificate is not checked if the host is an IP address of
 * this machine or localhost: certificates rarely match those, and the traffic does not leave the machine.
 */
function fetchFrom(address: string): (url: string, init: RequestInit) => Promise<Response> {
  const { protocol, hostname } = new URL(address);
  const local = hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  const tls = protocol === 'https:' && local ? { tls: { rejectUnauthorized: false } } : {};
  return (url, init) => fetch(url, { ...init, proxy: false, ...tls });
}

export function troubleLog(log: Log, now: () => number): (failure: PublisherFailure) => void {
  const logged = new RateLimiter({ limit: 1, windowMs: REPEAT_MS });
  return ({ strategy, symbol, error }) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : typeof error;
    if (logged.take(`${strategy} ${code}`, now()) > 0) return;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn('an example publisher failed', { publisher: PUBLISHER_NAMES[strategy], symbol, reason });
  };
}
