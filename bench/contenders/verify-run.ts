// Verifies a log once, in a new process, like the command.
import { type LogCheck, type LogCheckResult, runLogCheck } from './log-verification.ts';

export interface CheckRun extends LogCheckResult {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const [folder, what] = process.argv.slice(2) as [string, LogCheck];
const cpu = process.cpuUsage();
const started = performance.now();
const checked = await runLogCheck(folder, what);
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpu);
const result: CheckRun = { ...checked, seconds, cpuSeconds: (user + system) / 1e6 };
console.log(JSON.stringify(result));
