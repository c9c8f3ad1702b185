// Converts the rounds at one load of the comparison with brokers into figures, target checks and notes.
import type { BrokerLoadResult } from '../load/broker-load.ts';
import { SYMBOLS, SYMBOLS_PER_READER } from '../load/reader-lists.ts';
import type { Rounds } from '../measure/quiet-rounds.ts';
import { median, ratios } from '../measure/statistics.ts';
import type { Figure, ReportSection, TargetCheck } from '../results.ts';
import { TARGETS, type Target } from '../targets.ts';
import type { BrokerContender } from './broker-contenders.ts';
import { BAR_READERS, type BrokerLoad } from './broker-loads.ts';
import { BARE, LIMIT, OURS } from './scenario.ts';
import { disturbance, heavilyDisturbed, usageFigures, usageNotes } from './usage-notes.ts';

/** The load at which core and latency of the even feed are judged, in ticks per second. */
const BAR_EVEN_TICKS = 500;
/** A contender that delivers less than this share of the load does not carry it. */
const CARRIED = 0.98;
const FULL_CORE = 0.95;

export interface BrokerFindings {
  readonly load: BrokerLoad;
  readonly readers: number;
  readonly contenders: readonly BrokerContender[];
  readonly rounds: Rounds<BrokerLoadResult>;
  /** Rounds that were repeated because they were disturbed. */
  readonly repeated: number;
  readonly versions: string;
}

export const perCpuSecond = ({ deliveries, serverCpu }: BrokerLoadResult): number => deliveries / serverCpu;
const perSecond = ({ deliveries, seconds }: BrokerLoadResult): number => deliveries / seconds;
const shareOfCore = ({ serverCpu, seconds }: BrokerLoadResult): number => serverCpu / seconds;

/** The rounds of a contender; none if it is missing or failed. */
export const roundsOf = ({ contenders, rounds }: BrokerFindings, name: string): readonly BrokerLoadResult[] =>
  contenders.find((contender) => contender.name === name)?.missing === null ? rounds.get(name)! : [];

export function brokersSection(findings: BrokerFindings): ReportSection {
  const { load, readers, contenders } = findings;
  const present = contenders.flatMap(({ name }) => roundsOf(findings, name));
  return {
    title: `Brokers: ${load.label}, ${readers.toLocaleString('en')} readers × ${SYMBOLS_PER_READER} symbols`,
    lines: contenders.map(({ name, missing }) => ({
      contender: name,
      missing,
      figures: figuresOf(roundsOf(findings, name)),
    })),
    verdicts: [
      ...contenders.filter(({ name }) => name !== OURS).map((peer) => against(findings, peer)),
      ...evenChecks(findings),
    ],
    notes: [
      `Offered: ${load.ticksPerSecond.toLocaleString('en')} ticks/s of ${SYMBOLS.length} symbols, ${load.isEven ? 'evenly spaced and written one by one' : `${load.perWrite} at a time about every 10 ms`}. Each reader has ${SYMBOLS_PER_READER} symbols drawn at random and gets ${load.toEach.toLocaleString('en')} ticks/s; the lists are the same for every contender. Ratios are of deliveries per CPU second of the server.`,
      ...(findings.versions === '' ? [] : [findings.versions]),
      ...repetitionNotes(findings),
      ...contenders.flatMap(({ name }) =>
        [shortfall(findings, name), losses(findings, name)].filter((note) => note !== null),
      ),
      ...usageNotes(present, 'load with its feeder'),
    ],
  };
}

function against(findings: BrokerFindings, { name, missing }: BrokerContender): TargetCheck {
  const { load, readers } = findings;
  const [ours, theirs] = [roundsOf(findings, OURS), roundsOf(findings, name)];
  const target: Target | null = name === BARE ? TARGETS.brokersBare : name === LIMIT ? null : TARGETS.brokersAhead;
  const caveats = [shortfall(findings, OURS), shortfall(findings, name), disturbance([...ours, ...theirs])];
  return {
    what: `brokers, ${load.label}: against ${name}`,
    unit: '×',
    values: ratios(ours.map(perCpuSecond), theirs.map(perCpuSecond)),
    bar: readers === BAR_READERS ? target : null,
    unjudged: missing ?? heavilyDisturbed([...ours, ...theirs]),
    caveat: caveats.filter((caveat) => caveat !== null).join('; ') || null,
  };
}

function evenChecks(findings: BrokerFindings): TargetCheck[] {
  const { load, readers } = findings;
  if (!load.isEven) return [];
  const [ours, bare] = [roundsOf(findings, OURS), roundsOf(findings, BARE)];
  const atBar = (target: Target): Target | null =>
    readers === BAR_READERS && load.ticksPerSecond === BAR_EVEN_TICKS ? target : null;
  return [
    {
      what: `brokers, ${load.label}: share of the server's core`,
      unit: '%',
      values: ours.map((round) => 100 * shareOfCore(round)),
      bar: atBar(TARGETS.evenShare),
      unjudged: heavilyDisturbed(ours),
      caveat: shortfall(findings, OURS) ?? disturbance(ours),
    },
    {
      what: `brokers, ${load.label}: p99, from due to the reader's socket`,
      unit: 'ms',
      values: ours.map(({ latencies }) => latencies.p99),
      bar: null,
      unjudged: null,
    },
    {
      what: `brokers, ${load.label}: p99 that is added to that of bare Bun.serve, which sends each tick at once`,
      unit: 'ms',
      values: ours.map(({ latencies }, round) => latencies.p99 - bare[round]!.latencies.p99),
      bar: atBar(TARGETS.evenLatency),
      unjudged: losses(findings, OURS) ?? losses(findings, BARE) ?? disturbance([...ours, ...bare]),
    },
  ];
}

/** A note if a contender did not carry the load. */
function shortfall(findings: BrokerFindings, name: string): string | null {
  const rounds = roundsOf(findings, name);
  if (rounds.length === 0) return null;
  const share = median(rounds.map(perSecond)) / findings.load.offered;
  if (share >= CARRIED) return null;
  const why = median(rounds.map(shareOfCore)) >= FULL_CORE ? ': it filled its core' : '';
  return `${name} carried ${Math.round(share * 100)} % of the load${why}`;
}

/** A note if messages were lost or late: latencies are then assigned to the wrong ticks, or the longest of them are missing. */
function losses(findings: BrokerFindings, name: string): string | null {
  const rounds = roundsOf(findings, name);
  const sum = (of: (round: BrokerLoadResult) => number): number =>
    rounds.reduce((total, round) => total + of(round), 0);
  const parts = [
    [sum(({ missing }) => missing), 'messages lost'],
    [sum(({ behind }) => behind), 'messages still on their way at the end'],
    [sum(({ lost }) => lost), 'readers disconnected'],
    [
      sum(({ complaints }) => complaints),
      `complaints, the first: ${rounds.find((round) => round.firstComplaint)?.firstComplaint}`,
    ],
  ] as const;
  const found = parts.filter(([count]) => count !== 0).map(([count, what]) => `${count.toLocaleString('en')} ${what}`);
  return found.length === 0 ? null : `${name}: ${found.join(', ')}; its latencies do not count`;
}

function repetitionNotes({ repeated, rounds }: BrokerFindings): string[] {
  if (repeated === 0) return [];
  const kept = rounds.get(OURS)!.length;
  const times = repeated === 1 ? 'One round was' : `${repeated} rounds were`;
  return [`${times} disturbed and repeated; the ${kept} least disturbed of ${kept + repeated} count.`];
}

function figuresOf(rounds: readonly BrokerLoadResult[]): Figure[] {
  if (rounds.length === 0) return [];
  const figure = (name: string, unit: string, value: (round: BrokerLoadResult) => number): Figure => ({
    name,
    unit,
    values: rounds.map(value),
  });
  // A contender that delivers nothing has no percentiles: JSON turns them into null.
  const latency = (of: (latencies: BrokerLoadResult['latencies']) => number | null) => (round: BrokerLoadResult) =>
    of(round.latencies) ?? Number.NaN;
  return [
    figure('server CPU seconds per million deliveries', 's', (round) => 1e6 / perCpuSecond(round)),
    figure('deliveries/s', '', perSecond),
    figure(
      'p50',
      'ms',
      latency(({ p50 }) => p50),
    ),
    figure(
      'p99',
      'ms',
      latency(({ p99 }) => p99),
    ),
    figure('feeder late, p99', 'ms', ({ feederLate }) => feederLate),
    ...usageFigures(rounds),
  ];
}
