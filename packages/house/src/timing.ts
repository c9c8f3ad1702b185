// The clock, the timers and the dice of a publisher, in one place so that a test can hold them.
import type { Timing } from '@tickwire/client';

const MINUTE_MS = 60_000;
/** The service closes a minute's bars with its own clock, up to a second after the minute's end. */
const AFTER_THE_MINUTE_MS = 1_000;
/** Publishers that all look at the same instant would be one burst a minute. */
const JITTER_MS = 2_000;

/** `now` is milliseconds since the epoch: minutes end by it. */
export const wallTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

export const minuteOf = (time: number): number => time - (time % MINUTE_MS);

/** Milliseconds until shortly after the end of the running minute. */
export const untilNextLook = ({ now, random }: Timing): number =>
  minuteOf(now()) + MINUTE_MS - now() + AFTER_THE_MINUTE_MS + Math.floor(random() * JITTER_MS);
