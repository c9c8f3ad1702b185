// The clock of the service: it never runs backwards while the process lives, even if the system clock is set back, and it
// follows the system clock forward, for example after the machine has slept.

/** Smaller differences between the two clocks are normal drift. */
const TOLERANCE_MS = 1_000;

/** Read once: it is a getter, and every request needs the time. */
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

/** The same in whole milliseconds, as databases store them. */
export const wholeNow = (): number => Math.floor(steadyNow());
