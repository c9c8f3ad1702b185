// Messages in the outbox, and the queue of each destination. A transaction locks the queues first, in the order of their
// destinations: the messages of a destination are numbered in the order in which they are committed, and no two transactions
// wait for each other.
import type { NewMessage, StoredMessage } from '../delivery-store.ts';
import { change, rows, rowsFor, run, runFor, type SharedWork } from './shared-work.ts';
import { columnsWithout, storedFields } from './stored-fields.ts';
import * as tables from './tables/alert-tables.ts';

export const DESTINATIONS = storedFields(tables.DESTINATIONS);
export const MESSAGES = storedFields(tables.MESSAGES);
export const NEW_MESSAGES = storedFields(
  tables.MESSAGES,
  columnsWithout(tables.MESSAGES, 'n', 'first_attempt_at', 'delivered_at'),
);

/** Locks the queues of destinations; returns those that exist. */
export function* lockQueues(destinations: Iterable<string>): SharedWork<ReadonlySet<string>> {
  const found = yield* rowsFor<{ destination: string }, 'wanted'>(
    `SELECT q.destination FROM destination_queues q, {records} WHERE q.destination = r.wanted
     ORDER BY q.destination {locked}`,
    { wanted: 'text' },
    [...new Set(destinations)].sort().map((wanted) => ({ wanted })),
  );
  return new Set(found.map(({ destination }) => destination));
}

/** Messages to destinations that do not exist are left out, and so are those that were written before. */
export function* insertMessages(messages: readonly NewMessage[]): SharedWork<void> {
  if (messages.length === 0) return;
  const existing = yield* lockQueues(messages.map(({ destination }) => destination));
  const wanted = messages.filter(({ destination }) => existing.has(destination));
  yield* runFor(
    `${NEW_MESSAGES.insert} ORDER BY r.place ON CONFLICT (id) DO NOTHING`,
    { ...NEW_MESSAGES.columns, place: 'int' },
    wanted.map(({ refused, ...message }, place) => ({
      ...message,
      state: (refused === undefined ? 'waiting' : 'dead') satisfies StoredMessage['state'],
      reason: refused ?? null,
      attempts: 0,
      nextAt: message.notBefore,
      place,
    })),
  );
  yield* wakeQueues(new Set(wanted.map(({ destination }) => destination)));
}

/**
 * When a destination has something to send: at the time of its first message. A message that is delayed takes its place in the
 * order when it is due, and holds up nothing until then.
 */
export const nextTime = (destination: string): string => `(SELECT min(e.due) AS due FROM (
    SELECT f.due FROM (SELECT m.next_at AS due FROM messages m WHERE m.destination = ${destination} AND m.state = 'waiting'
      AND m.not_before <= m.created_at ORDER BY m.n LIMIT 1) f
    UNION ALL SELECT min(m.next_at) AS due FROM messages m WHERE m.destination = ${destination} AND m.state = 'waiting'
      AND m.not_before > m.created_at) e)`;

/**
 * Wakes queues at the time of their next message: idle ones, and those that wait for a delayed message. A queue that failed
 * waits on.
 */
function* wakeQueues(destinations: Iterable<string>): SharedWork<void> {
  const next = `(SELECT t.due FROM ${nextTime('destination_queues.destination')} t)`;
  yield* runFor(
    `UPDATE destination_queues SET wake_at = ${next} FROM {records} WHERE destination = r.wanted
       AND (wake_at IS NULL OR (worker IS NULL AND failures = 0 AND wake_at > ${next}))`,
    { wanted: 'text' },
    [...destinations].map((wanted) => ({ wanted })),
  );
}

/** Makes a dead message wait again, behind all others of its destination. */
export function* replayMessage(id: string, now: number, nextNumber: string): SharedWork<boolean> {
  const [message] = yield* rows<{ destination: string }>('SELECT destination FROM messages WHERE id = $1', id);
  if (!message) return false;
  const existing = yield* lockQueues([message.destination]);
  if (!existing.has(message.destination)) return false;
  const replayed = yield* change(
    `UPDATE messages SET n = ${nextNumber}, state = 'waiting', next_at = $1, not_before = $1, first_attempt_at = NULL
     WHERE id = $2 AND state = 'dead' AND type <> 'code'`,
    now,
    id,
  );
  if (replayed === 0) return false;
  yield* wakeQueues([message.destination]);
  return true;
}

/** Deletes a destination with everything that waits for it. */
export function* dropDestination(id: string, account: string): SharedWork<void> {
  yield* lockQueues([id]);
  // The account narrows it down: messages that do not wait are not indexed by destination.
  yield* run('DELETE FROM messages WHERE account = $1 AND destination = $2', account, id);
  yield* run('DELETE FROM destination_queues WHERE destination = $1', id);
  yield* run('DELETE FROM destinations WHERE id = $1', id);
}
