// Opens authentication: keys, sessions and allowances, and how the address and origin of a caller are determined.

import { DAY_MS, HOUR_MS } from '@tickwire/engine';
import { AddressLimits } from '../access/address-limits.ts';
import { type AddressOf, addressReader } from '../access/client-address.ts';
import { createDemoKey, createSetupToken, giveDemoKeyToOwner } from '../access/first-start.ts';
import { Guard } from '../access/guard.ts';
import { Keyring } from '../access/keyring.ts';
import { type OriginOf, originReader } from '../access/public-origin.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ops/log.ts';
import type { AccessStore } from '../store/store.ts';
import { RateLimiter } from '../work/rate-limiter.ts';
import type { FirstStartCredentials } from './app.ts';

export interface OpenAccessOptions {
  readonly config: Config;
  readonly store: AccessStore;
  /** Whether the service terminates TLS itself. */
  readonly tls: boolean;
  readonly log: Log;
  readonly now: () => number;
  /** Creates the credentials of a first start. In a cluster only the ingest node does. Default `true`. */
  readonly firstStart?: boolean;
}

export interface Access extends FirstStartCredentials {
  readonly keyring: Keyring;
  readonly failures: RateLimiter;
  readonly addressLimits: AddressLimits;
  readonly guard: Guard;
  readonly addressOf: AddressOf;
  readonly originOf: OriginOf;
  readonly nameOf: (publisher: string) => string | undefined;
  readonly publisherOf: (name: string) => string | undefined;
}

export async function openAccess(options: OpenAccessOptions): Promise<Access> {
  const { config, store, tls, log, now, firstStart = true } = options;
  const demoKey = firstStart && config.realm === 'sim' ? await createDemoKey(store, now()) : null;
  if (firstStart) await giveDemoKeyToOwner(store, now());
  const keyring = new Keyring({
    store,
    tiers: config.tiers,
    log,
    now,
    sessionLifetime: { maxMs: config.session_days * DAY_MS, idleMs: config.session_idle_hours * HOUR_MS },
  });
  await keyring.load();
  const failures = new RateLimiter({ limit: config.failed_keys_per_minute });
  const addressLimits = new AddressLimits(config.anonymous_requests_per_minute);
  const addressOf = addressReader(config.trusted_proxies);
  const originOf = originReader({ publicUrl: config.public_url, tls, trustedProxies: config.trusted_proxies });
  return {
    keyring,
    failures,
    addressLimits,
    guard: new Guard({ keyring, failures, addressLimits, addressOf, originOf }),
    addressOf,
    originOf,
    demoKey,
    setupToken: config.realm === 'replay' || !firstStart ? null : await createSetupToken(store, now()),
    nameOf: (publisher) => keyring.nameOf(publisher),
    publisherOf: (name) => keyring.publisherOf(name),
  };
}
