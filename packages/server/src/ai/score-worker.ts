// Worker thread with the local model: a headline takes milliseconds, which would block the event loop of the service.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { calibrated, loadModel, modelFile, type TextSentiment } from '@tickwire/sentiment';
import type { ScoreReply, ScoreTask, ScoreText } from './score-thread.ts';

const model = loadModel(readFileSync(modelFile));
const scored = ({ text, category, target }: ScoreText): TextSentiment =>
  calibrated(model.classify(text, target, category), category);
const reply = (message: ScoreReply): void => parentPort!.postMessage(message);

parentPort!.on('message', ({ id, texts }: ScoreTask) => {
  try {
    reply({ kind: 'scores', id, scores: texts.map(scored) });
  } catch (error) {
    reply({ kind: 'failed', id, reason: (error as Error).message });
  }
});
reply({ kind: 'ready', version: model.version });
