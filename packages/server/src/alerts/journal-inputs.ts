// Journal events about signals, news and the calendar as the alert book reads them.
import { type CalendarEvent, fromViewOf, type NewsDetail, type SignalHappening } from '@tickwire/contract';
import { asEpochMs, asSymbol, type CalendarInput, type HeadlineInput, type SignalInput } from '@tickwire/engine';
import type { AnySignalEvent } from '../journal/journal.ts';

/** What happens to a signal in an event; `null` for partial exits and tighter stops. */
export const HAPPENING_OF: Readonly<Record<AnySignalEvent['kind'], SignalHappening | null>> = {
  signal: 'published',
  signal_filled: 'filled',
  signal_changed: null,
  signal_closed: 'closed',
};

export function signalInput(event: AnySignalEvent): SignalInput | null {
  const happening = HAPPENING_OF[event.kind];
  if (happening === null) return null;
  const { n, symbol, publisher, signal } = event;
  return {
    kind: 'signal_happening',
    n,
    happening,
    publisher: { id: publisher, name: signal.user },
    symbol,
    ...momentOf(event),
  };
}

function momentOf(event: AnySignalEvent): Pick<SignalInput, 'time' | 'price'> {
  const at = (time: string, price: number | null) => ({ time: asEpochMs(Date.parse(time)), price });
  if (event.kind === 'signal_closed') return at(event.signal.closed_at, event.signal.exit_price);
  if (event.kind === 'signal_filled') return at(event.signal.filled_at, event.signal.entry_price);
  return at(event.signal.timestamp, event.kind === 'signal' ? event.signal.entry : null);
}

export const headlineInput = (item: NewsDetail, knownAt: number): HeadlineInput => ({
  kind: 'headline',
  id: item.id,
  time: asEpochMs(Date.parse(item.timestamp)),
  knownAt: asEpochMs(knownAt),
  title: item.title,
  category: item.category,
  sentiment: item.sentiment,
  sentiments: new Map(item.symbols.map((symbol) => [asSymbol(symbol), fromViewOf(item, symbol).sentiment])),
});

export const calendarInput = (item: CalendarEvent): CalendarInput => ({
  kind: 'calendar_item',
  id: item.id,
  time: asEpochMs(Date.parse(item.time)),
  title: item.title,
  impact: item.impact,
  country: item.country,
  symbols: item.symbols.map((symbol) => asSymbol(symbol)),
  updatedAt: asEpochMs(Date.parse(item.updated_at)),
  allDay: item.all_day,
  cancelled: item.status === 'cancelled',
});
