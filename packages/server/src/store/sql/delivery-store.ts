// DeliveryStore in SQL that both SQLite and PostgreSQL understand. Leases and outcomes may be written by any node, everything
// else only by the writer of the realm.
import type { DeliveryStore, DestinationRow, SentCode, StoredMessage } from '../delivery-store.ts';
import { completeAttempts, endLeases, leaseDestinations, nextDue, renewLeases } from './delivery-leases.ts';
import { DESTINATIONS, dropDestination, insertMessages, MESSAGES, replayMessage } from './outbox.ts';
import { change, rows, run, type SharedWork, type WorkRunner } from './shared-work.ts';
import { put } from './stored-fields.ts';

const NEXT_NUMBER = {
  sqlite: '(SELECT max(n) + 1 FROM messages)',
  postgres: "nextval(pg_get_serial_sequence('messages', 'n'))",
} as const;

/** Name in the table `numbers` of the time at which an address unsubscribed. */
const suppressedName = (addressHash: string): string => `suppressed_${addressHash}`;

export function createDeliveryStore({ database, read, share, write }: WorkRunner): DeliveryStore {
  return {
    destinations: (account) =>
      read(function* () {
        const text = `SELECT ${DESTINATIONS.select} FROM destinations WHERE account = $1 ORDER BY created_at, id`;
        return yield* rows<DestinationRow>(text, account);
      }),
    destination: (id) =>
      read(function* () {
        const text = `SELECT ${DESTINATIONS.select} FROM destinations WHERE id = $1`;
        return (yield* rows<DestinationRow>(text, id))[0];
      }),
    destinationWithCode: (codeHash) =>
      read(function* () {
        const text = `SELECT ${DESTINATIONS.select} FROM destinations WHERE code_hash = $1`;
        return (yield* rows<DestinationRow>(text, codeHash))[0];
      }),
    putDestination: (destination) => write(() => putDestination(destination)),
    writeDestinations: (destinations, messages) =>
      write(function* () {
        for (const destination of destinations) yield* putDestination(destination);
        yield* insertMessages(messages);
      }),
    deleteDestination: (id) => write(() => deleteDestination(id)),
    verifyDestination: (id, { codeHash, address, sealed }) =>
      write(function* () {
        const verified = yield* change(
          `UPDATE destinations SET address = $1, sealed = $2, state = 'active', code_hash = NULL, code_expires_at = NULL,
             wrong_codes = 0 WHERE id = $3 AND code_hash = $4 AND state = 'unverified'`,
          address,
          sealed,
          id,
          codeHash,
        );
        return verified > 0;
      }),
    codesSince: (time) =>
      read(() =>
        rows<SentCode>(
          `SELECT m.account, d.address_hash AS "addressHash", m.created_at AS at
           FROM messages m JOIN destinations d ON d.id = m.destination
           WHERE m.created_at >= $1 AND m.type = 'code' ORDER BY m.n`,
          time,
        ),
      ),
    suppress: (addressHash, now) =>
      write(() =>
        run(
          'INSERT INTO numbers (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
          suppressedName(addressHash),
          now,
        ),
      ),
    isSuppressed: (addressHash, since) =>
      read(function* () {
        const found = yield* rows(
          `SELECT 1 AS found FROM numbers WHERE name = $1 AND value >= $2 UNION ALL
           SELECT 1 AS found FROM destinations
           WHERE address_hash = $3 AND state = 'unsubscribed' AND code_hash IS NOT NULL AND code_expires_at >= $4`,
          suppressedName(addressHash),
          since,
          addressHash,
          since,
        );
        return found.length > 0;
      }),
    countWrongCode: (id, codeHash) =>
      write(() =>
        run('UPDATE destinations SET wrong_codes = wrong_codes + 1 WHERE id = $1 AND code_hash = $2', id, codeHash),
      ),
    changeDestination: (id, { sealed, state }) =>
      share(() =>
        run(
          'UPDATE destinations SET sealed = coalesce($1, sealed), state = coalesce($2, state) WHERE id = $3',
          sealed ?? null,
          state ?? null,
          id,
        ),
      ),
    addMessages: (messages) => write(() => insertMessages(messages)),
    lease: (options) => share(() => leaseDestinations(options)),
    endLeases: (worker, except) => share(() => endLeases(worker, except)),
    renew: (worker, destinations, until) => share(() => renewLeases(worker, destinations, until)),
    complete: (worker, results, released) => share(() => completeAttempts(worker, results, released)),
    nextDue: (only) => read(() => nextDue(only)),
    clock: () =>
      read(function* () {
        if (database === 'sqlite') return null;
        const text = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now';
        return (yield* rows<{ now: number }>(text))[0]!.now;
      }),
    message: (id) =>
      read(function* () {
        return (yield* rows<StoredMessage>(`SELECT ${MESSAGES.select} FROM messages WHERE id = $1`, id))[0];
      }),
    messages: (account, { state, destination, alert, before, limit }) =>
      read(function* () {
        const values: (string | number)[] = [account];
        let where = 'account = $1';
        // Written out, because the index of dead messages has this condition.
        if (state === 'dead') where += " AND state = 'dead'";
        else if (state !== undefined) where += ` AND state = $${values.push(state)}`;
        if (destination !== undefined) where += ` AND destination = $${values.push(destination)}`;
        if (alert !== undefined) where += ` AND alert = $${values.push(alert)}`;
        if (before !== undefined) where += ` AND n < (SELECT b.n FROM messages b WHERE b.id = $${values.push(before)})`;
        const last = `ORDER BY n DESC LIMIT $${values.push(limit)}`;
        return [
          ...(yield* rows<StoredMessage>(`SELECT ${MESSAGES.select} FROM messages WHERE ${where} ${last}`, ...values)),
        ];
      }),
    replay: (id, now) => write(() => replayMessage(id, now, NEXT_NUMBER[database])),
    destinationStates: (account) =>
      read(function* () {
        const found = yield* rows<{
          destination: string;
          waiting: number;
          failures: number;
          lastDeliveredAt: number | null;
          failure: string | null;
        }>(
          `SELECT q.destination, q.failures, q.last_delivered_at AS "lastDeliveredAt", q.failure,
             (SELECT count(*) FROM messages m WHERE m.destination = q.destination AND m.state = 'waiting') AS waiting
           FROM destinations d JOIN destination_queues q ON q.destination = d.id WHERE d.account = $1`,
          account,
        );
        return new Map(found.map(({ destination, ...state }) => [destination, state]));
      }),
    counts: () =>
      read(function* () {
        const [counts] = yield* rows<{ waiting: number; dead: number }>(
          `SELECT (SELECT count(*) FROM messages WHERE state = 'waiting') AS waiting,
             (SELECT count(*) FROM messages WHERE state = 'dead') AS dead`,
        );
        return counts!;
      }),
    giveUpMessages: (before, atMost, reason) =>
      write(() =>
        change(
          `UPDATE messages SET state = 'dead', reason = $3 WHERE state = 'waiting' AND n IN (SELECT m.n FROM messages m
             WHERE m.state = 'waiting' AND m.not_before < $1 LIMIT $2)`,
          before,
          atMost,
          reason,
        ),
      ),
    pruneMessages: (before, atMost) =>
      write(() =>
        change(
          `DELETE FROM messages WHERE n IN (SELECT m.n FROM messages m
             WHERE m.created_at < $1 AND m.state <> 'waiting' ORDER BY m.created_at LIMIT $2)`,
          before,
          atMost,
        ),
      ),
    writtenSince: (time) =>
      read(function* () {
        const text = 'SELECT account, count(*) AS written FROM messages WHERE created_at >= $1 GROUP BY account';
        const found = yield* rows<{ account: string; written: number }>(text, time);
        return new Map(found.map(({ account, written }) => [account, written]));
      }),
  };
}

function* putDestination(destination: DestinationRow): SharedWork<void> {
  yield* put(DESTINATIONS, [{ ...destination }]);
  yield* run(
    'INSERT INTO destination_queues (destination, failures) VALUES ($1, 0) ON CONFLICT (destination) DO NOTHING',
    destination.id,
  );
}

function* deleteDestination(id: string): SharedWork<void> {
  const [destination] = yield* rows<{ account: string }>('SELECT account FROM destinations WHERE id = $1', id);
  if (!destination) return;
  yield* dropDestination(id, destination.account);
  for (const table of ['alerts', 'subscriptions']) {
    const found = yield* rows<{ id: string; deliver: string }>(
      `SELECT id, deliver FROM ${table} WHERE account = $1`,
      destination.account,
    );
    for (const row of found) {
      const deliver = JSON.parse(row.deliver) as string[];
      if (!deliver.includes(id)) continue;
      const kept = JSON.stringify(deliver.filter((each) => each !== id));
      yield* run(`UPDATE ${table} SET deliver = $1 WHERE id = $2`, kept, row.id);
    }
  }
}
