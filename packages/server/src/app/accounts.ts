// Opens the handlers for accounts and keys, and the periodic work that accounts need.
import type { Tier } from '@tickwire/contract';
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { AccountAudit } from '../access/accounts/account-audit.ts';
import { AccountService, type AccountServiceOptions } from '../access/accounts/account-service.ts';
import type { AttemptThrottle } from '../access/accounts/attempt-throttle.ts';
import { SecretBox } from '../access/accounts/secret-box.ts';
import { TwoFactor } from '../access/accounts/two-factor.ts';
import { TwoFactorService } from '../access/accounts/two-factor-service.ts';
import type { Keyring } from '../access/keyring.ts';
import { AccountHandlers } from '../http/account-handlers.ts';
import { AuditHandlers } from '../http/audit-handlers.ts';
import { DataLinkHandlers } from '../http/data-link-handlers.ts';
import { DataLinkTargets } from '../http/data-link-targets.ts';
import { DocumentHandlers } from '../http/document-handlers.ts';
import type { Guard } from '../http/guard.ts';
import type { IdempotencyCache } from '../http/idempotency-cache.ts';
import { IdempotentSecrets } from '../http/idempotent-secrets.ts';
import { KeyHandlers } from '../http/key-handlers.ts';
import { type OpenStreams, OperatorHandlers } from '../http/operator-handlers.ts';
import { OwnKeys } from '../http/own-keys.ts';
import type { ResolveSymbol } from '../http/query.ts';
import type { HandlerParts } from '../http/routes.ts';
import { TwoFactorHandlers } from '../http/two-factor-handlers.ts';
import type { Log } from '../ops/log.ts';
import type { AccessStore } from '../store/store.ts';

/** Sessions that expire within this time are read from the store. Longer than uses take to get there. */
const EXPIRY_MARGIN_MS = 5 * MINUTE_MS;

export interface AccountsOptions {
  readonly store: AccessStore;
  readonly keyring: Keyring;
  readonly guard: Guard;
  readonly idempotency: IdempotencyCache;
  readonly registration: AccountServiceOptions['registration'];
  /** Counts sign-ins over all gateways of a cluster; omitted in a single process. */
  readonly throttle?: AttemptThrottle;
  /** On a gateway: waits until all gateways know the changes so far, as long as that takes a moment only. */
  readonly shareChanges?: () => Promise<unknown>;
  readonly keyCreationsPerDay: number;
  /** Keys that were revoked or expired this many days ago are deleted. */
  readonly revokedKeyDays: number;
  readonly tiers: Readonly<Record<string, Tier>>;
  /** How long and how many entries of the audit log are kept. */
  readonly audit: { readonly days: number; readonly maxEntries: number };
  /** File with the key that encrypts two-factor secrets; `null` for no encryption. */
  readonly twoFactorKey: string | null;
  readonly connections: OpenStreams;
  readonly resolveSymbol: ResolveSymbol;
  readonly log: Log;
  readonly now: () => number;
}

export interface OpenAccounts {
  readonly handlers: Pick<
    HandlerParts,
    'accounts' | 'twoFactor' | 'documents' | 'keys' | 'links' | 'operator' | 'audit' | 'keyring'
  >;
  /** Counts the time of open streams and writes the usage history. */
  recordUsage(): Promise<void>;
  /** Ends sessions that have expired. */
  endExpiredSessions(): Promise<void>;
  /** Deletes old keys, old usage history and old changes. */
  prune(): Promise<void>;
  /** Deletes old and surplus entries of the audit log. */
  pruneAudit(): Promise<void>;
}

export function openAccounts(options: AccountsOptions): OpenAccounts {
  const { store, keyring, guard, idempotency, registration, throttle, shareChanges, tiers, audit, connections, now } =
    options;
  const { keyCreationsPerDay: creationsPerDay, revokedKeyDays } = options;
  const accountAudit = new AccountAudit(store, now);
  const twoFactor = new TwoFactor(store, new SecretBox(options.twoFactorKey), options.log);
  const accounts = new AccountService({
    store,
    keyring,
    registration,
    twoFactor,
    audit: accountAudit,
    ...(throttle && { throttle }),
    ...(shareChanges && { shareChanges }),
    now,
  });
  const twoFactorService = new TwoFactorService({ store, twoFactor, accounts, audit: accountAudit, now });
  const secrets = new IdempotentSecrets(idempotency, now);
  const keys = new OwnKeys({ store, keyring, guard, creationsPerDay, ...(shareChanges && { shareChanges }), now });
  const targets = new DataLinkTargets(options.resolveSymbol);
  return {
    handlers: {
      accounts: new AccountHandlers({ accountService: accounts, keyring, guard }),
      twoFactor: new TwoFactorHandlers({ service: twoFactorService, guard }),
      documents: new DocumentHandlers(store, now),
      keys: new KeyHandlers({ keyring, keys, secrets, now }),
      links: new DataLinkHandlers({ keyring, guard, keys, secrets, targets, now }),
      operator: new OperatorHandlers({ store, keyring, connections, tiers, secrets, guard, now }),
      audit: new AuditHandlers({ store, keyring }),
      keyring,
    },
    recordUsage() {
      // An open stream keeps its session alive, even without messages.
      for (const { caller, closed } of connections) if (caller?.session && !closed) keyring.touch(caller, now());
      keyring.usage.sample(connections, now());
      return keyring.usage.flush(now());
    },
    async endExpiredSessions() {
      const { sessions } = keyring;
      if (sessions.expired(now() + EXPIRY_MARGIN_MS).length === 0) return;
      // A session that seems unused here may be in use on another gateway.
      sessions.applyUses(await store.sessions());
      const expired = sessions.expired(now());
      if (expired.length > 0) await accounts.endSessions(expired);
    },
    async prune() {
      await keyring.usage.prune(now());
      await store.purgeKeys(Math.floor(now()) - revokedKeyDays * DAY_MS);
      await keyring.reload();
      await store.forgetChanges();
    },
    pruneAudit: () =>
      store.pruneAudit({ since: Math.floor(now()) - audit.days * DAY_MS, maxEntries: audit.maxEntries }),
  };
}
