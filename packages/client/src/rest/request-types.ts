// Bodies of requests whose fields with a default may be left out.
import type {
  AlertChange,
  AlertRequest,
  CalendarCondition,
  DataLinkRequest,
  InvitationRequest,
  KeyRequest,
  MoveCondition,
  PriceCondition,
  SignalCondition,
  SignalRequest,
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
  /** New condition. The alert starts over: a level beyond the price does not fire until it is crossed. */
  readonly condition?: NewCondition;
}

/**
 * A subscription to create: exactly one of `publisher`, `symbol` and `category`.
 * @example await client.createSubscription({ publisher: 'goldsmith', deliver: [{ destination: 'dst_1' }] });
 */
export interface NewSubscription
  extends Partial<Omit<SubscriptionRequest, 'deliver'>>,
    Pick<SubscriptionRequest, 'deliver'> {}

/** A signal as TradingView sends it in an alert: prices may be strings, and tickers may have an exchange prefix. */
export interface TradingViewAlert extends Pick<SignalRequest, 'symbol' | 'expires_at' | 'note'> {
  /** `long` means buy and `short` means sell. */
  readonly direction: 'buy' | 'long' | 'sell' | 'short';
  /** Entry price. */
  readonly entry: number | string;
  /** Stop price: below the entry of a buy, above the entry of a sell. */
  readonly stop_loss: number | string;
  /** Target price: above the entry of a buy, below the entry of a sell. */
  readonly take_profit: number | string;
  /** Identifies the alert: a repetition within 24 hours returns the first response and publishes nothing. */
  readonly id?: string;
}

/**
 * An API key to create.
 * @example await client.keys.create({ name: 'bot', scopes: ['read', 'publish'], expires_days: 90 });
 */
export interface NewKey extends Pick<KeyRequest, 'name'> {
  /** What the key may do. Default `['read']`. */
  readonly scopes?: readonly KeyRequest['scopes'][number][];
  /** Days until the key expires; `null` for never. Default `null`. */
  readonly expires_days?: KeyRequest['expires_days'];
}

/**
 * A data link to create.
 * @example await client.links.create({ name: 'Chart', path: '/udf', expires_days: 30 });
 */
export interface NewDataLink extends Pick<DataLinkRequest, 'name' | 'path'> {
  /** Days until the link expires, up to 366. Default 90. */
  readonly expires_days?: DataLinkRequest['expires_days'];
}

/**
 * A document to store.
 * @example await client.account.documents.put('watchlist', 'Metals', { value: { symbols: ['XAUUSD'] } });
 */
export interface DocumentPutOptions {
  /** Any JSON object, up to 64 KiB as JSON. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Revision that the change is based on. Default 0: the document must not exist yet. */
  readonly revision?: number;
}

/**
 * An invitation to create.
 * @example await client.admin.createInvitation({ tier: 'pro', expires_days: 14 });
 */
export interface NewInvitation extends Pick<InvitationRequest, 'tier'> {
  /** Days until the invitation expires, 1 to 365. Default 7. */
  readonly expires_days?: InvitationRequest['expires_days'];
}
