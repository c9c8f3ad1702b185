// Time from the command to the first response: with an empty folder, with the folder of the first start, and with a year of bars.
// No load is running, so the service may use every core, as when a user starts it; with a year of bars also on one core.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { coreSeconds, cpuSeconds } from '../measure/process-usage.ts';
import { median } from '../measure/statistics.ts';
import { startTickwire } from '../processes/tickwire.ts';
import type { ReportRow, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import type { Bench, Scenario } from './scenario.ts';
import { fillWithBars } from './year-of-bars.ts';

const FIRST = 'first start';
const AGAIN = 'restart';
const YEAR_DAYS = 365;
const QUICK_DAYS = 30;
const SHORTEST_DAYS = 3;
const DISTURBED = 0.05;
const DEMO_KEY = /tw_[0-9a-z]+_[0-9a-z]+/;

interface Start {
  readonly seconds: number;
  /** CPU seconds of other programs meanwhile. */
  readonly others: number;
  readonly key: string;
}

interface Starts {
  readonly first: readonly Start[];
  readonly again: readonly Start[];
  readonly filled: readonly Start[];
  readonly onOneCore: readonly Start[];
  readonly days: number;
  readonly rows: number;
}

export const start: Scenario = {
  steps: ({ rounds }) => 2 * rounds + 1,
  async run(bench) {
    const { progress, quiet, rounds } = bench;
    const [first, again, filled, onOneCore]: [Start[], Start[], Start[], Start[]] = [[], [], [], []];
    let folder = '';
    let key = '';
    for (let round = 1; round <= rounds; round++) {
      progress.show(`start-up: round ${round} of ${rounds}`);
      folder = join(bench.folder(), 'data');
      mkdirSync(folder);
      await quiet.wait();
      const fresh = await timeStart(bench, folder, null);
      key = fresh.key;
      first.push(fresh);
      again.push(await timeStart(bench, folder, key));
      progress.advance();
    }
    const days = bench.shortest ? SHORTEST_DAYS : bench.quick ? QUICK_DAYS : YEAR_DAYS;
    progress.show(`start-up: filling the store with ${days} days of bars`);
    const rows = fillWithBars(folder, days, (symbol) => {
      if (progress.terminal) progress.show(`start-up: filling the store with ${days} days of bars, ${symbol}`);
    });
    progress.advance();
    for (let round = 1; round <= rounds; round++) {
      progress.show(`start-up with ${days} days of bars: round ${round} of ${rounds}`);
      await quiet.wait();
      filled.push(await timeStart(bench, folder, key));
      if (bench.cores.serverCore !== null) onOneCore.push(await timeStart(bench, folder, key, bench.cores.server));
      progress.advance();
    }
    return [sectionOf({ first, again, filled, onOneCore, days, rows })];
  },
};

/** Time until a quote returns 200. The demo key is printed with the address, so it is available by then. */
async function timeStart(
  { children }: Bench,
  folder: string,
  key: string | null,
  pin: readonly string[] = [],
): Promise<Start> {
  const busy = coreSeconds('all') - cpuSeconds(process.pid);
  const started = performance.now();
  const server = await startTickwire(children, pin, { folder });
  const used = key ?? DEMO_KEY.exec(server.greeting)?.[0] ?? '';
  const url = `http://127.0.0.1:${server.port}/api/market/EURUSD/quote`;
  const response = await fetch(url, { headers: { 'X-API-Key': used } });
  const seconds = (performance.now() - started) / 1000;
  const others = coreSeconds('all') - cpuSeconds(process.pid) - cpuSeconds(server.pid) - busy;
  await server.stop();
  if (response.status !== 200) throw new Error(`the first response was ${response.status}, not 200`);
  return { seconds, others: Number.isNaN(others) ? 0 : others, key: used };
}

function sectionOf({ first, again, filled, onOneCore, days, rows }: Starts): ReportSection {
  const secondsOf = (starts: readonly Start[]): number[] => starts.map(({ seconds }) => seconds);
  const line = (contender: string, starts: readonly Start[]): ReportRow => ({
    contender,
    missing: null,
    figures: [{ name: 'to first answer', unit: 's', values: secondsOf(starts) }],
  });
  const shareOfOthers = median(filled.map(({ others, seconds }) => others / seconds));
  const full = `restart with ${days} days of bars`;
  const isPinned = onOneCore.length > 0;
  return {
    title: 'Start-up: from the command to the first 200',
    lines: [
      line(FIRST, first),
      line(AGAIN, again),
      line(full, filled),
      ...(isPinned ? [line(`${full}, on one core`, onOneCore)] : []),
    ],
    verdicts: [
      { what: 'start-up: first start', unit: 's', values: secondsOf(first), bar: TARGETS.startFirst, unjudged: null },
      { what: 'start-up: restart', unit: 's', values: secondsOf(again), bar: TARGETS.startAgain, unjudged: null },
      {
        what: `start-up: ${full}`,
        unit: 's',
        values: secondsOf(filled),
        bar: TARGETS.startYear,
        unjudged: days < YEAR_DAYS ? 'the bar is for a year of bars' : null,
        caveat:
          shareOfOthers < DISTURBED ? null : `disturbed: others took ${Math.round(shareOfOthers * 100)} % of a core`,
      },
      ...(isPinned
        ? [
            {
              what: `start-up: ${full}, on one core`,
              unit: 's',
              values: secondsOf(onOneCore),
              bar: null,
              unjudged: null,
            },
          ]
        : []),
    ],
    notes: [
      'Bun runs src/cli/main.ts directly; the Node launcher of `npm start` comes on top.',
      `The service may use every core, as when a user starts it.${isPinned ? ' The last row is pinned to one.' : ''}`,
      'The first start also makes the history of all instruments and the demo key.',
      `The store with ${days} days has ${rows.toLocaleString('en')} bars: what a first start made, and before that, in bulk, bars of all six timeframes around the instruments' prices over ${days} days. The files are still in the memory of the system.`,
    ],
  };
}
