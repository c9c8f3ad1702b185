// Indicators: 25 of them on 10,000 bars, a page of them, and what a subscription adds to each tick.
import { join } from 'node:path';
import type { IndicatorsResult } from '../contenders/indicators-run.ts';
import type { ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import type { Scenario } from './scenario.ts';

const RUN = join(import.meta.dir, '../contenders/indicators-run.ts');
const TIMEOUT_MS = 180_000;

export const indicators: Scenario = {
  steps: () => 1,
  async run({ children, cores, progress, quiet, quick, rounds }) {
    const ticks = quick ? 20_000 : 100_000;
    progress.show(`indicators: 10,000 bars and ${ticks.toLocaleString('en')} ticks, ${rounds} rounds`);
    await quiet.wait();
    const command = [...cores.server, process.execPath, RUN, String(ticks), String(rounds)];
    const result = await children.job<IndicatorsResult>(command, TIMEOUT_MS);
    progress.advance();
    return [sectionOf(result)];
  },
};

function sectionOf(result: IndicatorsResult): ReportSection {
  const { indicators: count, ticks } = result;
  const row = (contender: string, name: string, unit: string, values: readonly number[]) => ({
    contender,
    missing: null,
    figures: [{ name, unit, values, plotted: false }],
  });
  const check = (
    what: string,
    unit: string,
    values: readonly number[],
    bar: (typeof TARGETS)[keyof typeof TARGETS],
  ) => ({
    what: `indicators: ${what}`,
    unit,
    values,
    bar,
    unjudged: null,
  });
  const bars = result.bars.toLocaleString('en');
  return {
    title: 'Indicators: CPU time in one process on one core',
    lines: [
      row(`${count} indicators on ${bars} bars`, 'CPU time', 'ms', result.historyMs),
      row('… read with their warm-up, and written as JSON', 'CPU time', 'ms', result.pageMs),
      row('rsi(14) on the forming bar', 'per tick', 'µs', result.rsiMicros),
      row(`${count} indicators on the forming bar, each`, 'per tick', 'µs', result.allMicros),
    ],
    verdicts: [
      check(`${count} on ${bars} bars`, 'ms', result.historyMs, TARGETS.indicatorHistory),
      check('a subscription to rsi(14), per tick', 'µs', result.rsiMicros, TARGETS.indicatorTick),
      check(`a subscription to ${count}, per tick and indicator`, 'µs', result.allMicros, TARGETS.indicatorTick),
    ],
    notes: [
      `${ticks.toLocaleString('en')} ticks, each a batch of its own whose bar is sent at once: what remains after subtracting the same without indicators. However many subscribers there are, an indicator is computed once.`,
    ],
  };
}
