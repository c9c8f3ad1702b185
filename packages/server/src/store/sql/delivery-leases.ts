// Leases of destinations: a worker takes destinations that are due, sends their messages in order, stores the outcomes and gives
// the destinations back.
import type {
  AttemptResult,
  DestinationRow,
  LeasedDestination,
  LeaseFilter,
  LeaseOptions,
  ReleasedDestination,
  StoredMessage,
} from '../delivery-store.ts';
import { DESTINATIONS, MESSAGES, nextTime } from './outbox.ts';
import { rows, rowsFor, runFor, type SharedWork, type SqlValue } from './shared-work.ts';

const FIRST_MESSAGES = `SELECT w.* FROM {each} (SELECT ${MESSAGES.select} FROM messages
  WHERE destination = r.leased AND state = 'waiting' AND (not_before <= created_at OR not_before <= r.due)
  ORDER BY n LIMIT r.at_most) w`;

interface QueueRow {
  readonly destination: string;
  readonly failures: number;
  readonly failingSince: number | null;
}

/**
 * Queues `q` that a worker can lease, in a form that starts with them. `values` gets those of the conditions. Accounts are one
 * value, so that their number does not change the statement: each has commas around it.
 */
function queues(only: LeaseFilter | undefined, values: SqlValue[]): string {
  if (!only) return 'destination_queues q WHERE true';
  const channels = only.channels.map(({ name, exceptAccounts }) => {
    const except = `$${values.push(exceptAccounts.map((account) => `,${account},`).join(''))}`;
    return `(d.channel = $${values.push(name)} AND replace(${except}, ',' || d.account || ',', '') = ${except})`;
  });
  return `destination_queues q CROSS JOIN destinations d
    WHERE d.id = q.destination AND (${channels.join(' OR ') || 'false'})`;
}

export function* nextDue(only?: LeaseFilter): SharedWork<number | null> {
  const values: SqlValue[] = [];
  const [first] = yield* rows<{ due: number }>(
    `SELECT q.wake_at AS due FROM ${queues(only, values)} AND q.wake_at IS NOT NULL ORDER BY q.wake_at LIMIT 1`,
    ...values,
  );
  return first?.due ?? null;
}

export function* leaseDestinations({
  worker,
  now,
  until,
  destinations,
  messages,
  only,
  accepts = () => true,
}: LeaseOptions): SharedWork<LeasedDestination[]> {
  const values: SqlValue[] = [now, destinations];
  const due = yield* rows<QueueRow>(
    `SELECT q.destination, q.failures, q.failing_since AS "failingSince" FROM ${queues(only, values)}
     AND q.wake_at <= $1 ORDER BY q.wake_at LIMIT $2 {free}`,
    ...values,
  );
  if (due.length === 0) return [];
  const found = yield* rowsFor<DestinationRow, 'leased'>(
    `SELECT ${DESTINATIONS.select} FROM destinations, {records} WHERE id = r.leased`,
    { leased: 'text' },
    due.map(({ destination }) => ({ leased: destination })),
  );
  const waiting = yield* rowsFor<StoredMessage, 'leased' | 'at_most' | 'due'>(
    FIRST_MESSAGES,
    { leased: 'text', at_most: 'int', due: 'int' },
    due.map(({ destination }) => ({ leased: destination, at_most: messages, due: now })),
  );
  const destinationOf = new Map(found.map((row) => [row.id, row]));
  const waitingOf = Map.groupBy(waiting, ({ destination }) => destination);
  const leased: LeasedDestination[] = [];
  const idle: ReleasedDestination[] = [];
  for (const { destination: id, failures, failingSince } of due) {
    const destination = destinationOf.get(id);
    const inOrder = waitingOf.get(id) ?? [];
    const later = inOrder.findIndex(({ nextAt }) => nextAt > now);
    const ready = later === -1 ? inOrder : inOrder.slice(0, later);
    if (destination && ready.length > 0) {
      if (accepts(destination)) leased.push({ destination, messages: ready, failures, failingSince });
    }
    // The lease of a worker that died ends here.
    else idle.push({ destination: id, wakeAt: inOrder[0]?.nextAt ?? 0, failures, failingSince });
  }
  yield* runFor(
    'UPDATE destination_queues SET worker = r.lessee, wake_at = r.lease_end FROM {records} WHERE destination = r.leased',
    { leased: 'text', lessee: 'text', lease_end: 'int' },
    leased.map(({ destination }) => ({ leased: destination.id, lessee: worker, lease_end: until })),
  );
  yield* release(idle);
  return leased;
}

/** Locks the destinations that a worker holds, in the order in which every transaction locks them. */
function* lockLeases(worker: string): SharedWork<ReadonlySet<string>> {
  const held = yield* rows<{ destination: string }>(
    'SELECT q.destination FROM destination_queues q WHERE q.worker = $1 ORDER BY q.destination {locked}',
    worker,
  );
  return new Set(held.map(({ destination }) => destination));
}

export function* renewLeases(worker: string, destinations: readonly string[], until: number): SharedWork<string[]> {
  const isHeld = yield* lockLeases(worker);
  const unsubscribed = yield* rowsFor<{ id: string }, 'leased'>(
    "SELECT id FROM destinations, {records} WHERE id = r.leased AND state = 'unsubscribed'",
    { leased: 'text' },
    destinations.map((leased) => ({ leased })),
  );
  const ended = new Set(unsubscribed.map(({ id }) => id));
  const held = destinations.filter((destination) => isHeld.has(destination) && !ended.has(destination));
  yield* runFor(
    'UPDATE destination_queues SET wake_at = r.lease_end FROM {records} WHERE destination = r.leased',
    { leased: 'text', lease_end: 'int' },
    held.map((leased) => ({ leased, lease_end: until })),
  );
  return held;
}

export function* endLeases(worker: string, except: readonly string[]): SharedWork<void> {
  const used = new Set(except);
  const unused = [...(yield* lockLeases(worker))].filter((destination) => !used.has(destination));
  yield* runFor(
    'UPDATE destination_queues SET worker = NULL, wake_at = 0 FROM {records} WHERE destination = r.leased',
    { leased: 'text' },
    unused.map((leased) => ({ leased })),
  );
}

export function* completeAttempts(
  worker: string,
  results: readonly AttemptResult[],
  released: readonly ReleasedDestination[],
): SharedWork<void> {
  const isHeld = yield* lockLeases(worker);
  const stored = yield* rowsFor<{ id: string; destination: string }, keyof typeof OUTCOME>(
    `UPDATE messages SET state = r.outcome, attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, r.ended),
       next_at = coalesce(r.retry_at, next_at), delivered_at = r.accepted_at, reason = coalesce(r.because, reason)
     FROM {records} WHERE id = r.message AND state = 'waiting' AND (r.outcome = 'delivered'
       OR destination IN (SELECT q.destination FROM destination_queues q WHERE q.worker = r.lessee))
     RETURNING id, destination`,
    OUTCOME,
    results.map((result) => ({
      message: result.id,
      lessee: worker,
      outcome: result.result === 'retry' ? 'waiting' : result.result,
      ended: result.at,
      retry_at: result.result === 'retry' ? result.nextAt : null,
      accepted_at: result.result === 'delivered' ? result.at : null,
      because: result.result === 'delivered' ? null : result.reason,
    })),
  );
  yield* noteOutcomes(results, new Map(stored.map(({ id, destination }) => [id, destination])));
  const given = released.filter(({ destination }) => isHeld.has(destination));
  yield* giveUp(given);
  yield* release(given);
}

/** Messages that are given up at once: bounds the time of a transaction. */
const GIVEN_UP_AT_ONCE = 10_000;

function* giveUp(released: readonly ReleasedDestination[]): SharedWork<void> {
  yield* runFor(
    `UPDATE messages SET state = 'dead', reason = r.because FROM {records} WHERE n IN (SELECT m.n FROM messages m
       WHERE m.destination = r.given_back AND m.state = 'waiting' AND m.not_before <= r.not_after
       ORDER BY m.n LIMIT ${GIVEN_UP_AT_ONCE})`,
    { given_back: 'text', not_after: 'int', because: 'text' },
    released.flatMap(({ destination, giveUp }) =>
      giveUp ? { given_back: destination, not_after: giveUp.notAfter, because: giveUp.reason } : [],
    ),
  );
}

const OUTCOME = {
  message: 'text',
  lessee: 'text',
  outcome: 'text',
  ended: 'int',
  retry_at: 'int',
  accepted_at: 'int',
  because: 'text',
} as const;

/** Keeps the last delivery of each destination and the last failure since then. `results` are in the order of the attempts. */
function* noteOutcomes(
  results: readonly AttemptResult[],
  destinationOf: ReadonlyMap<string, string>,
): SharedWork<void> {
  const changes = new Map<string, { noted: string; accepted_at: number | null; because: string | null }>();
  for (const result of results) {
    const noted = destinationOf.get(result.id);
    if (noted === undefined) continue;
    const delivered = result.result === 'delivered';
    changes.set(noted, {
      noted,
      accepted_at: delivered ? result.at : (changes.get(noted)?.accepted_at ?? null),
      because: delivered ? null : result.reason,
    });
  }
  yield* runFor(
    `UPDATE destination_queues SET last_delivered_at = coalesce(r.accepted_at, last_delivered_at), failure = r.because
     FROM {records} WHERE destination = r.noted`,
    { noted: 'text', accepted_at: 'int', because: 'text' },
    [...changes.values()],
  );
}

/** The next message decides when a destination is due again, but not before the time that was given. */
function* release(released: readonly ReleasedDestination[]): SharedWork<void> {
  const next = nextTime('r.given_back');
  yield* runFor(
    `UPDATE destination_queues SET worker = NULL, failures = r.failed, failing_since = r.failed_since,
       wake_at = (SELECT CASE WHEN t.due > r.not_earlier THEN t.due WHEN t.due IS NOT NULL THEN r.not_earlier END FROM ${next} t)
     FROM {records} WHERE destination = r.given_back`,
    { given_back: 'text', not_earlier: 'int', failed: 'int', failed_since: 'int' },
    released.map(({ destination, wakeAt, failures, failingSince }) => ({
      given_back: destination,
      not_earlier: wakeAt,
      failed: failures,
      failed_since: failingSince,
    })),
  );
}
