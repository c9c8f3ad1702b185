// The local model in a thread of its own: a headline takes milliseconds, which the event loop of the service must not lose.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { inCategory, loadModel, modelFile } from '@tickwire/sentiment';
import type { ScoreReply, ScoreTask, ScoreText } from './score-thread.ts';

const model = loadModel(readFileSync(modelFile));
const scored = ({ text, category, target }: ScoreText): number =>
  inCategory(model.classify(text, target), category).score;
const reply = (message: ScoreReply): void => parentPort!.postMessage(message);

parentPort!.on('message', ({ id, texts }: ScoreTask) => {
  try {
    reply({ kind: 'scores', id, scores: texts.map(scored) });
  } catch (error) {
    reply({ kind: 'failed', id, reason: (error as Error).message });
  }
});
reply({ kind: 'ready', version: model.version });
