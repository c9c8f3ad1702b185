// Creates and revokes the API keys and data links of a caller's own account, within its limits.
import { iso, isoOrNull } from '@tickwire/contract';
import type { AccountState } from '../access/account-state.ts';
import { actorOf } from '../access/caller.ts';
import type { Guard } from '../access/guard.ts';
import { type Actor, type CreatedKey, revokeKey } from '../access/issue-key.ts';
import type { Keyring } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { HandlerCall } from '../http/handler.ts';
import type { Account } from '../store/account-store.ts';
import type { AccessStore, KeyRecord } from '../store/store.ts';
import { secondsToMidnight, startOfDay } from '../work/period-counts.ts';
import { floorToMinute } from './account-handlers.ts';

/** API keys and data links together. */
const MAX_KEYS = 100;

export interface OwnKeysOptions {
  readonly store: AccessStore;
  readonly keyring: Keyring;
  readonly guard: Guard;
  /** Keys that an account may create or rotate per UTC day. */
  readonly creationsPerDay: number;
  /** Waits until the other gateways of a cluster know the changes so far, as long as that takes a moment only. */
  readonly shareChanges?: () => Promise<unknown>;
  readonly now: () => number;
}

export class OwnKeys {
  readonly #options: OwnKeysOptions;

  constructor(options: OwnKeysOptions) {
    this.#options = options;
  }

  /** Creates a key, unless the account has too many. The key is valid when this returns. */
  async issue(account: AccountState, issue: () => Promise<CreatedKey>): Promise<CreatedKey> {
    const { store, keyring, now } = this.#options;
    const issued = await keyring.exclusively(async () => {
      const keys = await withStoreErrors(() => store.keysOf(account.id));
      if (keys.filter((each) => stateOf(each, now()) === 'good').length >= MAX_KEYS)
        throw new ServiceError(
          'too_many_keys',
          `An account may have at most ${MAX_KEYS} keys and data links. Revoke one first.`,
        );
      await this.#countCreation(account);
      return withStoreErrors(issue);
    });
    await this.#applied();
    return issued;
  }

  async revoke(call: HandlerCall, id: string): Promise<void> {
    await withStoreErrors(() => revokeKey(this.actor(call), id));
    await this.#applied();
  }

  /** What callers may know of a key or data link. */
  info(key: KeyRecord, now: number) {
    const used = this.#options.keyring.lastUsedAt(key.id);
    return {
      id: key.id,
      name: key.name,
      state: stateOf(key, now),
      created_at: iso(key.createdAt),
      expires_at: isoOrNull(key.expiresAt),
      revoked_at: isoOrNull(key.revokedAt),
      last_used_at: isoOrNull(used && floorToMinute(used)),
      session_ended_at: isoOrNull(key.sessionEndedAt ?? null),
    };
  }

  async stored({ id }: AccountState): Promise<Account> {
    return (await withStoreErrors(() => this.#options.store.account(id)))!;
  }

  actor({ request, peers, caller }: HandlerCall): Actor {
    const { store, guard, keyring, now } = this.#options;
    const { session, keyId, account } = caller!;
    // A key that a key has made belongs to the session of that key.
    const { session: made = null, sessionEndedAt = null } =
      keyring.keysOf(account).find(({ id }) => id === keyId) ?? {};
    const madeIn = session ? { session: keyId } : { session: made, sessionEndedAt };
    return { store, actor: actorOf(caller!), now: Math.floor(now()), address: guard.address(request, peers), madeIn };
  }

  async #applied(): Promise<void> {
    await withStoreErrors(() => this.#options.keyring.reload());
    await this.#options.shareChanges?.();
  }

  async #countCreation({ id }: AccountState): Promise<void> {
    const { store, creationsPerDay, now } = this.#options;
    const at = Math.floor(now());
    if ((await withStoreErrors(() => store.takeKeyCreation(id, startOfDay(at), creationsPerDay))) !== null) return;
    const seconds = secondsToMidnight(at);
    throw new ServiceError(
      'key_creations_exhausted',
      `An account may create ${creationsPerDay} keys per day. The count resets in ${seconds} s, at 00:00 UTC.`,
      { retryAfterSeconds: seconds },
    );
  }
}

export function stateOf({ revokedAt, expiresAt }: KeyRecord, now: number): 'good' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'good';
}
