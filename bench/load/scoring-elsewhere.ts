// The same model at the same work as in the service, in a process that has nothing to do with it: what a machine with few
// cores loses to any neighbour is then on both sides of a comparison.
import { LocalScorer } from '../../packages/server/src/ai/local-scorer.ts';
import { silentLog } from '../../packages/server/src/ops/log.ts';

const scorer = new LocalScorer({ log: silentLog });

/** Titles come in as one message; their number goes back when all are scored. */
process.on('message', (titles: string[]) => {
  const requests = titles.map((text) => ({ text, category: 'gold' as const, symbol: null }));
  scorer.score(requests).then(
    (scores) => process.send!(scores.length),
    (error: Error) => {
      throw error;
    },
  );
});
