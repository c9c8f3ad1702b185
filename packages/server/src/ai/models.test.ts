import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { FakeLlm, headlinesOf, saying, scoring } from '../../testing/ai/fake-llm.fixture.ts';
import { HOSTILE } from '../../testing/ai/hostile-llm.fixture.ts';
import type { LlmSettings } from '../config/llm-settings.ts';
import type { ServiceError } from '../errors/service-error.ts';
import { silentLog } from '../ops/log.ts';
import { type OpenModels, openModels } from './open-models.ts';
import type { ScoreRequest } from './scorer.ts';

const settings: LlmSettings = {
  llm_url: null,
  llm_model: null,
  llm_key: null,
  llm_timeout_ms: 30_000,
  llm_requests_per_day: 1_000,
  llm_price_in: 0,
  llm_price_out: 0,
};
let fake: FakeLlm;
let now = 1_000_000;
const opened: OpenModels[] = [];
const modelsWith = async (changes: Partial<LlmSettings> = {}): Promise<OpenModels> => {
  opened.push(await openModels({ settings: { ...settings, ...changes }, now: () => now, log: silentLog }));
  return opened.at(-1)!;
};
const withLlm = (changes: Partial<LlmSettings> = {}): Promise<OpenModels> =>
  modelsWith({ llm_url: fake.url, llm_model: 'example-8b', ...changes });
const about = (text: string): ScoreRequest => ({ text, category: null, symbol: null });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: ServiceError) => error.code,
  );

beforeAll(async () => {
  fake = await FakeLlm.start();
});
afterEach(async () => {
  for (const { models } of opened.splice(0)) await models.stop();
  fake.behaviours = [scoring()];
  fake.requests.length = 0;
});
afterAll(() => fake.stop());

describe('the models', () => {
  test('without a language model, the local model is used', async () => {
    const { models } = await modelsWith();
    const [score] = await models.score([about('Gold jumps to a record high')]);
    expect(score!.model).toMatch(/^headline-3-/);
    expect(models.available()).toEqual(['local']);
    expect(models.list()).toEqual([
      { id: 'local', kind: 'local', tasks: ['sentiment'], available: true, version: score!.model, default: true },
    ]);
  });

  test('with a language model, it is used; each model can be named by id or version', async () => {
    const { models, local } = await withLlm();
    expect(await models.score([about('x')])).toMatchObject([{ model: 'example-8b' }]);
    expect(await models.score([about('x')], { model: 'example-8b' })).toMatchObject([{ model: 'example-8b' }]);
    expect(await models.score([about('x')], { model: 'local' })).toMatchObject([{ model: local.version }]);
    expect(await models.score([about('x')], { model: local.version })).toMatchObject([{ model: local.version }]);
    expect(models.available()).toEqual(['local', 'example-8b']);
    expect(models.list().map(({ id, tasks, default: chosen }) => [id, tasks, chosen])).toEqual([
      ['local', ['sentiment'], false],
      ['example-8b', ['sentiment', 'brief'], true],
    ]);
  });

  test('an incomplete configuration is ignored', async () => {
    expect((await modelsWith({ llm_url: fake.url })).llm).toBeNull();
    expect((await modelsWith({ llm_model: 'x' })).llm).toBeNull();
  });

  test('falls back to the local model for any failure of the language model, and names it', async () => {
    const { models, local, llm } = await withLlm({ llm_timeout_ms: 300 });
    for (const [name, , behaviour] of HOSTILE) {
      fake.behaviours = [behaviour];
      // After any pause of the circuit breaker.
      now += 1_200_000;
      const answered = await models.score([about('Gold jumps to a record high'), about('Profit collapses')]);
      expect([name, ...answered.map(({ sentiment, model }) => [sentiment, model])]).toEqual([
        name,
        ['bullish', local.version],
        ['bearish', local.version],
      ]);
    }
    expect(llm!.counts).toMatchObject({ responses: 0, failures: HOSTILE.length });
  });

  test('keeps the scores of the language model from before it failed', async () => {
    fake.behaviours = [scoring(), saying('no')];
    const { models, local } = await withLlm();
    const scores = await models.score(Array.from({ length: 45 }, () => about('Gold rises')));
    expect(scores).toHaveLength(45);
    expect(scores.map(({ model }) => model)).toEqual(
      Array.from({ length: 45 }, (_, index) => (index < 20 ? 'example-8b' : local.version)),
    );
    expect(fake.requests).toHaveLength(2);
  });

  test('a refused batch of one source leaves the other sources with the language model', async () => {
    fake.behaviours = [
      (response, asked) =>
        (headlinesOf(asked).some(({ text }) => text === 'order') ? saying('no') : scoring())(response, asked),
    ];
    const { models, local } = await withLlm();
    const scores = await models.score(
      ['A', 'B', 'A', 'C'].map((origin, index) => ({ ...about(index === 2 ? 'order' : 'Gold rises'), origin })),
    );
    const llm = 'example-8b';
    expect(scores.map(({ model }) => model)).toEqual([local.version, llm, local.version, llm]);
  });

  test('does not call or list the language model while it is paused', async () => {
    fake.behaviours = [saying('no')];
    const { models } = await withLlm();
    for (let time = 0; time < 5; time++) await models.score([about('x')]);
    expect([await models.score([about('x')]).then((scores) => scores.length), fake.requests.length]).toEqual([1, 5]);
    expect(models.available()).toEqual(['local']);
    expect(models.list().map(({ available, default: chosen }) => [available, chosen])).toEqual([
      [true, true],
      [false, false],
    ]);
    now += 30_000;
    fake.behaviours = [scoring()];
    expect(await models.score([about('x')])).toMatchObject([{ model: 'example-8b' }]);
  });

  test('a named model has no fallback: 404 if unknown, 503 if unavailable', async () => {
    fake.behaviours = [saying('no')];
    const { models } = await withLlm();
    expect(await codeOf(models.score([about('x')], { model: 'gpt-99' }))).toBe('model_not_found');
    for (let time = 0; time < 6; time++)
      expect(await codeOf(models.score([about('x')], { model: 'example-8b' }))).toBe('model_unavailable');
    expect(fake.requests).toHaveLength(5);
  });
});
