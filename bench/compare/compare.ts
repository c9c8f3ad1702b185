// `npm run bench -- compare COMMIT`: compares this checkout with another commit. Each side runs the benchmark of its own commit,
// because contenders import code of the product by its path; sides take turns, scenario by scenario.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpOnSignal } from '../processes/clean-up.ts';
import { BenchProgress } from '../progress.ts';
import type { Report } from '../results.ts';
import type { CompareArguments } from './arguments.ts';
import {
  type Checkout,
  cloneCommit,
  differingMeasuringCode,
  makePathWithoutNode,
  measureTurn,
  PROGRESS,
  presentCheckout,
  resolveCommit,
} from './checkout.ts';
import { Commands } from './commands.ts';
import { type ComparedRound, compareRounds } from './comparison.ts';
import { type ComparisonReport, problemsOf, renderComparison } from './comparison-text.ts';

/** Compares the checkout in `root`, prints the result and writes compare.json. Returns the exit status. */
export async function compare(args: CompareArguments, root: string): Promise<number> {
  const progress = new BenchProgress(process.stderr);
  const temporary = mkdtempSync(join(tmpdir(), 'tickwire-bench-compare-'));
  const commands = new Commands();
  const cleanUp = async (): Promise<void> => {
    await commands.stop();
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  };
  cleanUpOnSignal(progress, cleanUp);
  try {
    const report = await measure(args, { root, temporary, commands, progress });
    progress.clear();
    process.stdout.write(renderComparison(report));
    mkdirSync(args.out, { recursive: true });
    writeFileSync(join(args.out, 'compare.json'), `${JSON.stringify(report, null, 2)}\n`);
    process.stdout.write(`written to ${args.out}: compare.json\n`);
    return problemsOf(report).length === 0 ? 0 : 1;
  } finally {
    await cleanUp();
  }
}

interface Context {
  readonly root: string;
  readonly temporary: string;
  readonly commands: Commands;
  readonly progress: BenchProgress;
}

async function measure(args: CompareArguments, context: Context): Promise<ComparisonReport> {
  const { root, temporary, commands, progress } = context;
  const { scenarios, rounds, quick, maxLoss } = args;
  const startedAt = new Date();
  const commit = await resolveCommit(commands, root, args.commit);
  const present = await presentCheckout(commands, root);
  progress.expect(1 + rounds * scenarios.length * 2);
  progress.show(`cloning and installing ${args.commit} (npm ci)`);
  const other = await cloneCommit(commands, root, commit, join(temporary, 'other'));
  progress.advance();
  const turns = new Turns(context, { present, other }, { rounds, quick });
  for (let round = 1; round <= rounds; round++) for (const scenario of scenarios) await turns.takeBoth(scenario, round);
  const compared = scenarios.map((scenario) => compareRounds(turns.roundsOf(scenario)));
  const [first] = turns.reports.present;
  return {
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    machine: first?.machine ?? '',
    pinning: first?.pinning ?? '',
    present: { commit: present.name, versions: first?.versions ?? '' },
    other: { commit: other.name, versions: turns.reports.other[0]?.versions ?? '' },
    differingMeasuringCode: await differingMeasuringCode(commands, root, commit),
    scenarios,
    rounds,
    quick,
    maxLoss,
    ...turns.disturbance(),
    figures: compared.flatMap(({ figures }) => figures),
    notCompared: compared.flatMap(({ notCompared }) => notCompared),
    failures: [...turns.failures.values()],
  };
}

type SideName = 'present' | 'other';

/** The turns of both sides. A scenario that failed on a side is not run again. */
class Turns {
  readonly #context: Context;
  readonly #sides: Readonly<Record<SideName, Checkout>>;
  readonly #options: Pick<CompareArguments, 'rounds' | 'quick'>;
  readonly #path: string;
  readonly #rounds = new Map<string, ComparedRound[]>();
  readonly reports: Record<SideName, Report[]> = { present: [], other: [] };
  /** Scenario → side and reason. */
  readonly failures = new Map<string, string>();

  constructor(
    context: Context,
    sides: Readonly<Record<SideName, Checkout>>,
    options: Pick<CompareArguments, 'rounds' | 'quick'>,
  ) {
    this.#context = context;
    this.#sides = sides;
    this.#options = options;
    this.#path = makePathWithoutNode(join(context.temporary, 'path'));
  }

  /** The rounds of a scenario; none if it failed. */
  roundsOf(scenario: string): readonly ComparedRound[] {
    return this.failures.has(scenario) ? [] : (this.#rounds.get(scenario) ?? []);
  }

  disturbance(): Pick<ComparisonReport, 'turns' | 'disturbedTurns'> {
    const all = [...this.reports.present, ...this.reports.other];
    return { turns: all.length, disturbedTurns: all.filter(isDisturbed).length };
  }

  /** One turn of each side, the other one first in every second round, so that a drift of the machine affects both alike. */
  async takeBoth(scenario: string, round: number): Promise<void> {
    const order: readonly SideName[] = round % 2 === 1 ? ['present', 'other'] : ['other', 'present'];
    const found: { [side in SideName]?: Report | undefined } = {};
    for (const side of order) {
      if (!this.failures.has(scenario)) found[side] = await this.#take(scenario, round, side);
      this.#context.progress.advance();
    }
    const { present, other } = found;
    if (!(present && other)) return;
    const rounds = this.#rounds.get(scenario) ?? [];
    rounds.push({ present: present.sections, other: other.sections });
    this.#rounds.set(scenario, rounds);
  }

  async #take(scenario: string, round: number, side: SideName): Promise<Report | undefined> {
    const { temporary, commands, progress } = this.#context;
    const { rounds, quick } = this.#options;
    const name = side === 'present' ? 'this' : `other (${this.#sides.other.name})`;
    const label = `round ${round} of ${rounds}: ${scenario}, ${name}`;
    progress.show(label);
    const onLine = (line: string): void => {
      if (progress.terminal) progress.show(`${label}: ${line.replace(PROGRESS, '')}`);
    };
    const folder = join(temporary, `${scenario}-${round}-${side}`);
    try {
      const report = await measureTurn(commands, this.#sides[side], {
        scenario,
        quick,
        path: this.#path,
        folder,
        onLine,
      });
      this.reports[side].push(report);
      return report;
    } catch (error) {
      const failure = `${scenario} failed on ${name}, round ${round}: ${(error as Error).message}`;
      this.failures.set(scenario, failure);
      progress.say(failure);
      return undefined;
    }
  }
}

const isDisturbed = ({ sections }: Report): boolean =>
  sections.some(({ notes, verdicts }) =>
    [...notes, ...verdicts.flatMap(({ caveat, unjudged }) => [caveat ?? '', unjudged ?? ''])].some((text) =>
      /^disturbed/i.test(text),
    ),
  );
