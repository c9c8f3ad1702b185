// Alerts and subscriptions as the interface returns them.
import {
  type Alert,
  type AlertCondition,
  type AlertState,
  type DeliverEntry,
  iso,
  isoOrNull,
  type NewsCategory,
  type NotCheckedReason,
  type Subscription,
} from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { AlertRow, SubscriptionRow } from '../store/alert-store.ts';
import type { DestinationRow } from '../store/delivery-store.ts';

/** Destinations of an account by id. */
export type DestinationsById = ReadonlyMap<string, DestinationRow>;

export function stateOf({ paused, done, repeat, fired, expiresAt }: AlertRow, now: number): AlertState {
  if (done && repeat === 'once' && fired > 0) return 'done';
  if (done || (expiresAt !== null && expiresAt <= now)) return 'expired';
  return paused ? 'paused' : 'active';
}

const deliverOf = (ids: readonly string[], destinations: DestinationsById): DeliverEntry[] =>
  ids.flatMap((id) => {
    const row = destinations.get(id);
    return row ? { channel: row.channel, destination: id, address: row.address } : [];
  });

export interface AlertContext {
  readonly destinations: DestinationsById;
  readonly now: number;
  readonly isConfigured: (symbol: MarketSymbol) => boolean;
}

function notCheckedBecause(row: AlertRow, { now, isConfigured }: AlertContext): NotCheckedReason | null {
  if (stateOf(row, now) !== 'active' || row.symbol === null || isConfigured(row.symbol)) return null;
  return 'instrument_not_configured';
}

export const alertJson = (row: AlertRow, context: AlertContext): Alert => ({
  id: row.id,
  symbol: row.symbol,
  condition: JSON.parse(row.condition) as AlertCondition,
  repeat: row.repeat,
  interval: row.interval,
  cooldown_seconds: row.cooldownMs / 1_000,
  expires_at: isoOrNull(row.expiresAt),
  deliver: deliverOf(row.deliver, context.destinations),
  note: row.note,
  state: stateOf(row, context.now),
  not_checked: notCheckedBecause(row, context),
  created_at: iso(row.createdAt),
  fired: row.fired,
  last_fired_at: isoOrNull(row.lastFiredAt),
});

export const subscriptionJson = (
  row: SubscriptionRow,
  destinations: DestinationsById,
  nameOf: (publisher: string) => string | undefined,
  delaySeconds: number,
): Subscription => ({
  id: row.id,
  publisher: row.publisher === null ? null : { id: row.publisher, name: nameOf(row.publisher) ?? row.publisher },
  symbol: row.symbol,
  category: row.category as NewsCategory | null,
  events: [...row.events],
  mirror: row.mirror,
  delay_seconds: delaySeconds,
  deliver: deliverOf(row.deliver, destinations),
  created_at: iso(row.createdAt),
});
