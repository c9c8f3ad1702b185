import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AiBrief, AiModelList, AiSentiment, TIERS } from '@tickwire/contract';
import { CATALOGUE } from '@tickwire/engine';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { type Caller, Keyring } from '../access/keyring.ts';
import type { ApiError } from '../http/api-error.ts';
import { silentLog } from '../ops/log.ts';
import { openAccessStore } from '../store/sqlite/open.ts';
import { StoreError } from '../store/store.ts';
import { moment, specOf } from './brief.fixture.ts';
import { Briefs } from './brief.ts';
import { AiCalls } from './calls.ts';
import { FakeLlm, saying, scoring } from './fake-llm.fixture.ts';
import { HOSTILE } from './hostile-llm.fixture.ts';
import { AiAnswers } from './http.ts';
import { type OpenModels, openModels } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwire-test-'));
const { access, close } = openAccessStore(folder);
const keyring = new Keyring({ store: access, tiers: TIERS, log: silentLog, now: () => now });
let now = Date.UTC(2026, 2, 2, 12);
let fake: FakeLlm;
let open: OpenModels;
let answers: AiAnswers;
let signals: () => Promise<never[]> = async () => [];
let accounts = 0;

beforeAll(async () => {
  fake = await FakeLlm.start();
  const settings = { llm_key: null, llm_timeout_ms: 300, llm_price_in: 0, llm_price_out: 0 };
  open = await openModels({
    settings: { ...settings, llm_url: fake.url, llm_model: 'example-8b' },
    now: () => now,
    log: silentLog,
  });
  const input = moment();
  const briefs = new Briefs({
    llm: open.llm,
    sources: {
      spec: (symbol) => specOf(symbol),
      quote: () => input.quote as never,
      bar: () => input.day,
      flow: () => input.flow as never,
      signals: () => signals(),
      news: () => input.news,
    },
  });
  answers = new AiAnswers({
    calls: new AiCalls({ store: access, now: () => now }),
    models: open.models,
    briefs,
    resolve: (code) => CATALOGUE.find(({ symbol }) => symbol === code.toUpperCase())?.symbol,
    spec: (symbol) => specOf(symbol),
  });
});
afterEach(() => {
  fake.behaviours = [scoring()];
  signals = async () => [];
});
afterAll(async () => {
  await open.models.stop();
  await fake.stop();
  close();
  rmSync(folder, { recursive: true, force: true });
});

/** A new account of five calls a day. */
async function caller(): Promise<Caller> {
  const by = { store: access, actor: 'test', now };
  const account = await createAccount(by, `tester ${++accounts}`, 'free', true);
  const { key } = await issueKey(by, { name: 'test', scopes: ['read'], expiresAt: null, account });
  await keyring.load();
  return keyring.authenticate(key, now)!;
}
const post = (body: unknown): Request =>
  new Request('http://localhost/api/ai/sentiment', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: ApiError) => error.code ?? error.message,
  );

describe('the endpoints of models', () => {
  test('sentiment: label, score and model, as the contract has it', async () => {
    const by = await caller();
    const answer = JSON.parse(await answers.sentiment(post({ text: 'Gold rises', symbol: 'xauusd' }), by, now));
    expect(AiSentiment.parse(answer)).toEqual(answer);
    expect(answer).toEqual({ sentiment: 'bullish', sentiment_score: 0.8, model: 'example-8b' });
    const local = await answers.sentiment(post({ text: 'Gold jumps to a record high', model: 'local' }), by, now);
    expect(JSON.parse(local).model).toMatch(/^headline-1-/);
    expect(by.account.aiCallsUsed(now)).toBe(2);
  });

  test('what is wrong with a request costs no call', async () => {
    const by = await caller();
    const wrong: [unknown, string][] = [
      ['{', 'malformed_body'],
      [{}, 'invalid_parameter'],
      [{ text: ' ' }, 'invalid_parameter'],
      [{ text: 'x'.repeat(2_001) }, 'invalid_parameter'],
      [{ text: 7 }, 'invalid_parameter'],
      [{ text: 'x', symbol: 'NOPE' }, 'symbol_not_found'],
      [{ text: 'x', model: 'gpt-99' }, 'model_not_found'],
      ['x'.repeat(100_000), 'payload_too_large'],
    ];
    for (const [body, code] of wrong) expect(await codeOf(answers.sentiment(post(body), by, now))).toBe(code);
    expect(await codeOf(answers.brief('NOPE', by, now))).toBe('symbol_not_found');
    expect(by.account.aiCallsUsed(now)).toBe(0);
  });

  test('a language model that misbehaves costs nothing where it was named, and the local one answers where it was not', async () => {
    const by = await caller();
    for (const [name, , behaviour] of HOSTILE.slice(0, 5)) {
      now += 1_200_000;
      fake.behaviours = [behaviour];
      const named = answers.sentiment(post({ text: 'Gold jumps to a record high', model: 'example-8b' }), by, now);
      expect([name, await codeOf(named)]).toEqual([name, 'model_unavailable']);
    }
    expect(by.account.aiCallsUsed(now)).toBe(0);
    now += 1_200_000;
    const answer = JSON.parse(await answers.sentiment(post({ text: 'Gold jumps to a record high' }), by, now));
    expect([answer.sentiment, answer.model]).toEqual(['bullish', open.local.version]);
    expect(by.account.aiCallsUsed(now)).toBe(1);
    now += 1_200_000;
  });

  test('brief: by rules where the language model gives none, counted once; by it where it checks out', async () => {
    const by = await caller();
    fake.behaviours = [saying(JSON.stringify({ brief: 'EURUSD is at 1.99999 [bid], and you should buy it now.' }))];
    const rules = JSON.parse(await answers.brief('eurusd', by, now));
    expect(AiBrief.parse(rules)).toEqual(rules);
    expect([rules.symbol, rules.model]).toEqual(['EURUSD', 'rules']);
    fake.behaviours = [saying(JSON.stringify({ brief: 'EURUSD is quoted at 1.08412 [bid], and sellers lead today.' }))];
    const written = JSON.parse(await answers.brief('EURUSD', by, now));
    expect([written.model, written.text]).toEqual([
      'example-8b',
      'EURUSD is quoted at 1.08412, and sellers lead today.',
    ]);
    expect(by.account.aiCallsUsed(now)).toBe(2);
  });

  test('both share the calls of the day; a store that fails is told, and not counted', async () => {
    const by = await caller();
    signals = async () => {
      throw new StoreError('the disk is gone');
    };
    expect(await codeOf(answers.brief('EURUSD', by, now))).toBe('store_unavailable');
    signals = async () => [];
    for (let call = 0; call < 2; call++) await answers.brief('EURUSD', by, now);
    for (let call = 0; call < 3; call++) await answers.sentiment(post({ text: 'x' }), by, now);
    expect(await codeOf(answers.brief('EURUSD', by, now))).toBe('ai_calls_exhausted');
    // The allowance goes before what is wrong with the request.
    expect(await codeOf(answers.sentiment(post('{'), by, now))).toBe('ai_calls_exhausted');
    const list = JSON.parse(answers.models());
    expect(AiModelList.parse(list)).toEqual(list);
    expect(list.count).toBe(2);
    expect(by.account.aiCallsUsed(now)).toBe(5);
  });
});
