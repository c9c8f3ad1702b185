// The engine and ranking.py, which shares no code with it, rank the publishers of the same random logs, and say the same about
// every publisher: decisions, evidence to the last bit, number, status, rank, what is missing and further decisions.
import { afterAll, describe, expect, test } from 'bun:test';
import { atScale } from '../../packages/server/testing/scale.fixture.ts';
import { reportSkipped } from '../../packages/server/testing/skipped.fixture.ts';
import { type RankingLog, randomLog } from './random-log.fixture.ts';
import { type RankedPublisher, rankByEngine } from './ranking-run.fixture.ts';
import { SecondImplementation } from './second-implementation.fixture.ts';

const LOGS = atScale(100, 400);
const BATCH = 50;
const TIMEOUT_MS = 300_000;
/** Each status must be found at least this often: otherwise the logs prove little. */
const LEAST = LOGS / 20;

const hasPython = Bun.which('python3') !== null;
if (!hasPython) reportSkipped('agreement with the second ranking', 'python3 is not installed');

type SecondPublisher = RankedPublisher & { readonly values: readonly number[] };

describe.skipIf(!hasPython)('the second ranking', () => {
  const second = new SecondImplementation<RankingLog, { readonly publishers: readonly SecondPublisher[] }>(
    'ranking.py',
  );
  afterAll(() => second.end());

  test(
    `agrees with the engine on ${LOGS} random logs`,
    async () => {
      const counts = { ranked: 0, unproven: 0, losing: 0, inactive: 0, numbered: 0, later: 0, further: 0 };
      for (let seed = 1; seed <= LOGS; seed += BATCH) {
        const logs = Array.from({ length: BATCH }, (_, index) => randomLog(seed + index));
        const answers = await second.ask(logs);
        for (const [index, { publishers }] of answers.entries()) {
          const said = publishers.map(({ values: _values, ...rest }) => rest);
          expect({ seed: seed + index, ranking: rankByEngine(logs[index]!) }).toEqual({
            seed: seed + index,
            ranking: said,
          });
          for (const { status, number, further } of said) {
            counts[status as keyof typeof counts]++;
            if (number !== null) counts.numbered++;
            if ((number ?? 0) > 1) counts.later++;
            if (further !== null) counts.further++;
          }
        }
      }
      process.stdout.write(`publishers: ${JSON.stringify(counts)}\n`);
      expect(Math.min(...Object.values(counts))).toBeGreaterThanOrEqual(LEAST);
    },
    TIMEOUT_MS,
  );
});
