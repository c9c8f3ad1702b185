// The economic events of the instrument on the chart, loaded again every few minutes.

import type { CalendarEvent, CoreClient } from '@tickwire/client';
import { DAY_MS } from '@tickwire/contract/durations.ts';
import { valueText } from '../calendar/event-days.ts';
import { eventName } from '../calendar/event-text.ts';
import type { ChartEvent } from '../chart/bars/bar-marks.ts';
import { intervalMsOf } from '../chart/bars/intervals.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { type Polling, poll } from '../ui/poll.ts';

const RELOAD_MS = 5 * 60_000;
/** Bars back, at most a year. */
const BARS_BACK = 1_500;
const MOST_DAYS = 360;
/** Beyond this range only events of high impact are marked: the others would cover the bars. */
const ALL_IMPACTS_WITHIN_MS = 20 * DAY_MS;

export interface ChartEventsOptions {
  readonly client: CoreClient;
  /** The time of the service, in epoch milliseconds. */
  readonly now: () => number;
  readonly pace: TerminalServices['pace'];
  readonly signal: AbortSignal;
  readonly onEvents: (symbol: string, events: readonly ChartEvent[]) => void;
}

export class ChartEvents {
  readonly #options: ChartEventsOptions;
  #polling: Polling | null = null;
  #shown = '';

  constructor(options: ChartEventsOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#polling?.stop());
  }

  open(symbol: string, interval: string): void {
    const shown = `${symbol} ${interval}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#polling?.stop();
    const { client, now, pace, signal, onEvents } = this.#options;
    const back = Math.min(intervalMsOf(interval) * BARS_BACK, MOST_DAYS * DAY_MS);
    const impact = back > ALL_IMPACTS_WITHIN_MS ? (['high'] as const) : (['medium', 'high'] as const);
    this.#polling = poll(async () => {
      try {
        const range = { from: now() - back, to: now() + DAY_MS };
        const { items } = await client.calendar({ symbol, impact, ...range, limit: 1_000 }, { signal });
        if (!signal.aborted && this.#shown === shown) onEvents(symbol, items.flatMap(chartEvent));
      } catch {
        // The calendar page reports the error; the chart works without events.
      }
      return pace(RELOAD_MS);
    });
  }
}

function chartEvent(event: CalendarEvent): readonly ChartEvent[] {
  const { country, impact, time, all_day, status, actual, forecast, unit } = event;
  if (all_day || status === 'cancelled') return [];
  const values = [
    ...(actual === null ? [] : [`actual ${valueText(actual, unit)}`]),
    ...(forecast === null ? [] : [`forecast ${valueText(forecast, unit)}`]),
  ];
  const title = values.length === 0 ? eventName(event) : `${eventName(event)}: ${values.join(', ')}`;
  return [{ title, country, impact, timestamp: time }];
}
