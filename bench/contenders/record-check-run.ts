// Checks the records of two logs in memory, one without signatures and one in which every request is signed.
// Arguments: number of market events, rounds. The first rounds are discarded: code is compiled then, on other threads.
import { LogCheck } from '../../packages/server/src/signals/verify/check-log.ts';
import { Findings } from '../../packages/server/src/signals/verify/findings.ts';
import { randomLog } from '../../packages/server/testing/signals/random-log.fixture.ts';

export interface RecordCheck {
  readonly records: number;
  readonly signatures: number;
  readonly seconds: readonly number[];
  readonly cpuSeconds: readonly number[];
}

export interface RecordChecks {
  readonly unsigned: RecordCheck;
  readonly signed: RecordCheck;
}

const WARM_UP = 5;
const [events, rounds] = process.argv.slice(2).map(Number) as [number, number];

async function measure(signed: number): Promise<RecordCheck> {
  const { lines } = randomLog({ seed: 5, events, signed });
  const [seconds, cpuSeconds]: [number[], number[]] = [[], []];
  let signatures = 0;
  for (let round = -WARM_UP; round < rounds; round++) {
    const findings = new Findings();
    const check = new LogCheck({ findings });
    const cpu = process.cpuUsage();
    const started = performance.now();
    check.add(lines);
    await check.settle();
    const taken = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    if (findings.count > 0) throw new Error(`${findings.count} faults in a valid log`);
    signatures = check.signatures.valid;
    if (round < 0) continue;
    seconds.push(taken);
    cpuSeconds.push((user + system) / 1e6);
  }
  return { records: lines.length, signatures, seconds, cpuSeconds };
}

const result: RecordChecks = { unsigned: await measure(0), signed: await measure(1) };
console.log(JSON.stringify(result));
