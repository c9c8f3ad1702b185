import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AiBrief, AiModelList, AiSentiment, TIERS } from '@tickwire/contract';
import { CATALOGUE } from '@tickwire/engine';
import { briefInput, catalogueSpec } from '../../testing/ai/brief.fixture.ts';
import { FakeLlm, saying, scoring } from '../../testing/ai/fake-llm.fixture.ts';
import { HOSTILE } from '../../testing/ai/hostile-llm.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { type Caller, Keyring } from '../access/keyring.ts';
import type { ServiceError } from '../errors/service-error.ts';
import { StoreError } from '../errors/store-error.ts';
import { silentLog } from '../ops/log.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import { AiCalls } from './ai-calls.ts';
import { AiHandlers } from './ai-handlers.ts';
import { Briefs } from './brief.ts';
import { type OpenModels, openModels } from './open-models.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwire-test-'));
const { access, close } = openSqliteAccessStore(folder);
const keyring = new Keyring({ store: access, tiers: TIERS, log: silentLog, now: () => now });
let now = Date.UTC(2026, 2, 2, 12);
let fake: FakeLlm;
let open: OpenModels;
let handlers: AiHandlers;
let signals: () => Promise<never[]> = async () => [];
let accounts = 0;

beforeAll(async () => {
  fake = await FakeLlm.start();
  const settings = {
    llm_key: null,
    llm_timeout_ms: 30_000,
    llm_requests_per_day: 1_000,
    llm_price_in: 0,
    llm_price_out: 0,
  };
  open = await openModels({
    settings: { ...settings, llm_url: fake.url, llm_model: 'example-8b' },
    now: () => now,
    log: silentLog,
  });
  const input = briefInput();
  const briefs = new Briefs({
    llm: open.llm,
    sources: {
      spec: (symbol) => catalogueSpec(symbol),
      quote: () => input.quote as never,
      bar: () => input.day,
      flow: () => input.flow as never,
      signals: () => signals(),
      news: () => input.news,
    },
  });
  handlers = new AiHandlers({
    calls: new AiCalls({ store: access, now: () => now }),
    models: open.models,
    briefs,
    resolve: (code) => CATALOGUE.find(({ symbol }) => symbol === code.toUpperCase())?.symbol,
    spec: (symbol) => catalogueSpec(symbol),
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

/** A new account with five calls a day. */
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
    (error: ServiceError) => error.code ?? error.message,
  );

describe('the AI endpoints', () => {
  test('sentiment returns label, score and model as in the contract', async () => {
    const by = await caller();
    const response = JSON.parse(await handlers.sentiment(post({ text: 'Gold rises', symbol: 'xauusd' }), by, now));
    expect(AiSentiment.parse(response)).toEqual(response);
    expect(response).toEqual({ sentiment: 'bullish', sentiment_score: 0.8, model: 'example-8b' });
    const local = await handlers.sentiment(post({ text: 'Gold jumps to a record high', model: 'local' }), by, now);
    expect(JSON.parse(local).model).toMatch(/^headline-3-/);
    expect(by.account.aiCallsUsed(now)).toBe(2);
  });

  test('an invalid request costs no call', async () => {
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
    for (const [body, code] of wrong) expect(await codeOf(handlers.sentiment(post(body), by, now))).toBe(code);
    expect(await codeOf(handlers.brief('NOPE', by, now))).toBe('symbol_not_found');
    expect(by.account.aiCallsUsed(now)).toBe(0);
  });

  test('a failing language model costs no call if requested by name, and falls back to the local one otherwise', async () => {
    const by = await caller();
    for (const [name, , behaviour] of HOSTILE.slice(0, 5)) {
      now += 1_200_000;
      fake.behaviours = [behaviour];
      const named = handlers.sentiment(post({ text: 'Gold jumps to a record high', model: 'example-8b' }), by, now);
      expect([name, await codeOf(named)]).toEqual([name, 'model_unavailable']);
    }
    expect(by.account.aiCallsUsed(now)).toBe(0);
    now += 1_200_000;
    const response = JSON.parse(await handlers.sentiment(post({ text: 'Gold jumps to a record high' }), by, now));
    expect([response.sentiment, response.model]).toEqual(['bullish', open.local.version]);
    expect(by.account.aiCallsUsed(now)).toBe(1);
    now += 1_200_000;
  });

  test('a brief is composed by rules if the language model fails, and by the model if its text passes the checks', async () => {
    const by = await caller();
    fake.behaviours = [saying(JSON.stringify({ brief: 'EURUSD is at 1.99999 [bid], and you should buy it now.' }))];
    const rules = JSON.parse(await handlers.brief('eurusd', by, now));
    expect(AiBrief.parse(rules)).toEqual(rules);
    expect([rules.symbol, rules.model]).toEqual(['EURUSD', 'rules']);
    fake.behaviours = [saying(JSON.stringify({ brief: 'EURUSD is quoted at 1.08412 [bid], and sellers lead today.' }))];
    const written = JSON.parse(await handlers.brief('EURUSD', by, now));
    expect([written.model, written.text]).toEqual([
      'example-8b',
      'EURUSD is quoted at 1.08412, and sellers lead today.',
    ]);
    expect(by.account.aiCallsUsed(now)).toBe(2);
  });

  test('both endpoints share the daily calls; a store failure is reported and not counted', async () => {
    const by = await caller();
    signals = async () => {
      throw new StoreError('the disk is gone');
    };
    expect(await codeOf(handlers.brief('EURUSD', by, now))).toBe('store_unavailable');
    signals = async () => [];
    for (let call = 0; call < 2; call++) await handlers.brief('EURUSD', by, now);
    for (let call = 0; call < 3; call++) await handlers.sentiment(post({ text: 'x' }), by, now);
    expect(await codeOf(handlers.brief('EURUSD', by, now))).toBe('ai_calls_exhausted');
    // The allowance is checked before the parameters.
    expect(await codeOf(handlers.sentiment(post('{'), by, now))).toBe('ai_calls_exhausted');
    const list = JSON.parse(handlers.models());
    expect(AiModelList.parse(list)).toEqual(list);
    expect(list.count).toBe(2);
    expect(by.account.aiCallsUsed(now)).toBe(5);
  });
});
