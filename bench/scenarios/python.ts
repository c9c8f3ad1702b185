// What the Python client takes: ticks of a stream into a loop, and a year of minutes into a DataFrame.
import { join } from 'node:path';
import type { ReplaySession } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import type { RecordedDay } from '../contenders/recorded-day.ts';
import { YEAR_BARS } from '../contenders/year-of-minutes.ts';
import { BENCH_TIER, makeKeys, NO_NEWS, startTickwire } from '../processes/tickwire.ts';
import type { ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import type { Scenario } from './scenario.ts';

const HERE = join(import.meta.dir, '..');
const TICKS_A_MINUTE = 200;
const QUICK_TICKS_A_MINUTE = 10;
const QUICK_BARS = 20_000;
const TIMEOUT_MS = 300_000;
const TITLE = 'Python client';
const CONFIG = {
  tiers: {
    bench: { ...BENCH_TIER, export_rows_per_day: 1_000_000_000, replays: 100, replay_events_per_minute: 1_000_000_000 },
  },
};

interface Reading {
  readonly ticks: number;
  readonly ticksPerCpuSecond: number;
  readonly frameSeconds: number;
}

/** Has the packages of the client; Debian's Python has them, another one in the path may not. */
const findPython = (): string | undefined =>
  ['/usr/bin/python3', 'python3'].find(
    (python) =>
      Bun.which(python) !== null &&
      Bun.spawnSync([python, '-c', 'import httpx, pandas, websockets'], { stderr: 'ignore' }).exitCode === 0,
  );

export const python: Scenario = {
  steps: ({ rounds }) => rounds + 1,
  async run({ children, cores, folder: newFolder, progress, quick, quiet, rounds }) {
    const program = findPython();
    if (program === undefined) return [skipped('python3 lacks httpx, pandas or websockets')];
    const folder = newFolder();
    const start = Math.floor(Date.now() / DAY_MS - 1) * DAY_MS;
    const [rate, bars] = quick ? [QUICK_TICKS_A_MINUTE, QUICK_BARS] : [TICKS_A_MINUTE, YEAR_BARS];
    progress.show('python: a recorded day and a year of minutes');
    const fill = [process.execPath, join(HERE, 'contenders/recorded-day.ts'), folder, start, rate, bars].map(String);
    const { ticks } = await children.job<RecordedDay>(fill, TIMEOUT_MS);
    const [key] = (await makeKeys(folder, 1)) as [string];
    const env = { ...NO_NEWS, TICKWIRE_FEEDS: 'push' };
    const server = await startTickwire(children, cores.server, { folder, config: CONFIG, env });
    progress.advance();
    const url = `http://127.0.0.1:${server.port}`;
    const readings: Reading[] = [];
    // The first round is discarded: code of the service must be compiled before it is measured.
    for (let round = 0; round <= rounds; round++) {
      progress.show(`python: round ${round} of ${rounds}`);
      await quiet.wait();
      const [from, to] = [start, start + DAY_MS].map((time) => new Date(time).toISOString());
      const body = JSON.stringify({ symbols: ['BTCUSD'], from, to });
      const created = await fetch(`${url}/api/replays`, { method: 'POST', headers: { 'X-API-Key': key }, body });
      if (!created.ok) throw new Error(await created.text());
      const { id } = (await created.json()) as ReplaySession;
      const command = [...cores.load, program, join(HERE, 'load/python-client.py'), url, key, id, ticks, bars];
      const reading = await children.job<Reading>(command.map(String), TIMEOUT_MS);
      if (round > 0) {
        readings.push(reading);
        progress.advance();
      }
    }
    await server.stop();
    return [sectionOf(readings, ticks, bars)];
  },
};

const skipped = (missing: string): ReportSection => ({
  title: TITLE,
  lines: [{ contender: 'the Python client', missing, figures: [] }],
  verdicts: [],
  notes: [],
});

function sectionOf(readings: readonly Reading[], ticks: number, bars: number): ReportSection {
  const loop = readings.map((reading) => reading.ticks);
  const perCpu = readings.map(({ ticksPerCpuSecond }) => ticksPerCpuSecond);
  const frame = readings.map(({ frameSeconds }) => frameSeconds);
  return {
    title: TITLE,
    lines: [
      {
        contender: 'ticks into a loop of asyncio',
        missing: null,
        figures: [
          { name: 'ticks/s', unit: '', values: loop },
          { name: 'ticks per CPU second', unit: '', values: perCpu },
        ],
      },
      {
        contender: 'minutes into a DataFrame',
        missing: null,
        figures: [{ name: 'time', unit: 's', values: frame }],
      },
    ],
    verdicts: [
      {
        what: 'python: ticks into a loop per CPU second of the client',
        unit: 'ticks',
        values: perCpu,
        bar: TARGETS.pythonTicks,
        unjudged: null,
      },
      {
        what: 'python: a year of minutes into a DataFrame',
        unit: 's',
        values: frame,
        bar: TARGETS.pythonFrame,
        unjudged: bars < YEAR_BARS ? 'the bar is for a year of minutes' : null,
      },
    ],
    notes: [
      `${ticks.toLocaleString('en')} quotes of a replay at the speed max, with the numbers of the stream checked, and ${bars.toLocaleString('en')} bars as one request. The client is on the core of the load.`,
    ],
  };
}
