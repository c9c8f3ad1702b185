// Replays recorded ticks at their original rate, in a loop, in steps as long as those of our simulated feed. Used by the peers of
// the fan-out, in Bun and in Node. Starts when all readers are connected: a slow server would never accept the last ones.
import { openSync, readFileSync, writeSync } from 'node:fs';

/** Skips ticks that are late by more than `leaveOutMs`. Otherwise a late step catches up, as in our feed. */
export function startReplay({ ticksFile, stampFile, readers, leaveOutMs }) {
  const { spanMs, stepMs, ticks } = JSON.parse(readFileSync(ticksFile, 'utf8'));
  const file = openSync(stampFile, 'w');
  const stamp = new Float64Array(2);
  const last = new Map();
  let seq = 0;
  let present = 0;
  let at = 0;
  let began = 0;

  const publishDue = (publish, elapsed) => {
    while (at < ticks.length && ticks[at].offset < elapsed - leaveOutMs) at++;
    for (; at < ticks.length && ticks[at].offset < elapsed; at++) {
      const tick = ticks[at];
      publish(tick, ++seq, last.get(tick.symbol) ?? 0);
      last.set(tick.symbol, seq);
    }
  };

  return {
    epoch: 'benchmark000',
    join() {
      if (++present < readers) return;
      // All readers are connected: start.
      at = 0;
      began = performance.now();
    },
    leave() {
      present--;
    },
    start(publish) {
      setInterval(() => {
        if (present < readers) return;
        const now = performance.now();
        publishDue(publish, now - began);
        stamp[0] = seq;
        stamp[1] = performance.timeOrigin + now;
        writeSync(file, stamp);
        if (at < ticks.length) return;
        at = 0;
        began += spanMs;
      }, stepMs);
    },
  };
}
