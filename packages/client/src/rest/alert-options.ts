// Parameters of the calls for alerts, subscriptions, destinations and deliveries.
import type {
  AlertChange,
  AlertRequest,
  AlertState,
  CalendarCondition,
  DeliveryState,
  MoveCondition,
  PriceCondition,
  SignalCondition,
  SimpleCondition,
  SubscriptionRequest,
} from '../common/contract.ts';

/** A type with some of its fields optional. */
type Optional<T, Names extends keyof T> = Omit<T, Names> & Partial<Pick<T, Names>>;

/**
 * One condition to send. Fields with a default may be left out: `side`, `events` and `impact`.
 * @example const condition: NewSimpleCondition = { type: 'price', cross: 'above', level: 1.2 };
 */
export type NewSimpleCondition =
  | Exclude<SimpleCondition, { type: 'price' | 'move' | 'signal' | 'calendar' }>
  | Optional<PriceCondition, 'side'>
  | Optional<MoveCondition, 'side'>
  | Optional<SignalCondition, 'events'>
  | Optional<CalendarCondition, 'impact'>;

/** Conditions that must hold together; at most one of them is a moment, the others are states. */
export interface NewCombinedCondition {
  /** Always `all`. */
  readonly type: 'all';
  /** Two to five conditions. */
  readonly of: readonly NewSimpleCondition[];
}

/** When an alert fires. */
export type NewCondition = NewSimpleCondition | NewCombinedCondition;

/**
 * An alert to create.
 * @example
 * await client.createAlert({
 *   symbol: 'EURUSD',
 *   condition: { type: 'price', cross: 'above', level: 1.2 },
 *   deliver: [{ channel: 'webhook', url: 'https://hooks.example.com/tickwire' }],
 * });
 */
export interface NewAlert extends Partial<Omit<AlertRequest, 'condition'>> {
  /** When it fires. */
  readonly condition: NewCondition;
}

/**
 * Fields of an alert to change; the others stay.
 * @example await client.changeAlert('alr_1', { note: 'Sell half', cooldown_seconds: 600 });
 */
export interface NewAlertFields extends Omit<AlertChange, 'condition'> {
  /** New condition. The alert starts anew: a level beyond the price does not fire until it is crossed. */
  readonly condition?: NewCondition;
}

/**
 * A subscription to create: exactly one of `publisher`, `symbol` and `category`.
 * @example await client.createSubscription({ publisher: 'goldsmith', deliver: [{ destination: 'dst_1' }] });
 */
export interface NewSubscription
  extends Partial<Omit<SubscriptionRequest, 'deliver'>>,
    Pick<SubscriptionRequest, 'deliver'> {}

/**
 * Which alerts to return.
 * @example await client.alerts({ symbol: 'EURUSD', state: 'active' });
 */
export interface AlertsOptions {
  /** Only alerts of this instrument. */
  readonly symbol?: string;
  /** Only alerts in this state. */
  readonly state?: AlertState;
}

/**
 * Which firings to return.
 * @example await client.firings({ alert: 'alr_1', limit: 20 });
 */
export interface FiringsOptions {
  /** Only firings of this alert or subscription, by its id. */
  readonly alert?: string;
  /** Only firings older than the one with this id; the last item of the previous page. */
  readonly before?: string;
  /** Most firings to return, 1 to 200. Default 50. */
  readonly limit?: number;
}

/**
 * Which messages of the delivery log to return.
 * @example await client.deliveries({ state: 'dead', limit: 20 });
 */
export interface DeliveriesOptions {
  /** Only messages in this state. */
  readonly state?: DeliveryState;
  /** Only messages to this destination, by its id. */
  readonly destination?: string;
  /** Only messages of this alert, by its id. */
  readonly alert?: string;
  /** Only messages older than the one with this id; the last item of the previous page. */
  readonly before?: string;
  /** Most messages to return, 1 to 200. Default 50. */
  readonly limit?: number;
}
