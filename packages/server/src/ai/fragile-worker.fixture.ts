// A worker that does what a text tells it to: break, hang, lie. Any other text is a number, its own score.
import { parentPort } from 'node:worker_threads';
import type { ScoreReply, ScoreTask } from './score-thread.ts';

const reply = (message: ScoreReply): void => parentPort!.postMessage(message);

parentPort!.on('message', ({ id, texts }: ScoreTask) => {
  const told = new Set(texts.map(({ text }) => text));
  if (told.has('throw')) throw new Error('told to');
  if (told.has('exit')) process.exit(3);
  if (told.has('hang')) for (;;);
  if (told.has('fail')) reply({ kind: 'failed', id, reason: 'told to' });
  else if (told.has('too few')) reply({ kind: 'scores', id, scores: [] });
  else reply({ kind: 'scores', id, scores: texts.map(({ text }) => Number(text)) });
});
reply({ kind: 'ready', version: 'fragile-1' });
