// The answer of `get_news` with `calendar`: events of the economic calendar, and whether a symbol is near one now. It has no tool of
// its own, because the list of tools has a budget.
import { type CalendarEvent, type CalendarPage, type EventWindow, MARK_WINDOW_MINUTES } from '@tickwire/contract';
import { type Answer, fit, quotedText, shortTime, summaryOf, UNTRUSTED_NOTICE } from '../answer.ts';
import { isoRange, readNow, type ToolContext } from '../tool.ts';

const PAGE_ITEMS = 100;
const MAX_TITLE = 160;
const MAX_VALUE = 40;

export interface CalendarRequest {
  /** Resolved. */
  readonly symbol: string | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly cursor: string | undefined;
  readonly maxTokens: number;
  readonly market: Answer['market'];
}

export async function calendarAnswer(
  { symbol, from, to, cursor, maxTokens, market }: CalendarRequest,
  { reader }: Pick<ToolContext, 'reader'>,
): Promise<Answer> {
  const page = await reader.get<CalendarPage>('/api/calendar', {
    symbol,
    ...isoRange({ from, to }),
    cursor,
    limit: PAGE_ITEMS,
  });
  const window = symbol === undefined ? null : await reader.get<EventWindow>(`/api/market/${symbol}/window`, {});
  return fit(
    page.items.length,
    (count) => {
      const shown = page.items.slice(0, count);
      const last = shown.at(-1);
      const next = count < page.items.length ? (last ? `${Date.parse(last.time)}.${last.id}` : null) : page.next;
      return {
        summary: summaryOf(
          `${shown.length} calendar events${symbol ? ` for ${symbol}` : ''} from ${shortTime(page.from)} to ${shortTime(page.to)}`,
          window?.inside === true && `INSIDE the ±${MARK_WINDOW_MINUTES} minute window of an event now`,
          next !== null && 'later ones with cursor',
        ),
        ...readNow(reader),
        market,
        gaps: null,
        notice: UNTRUSTED_NOTICE,
        ...(window && {
          window: {
            inside: window.inside,
            minutes: MARK_WINDOW_MINUTES,
            next: window.next && shortTime(window.next.time),
          },
        }),
        items: shown.map(itemOf),
        next,
      };
    },
    maxTokens,
  );
}

function itemOf(event: CalendarEvent) {
  const title = quotedText(event.title, MAX_TITLE);
  const value = (name: 'actual' | 'forecast' | 'previous') =>
    event[name] === null ? {} : { [name]: quotedText(`${event[name]}${event.unit ?? ''}`, MAX_VALUE).text };
  return {
    time: event.all_day ? event.time.slice(0, 10) : shortTime(event.time),
    title: title.text,
    ...(title.isCut && { title_cut: true }),
    country: event.country,
    impact: event.impact,
    ...(event.status !== 'scheduled' && { status: event.status }),
    ...value('actual'),
    ...value('forecast'),
    ...value('previous'),
    ...(event.revision > 1 && { revision: event.revision }),
  };
}
