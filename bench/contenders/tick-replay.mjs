// Publishes recorded ticks at the pace they were recorded, over and over, in steps as long as those of our simulated feed.
// For the peers of the fan-out, in Bun and in Node. Nothing is published before all readers are there: a server that is slow
// enough would never get round to accepting the last of them.
import { openSync, readFileSync, writeSync } from 'node:fs';

/** Ticks that are late by more than `leaveOutMs` are left out; a late step is otherwise made up for, as our feed does. */
export function openReplay({ ticksFile, stampFile, readers, leaveOutMs }) {
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
      // The house is full: the recording begins.
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
