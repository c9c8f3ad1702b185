// The engine and ranking.py, which shares no code with it, rank the publishers of the same random logs, and say the same about
// every publisher: decisions, evidence to the last bit, status, rank and what is missing. TICKWIRE_TEST_AGREEMENT sets the number
// of logs: one for 250 signals, at least 100.
import { afterAll, describe, expect, test } from 'bun:test';
import { reportSkipped } from '../../packages/server/testing/skipped.fixture.ts';
import { type RankingLog, randomLog } from './random-log.fixture.ts';
import { type RankedPublisher, rankByEngine } from './ranking-run.fixture.ts';
import { SecondImplementation } from './second-implementation.fixture.ts';

const LOGS = Math.max(100, Math.floor(Number(process.env.TICKWIRE_TEST_AGREEMENT ?? 0) / 250));
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
      const counts = { ranked: 0, unproven: 0, losing: 0, inactive: 0 };
      for (let seed = 1; seed <= LOGS; seed += BATCH) {
        const logs = Array.from({ length: BATCH }, (_, index) => randomLog(seed + index));
        const answers = await second.ask(logs);
        for (const [index, { publishers }] of answers.entries()) {
          const said = publishers.map(({ values: _values, ...rest }) => rest);
          expect({ seed: seed + index, ranking: rankByEngine(logs[index]!) }).toEqual({
            seed: seed + index,
            ranking: said,
          });
          for (const { status } of said) counts[status as keyof typeof counts]++;
        }
      }
      process.stdout.write(`publishers: ${JSON.stringify(counts)}\n`);
      expect(Math.min(...Object.values(counts))).toBeGreaterThanOrEqual(LEAST);
    },
    TIMEOUT_MS,
  );
});
