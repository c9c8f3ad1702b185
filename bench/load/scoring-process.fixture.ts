// Runs the model of the service in a separate process, so that both sides of a comparison have a neighbour on the machine.
import { LocalScorer } from '../../packages/server/src/ai/local-scorer.ts';
import { silentLog } from '../../packages/server/src/ops/log.ts';

const scorer = new LocalScorer({ log: silentLog });

/** Receives titles in one message and replies with their number when all are scored. */
process.on('message', (titles: string[]) => {
  const requests = titles.map((text) => ({ text, category: 'gold' as const, symbol: null }));
  scorer.score(requests).then(
    (scores) => process.send!(scores.length),
    (error: Error) => {
      throw error;
    },
  );
});
