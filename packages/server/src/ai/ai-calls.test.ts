import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ERRORS, TIERS } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { type Caller, Keyring } from '../access/keyring.ts';
import type { ServiceError } from '../errors/service-error.ts';
import { StoreError } from '../errors/store-error.ts';
import { silentLog } from '../ops/log.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import type { AccessStore } from '../store/store.ts';
import { AiCalls } from './ai-calls.ts';

const NOON = Date.UTC(2026, 2, 2, 12);
let folder: string;
let now: number;
let close: () => void;
let store: AccessStore;
let key: string;

/** The state after a restart, without anything in memory. */
async function start(): Promise<{ calls: AiCalls; caller: Caller; keyring: Keyring }> {
  close?.();
  const opened = openSqliteAccessStore(folder);
  ({ access: store, close } = opened);
  const keyring = new Keyring({ store, tiers: TIERS, log: silentLog, now: () => now });
  await keyring.load();
  return { calls: new AiCalls({ store, now: () => now }), caller: keyring.authenticate(key, now)!, keyring };
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tickwire-test-'));
  now = NOON;
  const { access, close: done } = openSqliteAccessStore(folder);
  const by = { store: access, actor: 'test', now };
  const account = await createAccount(by, 'tester', 'free', true);
  ({ key } = await issueKey(by, { name: 'test', scopes: ['read'], expiresAt: null, account }));
  done();
});
afterEach(() => {
  close();
  close = () => {};
  rmSync(folder, { recursive: true, force: true });
});
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: ServiceError) => error.code ?? error.message,
  );
const answer = async (): Promise<string> => 'answer';
const fail = async (): Promise<never> => {
  throw new Error('failed');
};

describe('AI calls', () => {
  test('are counted up to the limit of the tier; the next learns when the day ends', async () => {
    const { calls, caller } = await start();
    for (let call = 1; call <= 5; call++) {
      expect(await calls.count(caller.account, now, answer)).toBe('answer');
      expect(caller.account.aiCallsUsed(now)).toBe(call);
    }
    const refused: ServiceError = await calls.count(caller.account, now, answer).catch((error) => error);
    expect([refused.code, ERRORS[refused.code], refused.options]).toEqual([
      'ai_calls_exhausted',
      expect.objectContaining({ status: 429 }),
      { retryAfterSeconds: 12 * 3600 },
    ]);
    expect(calls.counted).toBe(5);
  });

  test('reset at 00:00 UTC', async () => {
    const { calls, caller } = await start();
    for (let call = 0; call < 5; call++) await calls.count(caller.account, now, answer);
    now = NOON + DAY_MS / 2 - 1;
    expect(await codeOf(calls.count(caller.account, now, answer))).toBe('ai_calls_exhausted');
    now += 1;
    expect(await codeOf(calls.count(caller.account, now, answer))).toBe('none');
    expect(caller.account.aiCallsUsed(now)).toBe(1);
  });

  test('are not counted if they fail, not even while they run', async () => {
    const { calls, caller } = await start();
    for (let call = 0; call < 20; call++) expect(await codeOf(calls.count(caller.account, now, fail))).toBe('failed');
    expect([caller.account.aiCallsUsed(now), await store.usage()]).toEqual([0, []]);
    expect(await codeOf(calls.count(caller.account, now, answer))).toBe('none');
  });

  test('that the client aborts are counted once a model was asked, and not before', async () => {
    const { calls, caller } = await start();
    const client = new AbortController();
    let counted = 0;
    const context = { signal: client.signal, onCounted: () => void counted++ };
    const abort = (ask: boolean) => async (asked: () => void) => {
      if (ask) asked();
      client.abort();
      throw new Error('failed');
    };
    const failAsked = async (asked: () => void): Promise<never> => {
      asked();
      throw new Error('failed');
    };
    expect(await codeOf(calls.count(caller.account, now, failAsked, context))).toBe('failed');
    expect(await codeOf(calls.count(caller.account, now, abort(false), context))).toBe('failed');
    expect([caller.account.aiCallsUsed(now), counted]).toEqual([0, 0]);
    for (let call = 0; call < 5; call++)
      expect(await codeOf(calls.count(caller.account, now, abort(true), context))).toBe('failed');
    expect([caller.account.aiCallsUsed(now), (await store.usage())[0]!.aiCalls, counted]).toEqual([5, 5, 5]);
    expect(await codeOf(calls.count(caller.account, now, abort(true), context))).toBe('ai_calls_exhausted');
  });

  test('cannot exceed the limit concurrently, and failed ones free their reservation', async () => {
    const { calls, caller } = await start();
    let started = 0;
    const slow = async (): Promise<void> => {
      started++;
      await Bun.sleep(5);
    };
    const codes = await Promise.all(Array.from({ length: 50 }, () => codeOf(calls.count(caller.account, now, slow))));
    expect(codes.filter((code) => code === 'none')).toHaveLength(5);
    expect([started, caller.account.aiCallsUsed(now), (await store.usage())[0]!.aiCalls]).toEqual([5, 5, 5]);
    now += DAY_MS;
    const half = await Promise.all(
      Array.from({ length: 5 }, (_, index) => codeOf(calls.count(caller.account, now, index < 3 ? fail : answer))),
    );
    expect(half.filter((code) => code === 'none')).toHaveLength(2);
    expect(caller.account.aiCallsUsed(now)).toBe(2);
  });

  test('are stored before the response is sent: a crash after that loses none, a crash before counts none', async () => {
    const first = await start();
    await first.calls.count(first.caller.account, now, answer);
    await first.calls.count(first.caller.account, now, answer);
    void first.calls.count(first.caller.account, now, () => new Promise(() => {}));
    // No orderly shutdown.
    const second = await start();
    expect(second.caller.account.aiCallsUsed(now)).toBe(2);
    for (let call = 0; call < 3; call++) await second.calls.count(second.caller.account, now, answer);
    const third = await start();
    expect(await codeOf(third.calls.count(third.caller.account, now, answer))).toBe('ai_calls_exhausted');
  });

  test('are not overwritten by a concurrent save of request counts', async () => {
    const { calls, caller, keyring } = await start();
    for (let call = 0; call < 4; call++) {
      keyring.takeRequest(caller, now);
      await Promise.all([keyring.save(), calls.count(caller.account, now, answer), keyring.save()]);
    }
    await keyring.save();
    expect((await start()).caller.account.aiCallsUsed(now)).toBe(4);
  });

  test('of two processes on one store share one limit', async () => {
    const { calls, caller } = await start();
    const other = openSqliteAccessStore(folder);
    for (let call = 0; call < 4; call++) await other.access.takeAiCall(caller.account.id, NOON - DAY_MS / 2, 5);
    expect(await codeOf(calls.count(caller.account, now, answer))).toBe('none');
    expect(caller.account.aiCallsUsed(now)).toBe(5);
    expect(await codeOf(calls.count(caller.account, now, answer))).toBe('ai_calls_exhausted');
    other.close();
  });

  test('count for the day on which they end', async () => {
    const { calls, caller } = await start();
    now = NOON + DAY_MS / 2 - 10;
    await calls.count(caller.account, now, answer);
    await calls.count(caller.account, now, async () => {
      now += 20;
    });
    expect(caller.account.aiCallsUsed(now)).toBe(1);
    expect((await store.usage())[0]).toMatchObject({ aiDay: NOON + DAY_MS / 2, aiCalls: 1 });
  });

  test('a call fails if the store fails', async () => {
    const { caller } = await start();
    const takeAiCall = async (): Promise<never> => {
      throw new StoreError('the disk is full');
    };
    const calls = new AiCalls({ store: { takeAiCall }, now: () => now });
    expect(await codeOf(calls.count(caller.account, now, answer))).toBe('store_unavailable');
    expect(caller.account.aiCallsUsed(now)).toBe(0);
  });
});
