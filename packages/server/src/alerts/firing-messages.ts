// Turns what fired into the row of a firing and the messages to its destinations. Ids are derived from the cause: judging an
// event again, after a crash, gives the same ids.
import { type AlertCondition, type AlertFiring, iso, type WebhookMessage } from '@tickwire/contract';
import { type EpochMs, type MarketSymbol, SECOND_MS } from '@tickwire/engine';
import type { EventBody, MessageLocale } from '../delivery/channel.ts';
import { sha256Hex } from '../ops/sha256.ts';
import type { FiringRow } from '../store/alert-store.ts';
import type { NewMessage } from '../store/delivery-store.ts';

/** A firing that was noticed later than this after its event is late. */
export const LATE_FIRING_MS = 5 * SECOND_MS;

/** What fired: an alert, or a subscription. */
export interface Fired {
  readonly account: string;
  /** Id of the alert or subscription. */
  readonly alert: string;
  readonly cause: string;
  readonly symbol: MarketSymbol | null;
  readonly condition: AlertCondition;
  readonly title: string;
  readonly note: string | null;
  /** Market time of the event, and when it was noticed. */
  readonly time: EpochMs;
  readonly firedAt: number;
  /** When the service learned of the event, if `time` is that of a source. */
  readonly knownAt?: number | undefined;
  readonly price: number | null;
  readonly seq: number | null;
}

/** Where a message goes. */
export interface Recipient {
  readonly id: string;
  /** How the account wants times and numbers written. */
  readonly locale: MessageLocale;
  readonly unsubscribe?: string;
}

export interface MessageOptions {
  readonly type: string;
  /** Decimals of the instrument's prices. */
  readonly digits?: number;
  readonly signal?: unknown;
  readonly news?: unknown;
  /** Whether the tier of the account may delay it. */
  readonly delayed?: boolean;
}

const derivedId = (prefix: string, ...parts: readonly string[]): string =>
  `${prefix}_${sha256Hex(parts.join('\n')).slice(0, 24)}`;

export function firingOf(fired: Fired): AlertFiring {
  return {
    id: derivedId('fir', fired.alert, fired.cause),
    alert_id: fired.alert,
    symbol: fired.symbol,
    condition: fired.condition,
    title: fired.title,
    note: fired.note,
    time: iso(fired.time),
    fired_at: iso(fired.firedAt),
    late: fired.firedAt - (fired.knownAt ?? fired.time) > LATE_FIRING_MS,
    price: fired.price,
    seq: fired.seq,
  };
}

export const firingRow = (fired: Fired, firing: AlertFiring): FiringRow => ({
  id: firing.id,
  account: fired.account,
  alert: fired.alert,
  cause: fired.cause,
  time: fired.time,
  firedAt: fired.firedAt,
  seq: fired.seq,
  price: fired.price,
  about: JSON.stringify({ condition: firing.condition, note: firing.note } satisfies About),
  body: JSON.stringify({ symbol: firing.symbol, title: firing.title, late: firing.late } satisfies Body),
});

type About = Pick<AlertFiring, 'condition' | 'note'>;
type Body = Pick<AlertFiring, 'symbol' | 'title' | 'late'>;

export function readFiring({ id, alert, time, firedAt, price, seq, about, body }: FiringRow): AlertFiring {
  const { condition, note } = JSON.parse(about) as About;
  const { symbol, title, late } = JSON.parse(body) as Body;
  return {
    ...{ id, alert_id: alert, symbol, condition, title, note },
    ...{ time: iso(time), fired_at: iso(firedAt), late, price, seq },
  };
}

export function webhookMessage(firing: AlertFiring, { type, signal, news }: MessageOptions): WebhookMessage {
  const { id, alert_id, symbol, condition, price, seq, title, note, late, time } = firing;
  return {
    type,
    timestamp: time,
    data: {
      ...{ alert_id, symbol, condition, price, seq, title, note, late, firing_id: id },
      ...(signal !== undefined && { signal }),
      ...(news !== undefined && { news }),
    },
  };
}

/** `delayMs`: time until the first attempt. */
export function messageTo(
  { id: destination, locale, unsubscribe }: Recipient,
  account: string,
  firing: AlertFiring,
  options: MessageOptions,
  delayMs: number,
): NewMessage {
  const body: EventBody = {
    message: webhookMessage(firing, options),
    locale,
    ...(options.digits !== undefined && { digits: options.digits }),
    ...(unsubscribe !== undefined && { unsubscribe }),
  };
  const createdAt = Date.parse(firing.fired_at);
  return {
    id: derivedId('msg', firing.id, destination),
    account,
    destination,
    firing: firing.id,
    alert: firing.alert_id,
    type: options.type,
    title: firing.title,
    body: JSON.stringify(body),
    createdAt,
    notBefore: createdAt + delayMs,
  };
}
