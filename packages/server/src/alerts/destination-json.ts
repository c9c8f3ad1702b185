// Destinations and messages as the interface returns them.
import { randomBytes } from 'node:crypto';
import { type Delivery, type Destination, iso, isoOrNull, type OutsideChannel } from '@tickwire/contract';
import { sha256Hex } from '../ops/sha256.ts';
import type { DeliveryProgress, DestinationRow, StoredMessage } from '../store/delivery-store.ts';

/** A destination pauses after this many failures in a row: its messages wait, and one is tried from time to time. */
const FAILURES_OF_A_PAUSE = 5;

export const newId = (prefix: 'alr' | 'sub' | 'dst' | 'msg'): string => `${prefix}_${randomBytes(12).toString('hex')}`;

/** Id of the `index`th new thing of a kind that a request creates. */
export type IdOf = (prefix: 'alr' | 'sub' | 'dst', index?: number) => string;

/** The same ids for the same request: a repeated one finds what it created before its response was lost. */
export const idsOf =
  (...request: readonly string[]): IdOf =>
  (prefix, index = 0) =>
    `${prefix}_${sha256Hex(JSON.stringify([prefix, index, ...request])).slice(0, 24)}`;

export function destinationJson(row: DestinationRow, progress?: DeliveryProgress): Destination {
  const { id, channel, name, address, state, createdAt } = row;
  const isPaused = state === 'active' && (progress?.failures ?? 0) >= FAILURES_OF_A_PAUSE;
  return {
    ...{ id, channel, name, address },
    state: isPaused ? 'paused' : state,
    created_at: iso(createdAt),
    last_delivered_at: isoOrNull(progress?.lastDeliveredAt ?? null),
    waiting: progress?.waiting ?? 0,
    failure: progress?.failure ?? null,
  };
}

export function deliveryJson(message: StoredMessage, channel: OutsideChannel): Delivery {
  const { id, destination, type, alert, title, state, attempts, createdAt, nextAt, deliveredAt, reason } = message;
  return {
    ...{ id, destination, channel, type, alert_id: alert, title, state, attempts },
    created_at: iso(createdAt),
    next_attempt_at: state === 'waiting' ? iso(nextAt) : null,
    delivered_at: isoOrNull(deliveredAt),
    latency_ms: deliveredAt === null ? null : Math.max(0, deliveredAt - createdAt),
    reason,
  };
}
