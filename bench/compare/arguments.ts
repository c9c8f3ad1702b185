// Arguments of `npm run bench -- compare`.
import { join } from 'node:path';
import { ArgumentError, parse, SCENARIOS, wholeNumber } from '../arguments.ts';

type ComparableScenario = (typeof SCENARIOS)[number];

const DEFAULT_SCENARIOS: readonly ComparableScenario[] = ['engine', 'fanout', 'rest', 'start'];
const DEFAULT_ROUNDS = '5';
const QUICK_ROUNDS = '2';
const MAX_ROUNDS = 50;
const MAX_LOSS_PERCENT = 1_000;

export interface CompareArguments {
  readonly help: boolean;
  /** As given: a hash, a branch, a tag or an expression such as `HEAD~3`. */
  readonly commit: string;
  readonly scenarios: readonly ComparableScenario[];
  /** Turns of each side. */
  readonly rounds: number;
  readonly quick: boolean;
  /** Largest accepted loss of a median in percent; `null` if losses do not matter to the exit status. */
  readonly maxLoss: number | null;
  /** Output folder of compare.json. */
  readonly out: string;
}

export const COMPARE_HELP = `npm run bench -- compare COMMIT [SCENARIO…] [--rounds N] [--quick] [--max-loss PERCENT] [--out FOLDER]

Compares this checkout, with its uncommitted changes, with another commit of the repository. The commit is cloned into a
temporary folder and installed there (npm ci). Both sides then take turns. Takes about 15 minutes on a quiet machine.

  COMMIT      a hash, a branch, a tag, HEAD~3 …; with HEAD and no uncommitted changes, the result is the noise of the machine
  SCENARIO    ${SCENARIOS.join(', ')} (${DEFAULT_SCENARIOS.join(', ')})
  --rounds    turns of each side (${DEFAULT_ROUNDS}; quick: ${QUICK_ROUNDS}; up to ${MAX_ROUNDS}); a turn is one measured round of \`bench -- SCENARIO --quick\`
  --quick     the shortest turns, about 4 minutes: a rough look
  --max-loss  exit with 1 if the median of any figure is worse by more than this, in percent
  --out       output folder for compare.json (bench/results)

Exits with 0 if all that was asked for was compared, with 1 if not or if a loss is too large, with 2 if an argument is invalid.
`;

export function readCompareArguments(args: readonly string[]): CompareArguments {
  const { values, positionals } = parse(args, { 'max-loss': { type: 'string' } });
  const [commit = '', ...names] = positionals;
  const help = values.help === true;
  if (commit === '' && !help) throw new ArgumentError('compare needs a commit');
  for (const name of names) {
    if (!(SCENARIOS as readonly string[]).includes(name))
      throw new ArgumentError(`compare has no scenario ${name}: there are ${SCENARIOS.join(', ')}`);
  }
  const quick = values.quick === true;
  return {
    help,
    commit,
    scenarios: names.length > 0 ? SCENARIOS.filter((name) => names.includes(name)) : DEFAULT_SCENARIOS,
    rounds: wholeNumber(values.rounds ?? (quick ? QUICK_ROUNDS : DEFAULT_ROUNDS), MAX_ROUNDS, '--rounds'),
    quick,
    maxLoss: values['max-loss'] === undefined ? null : percentOf(values['max-loss']),
    out: values.out ?? join(import.meta.dir, '../results'),
  };
}

function percentOf(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= MAX_LOSS_PERCENT))
    throw new ArgumentError(`--max-loss is ${text}: it must be a number of percent from 0 to ${MAX_LOSS_PERCENT}`);
  return value;
}
