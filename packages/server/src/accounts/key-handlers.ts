// Handlers of the key and usage history endpoints. A caller sees and changes only the keys of its own account.
import {
  type IssuedKey,
  type KeyInfo,
  KeyRequest,
  KeyRotation,
  PRIVILEGED_SCOPES,
  type Scope,
  type UsageHistoryQuery,
} from '@tickwire/contract';
import { DAY_MS, HOUR_MS } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import type { Caller } from '../access/caller.ts';
import { type CreatedKey, issueKey, rotateKey } from '../access/issue-key.ts';
import type { Keyring } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { HandlerCall } from '../http/handler.ts';
import type { IdempotentSecrets, SecretResponse } from '../http/idempotent-secrets.ts';
import { readJson } from '../http/json-body.ts';
import type { KeyRecord } from '../store/store.ts';
import { grantableScopes } from './account-handlers.ts';
import { type OwnKeys, stateOf } from './own-keys.ts';

export interface KeyHandlersOptions {
  readonly keyring: Keyring;
  readonly keys: OwnKeys;
  readonly secrets: IdempotentSecrets;
  readonly now: () => number;
}

export class KeyHandlers {
  readonly #options: KeyHandlersOptions;

  constructor(options: KeyHandlersOptions) {
    this.#options = options;
  }

  list({ caller, now }: HandlerCall): string {
    const items = this.#keysOf(caller!.account).map((key) => this.#info(key, now));
    return JSON.stringify({ items, count: items.length });
  }

  async create(call: HandlerCall): Promise<string> {
    const { request, caller } = call;
    const { account } = caller!;
    const { value } = await readJson(request, KeyRequest);
    const rejected = value.scopes.filter((scope) => !grantableScopes(account).includes(scope));
    if (rejected.length > 0) throw scopesRejected(rejected, account);
    await this.#requireConfirmed(caller!, value.scopes);
    return this.#options.secrets.once(request, account.id, JSON.stringify(['create', value]), async () => {
      const { name, scopes, expires_days } = value;
      const by = this.#options.keys.actor(call);
      const expiresAt = expires_days === null ? null : by.now + expires_days * DAY_MS;
      const stored = await this.#options.keys.stored(account);
      return this.#issue(account, () => issueKey(by, { name, scopes, expiresAt, account: stored }));
    });
  }

  async rotate(call: HandlerCall): Promise<string> {
    const { params, request, caller } = call;
    const { account } = caller!;
    const { overlap_hours } = (await readJson(request, KeyRotation)).value;
    await this.#requireConfirmed(caller!, this.#find(account, params.key!).scopes);
    const body = JSON.stringify(['rotate', params.key, overlap_hours]);
    return this.#options.secrets.once(request, account.id, body, async () => {
      const key = this.#find(account, params.key!);
      const { id } = key;
      if (stateOf(key, this.#options.now()) !== 'good')
        throw new ServiceError('key_revoked', `The key ${id} is revoked or has expired. Create a new key instead.`);
      const overlap = Math.round(overlap_hours * HOUR_MS);
      return this.#issue(account, () => rotateKey(this.#options.keys.actor(call), id, overlap));
    });
  }

  async revoke(call: HandlerCall): Promise<string> {
    const { params, caller, now } = call;
    const { id } = this.#find(caller!.account, params.key!);
    await this.#options.keys.revoke(call, id);
    return JSON.stringify(this.#info(this.#find(caller!.account, id), now));
  }

  async history({ caller, query, now }: HandlerCall): Promise<string> {
    const { period, detail } = query as UsageHistoryQuery;
    const { account } = caller!;
    const { keyring } = this.#options;
    const names = new Map(keyring.keysOf(account).map(({ id, name }) => [id, name]));
    return JSON.stringify(await withStoreErrors(() => keyring.usage.of(account, { period, detail }, names, now)));
  }

  /** With such a key, a stolen session could act for its account after it has ended. */
  async #requireConfirmed(caller: Caller, scopes: readonly string[]): Promise<void> {
    if (PRIVILEGED_SCOPES.some((scope) => scopes.includes(scope))) await this.#options.keyring.requireConfirmed(caller);
  }

  async #issue(account: AccountState, issue: () => Promise<CreatedKey>): Promise<SecretResponse> {
    const { id, key } = await this.#options.keys.issue(account, issue);
    const info = this.#info(this.#find(account, id), this.#options.now());
    return { full: { ...info, key } satisfies IssuedKey, stored: { ...info, key: null } satisfies IssuedKey };
  }

  /** Without data links. */
  #keysOf(account: AccountState): KeyRecord[] {
    return this.#options.keyring.keysOf(account).filter(({ path }) => !path);
  }

  #find(account: AccountState, id: string): KeyRecord {
    const key = this.#keysOf(account).find((each) => each.id === id);
    if (!key) throw new ServiceError('key_not_found', 'Your account has no key with this id.');
    return key;
  }

  #info(key: KeyRecord, now: number): KeyInfo {
    const { id, name, ...state } = this.#options.keys.info(key, now);
    return { id, name, scopes: [...key.scopes] as Scope[], ...state };
  }
}

function scopesRejected(rejected: readonly Scope[], account: AccountState): ServiceError {
  const allowed = `one or more of ${grantableScopes(account).join(', ')}`;
  return new ServiceError('invalid_parameter', `scopes must be ${allowed}`, {
    errors: [{ parameter: 'scopes', value: JSON.stringify(rejected), allowed }],
  });
}
