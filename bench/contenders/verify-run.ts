// Checks a log once, in a new process, as the command is one.
import { type Check, type Checked, runCheck } from './log-check.ts';

export interface CheckRun extends Checked {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const [folder, what] = process.argv.slice(2) as [string, Check];
const cpu = process.cpuUsage();
const started = performance.now();
const checked = await runCheck(folder, what);
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpu);
const result: CheckRun = { ...checked, seconds, cpuSeconds: (user + system) / 1e6 };
console.log(JSON.stringify(result));
