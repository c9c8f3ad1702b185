// The speeds that the bar of a replay offers.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tickwire/contract/durations.ts';
import { setNumber } from '../ui/format.ts';

/** Seconds of the past per second. `max`: as fast as this page reads. */
export type Speed = number | 'max';

export const SPEEDS: readonly Speed[] = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3_600, 10_000, 'max'];

/** What the clock of a new replay runs at. */
export const FIRST_SPEED: Speed = 10;

/** `60× · 1 min/s`. */
export function speedText(speed: Speed): string {
  if (speed === 'max') return 'Max';
  const times = `${setNumber(String(speed))}×`;
  const ms = speed * SECOND_MS;
  const unit = [
    [DAY_MS, 'd'],
    [HOUR_MS, 'h'],
    [MINUTE_MS, 'min'],
  ] as const;
  const whole = unit.find(([length]) => ms >= length && ms % length === 0);
  return whole ? `${times} · ${ms / whole[0]} ${whole[1]}/s` : times;
}

/** The next speed of the list: 1 for faster. */
export function nextSpeed(speed: Speed, by: 1 | -1): Speed {
  const at = SPEEDS.indexOf(speed);
  return SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + by))]!;
}
