// Bun.sleep without waiting.
import { spyOn } from 'bun:test';

/** Of the process, also while a test has fake timers. */
const immediate = globalThis.setImmediate;

/**
 * Yields to the event loop each time: tests share their process, and a loop that another one left running would otherwise never
 * let go of it.
 */
export const sleepAtOnce = () =>
  spyOn(Bun, 'sleep').mockImplementation(() => new Promise((resolve) => immediate(() => resolve())));
