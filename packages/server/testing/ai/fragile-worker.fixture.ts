// A worker whose texts are instructions: fail, hang or return wrong results. Any other text is a number, its own score.
import { parentPort } from 'node:worker_threads';
import type { TextSentiment } from '@tickwire/sentiment';
import type { ScoreReply, ScoreTask } from '../../src/ai/score-thread.ts';

/** Probabilities that give a score. */
const certain = (score: number): TextSentiment => ({
  positive: Math.max(0, score),
  neutral: 1 - Math.abs(score),
  negative: Math.max(0, -score),
  score,
});
const reply = (message: ScoreReply): void => parentPort!.postMessage(message);

parentPort!.on('message', ({ id, texts }: ScoreTask) => {
  const instructions = new Set(texts.map(({ text }) => text));
  if (instructions.has('throw')) throw new Error('as instructed');
  if (instructions.has('exit')) process.exit(3);
  if (instructions.has('hang')) for (;;);
  if (instructions.has('fail')) reply({ kind: 'failed', id, reason: 'as instructed' });
  else if (instructions.has('too few')) reply({ kind: 'scores', id, scores: [] });
  else reply({ kind: 'scores', id, scores: texts.map(({ text }) => certain(Number(text))) });
});
reply({ kind: 'ready', version: 'fragile-1' });
