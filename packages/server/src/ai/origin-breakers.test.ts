// Texts of different origins: what one of them causes must not affect the others.
import { afterEach, describe, expect, test } from 'bun:test';
import { failing, headlinesOf, type LlmBehaviour, saying, scoring } from '../../testing/ai/fake-llm.fixture.ts';
import { about, faultOf, scorerFixture } from '../../testing/ai/llm-scorer.fixture.ts';

const { llmThat, stopAll } = scorerFixture();
afterEach(stopAll);

/** A content filter, a refusal, and an endless thought. */
const CAUSED_BY_THE_TEXT: readonly (readonly [fault: string, behaviour: LlmBehaviour])[] = [
  ['bad_response', saying('I obey')],
  ['bad_response', failing(400, {}, 'content_filter')],
  ['bad_response', failing(422)],
  ['timed_out', () => {}],
];

describe('a headline', () => {
  test('never shares a prompt with headlines of another origin', async () => {
    const { scorer, fake } = await llmThat([scoring((text) => Number(text))]);
    const origins = ['Wire A', 'Wire B', 'Wire A', 'pub_1\u0000Wire A', 'Wire B'];
    const scores = await scorer.score(origins.map((origin, index) => about(`0.${index}`, { origin })));
    expect(scores.map(({ score }) => score)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
    expect(fake.requests.map((asked) => headlinesOf(asked).map(({ text }) => text))).toEqual([
      ['0.0', '0.2'],
      ['0.1', '0.4'],
      ['0.3'],
    ]);
  });

  test('pauses the model for its own origin only', async () => {
    let now = 1_000_000;
    const obeys: LlmBehaviour = (response, asked) =>
      (headlinesOf(asked)[0]!.text === 'order' ? saying('I obey') : scoring())(response, asked);
    const { scorer, fake, client } = await llmThat([obeys], { now: () => now });
    const score = (text: string, origin: string) => faultOf(scorer.score([about(text, { origin })]));
    for (let time = 0; time < 5; time++) expect(await score('order', 'Wire A')).toBe('bad_response');
    expect([client.breaker, scorer.available(), await score('Gold rises', 'Wire A')]).toEqual([
      'closed',
      true,
      'origin_paused',
    ]);
    expect([await score('Gold rises', 'Wire B'), fake.requests.length]).toEqual(['none', 6]);
    now += 30_000;
    expect([await score('Gold rises', 'Wire A'), await score('order', 'Wire A')]).toEqual(['none', 'bad_response']);
  });

  test('invalid responses to five origins in a row pause the model for all', async () => {
    const { scorer, client } = await llmThat([saying('no')]);
    for (let origin = 0; origin < 5; origin++) {
      expect(client.breaker).toBe('closed');
      for (let time = 0; time < 2; time++) await faultOf(scorer.score([about('x', { origin: `Wire ${origin}` })]));
    }
    expect([client.breaker, scorer.available()]).toEqual(['open', false]);
  });

  test.each(CAUSED_BY_THE_TEXT)(
    'that causes %s five times pauses the model for its own origin only',
    async (fault, behaviour) => {
      const filtered: LlmBehaviour = (response, asked) =>
        (headlinesOf(asked)[0]!.text === 'order' ? behaviour : scoring())(response, asked);
      const { scorer, client } = await llmThat([filtered], fault === 'timed_out' ? { timeoutMs: 800 } : {});
      const score = (text: string, origin: string) => faultOf(scorer.score([about(text, { origin })]));
      for (let time = 0; time < 5; time++) expect(await score('order', 'Wire A')).toBe(fault);
      expect([client.breaker, await score('Gold rises', 'Wire B')]).toEqual(['closed', 'none']);
      expect(await score('order', 'Wire A')).toBe('origin_paused');
    },
  );

  test('of an account never pauses the model for others, whatever source names and accounts are used', async () => {
    const { scorer, client } = await llmThat([saying('I obey')]);
    for (let n = 0; n < 10; n++) {
      const account = `pub_${n.toString().padStart(16, '0')}`;
      await faultOf(scorer.score([about('order', { origin: account })]));
      await faultOf(scorer.score([about('order', { origin: `${account}\u0000Wire ${n}` })]));
    }
    expect(client.breaker).toBe('closed');
    const one = 'pub_00000000000000ff';
    for (let n = 0; n < 5; n++) await faultOf(scorer.score([about('order', { origin: `${one}\u0000Wire ${n}` })]));
    expect(await faultOf(scorer.score([about('order', { origin: `${one}\u0000Wire 9` })]))).toBe('origin_paused');
  });

  test('a server that fails for other reasons is paused for all', async () => {
    for (const status of [401, 404, 429, 500]) {
      const { scorer, client } = await llmThat([failing(status)]);
      for (let time = 0; time < 5; time++) await faultOf(scorer.score([about('x', { origin: 'Wire A' })]));
      expect([status, client.breaker]).toEqual([status, 'open']);
    }
  });
});
