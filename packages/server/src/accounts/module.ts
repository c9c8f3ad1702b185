// Accounts: people and their sessions, two-factor sign-in, keys, data links, documents, usage, the audit log, and what the operator
// sees of them.
import type { Tier, UsageQuery } from '@tickwire/contract';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import type { Guard } from '../access/guard.ts';
import type { Keyring } from '../access/keyring.ts';
import type { SignInThrottle } from '../access/sign-in-throttle.ts';
import { IDEMPOTENCY_TTL_MS, type IdempotencyCache } from '../http/idempotency-cache.ts';
import { IdempotentSecrets } from '../http/idempotent-secrets.ts';
import type { ResolveSymbol } from '../http/query.ts';
import type { Module } from '../module/module.ts';
import type { Log } from '../ops/log.ts';
import { SecretBox } from '../store/secret-box.ts';
import type { SignalStore } from '../store/signal-store.ts';
import type { AccessStore } from '../store/store.ts';
import { AccountAudit } from './account-audit.ts';
import { AccountHandlers } from './account-handlers.ts';
import { AccountService, type AccountServiceOptions } from './account-service.ts';
import { AuditHandlers } from './audit-handlers.ts';
import { DataLinkHandlers } from './data-link-handlers.ts';
import { DataLinkTargets } from './data-link-targets.ts';
import { dataLinkRoutes } from './data-links.ts';
import { DocumentHandlers } from './document-handlers.ts';
import { KeyHandlers } from './key-handlers.ts';
import { type MarketControl, MarketsHandlers } from './markets-handlers.ts';
import { type OpenStreams, OperatorHandlers } from './operator-handlers.ts';
import { OwnKeys } from './own-keys.ts';
import { TwoFactor } from './two-factor.ts';
import { TwoFactorHandlers } from './two-factor-handlers.ts';
import { TwoFactorService } from './two-factor-service.ts';
import { createUsageHandler } from './usage-handler.ts';

const SAVE_USAGE_MS = 500;
const RECORD_USAGE_MS = 5_000;
const EXPIRE_SESSIONS_MS = MINUTE_MS;
const PRUNE_MS = HOUR_MS;
const PRUNE_AUDIT_MS = MINUTE_MS;
/** Sessions that expire within this time are read from the store. Longer than uses take to get there. */
const EXPIRY_MARGIN_MS = 5 * MINUTE_MS;

export interface AccountsModuleOptions {
  readonly store: AccessStore;
  readonly signals: Pick<SignalStore, 'publishedSince'>;
  readonly keyring: Keyring;
  readonly guard: Guard;
  readonly idempotency: IdempotencyCache;
  readonly registration: AccountServiceOptions['registration'];
  /** Counts sign-ins over all gateways of a cluster; omitted in a single process. */
  readonly throttle?: SignInThrottle;
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
  readonly markets: MarketControl;
  readonly resolveSymbol: ResolveSymbol;
  readonly log: Log;
  readonly now: () => number;
}

export function accountsModule(options: AccountsModuleOptions): Module {
  const {
    store,
    keyring,
    guard,
    idempotency,
    registration,
    throttle,
    shareChanges,
    tiers,
    audit,
    connections,
    log,
    now,
  } = options;
  const { keyCreationsPerDay: creationsPerDay, revokedKeyDays } = options;
  const accountAudit = new AccountAudit(store, now);
  const twoFactor = new TwoFactor(store, new SecretBox(options.twoFactorKey), log);
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
  const handlers = new AccountHandlers({ accountService: accounts, keyring, guard });
  const twoFactorHandlers = new TwoFactorHandlers({ service: twoFactorService, guard });
  const documents = new DocumentHandlers(store, now);
  const keyHandlers = new KeyHandlers({ keyring, keys, secrets, now });
  const links = new DataLinkHandlers({ keyring, guard, keys, secrets, targets, now });
  const operator = new OperatorHandlers({ store, keyring, connections, tiers, secrets, guard, now });
  const markets = new MarketsHandlers({ store, guard, now, markets: options.markets });
  const auditHandlers = new AuditHandlers({ store, keyring });
  const usage = createUsageHandler(options.signals);

  /** Counts the time of open streams and writes the usage history. */
  const recordUsage = (): Promise<void> => {
    // An open stream keeps its session alive, even without messages.
    for (const { caller, closed } of connections) if (caller?.session && !closed) keyring.touch(caller, now());
    keyring.usage.sample(connections, now());
    return keyring.usage.flush(now());
  };

  async function endExpiredSessions(): Promise<void> {
    const { sessions } = keyring;
    if (sessions.expired(now() + EXPIRY_MARGIN_MS).length === 0) return;
    // A session that seems unused here may be in use on another gateway.
    sessions.applyUses(await store.sessions());
    const expired = sessions.expired(now());
    if (expired.length > 0) await accounts.endSessions(expired);
  }

  async function prune(): Promise<void> {
    await keyring.usage.prune(now());
    await store.purgeKeys(Math.floor(now()) - revokedKeyDays * DAY_MS);
    await keyring.reload();
    await store.forgetChanges();
  }

  return {
    routes: {
      registration: () => handlers.registration(),
      setUp: (call) => handlers.setUp(call),
      checkSetup: (call) => handlers.checkSetup(call),
      checkInvitation: (call) => handlers.checkInvitation(call),
      signUp: (call) => handlers.signUp(call),
      signIn: (call) => handlers.signIn(call),
      signOut: (call) => handlers.signOut(call),
      signOutEverywhere: (call) => handlers.signOutEverywhere(call),
      changePassword: (call) => handlers.changePassword(call),
      confirmSession: (call) => handlers.confirm(call),
      deleteAccount: (call) => handlers.deleteAccount(call),
      account: (call) => handlers.account(call),
      sessions: (call) => handlers.sessions(call),
      revokeSession: (call) => handlers.revokeSession(call),
      twoFactor: (call) => twoFactorHandlers.status(call),
      setUpTwoFactor: (call) => twoFactorHandlers.setUp(call),
      confirmTwoFactor: (call) => twoFactorHandlers.confirm(call),
      disableTwoFactor: (call) => twoFactorHandlers.disable(call),
      documents: (call) => documents.list(call),
      document: (call) => documents.get(call),
      putDocument: (call) => documents.put(call),
      deleteDocument: (call) => documents.remove(call),
      keys: (call) => keyHandlers.list(call),
      createKey: (call) => keyHandlers.create(call),
      rotateKey: (call) => keyHandlers.rotate(call),
      revokeKey: (call) => keyHandlers.revoke(call),
      links: (call) => links.list(call),
      createLink: (call) => links.create(call),
      revokeLink: (call) => links.revoke(call),
      usage: ({ caller, query, now: at }) => usage(caller!, query as UsageQuery, at),
      usageHistory: (call) => keyHandlers.history(call),
      accounts: (call) => operator.accounts(call),
      setAccountTier: (call) => operator.setTier(call),
      disableAccount: (call) => operator.disable(call),
      enableAccount: (call) => operator.enable(call),
      streams: (call) => operator.streams(call),
      invitations: (call) => operator.invitations(call),
      createInvitation: (call) => operator.invite(call),
      revokeInvitation: (call) => operator.revokeInvitation(call),
      auditLog: (call) => auditHandlers.list(call),
      markets: () => markets.report(),
      changeMarkets: (call) => markets.change(call),
    },
    paths: (api, routes) => dataLinkRoutes({ api, guard, routes, now }),
    metrics: (metrics) => metrics.gauge('tickwire_keys', 'API keys', () => keyring.size),
    start(timers) {
      timers.every(SAVE_USAGE_MS, 'saving usage', () => keyring.save());
      timers.every(RECORD_USAGE_MS, 'recording usage', recordUsage);
      timers.every(EXPIRE_SESSIONS_MS, 'ending expired sessions', endExpiredSessions);
      timers.every(PRUNE_MS, 'deleting old keys and old usage', prune);
      timers.every(PRUNE_AUDIT_MS, 'deleting old audit entries', () =>
        store.pruneAudit({ since: Math.floor(now()) - audit.days * DAY_MS, maxEntries: audit.maxEntries }),
      );
      timers.every(PRUNE_MS, 'deleting old idempotency keys', () => store.forgetResponses(now() - IDEMPOTENCY_TTL_MS));
    },
    async drain() {
      await keyring
        .save()
        .then(recordUsage)
        .catch((error) => log.error('usage could not be saved', { error }));
    },
  };
}
