// The clock of a publisher, and the time of its next scan. All times in milliseconds.
import type { Timing } from '@tickwire/client';

export const MINUTE_MS = 60_000;
/** The service closes a minute's bars up to a second after the end of the minute. */
const SCAN_DELAY_MS = 1_000;
/** Random extra delay, so that publishers do not send their requests in one burst. */
const JITTER_MS = 2_000;

/** `now` is Unix time, because scans follow the minutes of the wall clock. */
export const wallClock: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

export const startOfMinute = (time: number): number => time - (time % MINUTE_MS);

export const msUntilNextScan = ({ now, random }: Timing): number =>
  startOfMinute(now()) + MINUTE_MS - now() + SCAN_DELAY_MS + Math.floor(random() * JITTER_MS);
