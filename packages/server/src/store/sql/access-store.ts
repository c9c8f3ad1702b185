// AccessStore in SQL that both SQLite and PostgreSQL understand. Any process may write.
import type { AccessStore, IdempotentResponse } from '../access-store.ts';
import { accounts, keys } from './access-rows.ts';
import { createAccountStore, insertAccount, sortedBy } from './account-store.ts';
import { assignName } from './assign-name.ts';
import { createAuditStore } from './audit-store.ts';
import { createChangeLog } from './change-log.ts';
import { createDocumentStore } from './document-store.ts';
import { createLogRequestStore } from './log-request-store.ts';
import { change, rows, run, runFor, type SharedWork, type WorkRunner } from './shared-work.ts';
import { insert, put, storedFields } from './stored-fields.ts';
import * as tables from './tables/access-tables.ts';
import { createTwoFactorStore } from './two-factor-store.ts';

const KEYS = storedFields(tables.KEYS);
const USAGE = storedFields(tables.USAGE);
const RESPONSES = storedFields(tables.IDEMPOTENT_RESPONSES);

export function createAccessStore(runner: WorkRunner, version: () => number): AccessStore {
  const { read, share } = runner;
  return {
    ...createChangeLog(runner),
    ...createAccountStore(runner),
    ...createAuditStore(runner),
    ...createDocumentStore(runner),
    ...createLogRequestStore(runner),
    ...createTwoFactorStore(runner),
    version,

    createAccount: (name, tier, at) =>
      share(() => insertAccount({ name, tier, createdAt: at, password: null, owner: 0 })),
    accounts: () => read(() => accounts('ORDER BY id')),
    account: (id) =>
      read(function* () {
        return (yield* accounts('WHERE id = $1', id))[0];
      }),
    markHouse: (id) => share(() => run('UPDATE accounts SET house = 1 WHERE id = $1', id)),
    setTier: (id, tier) => share(() => run('UPDATE accounts SET tier = $1 WHERE id = $2', tier, id)),
    rename: (id, name, at) =>
      share(function* () {
        yield* assignName(id, name, at);
        yield* run('UPDATE accounts SET name = $1 WHERE id = $2', name, id);
      }),

    addKey: ({ path = null, session = null, sessionEndedAt = null, demo = false, ...key }) =>
      share(() =>
        insert(KEYS, [{ ...key, scopes: key.scopes.join(','), path, session, sessionEndedAt, demo: Number(demo) }]),
      ),
    keys: () => read(() => keys('ORDER BY created_at, id')),
    key: (id) =>
      read(function* () {
        return (yield* keys('WHERE id = $1', id))[0];
      }),
    keysOf: (accountId) => read(() => keys('WHERE account_id = $1 ORDER BY created_at, id', accountId)),
    purgeKeys: (time) =>
      share(() =>
        // A revoked key stops an example publisher for good.
        change(
          `DELETE FROM keys WHERE (revoked_at < $1 OR expires_at < $1)
             AND account_id NOT IN (SELECT id FROM accounts WHERE house = 1)`,
          time,
        ),
      ),
    moveDemoKeys: (accountId) =>
      share(function* () {
        const text = 'UPDATE keys SET account_id = $1 WHERE demo = 1 AND account_id <> $1 RETURNING id';
        return (yield* rows<{ id: string }>(text, accountId)).map(({ id }) => id);
      }),
    revokeKey: (id, at) =>
      share(() => run('UPDATE keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL', at, id)),
    setKeyExpiry: (id, at) => share(() => run('UPDATE keys SET expires_at = $1 WHERE id = $2', at, id)),
    saveUsed: (uses) =>
      share(function* () {
        for (const { id, at } of sortedBy(uses, ({ id }) => id))
          yield* run('UPDATE keys SET last_used_at = $1 WHERE id = $2', at, id);
      }),

    usage: () =>
      read(function* () {
        const found = yield* rows<{ accountId: number; requests: Uint8Array; aiDay: number; aiCalls: number }>(
          `SELECT ${USAGE.select} FROM usage`,
        );
        return found.map(({ accountId, requests, aiDay, aiCalls }) => ({
          accountId,
          requests: [...new Float64Array(Uint8Array.from(requests).buffer)],
          aiDay,
          aiCalls,
        }));
      }),
    saveUsage: (records) =>
      share(function* () {
        yield* runFor(
          `${USAGE.insert} ON CONFLICT (account_id) DO UPDATE SET requests = excluded.requests`,
          USAGE.columns,
          sortedBy(records, ({ accountId }) => accountId).map(({ requests, ...record }) => ({
            ...record,
            requests: new Uint8Array(Float64Array.from(requests).buffer),
            keyDay: 0,
            keyCount: 0,
          })),
        );
      }),
    takeAiCall: (accountId, day, limit) => share(() => takeOfDay(AI_CALLS, accountId, day, limit)),
    takeKeyCreation: (accountId, day, limit) => share(() => takeOfDay(CREATED_KEYS, accountId, day, limit)),

    idempotentResponse: (accountId, key, since) =>
      read(function* () {
        const where = 'account_id = $1 AND key = $2 AND at >= $3';
        const text = `SELECT ${RESPONSES.select} FROM idempotent_responses WHERE ${where}`;
        return (yield* rows<IdempotentResponse>(text, accountId, key, since))[0];
      }),
    rememberResponse: (response) => share(() => put(RESPONSES, [{ ...response }])),
    trimResponses: (accountId, keep) =>
      share(() =>
        run(
          `DELETE FROM idempotent_responses WHERE account_id = $1 AND at <
             (SELECT at FROM idempotent_responses WHERE account_id = $1 ORDER BY at DESC LIMIT 1 OFFSET $2)`,
          accountId,
          keep - 1,
        ),
      ),
    forgetResponses: (time) => share(() => run('DELETE FROM idempotent_responses WHERE at < $1', time)),
  };
}

/** The two columns of `usage` that count uses on a UTC day: the day, and the number of uses on it. */
const AI_CALLS = { day: 'ai_day', count: 'ai_calls' } as const;
const CREATED_KEYS = { day: 'key_day', count: 'key_count' } as const;

function* takeOfDay(
  use: typeof AI_CALLS | typeof CREATED_KEYS,
  accountId: number,
  today: number,
  limit: number,
): SharedWork<number | null> {
  if (limit < 1) return null;
  const { day, count } = use;
  const unused = use === AI_CALLS ? CREATED_KEYS : AI_CALLS;
  const [row] = yield* rows<{ taken: number }>(
    `INSERT INTO usage (account_id, requests, ${day}, ${count}, ${unused.day}, ${unused.count}) VALUES ($1, $2, $3, 1, 0, 0)
     ON CONFLICT (account_id) DO UPDATE SET ${day} = excluded.${day},
       ${count} = CASE WHEN usage.${day} = excluded.${day} THEN usage.${count} + 1 ELSE 1 END
     WHERE usage.${day} <> excluded.${day} OR usage.${count} < $4 RETURNING ${count} AS taken`,
    accountId,
    new Uint8Array(),
    today,
    limit,
  );
  return row?.taken ?? null;
}
