// The countdown to the next economic event of an instrument, highlighted inside its window.
import { useSignal } from '@preact/signals';
import type { EventWindow } from '@tickwire/client';
import type { TerminalServices } from '../services/terminal-services.ts';
import { useAbortEffect, useNow } from '../ui/hooks.ts';
import { poll } from '../ui/poll.ts';
import { countdownOf } from './event-text.ts';

const RELOAD_MS = 60_000;
/** Low-impact events are on the calendar page. */
const IMPACTS = ['medium', 'high'] as const;

interface Props {
  readonly services: Pick<TerminalServices, 'client' | 'pace' | 'quotes'>;
  readonly symbol: string;
}

export function EventCountdown({ services: { client, pace, quotes }, symbol }: Props) {
  const window = useSignal<EventWindow | null>(null);
  useNow(1_000);
  useAbortEffect(
    (signal) => {
      window.value = null;
      const polling = poll(async () => {
        try {
          const loaded = await client.eventWindow(symbol, { impact: IMPACTS }, { signal });
          if (!signal.aborted) window.value = loaded;
        } catch {
          // Without a calendar there is nothing to count down to; the calendar page explains why.
        }
        return pace(untilChange(window.peek(), quotes.serviceNow));
      });
      signal.addEventListener('abort', () => polling.stop());
    },
    [symbol],
  );
  const countdown = window.value && countdownOf(window.value, quotes.serviceNow);
  if (!countdown) return null;
  return (
    <a
      class="event-countdown clip"
      data-inside={countdown.inside}
      title={countdown.text}
      href={`/calendar?symbol=${encodeURIComponent(symbol)}`}
    >
      {countdown.text}
    </a>
  );
}

/** Asks again when a window opens or closes, at the latest after a minute. */
function untilChange(window: EventWindow | null, now: number): number {
  if (!window) return RELOAD_MS;
  const opens = window.next ? Date.parse(window.next.time) - window.before * 60_000 - now : RELOAD_MS;
  const closes = window.window ? Date.parse(window.window.to) - now : RELOAD_MS;
  const changes = [opens, closes].filter((ms) => ms > 0);
  return Math.min(RELOAD_MS, ...changes.map((ms) => ms + 250));
}
