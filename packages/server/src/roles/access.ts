// Who may call: keys, sessions and allowances, and by what address and origin a caller came.
import { type AddressOf, addressReader } from '../access/client-address.ts';
import { makeDemoKey } from '../access/demo-key.ts';
import { FailedAttempts } from '../access/failed-attempts.ts';
import { Keyring } from '../access/keyring.ts';
import { type OriginOf, originReader } from '../access/own-origin.ts';
import { makeSetupToken } from '../accounts/setup-link.ts';
import type { Config } from '../config.ts';
import { Guard } from '../http/guard.ts';
import type { Log } from '../ops/log.ts';
import type { AccessStore } from '../store/store.ts';

export interface OpenAccessOptions {
  readonly config: Config;
  readonly store: AccessStore;
  /** Whether browsers reach us over TLS of our own. */
  readonly tls: boolean;
  readonly log: Log;
  readonly now: () => number;
  /** Makes what a first start makes: the demo key, the link of the owner. In a cluster, the ingest does. Default true. */
  readonly founds?: boolean;
}

export interface Access {
  readonly keyring: Keyring;
  readonly failures: FailedAttempts;
  readonly guard: Guard;
  readonly addressOf: AddressOf;
  readonly originOf: OriginOf;
  /** Made on the first start, never told again. */
  readonly demoKey: string | null;
  /** Makes the owner's account, once; null where there is one. */
  readonly setupToken: string | null;
  readonly nameOf: (publisher: string) => string | undefined;
  readonly publisherOf: (name: string) => string | undefined;
}

export async function openAccess({ config, store, tls, log, now, founds = true }: OpenAccessOptions): Promise<Access> {
  const demoKey = founds && config.realm === 'sim' ? await makeDemoKey(store) : null;
  const keyring = new Keyring({ store, tiers: config.tiers, log, now });
  await keyring.load();
  const failures = new FailedAttempts(config.failed_keys_per_minute);
  const addressOf = addressReader(config.trusted_proxies);
  const originOf = originReader({ publicUrl: config.public_url, tls, trustedProxies: config.trusted_proxies });
  return {
    keyring,
    failures,
    guard: new Guard({ keyring, failures, addressOf, originOf }),
    addressOf,
    originOf,
    demoKey,
    setupToken: config.realm === 'replay' || !founds ? null : await makeSetupToken(store, now()),
    nameOf: (publisher) => keyring.nameOf(publisher),
    publisherOf: (name) => keyring.publisherOf(name),
  };
}
