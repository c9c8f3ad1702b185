// Alerts, subscriptions and their firings. A firing, the messages that deliver it and the mark of how far alerts were judged
// are written in one transaction, so that a crash neither loses nor repeats one. Times are milliseconds since 1970.
import type { Repeat, SignalHappening, Timeframe } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { NewMessage } from './delivery-store.ts';

export interface AlertRow {
  readonly id: string;
  /** Public id of the account. */
  readonly account: string;
  readonly symbol: MarketSymbol | null;
  /** JSON. */
  readonly condition: string;
  readonly repeat: Repeat;
  readonly interval: Timeframe | null;
  readonly cooldownMs: number;
  readonly expiresAt: number | null;
  readonly note: string | null;
  /** Ids of destinations. */
  readonly deliver: readonly string[];
  readonly createdAt: number;
  /** Judged from the event behind this one on. */
  readonly sinceSeq: number;
  readonly sinceTime: number;
  readonly paused: boolean;
  /** It fired once, or its time is over. */
  readonly done: boolean;
  readonly fired: number;
  readonly lastFiredAt: number | null;
  /** What the judge knows about it, as of `judgedUntil`: JSON; `null` if it has not been judged yet. */
  readonly state: string | null;
}

export interface SubscriptionRow {
  readonly id: string;
  readonly account: string;
  readonly publisher: string | null;
  readonly symbol: MarketSymbol | null;
  readonly category: string | null;
  readonly events: readonly SignalHappening[];
  readonly mirror: boolean;
  readonly deliver: readonly string[];
  readonly createdAt: number;
  /** Number of the last record of the signal log when it was created: later ones are delivered. */
  readonly sinceN: number;
}

export interface FiringRow {
  readonly id: string;
  readonly account: string;
  /** Id of the alert or subscription. */
  readonly alert: string;
  /** What caused it, once per alert: `seq:123`, `bar:5m:1700000000000`, `signal:7`, `news:…`. */
  readonly cause: string;
  readonly time: number;
  readonly firedAt: number;
  readonly seq: number | null;
  readonly price: number | null;
  /** What it says of its alert, which most firings of an alert have in common: JSON, stored once. */
  readonly about: string;
  /** What it says beyond all that: JSON. */
  readonly body: string;
}

/** What an account may store: firings, and bytes of what they say. */
export interface FiringBound {
  readonly firings: number;
  readonly bytes: number;
}

export interface WrittenFirings {
  readonly firings: readonly FiringRow[];
  /** Number of older firings that were removed for them. */
  readonly removed: number;
}

/** How the messages of an account write times and numbers. */
export interface PreferencesRow {
  readonly account: string;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47 tag. */
  readonly numberFormat: string;
}

/** A change of an alert by a firing, its expiry or its judgement. */
export interface AlertProgress {
  readonly id: string;
  readonly state: string | null;
  readonly done: boolean;
  readonly fired: number;
  readonly lastFiredAt: number | null;
}

/** Positions up to which everything is judged: alerts by `seq`, subscriptions by record of the signal log and by news time. */
export interface AlertMarks {
  readonly judgedUntil: number;
  readonly signalN: number;
  readonly newsAt: number;
  /** Headlines that were judged lately: id and time of judgement. Left out: none, or those of the last write. */
  readonly news?: ReadonlyMap<string, number>;
}

/** Written in one transaction. */
export interface AlertWrite {
  readonly firings: readonly FiringRow[];
  /** The messages of the firings. */
  readonly messages: readonly NewMessage[];
  readonly progress: readonly AlertProgress[];
  readonly marks: AlertMarks;
}

/** Writes take effect in the order in which they were called. */
export interface AlertStore {
  /** All alerts, oldest first. */
  alerts(): Promise<AlertRow[]>;
  /** Creates an alert, or replaces the one with its id. */
  putAlert(alert: AlertRow): Promise<void>;
  /** Replaces what is not judged. */
  describeAlert(id: string, description: Pick<AlertRow, 'note' | 'deliver'>): Promise<void>;
  deleteAlert(id: string): Promise<void>;
  subscriptions(): Promise<SubscriptionRow[]>;
  putSubscription(subscription: SubscriptionRow): Promise<void>;
  deleteSubscription(id: string): Promise<void>;
  /** Of all accounts that have chosen any. */
  preferences(): Promise<PreferencesRow[]>;
  putPreferences(preferences: PreferencesRow): Promise<void>;
  /** `null` if nothing was judged yet. */
  marks(): Promise<AlertMarks | null>;
  /**
   * A firing whose alert already has one of this cause is left out, with its messages. Messages to destinations that do not
   * exist any more are left out. Returns the firings that were written. If an account then has more than `boundOf` allows, its
   * oldest firings are removed, up to 2,000 at a time.
   */
  write(write: AlertWrite, boundOf?: (account: string) => FiringBound): Promise<WrittenFirings>;
  /** Newest first. */
  firings(
    account: string,
    query: { readonly alert?: string; readonly before?: string; readonly limit: number },
  ): Promise<FiringRow[]>;
  /** The last firings since this time, oldest first. */
  firingsSince(firedAt: number, limit: number): Promise<FiringRow[]>;
  /** How many firings of an account were removed because it had too many. */
  removedFirings(account: string): Promise<number>;
  /** Deletes up to `atMost` firings before this time. Returns how many it deleted. */
  pruneFirings(before: number, atMost: number): Promise<number>;
  /** Deletes everything of an account: alerts, subscriptions, firings, destinations, messages and preferences. */
  forgetAccount(account: string): Promise<void>;
}
