// Arguments of `npm run bench`.
import { join } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

export const SCENARIOS = [
  'rest',
  'fanout',
  'brokers',
  'idle',
  'memory',
  'resting',
  'engine',
  'alerts',
  'ingest',
  'history',
  'start',
  'fair',
  'venues',
  'replay',
  'curves',
  'python',
] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

const MAX_CONNECTIONS = 10_000;
const MAX_ROUNDS = 50;

export interface BenchArguments {
  readonly help: boolean;
  readonly quick: boolean;
  /** One quick round without waiting for a quiet machine or building peers: checks that the benchmark runs, measures nothing. */
  readonly shortest: boolean;
  /** Also the sizes of curves that take long. */
  readonly full: boolean;
  readonly scenarios: readonly ScenarioName[];
  readonly rounds: number;
  /** Number of readers of the fan-out and of the comparison with brokers; `null` if it is not given. */
  readonly connections: number | null;
  /** Output folder of the report. */
  readonly out: string;
}

export class ArgumentError extends Error {}

export const HELP = `npm run bench -- [SCENARIO…] [--quick | --shortest | --full] [--rounds N] [--connections N] [--out FOLDER]
npm run bench -- compare COMMIT …    this checkout with another commit; see compare --help

  SCENARIO       ${SCENARIOS.join(', ')}: all of these with "all" or by default
  --quick        fewer and shorter rounds, less precise
  --shortest     one quick round, no waiting, builds no peers: checks that the benchmark runs
  --full         curves up to a million signals and 20,000 connections
  --rounds       measured rounds per contender after a warm-up round (3; quick: 2; up to ${MAX_ROUNDS})
  --connections  number of readers of fanout and brokers (1000; up to ${MAX_CONNECTIONS})
  --out          output folder for latest.json (bench/results)
`;

export function readArguments(args: readonly string[]): BenchArguments {
  const { values, positionals } = parse(args, {
    shortest: { type: 'boolean' },
    full: { type: 'boolean' },
    connections: { type: 'string' },
  });
  const isAll = positionals.length === 0 || positionals.includes('all');
  for (const name of positionals) {
    if (name === 'all') continue;
    if (!(SCENARIOS as readonly string[]).includes(name))
      throw new ArgumentError(`there is no scenario ${name}: there are ${SCENARIOS.join(', ')}`);
  }
  const shortest = values.shortest === true;
  const quick = shortest || values.quick === true;
  return {
    help: values.help === true,
    quick,
    shortest,
    full: values.full === true,
    scenarios: isAll ? SCENARIOS : SCENARIOS.filter((name) => positionals.includes(name)),
    rounds: wholeNumber(values.rounds ?? (shortest ? '1' : quick ? '2' : '3'), MAX_ROUNDS, '--rounds'),
    out: values.out ?? join(import.meta.dir, 'results'),
    connections:
      values.connections === undefined ? null : wholeNumber(values.connections, MAX_CONNECTIONS, '--connections'),
  };
}

/** Flags of every command, and `more` of them. */
export function parse<const More extends ParseArgsOptionsConfig>(args: readonly string[], more: More) {
  const options = {
    help: { type: 'boolean', short: 'h' },
    quick: { type: 'boolean' },
    rounds: { type: 'string' },
    out: { type: 'string' },
    ...more,
  } as const;
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new ArgumentError((error as Error).message);
  }
}

/** Parses the value of a flag: a whole number from 1 to `most`. */
export function wholeNumber(text: string, most: number, flag: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new ArgumentError(`${flag} is ${text}: it must be a whole number from 1 to ${most}`);
  return value;
}
