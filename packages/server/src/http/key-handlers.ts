// Handlers of the key and usage history endpoints. A caller sees and changes only the keys of its own account.
import {
  type IssuedKey,
  type KeyInfo,
  KeyRequest,
  KeyRotation,
  type Scope,
  type UsageHistoryQuery,
} from '@tickwire/contract';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import { type Actor, type CreatedKey, issueKey, revokeKey, rotateKey } from '../access/issue-key.ts';
import type { Keyring } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { Account } from '../store/account-store.ts';
import type { AccessStore, KeyRecord } from '../store/store.ts';
import { floorToMinute, grantableScopes } from './account-handlers.ts';
import type { Guard } from './guard.ts';
import type { HandlerCall } from './handler.ts';
import type { IdempotentSecrets, SecretResponse } from './idempotent-secrets.ts';
import { readJson } from './json-body.ts';

const MAX_KEYS = 100;

export interface KeyHandlersOptions {
  readonly store: AccessStore;
  readonly keyring: Keyring;
  readonly guard: Guard;
  readonly secrets: IdempotentSecrets;
  /** Keys that an account may create or rotate per UTC day. */
  readonly creationsPerDay: number;
  /** Waits until the other gateways of a cluster know the changes so far, as long as that takes a moment only. */
  readonly shareChanges?: () => Promise<unknown>;
  readonly now: () => number;
}

export class KeyHandlers {
  readonly #options: KeyHandlersOptions;

  constructor(options: KeyHandlersOptions) {
    this.#options = options;
  }

  list({ caller, now }: HandlerCall): string {
    const items = this.#options.keyring.keysOf(caller!.account).map((key) => this.#info(key, now));
    return JSON.stringify({ items, count: items.length });
  }

  async create(call: HandlerCall): Promise<string> {
    const { request, caller } = call;
    const { account } = caller!;
    const { value } = await readJson(request, KeyRequest);
    const rejected = value.scopes.filter((scope) => !grantableScopes(account).includes(scope));
    if (rejected.length > 0) throw scopesRejected(rejected, account);
    return this.#options.secrets.once(request, account.id, JSON.stringify(['create', value]), async () => {
      const { name, scopes, expires_days } = value;
      const by = this.#actor(call);
      const expiresAt = expires_days === null ? null : by.now + expires_days * DAY_MS;
      const stored = await this.#stored(account);
      return this.#issue(account, () => issueKey(by, { name, scopes, expiresAt, account: stored }));
    });
  }

  async rotate(call: HandlerCall): Promise<string> {
    const { params, request, caller } = call;
    const { account } = caller!;
    const { overlap_hours } = (await readJson(request, KeyRotation)).value;
    const body = JSON.stringify(['rotate', params.key, overlap_hours]);
    return this.#options.secrets.once(request, account.id, body, async () => {
      const key = this.#find(account, params.key!);
      const { id } = key;
      if (stateOf(key, this.#options.now()) !== 'good')
        throw new ServiceError('key_revoked', `The key ${id} is revoked or has expired. Create a new key instead.`);
      const overlap = Math.round(overlap_hours * HOUR_MS);
      return this.#issue(account, () => rotateKey(this.#actor(call), id, overlap));
    });
  }

  async revoke(call: HandlerCall): Promise<string> {
    const { params, caller, now } = call;
    const { id } = this.#find(caller!.account, params.key!);
    await withStoreErrors(() => revokeKey(this.#actor(call), id));
    await withStoreErrors(() => this.#options.keyring.reload());
    await this.#options.shareChanges?.();
    return JSON.stringify(this.#info(this.#find(caller!.account, id), now));
  }

  async history({ caller, query, now }: HandlerCall): Promise<string> {
    const { period } = query as UsageHistoryQuery;
    const { account } = caller!;
    const { keyring } = this.#options;
    const names = new Map(keyring.keysOf(account).map(({ id, name }) => [id, name]));
    return JSON.stringify(await withStoreErrors(() => keyring.usage.of(account, period, names, now)));
  }

  /** Creates a key, unless the account has too many. The key is valid when this returns. */
  async #issue(account: AccountState, issue: () => Promise<CreatedKey>): Promise<SecretResponse> {
    const { store, keyring, now } = this.#options;
    const { id, key } = await keyring.exclusively(async () => {
      const keys = await withStoreErrors(() => store.keysOf(account.id));
      const valid = keys.filter((each) => stateOf(each, now()) === 'good');
      if (valid.length >= MAX_KEYS)
        throw new ServiceError('too_many_keys', `An account may have at most ${MAX_KEYS} keys. Revoke one first.`);
      await this.#countCreation(account);
      return withStoreErrors(issue);
    });
    await withStoreErrors(() => keyring.reload());
    await this.#options.shareChanges?.();
    const info = this.#info(this.#find(account, id), now());
    return { full: { ...info, key } satisfies IssuedKey, stored: { ...info, key: null } satisfies IssuedKey };
  }

  async #countCreation({ id }: AccountState): Promise<void> {
    const { store, creationsPerDay, now } = this.#options;
    const at = Math.floor(now());
    const day = at - (at % DAY_MS);
    if ((await withStoreErrors(() => store.takeKeyCreation(id, day, creationsPerDay))) !== null) return;
    const seconds = Math.ceil((day + DAY_MS - at) / SECOND_MS);
    throw new ServiceError(
      'key_creations_exhausted',
      `An account may create ${creationsPerDay} keys per day. The count resets in ${seconds} s, at 00:00 UTC.`,
      { retryAfterSeconds: seconds },
    );
  }

  #find(account: AccountState, id: string): KeyRecord {
    const key = this.#options.keyring.keysOf(account).find((each) => each.id === id);
    if (!key) throw new ServiceError('key_not_found', 'Your account has no key with this id.');
    return key;
  }

  async #stored({ id }: AccountState): Promise<Account> {
    return (await withStoreErrors(() => this.#options.store.account(id)))!;
  }

  #actor({ request, peers, caller }: HandlerCall): Actor {
    const { store, guard, now } = this.#options;
    const { session, keyId, account } = caller!;
    const actor = session ? account.publicId : keyId;
    return { store, actor, now: Math.floor(now()), address: guard.address(request, peers) };
  }

  #info(key: KeyRecord, now: number): KeyInfo {
    const used = this.#options.keyring.lastUsedAt(key.id);
    return {
      id: key.id,
      name: key.name,
      scopes: [...key.scopes] as Scope[],
      state: stateOf(key, now),
      created_at: iso(key.createdAt),
      expires_at: isoOrNull(key.expiresAt),
      revoked_at: isoOrNull(key.revokedAt),
      last_used_at: isoOrNull(used && floorToMinute(used)),
    };
  }
}

function scopesRejected(rejected: readonly Scope[], account: AccountState): ServiceError {
  const allowed = `one or more of ${grantableScopes(account).join(', ')}`;
  return new ServiceError('invalid_parameter', `scopes must be ${allowed}`, {
    errors: [{ parameter: 'scopes', value: JSON.stringify(rejected), allowed }],
  });
}

function stateOf({ revokedAt, expiresAt }: KeyRecord, now: number): KeyInfo['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'good';
}

const iso = (time: number): string => new Date(time).toISOString();
const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));
