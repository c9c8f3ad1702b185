// The readers of a soak, thousands in one process. Prints its state every second and its findings at the end.
import { readFileSync } from 'node:fs';
import { CATALOGUE, SECOND_MS } from '@tickwire/engine';
import { seededRandom } from '../contenders/signal-pool.ts';
import { residentBytes } from '../measure/process-usage.ts';
import { type ServerPlace, startUsageWindow, type WindowUsage } from '../measure/usage-window.ts';
import { emptyCounts, type SoakContext, type SoakCounts } from './soak-context.ts';
import { planReaders } from './soak-plan.ts';
import { SoakReader } from './soak-reader.ts';
import { SocketPoller } from './socket-poller.ts';
import { SymbolIndex } from './symbol-index.ts';

export interface SoakJob extends ServerPlace {
  readonly port: number;
  readonly key: string;
  readonly readers: number;
  readonly lastingMs: number;
  /** Bytes per second sent to a reader of all symbols. */
  readonly bytesPerSecond: number;
}

export interface SoakProgress {
  readonly seconds: number;
  readonly open: number;
  readonly deliveries: number;
  readonly undeclared: number;
  readonly duplicates: number;
  readonly serverBytes: number;
}

export interface SoakResult extends WindowUsage, SoakCounts {
  readonly undeclared: number;
  readonly duplicates: number;
  readonly declared: number;
  /** The first few faults. */
  readonly faults: readonly string[];
  /** Resident memory of the server, every second. */
  readonly memory: readonly number[];
}

const TICK_MS = 100;
const OPEN_AT_ONCE = 50;
const LONGEST_SPELL_MS = 60_000;
const SHORTEST_SPELL_MS = 1_000;
/** At the end all readers read everything for this long, so that every hole must have been declared. */
const CATCH_UP_MS = 5_000;
const MOST_FAULTS = 10;

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as SoakJob;
const poller = new SocketPoller();
const counts = emptyCounts();
const roll = seededRandom(7);
const longest = Math.min(LONGEST_SPELL_MS, job.lastingMs / 4);
const shortest = Math.min(SHORTEST_SPELL_MS, longest / 2);
const world: SoakContext = {
  port: job.port,
  key: job.key,
  poller,
  symbols: new SymbolIndex(CATALOGUE.map(({ symbol }) => symbol)),
  counts,
  roll,
  // Uniform on a log scale.
  spellMs: () => shortest * (longest / shortest) ** roll(),
  pauseMs: () => 100 + 1_900 * roll(),
};
const readers = planReaders(job.readers, 1).map((plan) => new SoakReader(world, plan));
const sum = (of: 'undeclared' | 'duplicates' | 'declared'): number =>
  readers.reduce((total, { check }) => total + check[of], 0);

for (const [index, reader] of readers.entries()) {
  reader.connect(performance.now());
  if (index % OPEN_AT_ONCE === 0) poller.run(5);
}
const close = startUsageWindow(job);
const memory: number[] = [];
const began = performance.now();
let tickAt = began;
let secondAt = began;
const trickle = (job.bytesPerSecond * TICK_MS) / SECOND_MS;
while (performance.now() - began < job.lastingMs) {
  poller.turn(5);
  const now = performance.now();
  if (now >= tickAt) {
    tickAt = now + TICK_MS;
    for (const reader of readers) reader.tick(now, trickle);
  }
  if (now >= secondAt) {
    secondAt += SECOND_MS;
    memory.push(residentBytes(job.serverPid));
    const progress: SoakProgress = {
      seconds: (now - began) / SECOND_MS,
      open: readers.filter(({ isOpen }) => isOpen).length,
      deliveries: counts.deliveries,
      undeclared: sum('undeclared'),
      duplicates: sum('duplicates'),
      serverBytes: memory.at(-1)!,
    };
    console.log(JSON.stringify({ progress }));
  }
}
const usage = close();
for (const reader of readers) reader.catchUp();
poller.run(CATCH_UP_MS);
for (const { check, isOpen } of readers) if (isOpen) check.finish();
const faults = readers.flatMap(({ check, plan }) =>
  check.fault === null ? [] : [`a ${plan.behaviour} reader of ${plan.channel}: ${check.fault}`],
);
const result: SoakResult = {
  ...usage,
  ...counts,
  undeclared: sum('undeclared'),
  duplicates: sum('duplicates'),
  declared: sum('declared'),
  faults: faults.slice(0, MOST_FAULTS),
  memory,
};
console.log(JSON.stringify(result));
process.exit(0);
