// Starts the house publishers beside the service. They come in by the front door: over a socket, with keys of their own.
import { isIP } from 'node:net';
import { type House, startHouse, type Trouble } from '@tickwire/house';
import type { WholeApp } from '../app.ts';
import type { Config } from '../config.ts';
import type { Log } from '../ops/log.ts';
import { openAccessStore } from '../store/open.ts';
import { HOUSE_NAMES, houseKeys } from './house-keys.ts';

/** The same trouble of a publisher comes back every minute; one line an hour tells it. */
const REPEAT_MS = 3_600_000;
/** What is being published is waited for, but a service that no longer answers must still stop. */
const STOP_MS = 1_000;

/** Runs until `stop`. Whatever becomes of it, the service goes on: neither the start nor the stop ever fails. */
export function runHouse(config: Config, app: Pick<WholeApp, 'url' | 'keyring'>, log: Log): { stop(): Promise<void> } {
  const started = start(config, app, log).catch((error) => {
    log.error('the house publishers could not be started', { error });
    return null;
  });
  return {
    async stop() {
      const house = await started;
      if (!house) return;
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, STOP_MS);
      await Promise.race([house.stop(), patience.promise]);
      clearTimeout(timer);
      log.info('house publishers stopped', house.counts());
    },
  };
}

async function start(
  config: Config,
  { url, keyring }: Pick<WholeApp, 'url' | 'keyring'>,
  log: Log,
): Promise<House | null> {
  if (config.house.length === 0) return null;
  // A connection of its own, as the command line has: the keyring takes over what others have written, not what it wrote.
  const { access, close } = await openAccessStore(config);
  try {
    const options = { folder: config.data, strategies: config.house, store: access, log, now: Date.now() };
    const publishers = await houseKeys(options);
    await keyring.reload();
    if (publishers.length === 0) return null;
    log.info('house publishers started', { publishers: publishers.map(({ strategy }) => HOUSE_NAMES[strategy]) });
    const address = reachable(url);
    return startHouse({ url: address, publishers, onTrouble: troubleLog(log, Date.now), fetch: fetchFrom(address) });
  } finally {
    await close();
  }
}

/** Where a service that listens on all addresses is reached from here. */
export function reachable(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const loopback = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[hostname];
  return loopback ? `${protocol}//${loopback}${port && `:${port}`}` : url;
}

/**
 * Straight to the service, whatever proxy the environment names for the world outside. Where the address is a number of this
 * machine (the loopback, or the one we listen on) no certificate can be expected to match it, and what is sent to it does not
 * leave the machine: there, and nowhere else, the certificate is not checked.
 */
function fetchFrom(address: string): (url: string, init: RequestInit) => Promise<Response> {
  const { protocol, hostname } = new URL(address);
  const here = hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  const tls = protocol === 'https:' && here ? { tls: { rejectUnauthorized: false } } : {};
  return (url, init) => fetch(url, { ...init, proxy: false, ...tls });
}

export function troubleLog(log: Log, now: () => number): (trouble: Trouble) => void {
  const told = new Map<string, number>();
  return ({ strategy, symbol, error }) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : typeof error;
    const last = told.get(`${strategy} ${code}`);
    if (last !== undefined && now() - last < REPEAT_MS) return;
    told.set(`${strategy} ${code}`, now());
    const reason = error instanceof Error ? error.message : String(error);
    log.warn('a house publisher is in trouble', { publisher: HOUSE_NAMES[strategy], symbol, reason });
  };
}
