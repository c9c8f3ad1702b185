// The clock of the service: it never runs backwards while the process lives, even if the system clock is set back, and it
// follows the system clock forward, for example after the machine has slept.

/** Smaller differences between the two clocks are normal drift. */
const TOLERANCE_MS = 1_000;
/** How often the two are compared: reading both takes twice as long, and every request needs the time. */
const COMPARE_MS = 10;

/** Read once: it is a getter. */
const ORIGIN = performance.timeOrigin;

let ahead = 0;
let comparedAt = Number.NEGATIVE_INFINITY;

/** Milliseconds since the epoch. */
export function steadyNow(): number {
  const elapsed = performance.now();
  if (elapsed - comparedAt >= COMPARE_MS) {
    comparedAt = elapsed;
    const behind = Date.now() - (ORIGIN + elapsed + ahead);
    if (behind > TOLERANCE_MS) ahead += behind;
  }
  return ORIGIN + elapsed + ahead;
}

/** The same in whole milliseconds, as databases store them. */
export const wholeNow = (): number => Math.floor(steadyNow());
