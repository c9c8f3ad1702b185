// Decides what a delivered event changes: a new event, a revision of a known one, or nothing. Pure.
import { type CalendarEvent, type CalendarStatus, iso } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import type { CalendarChange } from '../journal/journal.ts';
import { sha256Hex } from '../ops/sha256.ts';
import type { RawCalendarEvent, RawValue } from './raw-event.ts';

export interface MergedEvent {
  readonly item: CalendarEvent;
  readonly change: CalendarChange;
}

export interface MergeContext {
  readonly symbols: readonly string[];
  readonly now: number;
}

/** The same for every revision: derived from the source and the identity of the event there. */
export function eventId({ source, account, uid, country, title, time }: RawCalendarEvent): string {
  const origin = account ? `${account.id}\u0000${source}` : source;
  const day = Math.floor(time / DAY_MS);
  const identity = uid === null ? `${country}\u0000${comparable(title)}\u0000${day}` : `uid\u0000${uid}`;
  return `cal_${sha256Hex(`${origin}\u0000${identity}`).slice(0, 20)}`;
}

/** `null` if nothing changes. */
export function mergeEvent(
  known: CalendarEvent | null,
  raw: RawCalendarEvent,
  context: MergeContext,
): MergedEvent | null {
  if (!known) return raw.onlyKnown ? null : { item: added(raw, context), change: 'added' };
  const knownAt = raw.knownAt ?? context.now;
  // A state that was superseded before it arrived.
  if (raw.knownAt !== undefined && knownAt <= Date.parse(known.updated_at)) return null;
  const time = iso(raw.time);
  const isMoved = time !== known.time || raw.allDay !== known.all_day;
  const actual = kept(raw.actual, known.actual);
  const next: CalendarEvent = {
    ...known,
    title: raw.title,
    country: raw.country,
    currency: raw.currency,
    impact: raw.impact ?? known.impact,
    time,
    all_day: raw.allDay,
    status: statusOf(raw, actual, known, isMoved),
    actual,
    forecast: kept(raw.forecast, known.forecast),
    previous: kept(raw.previous, known.previous),
    unit: kept(raw.unit, known.unit),
    url: kept(raw.url, known.url),
    symbols: [...context.symbols],
    moved_from: isMoved ? known.time : known.moved_from,
  };
  if (JSON.stringify(next) === JSON.stringify(known)) return null;
  const item = {
    ...next,
    revision: known.revision + 1,
    updated_at: iso(Math.max(knownAt, Date.parse(known.updated_at))),
  };
  return { item, change: changeOf(known, item, isMoved) };
}

function added(raw: RawCalendarEvent, { symbols, now }: MergeContext): CalendarEvent {
  const actual = raw.actual ?? null;
  return {
    id: eventId(raw),
    title: raw.title,
    country: raw.country,
    currency: raw.currency,
    impact: raw.impact ?? 'medium',
    time: iso(raw.time),
    all_day: raw.allDay,
    status: raw.status ?? (actual === null ? 'scheduled' : 'released'),
    actual,
    forecast: raw.forecast ?? null,
    previous: raw.previous ?? null,
    unit: raw.unit ?? null,
    source: raw.source,
    url: raw.url ?? null,
    symbols: [...symbols],
    moved_from: null,
    revision: 1,
    updated_at: iso(raw.knownAt ?? now),
  };
}

function statusOf(
  { status }: RawCalendarEvent,
  actual: string | null,
  known: CalendarEvent,
  isMoved: boolean,
): CalendarStatus {
  if (status === 'cancelled' || status === 'released') return status;
  if (actual !== null) return 'released';
  // A source without the value does not remove a release.
  if (status === null && known.status === 'released' && !isMoved) return 'released';
  return isMoved || known.moved_from !== null ? 'moved' : 'scheduled';
}

/** The most important change, if there are several. */
function changeOf(known: CalendarEvent, next: CalendarEvent, isMoved: boolean): CalendarChange {
  if (next.status === 'cancelled' && known.status !== 'cancelled') return 'cancelled';
  if (next.status === 'released' && known.status !== 'released') return 'released';
  return isMoved ? 'moved' : 'revised';
}

const kept = (given: RawValue, known: string | null): string | null => (given === undefined ? known : given);

/** Letter case, width, white space and punctuation do not tell events apart. */
const comparable = (title: string): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
