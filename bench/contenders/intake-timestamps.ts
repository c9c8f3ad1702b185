// Preloaded into `tickwire serve` for the fan-out: records the time at which each batch of ticks entered the intake and the last
// `seq` assigned to it, 16 bytes per batch (about fifty per second). Does not change the service otherwise.
import { openSync, writeSync } from 'node:fs';
import { RedisJournal } from '../../packages/server/src/cluster/journal/redis-journal.ts';
import { MemoryJournal } from '../../packages/server/src/journal/memory-journal.ts';
import { Intake } from '../../packages/server/src/market/intake.ts';

/** Milliseconds with fractions, comparable between processes to about a microsecond. */
const sharedNow = (): number => performance.timeOrigin + performance.now();

const file = openSync(process.env.BENCH_STAMPS!, 'w');
const stamp = new Float64Array(2);
let enteredAt = 0;

const { accept } = Intake.prototype;
Intake.prototype.accept = function (...given) {
  enteredAt = sharedNow();
  accept.apply(this, given);
  enteredAt = 0;
};

function noting(journal: MemoryJournal | RedisJournal): void {
  const { append } = journal;
  journal.append = function (...given) {
    // Events that bypass the intake, such as the clock, count from here.
    const at = enteredAt || sharedNow();
    append.apply(this, given);
    stamp[0] = this.lastSeq;
    stamp[1] = at;
    writeSync(file, stamp);
  };
}

noting(MemoryJournal.prototype);
noting(RedisJournal.prototype);
