// The engine and the second implementation (judge.py), which shares no code with it, judge the same random scenarios and say
// the same about every signal, field by field: in small markets with every kind of data loss, and over real quotes with hundreds
// of signals at a time. In full: 100,000 signals.
import { afterAll, describe, expect, test } from 'bun:test';
import { atScale } from '../../packages/server/testing/scale.fixture.ts';
import { bitcoinQuotes, goldQuotes } from '../../packages/server/testing/signals/real-ticks.fixture.ts';
import { reportSkipped } from '../../packages/server/testing/skipped.fixture.ts';
import { difference, type JudgeProgram, shrink } from './disagreement.fixture.ts';
import { runEngine } from './engine-run.fixture.ts';
import { Random } from './random.fixture.ts';
import { randomScenario } from './random-scenario.fixture.ts';
import { type RealMarket, realScenario } from './real-scenario.fixture.ts';
import type { Answer } from './scenario.fixture.ts';
import { SecondImplementation } from './second-implementation.fixture.ts';

const SIGNALS = atScale(10_000, 100_000);
const FIRST_SEED = Number(process.env.TICKWIRE_TEST_SEED ?? 1);
/** 100,000 signals take about a minute on an idle machine. */
const TIMEOUT_MS = 600_000;
/** Scenarios that are judged at a time. */
const BATCH = 100;
/** Of 2,000 signals, at least this many must be of each kind: otherwise the scenarios prove little. */
const LEAST_OF_2000 = 4;
const KINDS = [
  ...['market', 'limit', 'stop', 'take_profit', 'stop_loss', 'manual', 'expired', 'unfilled', 'voided'],
  ...['exited', 'amended', 'gap_from', 'pnl_best', 'self_sourced', 'recovered', 'rejected', 'slipped'],
];

/** One signal in this many is also judged over real quotes, in each market. */
const REAL_SHARE = 10;
const REAL_QUOTES = 3_000;
const REAL_SIGNALS = 800;
const LEAST_REAL = 10;
const REAL_KINDS = [
  'market',
  'limit',
  'stop',
  'take_profit',
  'stop_loss',
  'manual',
  'expired',
  'unfilled',
  'exited',
  'amended',
  'slipped',
];

const hasPython = Bun.which('python3') !== null;
if (!hasPython) reportSkipped('agreement with the second implementation', 'python3 is not installed');

describe.skipIf(!hasPython)('the second implementation', () => {
  const second: JudgeProgram = new SecondImplementation('judge.py');
  afterAll(() => second.end());

  test(
    `agrees with the engine on ${SIGNALS} random signals`,
    async () => {
      const counts = new Map<string, number>(KINDS.map((kind) => [kind, 0]));
      let accepted = 0;
      for (let seed = FIRST_SEED; accepted < SIGNALS; seed += BATCH) {
        const scenarios = Array.from({ length: BATCH }, (_, index) => randomScenario(seed + index));
        const judged = second.ask(scenarios);
        const engine = scenarios.map(runEngine);
        for (const [index, { signals: answers }] of (await judged).entries()) {
          if (difference(engine[index]!, answers) !== null) {
            const smallest = await shrink(scenarios[index]!, second);
            const [expected] = await second.ask([smallest]);
            throw new Error(`${JSON.stringify(smallest)}\n${difference(runEngine(smallest), expected!.signals)}`);
          }
          accepted += answers.filter((answer) => 'order' in answer).length;
          for (const kind of answers.flatMap(kindsOf)) counts.set(kind, counts.get(kind)! + 1);
        }
      }
      process.stdout.write(`${accepted} signals: ${[...counts].map((each) => each.join(' ')).join(', ')}\n`);
      for (const kind of KINDS)
        expect([kind, counts.get(kind)! >= (LEAST_OF_2000 * SIGNALS) / 2_000]).toEqual([kind, true]);
    },
    TIMEOUT_MS,
  );

  test(
    'agrees with the engine over real quotes, with hundreds of signals at a time',
    async () => {
      const random = new Random(FIRST_SEED);
      const counts = new Map<string, number>();
      const size = { quotes: REAL_QUOTES, signals: REAL_SIGNALS };
      for (const market of await realMarkets()) {
        for (let signals = 0; signals < SIGNALS / REAL_SHARE; signals += REAL_SIGNALS) {
          const scenario = realScenario(random, market, size);
          const [judged] = await second.ask([scenario]);
          const found = difference(runEngine(scenario), judged!.signals);
          if (found !== null) throw new Error(`quotes from ${scenario.scenario} on:\n${found}`);
          for (const kind of judged!.signals.flatMap(kindsOf)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
        }
      }
      process.stdout.write(`real quotes: ${[...counts].map((each) => each.join(' ')).join(', ')}\n`);
      for (const kind of REAL_KINDS) expect([kind, (counts.get(kind) ?? 0) >= LEAST_REAL]).toEqual([kind, true]);
    },
    TIMEOUT_MS,
  );
});

async function realMarkets(): Promise<RealMarket[]> {
  return [
    { instrument: { digits: 3, pip_size: 0.01 }, quotes: await goldQuotes(), steps: [400, 600, 1_200] },
    { instrument: { digits: 2, pip_size: 0.01 }, quotes: await bitcoinQuotes(), steps: [40, 200, 900] },
  ];
}

/** What happened to a signal. */
function kindsOf(answer: Answer): readonly string[] {
  if (!('order' in answer)) return ['rejected'];
  const { order, closed, exits, requests, voided, entry_deadline } = answer;
  const isUnfilled = order === 'market' && closed?.reason === 'unfilled';
  const notes = ['gap_from', 'pnl_best', 'self_sourced', 'recovered'].filter((note) => closed && note in closed);
  return [
    order,
    ...notes,
    ...(closed ? [closed.reason as string] : []),
    ...(isUnfilled && closed.closed_at !== entry_deadline && requests.length === 0 ? ['slipped'] : []),
    ...(exits.length > 0 ? ['exited'] : []),
    ...(voided ? ['voided'] : []),
    ...(requests.some(({ type, rejected }) => type === 'amend' && rejected.length === 0) ? ['amended'] : []),
  ];
}
