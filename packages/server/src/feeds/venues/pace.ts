// The pace of requests to a venue's REST interface. Its limits count all requests of an address, so all symbols of a source
// take their turns from one pace, be they asked for one after the other or side by side.

/** Resolves when it is the caller's turn: `ms` after the turn before at the earliest, in the order of asking. */
export type Pace = () => Promise<void>;

export function paceOf(ms: number): Pace {
  let next = 0;
  return async () => {
    const now = performance.now();
    const turn = Math.max(now, next);
    next = turn + ms;
    if (turn > now) await Bun.sleep(turn - now);
  };
}
