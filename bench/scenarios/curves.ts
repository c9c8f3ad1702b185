// How costs grow with what the service holds: instruments, alerts, signals, days on the tape and connections, with the exponent of each.
// What grows faster than linearly, or at all where it must not, is a defect.
import { exponentOf } from '../measure/growth.ts';
import type { ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { connectionCurve } from './connection-curve.ts';
import { type Cost, type Curve, growthRun } from './growth-curve.ts';
import { type Bench, curveSizes, type Scenario } from './scenario.ts';
import { signalCurve } from './signal-curve.ts';

const INSTRUMENTS = [34, 100, 300, 1_000];
const QUICK_INSTRUMENTS = [34, 68, 136];
const ALERTS = [100, 1_000, 10_000, 100_000];
const QUICK_ALERTS = [100, 400, 1_600];
/** More than the service keeps open. */
const DAYS = [7, 30, 120, 365];
const QUICK_DAYS = [5, 10, 20];
const READS = 500;
const QUICK_READS = 100;

export const curves: Scenario = {
  steps: () => 5,
  async run(bench) {
    const { quick, progress } = bench;
    const ticks = quick ? 60_000 : 500_000;
    const sections: ReportSection[] = [];
    const add = async (what: string, measure: (bench: Bench) => Promise<Curve>): Promise<void> => {
      progress.show(`curves: ${what}`);
      sections.push(sectionOf(await measure(bench)));
      progress.advance();
    };
    const ofEach = quick ? 600 : 2_000;
    await add('instruments', () =>
      perTick(bench, 'instruments', curveSizes(bench, INSTRUMENTS, QUICK_INSTRUMENTS), ofEach),
    );
    await add('alerts', () => perTick(bench, 'alerts', curveSizes(bench, ALERTS, QUICK_ALERTS), ticks));
    await add('signals', signalCurve);
    await add('days on the tape', tapeCurve);
    await add('connections', connectionCurve);
    return sections;
  },
};

async function perTick(
  bench: Bench,
  what: 'instruments' | 'alerts',
  sizes: readonly number[],
  ticks: number,
): Promise<Curve> {
  await bench.quiet.wait();
  const values = await growthRun(bench, { what, folder: bench.folder(), sizes, rounds: bench.rounds, count: ticks });
  const each = ticks.toLocaleString('en');
  const note =
    what === 'instruments'
      ? `Ticks from intake to recorder with 10,000 active signals, as in the scenario \`engine\`: ${each} of each instrument.`
      : `${each} ticks from intake to the alert book with 10,000 active signals, as in the scenario \`alerts\`: all but 100 alerts are out of reach.`;
  return {
    what,
    sizes,
    costs: [{ name: 'CPU time per million ticks', unit: 's', growth: 'flat', values }],
    notes: [note],
  };
}

async function tapeCurve(bench: Bench): Promise<Curve> {
  const { quick, rounds, folder, quiet } = bench;
  await quiet.wait();
  const sizes = curveSizes(bench, DAYS, QUICK_DAYS);
  const count = quick ? QUICK_READS : READS;
  const values = await growthRun(bench, { what: 'tape', folder: folder(), sizes, rounds, count });
  return {
    what: 'days on the tape',
    sizes,
    costs: [{ name: 'CPU time of a read of one minute', unit: 'ms', growth: 'flat', values }],
    notes: ['Minutes of one instrument, of another day each time, from files of SQLite in the memory of the system.'],
  };
}

function sectionOf({ what, sizes, costs, notes }: Curve): ReportSection {
  const rounds = ({ values }: Cost): number => Math.min(...sizes.map((size) => values[size]!.length));
  return {
    title: `Growth with ${what}`,
    lines: sizes.map((size) => ({
      contender: `${size.toLocaleString('en')} ${what}`,
      missing: null,
      figures: costs.map(({ name, unit, values }) => ({ name, unit, values: values[size]! })),
    })),
    verdicts: costs.map((cost) => ({
      what: `${what}: exponent of ${cost.name}`,
      unit: '',
      values: Array.from({ length: rounds(cost) }, (_, round) =>
        exponentOf(sizes.map((size) => [size, cost.values[size]![round]!])),
      ),
      bar: cost.growth === 'flat' ? TARGETS.flatGrowth : TARGETS.linearGrowth,
      unjudged: null,
    })),
    notes,
  };
}
