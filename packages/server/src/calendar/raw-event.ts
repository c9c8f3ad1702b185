// Calendar events as sources deliver them.
import type { CalendarImpact, NewsAccount } from '@tickwire/contract';

/** A value of a release: `undefined` if the source does not mention it, `null` if it has none. */
export type RawValue = string | null | undefined;

export interface RawCalendarEvent {
  /** Name of the source. */
  readonly source: string;
  /** The account that pushed the event; `null` for an event of a configured source. */
  readonly account: Pick<NewsAccount, 'id'> | null;
  /** The source's own id of the event. Without one, country, title and UTC date identify it. */
  readonly uid: string | null;
  /** Plain text. */
  readonly title: string;
  /** Upper case. */
  readonly country: string;
  /** Upper case. */
  readonly currency: string;
  /** `null`: as it is known, or `medium`. */
  readonly impact: CalendarImpact | null;
  /** Epoch milliseconds, whole seconds. For an all-day event: midnight UTC of its date. */
  readonly time: number;
  readonly allDay: boolean;
  /** `null`: `released` if there is an actual value, else `scheduled`. */
  readonly status: 'scheduled' | 'released' | 'cancelled' | null;
  readonly actual?: RawValue;
  readonly forecast?: RawValue;
  readonly previous?: RawValue;
  readonly unit?: RawValue;
  readonly url?: RawValue;
  /** Only a change of a known event: an unknown one is not added. */
  readonly onlyKnown?: boolean;
  /** When the source learned of this state, if it is not the time of arrival. Older states than the known one are skipped. */
  readonly knownAt?: number;
}

export type TakeCalendar = (events: readonly RawCalendarEvent[]) => Promise<number>;
