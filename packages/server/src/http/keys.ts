// What the endpoints of keys and of usage over time answer, as JSON text. Every caller sees and changes the keys of its own
// account, and no others.
import {
  type IssuedKey,
  type KeyInfo,
  KeyRequest,
  KeyRotation,
  type Scope,
  type UsageHistoryQuery,
} from '@tickwire/contract';
import type { AccountState } from '../access/account-state.ts';
import type { Caller } from '../access/caller.ts';
import { type Actor, type IssuedKey as Issued, issueKey, revokeKey, rotateKey } from '../access/issue-key.ts';
import type { Keyring } from '../access/keyring.ts';
import type { AccessStore, Account, KeyRecord } from '../store/store.ts';
import { keyScopes, toTheMinute } from './account.ts';
import type { Call } from './answer-table.ts';
import { ApiError } from './api-error.ts';
import { available } from './available.ts';
import { readJson } from './json-body.ts';
import type { Shown, ShownOnce } from './shown-once.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MAX_KEYS = 100;

export interface KeyAnswersOptions {
  readonly store: AccessStore;
  readonly keyring: Keyring;
  readonly shown: ShownOnce;
  readonly now: () => number;
}

export class KeyAnswers {
  readonly #options: KeyAnswersOptions;

  constructor(options: KeyAnswersOptions) {
    this.#options = options;
  }

  list({ caller, now }: Call): string {
    const items = this.#options.keyring.keysOf(caller!.account).map((key) => this.#info(key, now));
    return JSON.stringify({ items, count: items.length });
  }

  async create({ request, caller }: Call): Promise<string> {
    const { holder } = caller!.account;
    const { value } = await readJson(request, KeyRequest);
    const refused = value.scopes.filter((scope) => !keyScopes(holder).includes(scope));
    if (refused.length > 0) throw scopesRefused(refused, holder);
    return this.#options.shown.once(request, holder.id, JSON.stringify(['create', value]), async () => {
      const { name, scopes, expires_days } = value;
      const by = this.#actor(caller!);
      const expiresAt = expires_days === null ? null : by.now + expires_days * DAY_MS;
      const account = await this.#stored(holder);
      return this.#issued(holder, () => issueKey(by, { name, scopes, expiresAt, account }));
    });
  }

  async rotate({ params, request, caller }: Call): Promise<string> {
    const { holder } = caller!.account;
    const { overlap_hours } = (await readJson(request, KeyRotation)).value;
    const body = JSON.stringify(['rotate', params.key, overlap_hours]);
    return this.#options.shown.once(request, holder.id, body, async () => {
      const key = this.#find(holder, params.key!);
      const { id } = key;
      if (stateOf(key, this.#options.now()) !== 'good')
        throw new ApiError('key_revoked', `The key ${id} is revoked, or has expired.`);
      const overlap = Math.round(overlap_hours * HOUR_MS);
      return this.#issued(holder, () => rotateKey(this.#actor(caller!), id, overlap));
    });
  }

  async revoke({ params, caller, now }: Call): Promise<string> {
    const { id } = this.#find(caller!.account, params.key!);
    await available(() => revokeKey(this.#actor(caller!), id));
    await available(() => this.#options.keyring.reload());
    return JSON.stringify(this.#info(this.#find(caller!.account, id), now));
  }

  async history({ caller, query, now }: Call): Promise<string> {
    const { period } = query as UsageHistoryQuery;
    const { holder } = caller!.account;
    const { keyring } = this.#options;
    const names = new Map(keyring.keysOf(holder).map(({ id, name }) => [id, name]));
    return JSON.stringify(await available(() => keyring.history.of(holder, period, names, now)));
  }

  /** Issues a key where there is room for it. It holds from here on, and is shown. */
  async #issued(account: AccountState, issue: () => Promise<Issued>): Promise<Shown> {
    const { store, keyring, now } = this.#options;
    const { id, key } = await keyring.inTurn(async () => {
      const keys = (await available(() => store.keys())).filter(({ accountId }) => accountId === account.id);
      const good = keys.filter((each) => stateOf(each, now()) === 'good');
      if (good.length >= MAX_KEYS) throw new ApiError('too_many_keys', `An account may have ${MAX_KEYS} good keys.`);
      return available(issue);
    });
    await available(() => keyring.reload());
    const info = this.#info(this.#find(account, id), now());
    return { whole: { ...info, key } satisfies IssuedKey, kept: { ...info, key: null } satisfies IssuedKey };
  }

  #find(account: AccountState, id: string): KeyRecord {
    const key = this.#options.keyring.keysOf(account).find((each) => each.id === id);
    if (!key) throw new ApiError('key_not_found', 'The account has no such key.');
    return key;
  }

  async #stored({ id }: AccountState): Promise<Account> {
    return (await available(() => this.#options.store.accounts())).find((account) => account.id === id)!;
  }

  #actor({ session, keyId, account }: Caller): Actor {
    const { store, now } = this.#options;
    return { store, actor: session ? account.publicId : keyId, now: Math.floor(now()) };
  }

  #info(key: KeyRecord, now: number): KeyInfo {
    const used = this.#options.keyring.lastUse(key.id);
    return {
      id: key.id,
      name: key.name,
      scopes: [...key.scopes] as Scope[],
      state: stateOf(key, now),
      created_at: iso(key.createdAt),
      expires_at: isoOrNull(key.expiresAt),
      revoked_at: isoOrNull(key.revokedAt),
      last_used_at: isoOrNull(used && toTheMinute(used)),
    };
  }
}

function scopesRefused(refused: readonly Scope[], account: AccountState): ApiError {
  const allowed = `one or more of ${keyScopes(account).join(', ')}`;
  return new ApiError('invalid_parameter', `scopes must be ${allowed}`, {
    errors: [{ parameter: 'scopes', value: JSON.stringify(refused), allowed }],
  });
}

function stateOf({ revokedAt, expiresAt }: KeyRecord, now: number): KeyInfo['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'good';
}

const iso = (time: number): string => new Date(time).toISOString();
const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));
