// The time of the service: it never runs backwards while the process lives, whatever is done to the system clock, and it
// follows the system clock forward, as after a machine has slept.

/** Smaller differences are the two clocks' own. */
const TOLERANCE_MS = 1_000;

/** Read once: it is a getter, and the time is asked for with every request. */
const ORIGIN = performance.timeOrigin;

let ahead = 0;

/** Milliseconds since the epoch. */
export function steadyNow(): number {
  const steady = ORIGIN + performance.now() + ahead;
  const behind = Date.now() - steady;
  if (behind <= TOLERANCE_MS) return steady;
  ahead += behind;
  return steady + behind;
}

/** The same in whole milliseconds, as a database has them. */
export const wholeNow = (): number => Math.floor(steadyNow());
