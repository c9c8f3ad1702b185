// The economic calendar of a realm: the current state of each event, and every revision of it.
import type { CalendarEvent } from '@tickwire/contract';

/** Position of an event in the list, which is sorted by time and then by id, both ascending. */
export interface CalendarPosition {
  readonly time: number;
  readonly id: string;
}

export interface CalendarStore {
  /** Stores revisions, and each as the current state of its event. Several revisions of an event come in order. */
  put(events: readonly CalendarEvent[]): Promise<void>;
  /** Current states, in no particular order; unknown ids are left out. */
  get(ids: readonly string[]): Promise<CalendarEvent[]>;
  /** Current states after a position (exclusive) with a time before `to`. The id '' is before all events of its time. */
  after(position: CalendarPosition, to: number, limit: number): Promise<CalendarEvent[]>;
  /** As `after`, but the states that were known at a time. */
  knownAfter(knownAt: number, position: CalendarPosition, to: number, limit: number): Promise<CalendarEvent[]>;
  /** Current states that were last updated at or after `time`, the oldest update first. */
  updatedSince(time: number, limit: number): Promise<CalendarEvent[]>;
  /** All revisions of events of which a revision had the impact `high`, by id and revision, after a position (exclusive). */
  highImpactRevisions(after: CalendarRevision | null, limit: number): Promise<CalendarEvent[]>;
  /** Deletes events with a time before `time`, with their revisions; returns the number of events. */
  prune(time: number): Promise<number>;
}

export interface CalendarRevision {
  readonly id: string;
  readonly revision: number;
}
