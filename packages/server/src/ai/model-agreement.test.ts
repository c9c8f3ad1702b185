import { expect, test } from 'bun:test';
import { createLog } from '../ops/log.ts';
import { ModelAgreement } from './model-agreement.ts';
import type { Score, ScoreRequest } from './scorer.ts';

const score = (sentiment: Score['sentiment'], model: string): Score => ({
  sentiment,
  score: { bearish: -0.8, neutral: 0, bullish: 0.8 }[sentiment],
  model,
  certainty: null,
});
const request = (text: string): ScoreRequest => ({ text, category: 'gold', symbol: null });

function agreementWith(local: (requests: readonly ScoreRequest[]) => Promise<Score[]>) {
  const lines: string[] = [];
  const log = createLog({ level: 'info', plain: false, write: (line) => lines.push(line) });
  let now = 0;
  const agreement = new ModelAgreement({ available: () => true, score: local }, log, () => now);
  return { agreement, lines, wait: (ms: number) => (now += ms) };
}

test('labels are compared by category, and a disagreement is logged with both', async () => {
  const { agreement, lines } = agreementWith(async (requests) => requests.map(() => score('bullish', 'local-1')));
  await agreement.compare(
    [request('Gold jumps'), request('Gold mixed')],
    [score('bullish', 'llm'), score('neutral', 'llm')],
  );
  expect([...agreement.counts]).toEqual([['gold', { compared: 2, disagreed: 1 }]]);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    message: 'the language model and the local model disagree',
    text: 'Gold mixed',
    llm: 'neutral 0',
    'local-1': 'bullish 0.8',
  });
});

test('at most 60 disagreements an hour are logged, but all are counted', async () => {
  const { agreement, lines, wait } = agreementWith(async (requests) => requests.map(() => score('bullish', 'local-1')));
  const many = Array.from({ length: 100 }, (_, index) => request(`Gold ${index}`));
  const scores = many.map(() => score('bearish', 'llm'));
  await agreement.compare(many, scores);
  expect([agreement.counts.get('gold'), lines.length]).toEqual([{ compared: 100, disagreed: 100 }, 60]);
  wait(3_600_000);
  await agreement.compare(many.slice(0, 1), scores);
  expect(lines).toHaveLength(61);
});

test('the latest 50 disagreements are kept, newest first, with the start of long texts', async () => {
  const { agreement, wait } = agreementWith(async (requests) => requests.map(() => score('bullish', 'local-1')));
  for (let index = 0; index < 60; index++) {
    wait(1_000);
    await agreement.compare([request(`Gold ${index} ${'x'.repeat(300)}`)], [score('bearish', 'llm')]);
  }
  await agreement.compare([request('Gold jumps')], [score('bullish', 'llm')]);
  const recent = agreement.recent();
  expect([agreement.since, recent.length]).toEqual([0, 50]);
  expect(recent[0]).toMatchObject({
    at: 60_000,
    text: expect.stringMatching(/^Gold 59 x{192}$/),
    category: 'gold',
    llm: { sentiment: 'bearish', model: 'llm' },
    local: { sentiment: 'bullish', model: 'local-1' },
  });
  expect(recent.at(-1)!.text).toStartWith('Gold 10 ');
});

test('a local model that fails or is busy is left out', async () => {
  const failing = agreementWith(async () => {
    throw new Error('stopping');
  });
  await failing.agreement.compare([request('x')], [score('bullish', 'llm')]);
  expect(failing.agreement.counts.size).toBe(0);

  let asked = 0;
  const slow = agreementWith(() => {
    asked++;
    return new Promise(() => {});
  });
  for (let n = 0; n < 10; n++) void slow.agreement.compare([request('x')], [score('bullish', 'llm')]);
  await Bun.sleep(1);
  expect(asked).toBe(4);
});
