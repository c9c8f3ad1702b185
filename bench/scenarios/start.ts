// How long from the command to the first answer: on an empty folder, and again on what that left.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BARS } from '../bars.ts';
import { startTickwire } from '../processes/tickwire.ts';
import type { Figure, Section } from '../results.ts';
import type { Bench, Scenario } from './scenario.ts';

const FIRST = 'first start';
const AGAIN = 'restart';
const DEMO_KEY = /tw_[0-9a-z]+_[0-9a-z]+/;

interface Start {
  readonly seconds: number;
  readonly key: string;
}

export const start: Scenario = {
  steps: ({ rounds }) => rounds,
  async run(bench) {
    const first: number[] = [];
    const again: number[] = [];
    for (let round = 1; round <= bench.rounds; round++) {
      bench.progress.show(`start-up: round ${round} of ${bench.rounds}`);
      const folder = join(bench.folder(), 'data');
      mkdirSync(folder);
      await bench.quiet.wait();
      const fresh = await timeStart(bench, folder, null);
      first.push(fresh.seconds);
      again.push((await timeStart(bench, folder, fresh.key)).seconds);
      bench.progress.advance();
    }
    return [sectionOf(first, again)];
  },
};

/** Until a quote was answered with 200. The demo key is printed with the address, so it is at hand by then. */
async function timeStart({ children, cores }: Bench, folder: string, key: string | null): Promise<Start> {
  const started = performance.now();
  const server = await startTickwire(children, cores.server, { folder });
  const used = key ?? DEMO_KEY.exec(server.greeting)?.[0] ?? '';
  const url = `http://127.0.0.1:${server.port}/api/market/EURUSD/quote`;
  const response = await fetch(url, { headers: { 'X-API-Key': used } });
  const seconds = (performance.now() - started) / 1000;
  await server.stop();
  if (response.status !== 200) throw new Error(`the first answer was ${response.status}, not 200`);
  return { seconds, key: used };
}

function sectionOf(first: readonly number[], again: readonly number[]): Section {
  const figure = (values: readonly number[]): Figure => ({ name: 'to first answer', unit: 's', values, plotted: true });
  return {
    title: 'Start-up: from the command to the first 200',
    lines: [
      { contender: FIRST, missing: null, figures: [figure(first)] },
      { contender: AGAIN, missing: null, figures: [figure(again)] },
    ],
    verdicts: [
      { what: 'start-up: first start', unit: 's', values: first, bar: null, unjudged: null },
      {
        what: 'start-up: restart',
        unit: 's',
        values: again,
        bar: BARS.start,
        unjudged: 'the bar is for a year of bars; this store has what the first start made',
      },
    ],
    notes: [
      'Bun runs src/cli/main.ts directly; the Node launcher of `npm start` comes on top.',
      'The first start also makes the history of all instruments and the demo key.',
    ],
  };
}
