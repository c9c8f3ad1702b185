// What the operator's endpoints answer, as JSON text: accounts, open streams, invitations.
import {
  type AccountReport,
  type Invitation,
  InvitationRequest,
  SCOPES,
  type StreamReport,
  type StreamsQuery,
  type Tier,
  TierChange,
} from '@tickwire/contract';
import type { AccountState } from '../access/account-state.ts';
import type { Caller } from '../access/caller.ts';
import { randomId, randomSecret } from '../access/key-format.ts';
import type { Keyring } from '../access/keyring.ts';
import { hashToken } from '../access/sessions.ts';
import type { Connection } from '../gateway/connection.ts';
import type { InvitationRecord, UsageCounts } from '../store/account-records.ts';
import type { AccessStore } from '../store/store.ts';
import { toTheMinute } from './account.ts';
import type { Call } from './answer-table.ts';
import { ApiError } from './api-error.ts';
import { available } from './available.ts';
import type { Guard } from './guard.ts';
import { readJson } from './json-body.ts';
import type { ShownOnce } from './shown-once.ts';

const DAY_MS = 86_400_000;
const INVITATIONS_MS = 366 * DAY_MS;

/** In the order they came. */
export type OpenStreams = Iterable<Connection> & { readonly size: number };

export interface OperatorAnswersOptions {
  readonly store: AccessStore;
  readonly keyring: Keyring;
  readonly connections: OpenStreams;
  readonly tiers: Readonly<Record<string, Tier>>;
  readonly shown: ShownOnce;
  readonly guard: Guard;
  readonly now: () => number;
}

export class OperatorAnswers {
  readonly #options: OperatorAnswersOptions;

  constructor(options: OperatorAnswersOptions) {
    this.#options = options;
  }

  async accounts({ now }: Call): Promise<string> {
    const { keyring, tiers } = this.#options;
    const items = await this.#reports(keyring.accounts(), now);
    return JSON.stringify({ items, count: items.length, tiers: { ...tiers } });
  }

  async setTier({ params, request, caller, now }: Call): Promise<string> {
    const account = this.#find(params.account!);
    const tier = this.#tier((await readJson(request, TierChange)).value.tier);
    await available(() => this.#options.store.setTier(account.id, tier));
    await this.#audit(caller!, 'tier set', `${account.name} to ${tier}`);
    return this.#changed(account, now);
  }

  /** Its sessions end for good; its keys are refused for as long as it is disabled. */
  async disable({ params, caller, now }: Call): Promise<string> {
    const { store, keyring } = this.#options;
    const account = this.#find(params.account!);
    if (account.owner) throw new ApiError('owner_account', "The owner's account cannot be disabled.");
    await keyring.inTurn(() =>
      available(async () => {
        await store.setDisabled(account.id, Math.floor(now));
        await store.endSessions(keyring.sessions.of(account, now).map(({ record }) => record.id));
      }),
    );
    await this.#audit(caller!, 'account disabled', account.name);
    return this.#changed(account, now);
  }

  async enable({ params, caller, now }: Call): Promise<string> {
    const account = this.#find(params.account!);
    await available(() => this.#options.store.setDisabled(account.id, null));
    await this.#audit(caller!, 'account enabled', account.name);
    return this.#changed(account, now);
  }

  streams({ query }: Call): string {
    const { connections } = this.#options;
    const { limit } = query as StreamsQuery;
    const items: StreamReport[] = [];
    for (const connection of connections) {
      if (items.length >= limit) break;
      items.push(streamReport(connection));
    }
    return JSON.stringify({ items, count: items.length, open: connections.size });
  }

  async invitations({ now }: Call): Promise<string> {
    const made = await available(() => this.#options.store.invitations(Math.floor(now) - INVITATIONS_MS));
    const items = made.filter(({ owner }) => !owner).map((each) => this.#invitation(each, now));
    return JSON.stringify({ items, count: items.length });
  }

  /** The link leads to where the operator is: who is invited comes the same way. */
  async invite({ request, peers, caller, now }: Call): Promise<string> {
    const { store, shown, guard } = this.#options;
    const { value } = await readJson(request, InvitationRequest);
    const tier = this.#tier(value.tier);
    return shown.once(request, caller!.account.holder.id, JSON.stringify(['invite', value]), async () => {
      const token = randomSecret();
      const at = Math.floor(now);
      const made: InvitationRecord = {
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
      await available(() => store.addInvitation(made));
      await this.#audit(caller!, 'invited', `${made.id} (${tier})`);
      const invitation = this.#invitation(made, now);
      return {
        whole: { ...invitation, token, link: `${guard.origin(request, peers)}/join?token=${token}` },
        kept: { ...invitation, token: null, link: null },
      };
    });
  }

  async revokeInvitation({ params, caller, now }: Call): Promise<string> {
    const { store } = this.#options;
    const find = async (): Promise<InvitationRecord> => {
      const all = await available(() => store.invitations(0));
      const found = all.find(({ id, owner }) => id === params.invitation && !owner);
      if (!found) throw new ApiError('invitation_not_found', 'There is no such invitation.');
      return found;
    };
    const { id } = await find();
    await available(() => store.revokeInvitation(id, Math.floor(now)));
    await this.#audit(caller!, 'invitation revoked', id);
    return JSON.stringify(this.#invitation(await find(), now));
  }

  #find(id: string): AccountState {
    const account = this.#options.keyring.account(id);
    if (!account || account.publicId !== id) throw new ApiError('account_not_found', 'There is no such account.');
    return account;
  }

  #tier(name: string): string {
    const { tiers } = this.#options;
    if (tiers[name]) return name;
    const allowed = `one of ${Object.keys(tiers).join(', ')}`;
    throw new ApiError('invalid_parameter', `tier must be ${allowed}`, {
      errors: [{ parameter: 'tier', value: name.slice(0, 100), allowed }],
    });
  }

  async #changed(account: AccountState, now: number): Promise<string> {
    await available(() => this.#options.keyring.reload());
    return JSON.stringify((await this.#reports([account], now))[0]);
  }

  async #reports(accounts: readonly AccountState[], now: number): Promise<AccountReport[]> {
    const { keyring } = this.#options;
    const used = await available(() => keyring.history.lastDay(now));
    const sessions = keyring.sessions.all(now).map(({ caller }) => caller);
    const callers = Map.groupBy([...keyring.callers(), ...sessions], ({ account }) => account.holder.id);
    return accounts.map((account) => reportOf(account, callers.get(account.id) ?? [], used.get(account.id), now));
  }

  #invitation(made: InvitationRecord, now: number): Invitation {
    const expiresAt = made.expiresAt ?? Number.POSITIVE_INFINITY;
    const account = this.#options.keyring.accounts().find(({ id }) => id === made.accountId);
    return {
      id: made.id,
      tier: made.tier,
      state:
        made.usedAt !== null ? 'used' : made.revokedAt !== null ? 'revoked' : expiresAt <= now ? 'expired' : 'open',
      created_at: iso(made.createdAt),
      expires_at: iso(made.expiresAt!),
      account: account?.name ?? null,
    };
  }

  async #audit({ session, keyId, account }: Caller, act: string, subject: string): Promise<void> {
    const { store, now } = this.#options;
    const actor = session ? account.publicId : keyId;
    await available(() => store.audit({ at: Math.floor(now()), actor, act, subject }));
  }
}

function reportOf(
  account: AccountState,
  callers: readonly Caller[],
  used: UsageCounts | undefined,
  now: number,
): AccountReport {
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
    last_seen_at: seen > 0 ? iso(toTheMinute(seen)) : null,
    keys: callers.filter((caller) => !caller.session && caller.valid && caller.expiresAt > now).length,
    sessions: sessions.length,
    streams: account.streams + sessions.reduce((sum, caller) => sum + caller.account.streams, 0),
    requests_day: used?.requests ?? 0,
    errors_day: used?.errors ?? 0,
    ai_calls_day: used?.aiCalls ?? 0,
  };
}

function streamReport({ channel, caller, address, openedAt, subscriptions, socket, lag }: Connection): StreamReport {
  return {
    channel,
    account: caller?.account.name ?? null,
    key: caller?.keyId ?? null,
    scopes: SCOPES.filter((scope) => caller?.scopes.has(scope)),
    address,
    since: iso(openedAt),
    subscriptions: subscriptions.size,
    buffered_bytes: socket.getBufferedAmount(),
    slow: lag !== null,
  };
}

const iso = (time: number): string => new Date(time).toISOString();
