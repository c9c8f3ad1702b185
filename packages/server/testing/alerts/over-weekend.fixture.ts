import { asEpochMs, type InstrumentSpec, isMarketOpen, MINUTE_MS, type PriceEvent } from '@tickwire/engine';

const LONGEST_BREAK_MS = 24 * 60 * MINUTE_MS;

/** The same ticks with the weekend in the middle: half of them end at its closing, the others begin at the opening after it. */
export function overWeekend({ hours }: InstrumentSpec, ticks: readonly PriceEvent[]): PriceEvent[] {
  const middle = Math.floor(ticks.length / 2);
  const isOpen = (minute: number): boolean => isMarketOpen(hours, asEpochMs(minute));
  let closing = ticks[0]!.time - (ticks[0]!.time % MINUTE_MS);
  let opening = closing;
  while (opening - closing < LONGEST_BREAK_MS) {
    for (closing = opening + MINUTE_MS; isOpen(closing) || !isOpen(closing - MINUTE_MS); ) closing += MINUTE_MS;
    for (opening = closing; !isOpen(opening); ) opening += MINUTE_MS;
  }
  const moved = (tick: PriceEvent, by: number): PriceEvent => ({ ...tick, time: asEpochMs(tick.time + by) });
  const before = closing - 1 - ticks[middle - 1]!.time;
  const after = opening - ticks[middle]!.time;
  return ticks.map((tick, at) => moved(tick, at < middle ? before : after));
}
