// What `npm run bench -- …` takes.
import { join } from 'node:path';
import { parseArgs } from 'node:util';

export const SCENARIOS = ['rest', 'fanout', 'engine', 'signals', 'ingest', 'start'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

const MAX_CONNECTIONS = 10_000;
const MAX_ROUNDS = 50;

export interface BenchArguments {
  readonly help: boolean;
  readonly quick: boolean;
  readonly scenarios: readonly ScenarioName[];
  readonly rounds: number;
  readonly connections: readonly number[];
  /** Folder of the report. */
  readonly out: string;
}

export class ArgumentError extends Error {}

export const HELP = `npm run bench -- [SCENARIO…] [--quick] [--rounds N] [--connections N,N,…] [--out FOLDER]

  SCENARIO       ${SCENARIOS.join(', ')}; all of them where none is named
  --quick        shorter and fewer rounds, coarse
  --rounds       turns each contender takes after one to warm up (3; quick: 2; up to ${MAX_ROUNDS})
  --connections  readers in the fan-out (100,1000; quick: 1000; up to ${MAX_CONNECTIONS} each)
  --out          folder of latest.json and latest.html (bench/results)
`;

export function readArguments(args: readonly string[]): BenchArguments {
  const { values, positionals } = parse(args);
  for (const name of positionals) {
    if (!(SCENARIOS as readonly string[]).includes(name))
      throw new ArgumentError(`there is no scenario ${name}: there are ${SCENARIOS.join(', ')}`);
  }
  const quick = values.quick === true;
  const connections = values.connections ?? (quick ? '1000' : '100,1000');
  return {
    help: values.help === true,
    quick,
    scenarios: positionals.length > 0 ? SCENARIOS.filter((name) => positionals.includes(name)) : SCENARIOS,
    rounds: whole(values.rounds ?? (quick ? '2' : '3'), MAX_ROUNDS, '--rounds'),
    out: values.out ?? join(import.meta.dir, 'results'),
    connections: connections.split(',').map((text) => whole(text, MAX_CONNECTIONS, '--connections')),
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
        rounds: { type: 'string' },
        connections: { type: 'string' },
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
