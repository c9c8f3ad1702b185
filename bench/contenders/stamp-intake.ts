// Preloaded into `tickwire serve` for the fan-out: notes when each batch of ticks entered the intake and the last seq it
// was given, 16 bytes a batch (some fifty a second). Nothing else about the service is changed.
import { openSync, writeSync } from 'node:fs';
import { Intake } from '../../packages/server/src/journal/intake.ts';
import { MemoryJournal } from '../../packages/server/src/journal/memory-journal.ts';
import { RedisJournal } from '../../packages/server/src/journal/redis-journal.ts';
import { sharedNow } from '../measure/shared-clock.ts';

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
    // What did not come through the intake, such as the clock, counts from here.
    const at = enteredAt || sharedNow();
    append.apply(this, given);
    stamp[0] = this.lastSeq;
    stamp[1] = at;
    writeSync(file, stamp);
  };
}

noting(MemoryJournal.prototype);
noting(RedisJournal.prototype);
