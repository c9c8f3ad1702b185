// Arguments of `npm run bench`.
import { join } from 'node:path';
import { parseArgs } from 'node:util';

export const SCENARIOS = [
  'rest',
  'fanout',
  'brokers',
  'stalled',
  'idle',
  'memory',
  'engine',
  'indicators',
  'signals',
  'alerts',
  'ingest',
  'history',
  'delivery',
  'start',
] as const;
/** Scenarios that run only if named, because they take too long for a default run. */
const NAMED_ONLY = ['deflate', 'cluster', 'soak'] as const;
const ALL = [...SCENARIOS, ...NAMED_ONLY] as const;
export type ScenarioName = (typeof ALL)[number];

const MAX_CONNECTIONS = 10_000;
const MAX_ROUNDS = 50;
const MAX_MINUTES = 1_440;

export interface BenchArguments {
  readonly help: boolean;
  readonly quick: boolean;
  /** One quick round without waiting for a quiet machine or building peers: checks that the benchmark runs, measures nothing. */
  readonly shortest: boolean;
  readonly scenarios: readonly ScenarioName[];
  readonly rounds: number;
  readonly connections: readonly number[];
  /** The same if it was given; otherwise `null`. */
  readonly givenConnections: readonly number[] | null;
  /** Duration of the soak; can be a fraction. */
  readonly minutes: number;
  readonly readers: number;
  /** Output folder of the report. */
  readonly out: string;
}

export class ArgumentError extends Error {}

export const HELP = `npm run bench -- [SCENARIO…] [--quick | --shortest] [--rounds N] [--connections N,N,…] [--out FOLDER]
npm run bench -- soak [--minutes N] [--readers N]

  SCENARIO       ${SCENARIOS.join(', ')}: all of these by default;
                 ${NAMED_ONLY.join(', ')}: only if named
  --quick        fewer and shorter rounds, less precise
  --shortest     one quick round, no waiting, builds no peers: checks that the benchmark runs
  --rounds       measured rounds per contender after a warm-up round (3; quick: 2; up to ${MAX_ROUNDS})
  --connections  number of readers in the fan-out (100,1000,10000; quick: 1000; up to ${MAX_CONNECTIONS} each);
                 brokers: the first of them (1000)
  --minutes      duration of the soak in minutes (10)
  --readers      number of readers in the soak (2000; up to ${MAX_CONNECTIONS})
  --out          output folder for latest.json, latest.html and summary.json (bench/results)
`;

export function readArguments(args: readonly string[]): BenchArguments {
  const { values, positionals } = parse(args);
  for (const name of positionals) {
    if (!(ALL as readonly string[]).includes(name))
      throw new ArgumentError(`there is no scenario ${name}: there are ${ALL.join(', ')}`);
  }
  const shortest = values.shortest === true;
  const quick = shortest || values.quick === true;
  const counts = (text: string): number[] =>
    text.split(',').map((count) => whole(count, MAX_CONNECTIONS, '--connections'));
  const givenConnections = values.connections === undefined ? null : counts(values.connections);
  return {
    help: values.help === true,
    quick,
    shortest,
    scenarios: positionals.length > 0 ? ALL.filter((name) => positionals.includes(name)) : SCENARIOS,
    rounds: whole(values.rounds ?? (shortest ? '1' : quick ? '2' : '3'), MAX_ROUNDS, '--rounds'),
    minutes: minutesOf(values.minutes ?? '10'),
    readers: whole(values.readers ?? '2000', MAX_CONNECTIONS, '--readers'),
    out: values.out ?? join(import.meta.dir, 'results'),
    connections: givenConnections ?? counts(quick ? '1000' : '100,1000,10000'),
    givenConnections,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        quick: { type: 'boolean' },
        shortest: { type: 'boolean' },
        rounds: { type: 'string' },
        connections: { type: 'string' },
        minutes: { type: 'string' },
        readers: { type: 'string' },
        out: { type: 'string' },
      },
    });
  } catch (error) {
    throw new ArgumentError((error as Error).message);
  }
}

function whole(text: string, most: number, flag: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new ArgumentError(`${flag} is ${text}: it must be a whole number from 1 to ${most}`);
  return value;
}

function minutesOf(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= MAX_MINUTES))
    throw new ArgumentError(`--minutes is ${text}: it must be a number above 0, up to ${MAX_MINUTES}`);
  return value;
}
