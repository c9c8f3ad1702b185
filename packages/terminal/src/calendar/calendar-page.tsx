// The economic calendar: a week of events by day, with filters, which are part of the address.

import type { CalendarEvent } from '@tickwire/client';
import { WEEK_MS } from '@tickwire/contract/durations.ts';
import { externalAddress } from '../news/labels.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { pathOf } from '../ui/address.ts';
import { currentAddress } from '../ui/current-address.ts';
import { exactly } from '../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { CalendarBar } from './calendar-bar.tsx';
import { type CalendarFilter, calendarAddress, readCalendarFilter } from './calendar-filter.ts';
import { changeText, eventClock, eventDays, valueText } from './event-days.ts';

const RELOAD_MS = 60_000;
const MOST_EVENTS = 1_000;

interface Props {
  readonly services: Pick<TerminalServices, 'client' | 'instruments' | 'navigator'>;
}

export function CalendarPage({ services }: Props) {
  const { client, instruments, navigator } = services;
  const filter = readCalendarFilter(currentAddress.value.search);
  const { impacts, country, symbol, week } = filter;
  const remote = useRemote(
    (signal) => {
      // From midnight of this browser on.
      const from = new Date().setHours(0, 0, 0, 0) + week * WEEK_MS;
      return client.calendar(
        {
          from,
          to: from + WEEK_MS,
          limit: MOST_EVENTS,
          ...(impacts.length > 0 && { impact: impacts }),
          ...(country !== null && { country }),
          ...(symbol !== null && { symbol }),
        },
        { signal },
      );
    },
    [impacts.join(), country, symbol, week],
  );
  const choose = (chosen: CalendarFilter): void => navigator.go(calendarAddress(chosen), { replace: true });
  return (
    <div class="calendar-page">
      <CalendarBar instruments={instruments} filter={filter} onChange={choose} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard. */}
      <div class="calendar-main" tabIndex={0}>
        <h1 class="unseen">Economic calendar</h1>
        <RemoteSection remote={remote} everyMs={RELOAD_MS}>
          {({ items, next }) => (
            <>
              {items.length === 0 && <p class="empty-note">No events in this week with these filters.</p>}
              <Days events={items} />
              {next !== null && <p class="empty-note">Not all events are shown. Filter by impact or country.</p>}
            </>
          )}
        </RemoteSection>
      </div>
    </div>
  );
}

function Days({ events }: { readonly events: readonly CalendarEvent[] }) {
  const now = Date.now();
  const next = events.find(({ all_day, time, status }) => !all_day && status !== 'cancelled' && Date.parse(time) > now);
  return eventDays(events).map(({ title, events: ofDay }) => (
    <section key={title} class="calendar-day" aria-label={title}>
      <h2>{title}</h2>
      <table class="calendar-table" aria-label={title}>
        <thead>
          <tr>
            {['Time', 'Country', 'Impact', 'Event', 'Actual', 'Forecast', 'Previous'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ofDay.map((event) => (
            <EventRow key={event.id} event={event} isNext={event === next} />
          ))}
        </tbody>
      </table>
    </section>
  ));
}

function EventRow({ event, isNext }: { readonly event: CalendarEvent; readonly isNext: boolean }) {
  const { country, impact, title, actual, forecast, previous, unit, status, time, url, symbols, source } = event;
  const address = externalAddress(url);
  const change = changeText(event);
  return (
    <tr data-status={status} data-next={isNext}>
      <td class="event-time">
        <time dateTime={time} title={event.all_day ? '' : exactly(Date.parse(time))}>
          {eventClock(event)}
        </time>
        {isNext && <span class="event-next tiny">next</span>}
      </td>
      <td class="event-country">{country}</td>
      <td class="event-impact">
        <span class="impact" data-impact={impact}>
          {impact}
        </span>
      </td>
      <td class="event-title">
        {address === null ? (
          title
        ) : (
          <a href={address} target="_blank" rel="noopener noreferrer" title={source}>
            {title}
          </a>
        )}
        {change !== '' && <span class="chip notice-chip">{change}</span>}
        {symbols.length > 0 && (
          <span class="event-symbols muted tiny">
            {symbols.slice(0, 4).map((symbol) => (
              <a key={symbol} href={pathOf('markets', symbol)}>
                {symbol}
              </a>
            ))}
            {symbols.length > 4 && <span>{`+${symbols.length - 4}`}</span>}
          </span>
        )}
      </td>
      <td class="event-value" data-head="Actual">
        <b>{valueText(actual, unit)}</b>
      </td>
      <td class="event-value" data-head="Forecast">
        {valueText(forecast, unit)}
      </td>
      <td class="event-value" data-head="Previous">
        {valueText(previous, unit)}
      </td>
    </tr>
  );
}
