// The findings of a soak, checked against its rules.
import type { SoakResult } from '../load/soak-readers.ts';
import { median } from '../measure/statistics.ts';
import type { Chart, Figure, ReportSection, TargetCheck } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { OURS } from './scenario.ts';
import { usageFigures, usageNotes } from './usage-notes.ts';

/** Fraction of the run until memory is stable. */
const WARM_UP = 0.2;
/** Memory is not checked in a shorter run. */
const LEAST_MINUTES = 5;
/** Candidate intervals of the time axis, in seconds: the first readable one is used. */
const MARKS = [1, 5, 10, 60, 120, 300, 600, 3_600];
const MOST_MARKS = 10;

export function soakSection(
  result: SoakResult,
  errors: readonly string[],
  { minutes, readers }: { minutes: number; readers: number },
): ReportSection {
  const { undeclared, duplicates, unreadable, cuts, notices, faults, memory } = result;
  const none = (what: string, count: number): TargetCheck => ({
    what: `soak: ${what}`,
    unit: '',
    values: [count],
    bar: TARGETS.soakNothing,
    unjudged: null,
  });
  const unfair = Object.entries(cuts).filter(([kind]) => /^(steady|restless)/.test(kind));
  return {
    title: `Soak: ${readers.toLocaleString('en')} readers for ${minutes} minute${minutes === 1 ? '' : 's'}`,
    lines: [{ contender: OURS, missing: null, figures: figuresOf(result, minutes) }],
    charts: [memoryChart(memory)],
    verdicts: [
      none('undeclared gaps', undeclared),
      none('messages that came twice', duplicates),
      none('messages that could not be read', unreadable),
      none('errors in the log', errors.length),
      none('readers that kept up and were cut', total(unfair)),
      {
        what: 'soak: memory, last third in the first after warming up',
        unit: '×',
        values: [growthOf(memory)],
        bar: TARGETS.soakMemory,
        unjudged: minutes < LEAST_MINUTES ? `shorter than ${LEAST_MINUTES} minutes` : null,
      },
    ],
    notes: [
      'A tenth of the readers reads less than comes to it, a twentieth stalls for a second to a minute at a time, three in twenty go and come back at random, three of four of those with resume_from. One in ten listens to order flow, signals or news. Each checks `prev` of every message against the last `seq` it saw of the symbol.',
      `Notices: ${listed(notices)}.`,
      `Connections the server ended, by who read how: ${listed(cuts)}.`,
      ...(faults.length > 0 ? [`WRONG: ${faults.join('; ')}.`] : []),
      ...(errors.length > 0 ? [`IN THE LOG: ${errors.slice(0, 5).join(' ')}`] : []),
      ...usageNotes([result], 'readers’ process', ''),
    ],
  };
}

function figuresOf(result: SoakResult, minutes: number): Figure[] {
  const figure = (name: string, unit: string, value: number): Figure => ({
    name,
    unit,
    plotted: false,
    values: [value],
  });
  return [
    figure('deliveries', '', result.deliveries),
    figure('deliveries/s', '', result.deliveries / (minutes * 60)),
    figure('connections made', '', result.connects),
    figure('resumed', '', result.resumed),
    figure('stalls', '', result.stalls),
    figure('holes that were declared', '', result.declared),
    figure('steady readers told they are slow', '', result.steadySlowed),
    figure('most memory', 'MB', Math.max(...result.memory) / 1e6),
    ...usageFigures([result]),
  ];
}

function growthOf(memory: readonly number[]): number {
  const settled = memory.slice(Math.floor(memory.length * WARM_UP));
  const third = Math.floor(settled.length / 3);
  return median(settled.slice(-third)) / median(settled.slice(0, third));
}

function memoryChart(memory: readonly number[]): Chart {
  const every = MARKS.find((seconds) => memory.length / seconds <= MOST_MARKS) ?? 14_400;
  const at = (second: number): string => (every >= 60 ? `${second / 60} min` : `${second} s`);
  return {
    title: 'Resident memory of the server over time',
    unit: 'MB',
    marks: memory.flatMap((_, second) => (second % every === 0 ? [[second, at(second)] as const] : [])),
    log: 'none',
    series: [{ name: OURS, ours: true, points: memory.map((bytes, second) => [second, bytes / 1e6] as const) }],
  };
}

const total = (counts: readonly (readonly [string, number])[]): number =>
  counts.reduce((sum, [, count]) => sum + count, 0);

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort()
    .map(([kind, count]) => `${kind} ${count.toLocaleString('en')}`)
    .join(', ') || 'none';
