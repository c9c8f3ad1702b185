// What the alert book is given and what it returns. Times are those of the market; the book has no clock.
import type {
  AlertCondition,
  CalendarImpact,
  NewsCategory,
  Repeat,
  SentimentLabel,
  SignalHappening,
  Timeframe,
} from '@tickwire/contract';
import type { Bar, EngineEvent } from '../market/events.ts';
import type { MarketSymbol } from '../market/instrument.ts';
import type { EpochMs } from '../market/time.ts';

export interface AlertSpec {
  readonly id: string;
  /** `null` only if every condition can do without one. */
  readonly symbol: MarketSymbol | null;
  readonly condition: AlertCondition;
  readonly repeat: Repeat;
  /** Bar of `once_per_bar`. If `null`: that of the condition, or one minute. */
  readonly interval: Timeframe | null;
  readonly cooldownMs: number;
  readonly expiresAt: EpochMs | null;
  /** Events up to this one, and before this market time, never fire it. */
  readonly sinceSeq: number;
  readonly sinceTime: EpochMs;
  /** `AlertBook.stateOf` of an earlier run; `null` for a new alert. */
  readonly state: string | null;
}

/** What `AlertBook.add` needs of the past: closed bars in ascending order, and the forming bars of volume and delta. */
export interface WarmUp {
  readonly closed?: Partial<Record<Timeframe, readonly Bar[]>>;
  readonly forming?: Partial<Record<Timeframe, Bar | null>>;
}

/** Of indicators that add up everything since a time, or since the beginning, and of trend lines that start far back. */
export const MAX_WARM_UP_BARS = 20_000;

/** Bars that `AlertBook.add` needs of an interval. `bars` is 0 if only the forming bar counts. */
export interface WarmUpNeed {
  readonly interval: Timeframe;
  readonly bars: number;
  /** Bars from this time on as well, but not more than `MAX_WARM_UP_BARS`, unless the alert has a state. */
  readonly since: EpochMs | null;
  readonly forming: boolean;
}

/** What a title states besides the condition. */
export type FiringDetail =
  | { readonly kind: 'crossing'; readonly direction: 'above' | 'below' }
  | { readonly kind: 'move'; readonly direction: 'up' | 'down' }
  | { readonly kind: 'absorption'; readonly side: 'buy' | 'sell' }
  | { readonly kind: 'headline'; readonly title: string }
  | {
      readonly kind: 'signal';
      readonly happening: SignalHappening;
      readonly publisher: string;
      readonly symbol: MarketSymbol;
    }
  | { readonly kind: 'calendar'; readonly title: string; readonly at: EpochMs };

export interface Firing {
  /** Id of the alert. */
  readonly alert: string;
  /** Once per alert: `seq:7`, `bar:5m:1700000000000`, `signal:3:closed`, `news:a1`, `calendar:e1:1700000000000`, … */
  readonly cause: string;
  /** Position of the event in the journal; `null` if the cause is not one event of the market. */
  readonly seq: number | null;
  /** Market time of the event. */
  readonly time: EpochMs;
  /** Price or value that fired it. */
  readonly price: number | null;
  readonly symbol: MarketSymbol | null;
  readonly detail: FiringDetail | null;
}

export interface HeadlineInput {
  readonly kind: 'headline';
  readonly id: string;
  readonly time: EpochMs;
  /** When it became known: tells alerts set before and after it apart if it has no `seq`. Default: `time`. */
  readonly knownAt?: EpochMs;
  readonly title: string;
  readonly category: NewsCategory;
  readonly sentiment: SentimentLabel;
  /** For each instrument that it mentions. */
  readonly sentiments: ReadonlyMap<MarketSymbol, SentimentLabel>;
}

export interface SignalInput {
  readonly kind: 'signal_happening';
  /** Number of the record in the signal log. */
  readonly n: number;
  readonly happening: SignalHappening;
  readonly publisher: { readonly id: string; readonly name: string };
  readonly symbol: MarketSymbol;
  readonly time: EpochMs;
  readonly price: number | null;
}

/** A calendar event is known, has changed or was cancelled. */
export interface CalendarInput {
  readonly kind: 'calendar_item';
  readonly id: string;
  readonly time: EpochMs;
  readonly title: string;
  readonly impact: CalendarImpact;
  readonly country: string | null;
  /** Instruments that it affects. */
  readonly symbols: readonly MarketSymbol[];
  /** When the service learned of this revision. Finds what a crash kept from being judged. */
  readonly updatedAt?: EpochMs;
  /** It has a day and no time: it is never due. */
  readonly allDay: boolean;
  readonly cancelled: boolean;
}

export type AlertInput = EngineEvent | HeadlineInput | SignalInput | CalendarInput;

/** Prices known before the first event, so that an alert knows on which side of its level the price is. */
export interface StandingPrices {
  readonly bid?: number;
  readonly ask?: number;
  readonly trade?: number;
  readonly time: EpochMs;
}
