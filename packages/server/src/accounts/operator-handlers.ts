// Handlers of the operator endpoints: accounts, open streams, invitations.
import {
  type AccountReport,
  type Invitation,
  InvitationRequest,
  iso,
  SCOPES,
  type StreamReport,
  type StreamsQuery,
  type Tier,
  TierChange,
} from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import type { Caller } from '../access/caller.ts';
import type { Guard } from '../access/guard.ts';
import { randomId, randomSecret } from '../access/key-format.ts';
import type { Keyring } from '../access/keyring.ts';
import { hashToken } from '../access/sessions.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { HandlerCall } from '../http/handler.ts';
import type { IdempotentSecrets } from '../http/idempotent-secrets.ts';
import { readJson } from '../http/json-body.ts';
import type { InvitationRecord, UsageCounts } from '../store/account-store.ts';
import type { AccessStore } from '../store/store.ts';
import { floorToMinute } from './account-handlers.ts';
import { operatorAudit } from './operator-audit.ts';
import { stateOf } from './own-keys.ts';

/** How far back invitations are listed. */
const INVITATIONS_MS = 366 * DAY_MS;

/** Open connections, oldest first. */
export type OpenStreams = Iterable<OpenStream> & { readonly size: number };

export interface OpenStream {
  readonly channel: StreamReport['channel'];
  /** `null` until the client has sent its key. */
  readonly caller: Caller | null;
  readonly address: string;
  /** Epoch milliseconds. */
  readonly openedAt: number;
  readonly closed: boolean;
  readonly subscriptionCount: number;
  /** Whether messages wait because the client reads too slowly. */
  readonly isBehind: boolean;
  readonly socket: { getBufferedAmount(): number };
}

export interface OperatorHandlersOptions {
  readonly store: AccessStore;
  readonly keyring: Keyring;
  readonly connections: OpenStreams;
  readonly tiers: Readonly<Record<string, Tier>>;
  readonly secrets: IdempotentSecrets;
  readonly guard: Guard;
  readonly now: () => number;
}

export class OperatorHandlers {
  readonly #options: OperatorHandlersOptions;

  constructor(options: OperatorHandlersOptions) {
    this.#options = options;
  }

  async accounts({ now }: HandlerCall): Promise<string> {
    const { keyring, tiers } = this.#options;
    const items = await this.#reports(keyring.accounts(), now);
    return JSON.stringify({ items, count: items.length, tiers: { ...tiers } });
  }

  async setTier(call: HandlerCall): Promise<string> {
    const { params, request, now } = call;
    const account = this.#find(params.account!);
    const tier = this.#tier((await readJson(request, TierChange)).value.tier);
    await withStoreErrors(() => this.#options.store.setTier(account.id, tier));
    await operatorAudit(this.#options, call, 'tier set', `${account.name} to ${tier}`, account);
    return this.#changed(account, now);
  }

  /** Ends the account's sessions. Its keys are rejected while it is disabled. */
  async disable(call: HandlerCall): Promise<string> {
    const { params, now } = call;
    const { store, keyring } = this.#options;
    const account = this.#find(params.account!);
    if (account.owner) throw new ServiceError('owner_account', 'The owner account cannot be disabled.');
    await keyring.exclusively(() =>
      withStoreErrors(async () => {
        await store.setDisabled(account.id, Math.floor(now));
        const sessions = keyring.sessions.of(account, now).map(({ record }) => record.id);
        await store.endSessions(sessions, Math.floor(now));
      }),
    );
    await operatorAudit(this.#options, call, 'account disabled', account.name, account);
    return this.#changed(account, now);
  }

  async enable(call: HandlerCall): Promise<string> {
    const account = this.#find(call.params.account!);
    await withStoreErrors(() => this.#options.store.setDisabled(account.id, null));
    await operatorAudit(this.#options, call, 'account enabled', account.name, account);
    return this.#changed(account, call.now);
  }

  streams({ query }: HandlerCall): string {
    const { connections } = this.#options;
    const { limit } = query as StreamsQuery;
    const items: StreamReport[] = [];
    for (const connection of connections) {
      if (items.length >= limit) break;
      items.push(streamReport(connection));
    }
    return JSON.stringify({ items, count: items.length, open: connections.size });
  }

  async invitations({ now }: HandlerCall): Promise<string> {
    const records = await withStoreErrors(() => this.#options.store.invitations(Math.floor(now) - INVITATIONS_MS));
    const items = records.filter(({ owner }) => !owner).map((each) => this.#invitation(each, now));
    return JSON.stringify({ items, count: items.length });
  }

  /** The link uses the origin of this request, under which the operator reaches the service. */
  async invite(call: HandlerCall): Promise<string> {
    const { request, peers, caller, now } = call;
    const { store, secrets, guard } = this.#options;
    const { value } = await readJson(request, InvitationRequest);
    const tier = this.#tier(value.tier);
    return secrets.once(request, caller!.account.id, JSON.stringify(['invite', value]), async () => {
      const token = randomSecret();
      const at = Math.floor(now);
      const record: InvitationRecord = {
        id: randomId('inv'),
        hash: hashToken(token),
        tier,
        owner: false,
        createdAt: at,
        expiresAt: at + value.expires_days * DAY_MS,
        usedAt: null,
        revokedAt: null,
        accountId: null,
      };
      await withStoreErrors(() => store.addInvitation(record));
      await operatorAudit(this.#options, call, 'invited', `${record.id} (${tier})`);
      const invitation = this.#invitation(record, now);
      return {
        full: { ...invitation, token, link: `${guard.publicOrigin(request, peers)}/join?token=${token}` },
        stored: { ...invitation, token: null, link: null },
      };
    });
  }

  async revokeInvitation(call: HandlerCall): Promise<string> {
    const { params, now } = call;
    const { store } = this.#options;
    const find = async (): Promise<InvitationRecord> => {
      const all = await withStoreErrors(() => store.invitations(0));
      const found = all.find(({ id, owner }) => id === params.invitation && !owner);
      if (!found) throw new ServiceError('invitation_not_found', 'There is no invitation with this id.');
      return found;
    };
    const { id } = await find();
    await withStoreErrors(() => store.revokeInvitation(id, Math.floor(now)));
    await operatorAudit(this.#options, call, 'invitation revoked', id);
    return JSON.stringify(this.#invitation(await find(), now));
  }

  #find(id: string): AccountState {
    const account = this.#options.keyring.account(id);
    if (!account || account.publicId !== id)
      throw new ServiceError('account_not_found', 'There is no account with this id.');
    return account;
  }

  #tier(name: string): string {
    const { tiers } = this.#options;
    if (tiers[name]) return name;
    const allowed = `one of ${Object.keys(tiers).join(', ')}`;
    throw new ServiceError('invalid_parameter', `tier must be ${allowed}`, {
      errors: [{ parameter: 'tier', value: name.slice(0, 100), allowed }],
    });
  }

  async #changed(account: AccountState, now: number): Promise<string> {
    await withStoreErrors(() => this.#options.keyring.reload());
    return JSON.stringify((await this.#reports([account], now))[0]);
  }

  async #reports(accounts: readonly AccountState[], now: number): Promise<AccountReport[]> {
    const { keyring } = this.#options;
    const used = await withStoreErrors(() => keyring.usage.lastDay(now));
    const sessions = keyring.sessions.all(now).map(({ caller }) => caller);
    const callers = Map.groupBy([...keyring.callers(), ...sessions], ({ account }) => account.id);
    return accounts.map((account) => {
      const ofRevoked = keyring.keysOf(account).filter((key) => key.sessionEndedAt && stateOf(key, now) === 'good');
      return {
        ...reportOf(account, callers.get(account.id) ?? [], used.get(account.id), now),
        keys_of_revoked_sessions: ofRevoked.map(({ id }) => id),
      };
    });
  }

  #invitation(record: InvitationRecord, now: number): Invitation {
    const expiresAt = record.expiresAt ?? Number.POSITIVE_INFINITY;
    const account = this.#options.keyring.accounts().find(({ id }) => id === record.accountId);
    return {
      id: record.id,
      tier: record.tier,
      state:
        record.usedAt !== null ? 'used' : record.revokedAt !== null ? 'revoked' : expiresAt <= now ? 'expired' : 'open',
      created_at: iso(record.createdAt),
      expires_at: iso(record.expiresAt!),
      account: account?.name ?? null,
    };
  }
}

function reportOf(
  account: AccountState,
  callers: readonly Caller[],
  used: UsageCounts | undefined,
  now: number,
): Omit<AccountReport, 'keys_of_revoked_sessions'> {
  const sessions = callers.filter(({ session }) => session);
  const seen = callers.reduce((latest, { lastUsedAt }) => Math.max(latest, lastUsedAt), 0);
  return {
    id: account.publicId,
    name: account.name,
    tier: account.tierName,
    owner: account.owner,
    state: account.disabled ? 'disabled' : 'active',
    signs_in: account.signsIn,
    created_at: iso(account.createdAt),
    last_seen_at: seen > 0 ? iso(floorToMinute(seen)) : null,
    keys: callers.filter((caller) => !caller.session && caller.valid && caller.expiresAt > now).length,
    sessions: sessions.length,
    streams: account.quota.openStreams + account.sessionQuota.openStreams,
    requests_day: used?.requests ?? 0,
    errors_day: used?.errors ?? 0,
    ai_calls_day: used?.aiCalls ?? 0,
  };
}

function streamReport(connection: OpenStream): StreamReport {
  const { channel, caller, address, openedAt, socket } = connection;
  return {
    channel,
    account: caller?.account.name ?? null,
    key: caller?.keyId ?? null,
    scopes: SCOPES.filter((scope) => caller?.scopes.has(scope)),
    address,
    since: iso(openedAt),
    subscriptions: connection.subscriptionCount,
    buffered_bytes: socket.getBufferedAmount(),
    slow: connection.isBehind,
  };
}
