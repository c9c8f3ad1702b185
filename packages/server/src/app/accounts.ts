// Opens the handlers for accounts and keys, and the periodic work that accounts need.
import type { Tier } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { AccountService, type AccountServiceOptions } from '../access/accounts/account-service.ts';
import type { AttemptThrottle } from '../access/accounts/attempt-throttle.ts';
import type { Keyring } from '../access/keyring.ts';
import { AccountHandlers } from '../http/account-handlers.ts';
import type { Guard } from '../http/guard.ts';
import type { IdempotencyCache } from '../http/idempotency-cache.ts';
import { IdempotentSecrets } from '../http/idempotent-secrets.ts';
import { KeyHandlers } from '../http/key-handlers.ts';
import { type OpenStreams, OperatorHandlers } from '../http/operator-handlers.ts';
import type { HandlerParts } from '../http/routes.ts';
import type { AccessStore } from '../store/store.ts';

export interface AccountsOptions {
  readonly store: AccessStore;
  readonly keyring: Keyring;
  readonly guard: Guard;
  readonly idempotency: IdempotencyCache;
  readonly registration: AccountServiceOptions['registration'];
  /** Counts sign-ins over all gateways of a cluster; omitted in a single process. */
  readonly throttle?: AttemptThrottle;
  readonly keyCreationsPerDay: number;
  /** Keys that were revoked or expired this many days ago are deleted. */
  readonly revokedKeyDays: number;
  readonly tiers: Readonly<Record<string, Tier>>;
  readonly connections: OpenStreams;
  readonly now: () => number;
}

export interface OpenAccounts {
  readonly handlers: Pick<HandlerParts, 'accounts' | 'keys' | 'operator' | 'keyring'>;
  /** Counts the time of open streams and writes the usage history. */
  recordUsage(): Promise<void>;
  /** Deletes expired sessions, old keys, old usage history and old changes. */
  prune(): Promise<void>;
}

export function openAccounts(options: AccountsOptions): OpenAccounts {
  const { store, keyring, guard, idempotency, registration, throttle, tiers, connections, now } = options;
  const { keyCreationsPerDay: creationsPerDay, revokedKeyDays } = options;
  const accounts = new AccountService({ store, keyring, registration, ...(throttle && { throttle }), now });
  const secrets = new IdempotentSecrets(idempotency, now);
  return {
    handlers: {
      accounts: new AccountHandlers({ accountService: accounts, keyring, guard }),
      keys: new KeyHandlers({ store, keyring, secrets, creationsPerDay, now }),
      operator: new OperatorHandlers({ store, keyring, connections, tiers, secrets, guard, now }),
      keyring,
    },
    recordUsage() {
      // An open stream keeps its session alive, even without messages.
      for (const { caller, closed } of connections) if (caller?.session && !closed) keyring.touch(caller, now());
      keyring.usage.sample(connections, now());
      return keyring.usage.flush(now());
    },
    async prune() {
      await accounts.endSessions(keyring.sessions.expired(now()));
      await keyring.usage.prune(now());
      await store.purgeKeys(Math.floor(now()) - revokedKeyDays * DAY_MS);
      await keyring.reload();
      await store.forgetChanges();
    },
  };
}
