import { afterAll, describe, expect, test } from 'bun:test';
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LogHead } from '@tickwire/contract';
import { HOUR_MS } from '@tickwire/engine';
import { eventually } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { createLog } from '../ops/log.ts';
import { signHead } from './head.ts';
import { fileDestination, telegramDestination, webhookDestination } from './head-destinations.ts';
import { HeadWriter, type HeadWriterOptions } from './head-writer.ts';
import { openLogKey } from './log-key.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const key = openLogKey(join(folder, 'key.pem'));
const headAt = (n: number, at = Date.now()): LogHead =>
  signHead(key, 'log', { n, hash: n.toString(16).padStart(64, '0') }, at);

const logged: string[] = [];
const log = createLog({ level: 'info', plain: false, write: (line) => logged.push(line) });
const writer = (options: Partial<HeadWriterOptions>): HeadWriter =>
  new HeadWriter({ head: () => null, destinations: [], everyMs: HOUR_MS, log, ...options });
const numbersIn = (file: string): number[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as LogHead).n);

test('appends each head to the file once, also across a restart, and once more at shutdown', async () => {
  const file = join(folder, 'heads.jsonl');
  let n = 1;
  const first = writer({ destinations: [fileDestination(file)], head: () => headAt(n) });
  await first.write();
  await first.write();
  n = 2;
  await first.stop();
  expect(numbersIn(file)).toEqual([1, 2]);
  const second = writer({ destinations: [fileDestination(file)], head: () => headAt(n) });
  await second.write();
  expect(numbersIn(file)).toEqual([1, 2]);
  n = 3;
  await second.stop();
  expect(numbersIn(file)).toEqual([1, 2, 3]);
});

test('keeps a line that a crash cut off as a line of its own', async () => {
  const file = join(folder, 'cut.jsonl');
  appendFileSync(file, '{"log":"lo');
  await writer({ destinations: [fileDestination(file)], head: () => headAt(4) }).write();
  expect(readFileSync(file, 'utf8')).toMatch(/^\{"log":"lo\n\{.*"n":4.*\}\n$/);
});

test('writes no head for an empty log', async () => {
  const file = join(folder, 'none.jsonl');
  await writer({ destinations: [fileDestination(file)] }).stop();
  expect(await Bun.file(file).exists()).toBe(false);
});

test('posts heads on schedule, logs a failing URL once per outage and retries it', async () => {
  const got: LogHead[] = [];
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const head = (await request.json()) as LogHead;
      // Counted by requests, not by time: a head may be in flight when the URL recovers.
      if (head.n === 10) return new Response(null, { status: 500 });
      got.push(head);
      return new Response();
    },
  });
  let n = 10;
  logged.length = 0;
  const posting = writer({
    destinations: [webhookDestination(`${server.url}heads`)],
    everyMs: 10,
    head: () => headAt(n),
  });
  posting.start();
  await eventually('the failure is logged', () => logged.length > 0);
  await Bun.sleep(50);
  expect(logged.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['error']);
  expect(logged[0]).toContain('it responded with status 500');
  n = 11;
  await eventually('a head arrives', () => got.length > 0);
  await Bun.sleep(50);
  expect(got.map((head) => head.n)).toEqual([11]);
  expect(logged.some((line) => line.includes('heads are delivered again'))).toBe(true);
  n = 12;
  await posting.stop();
  expect(got.map((head) => head.n)).toEqual([11, 12]);
  await server.stop(true);
});

test('posts the head even if the file cannot be written', async () => {
  const file = join(folder, 'a-folder');
  mkdirSync(file);
  let posts = 0;
  const server = Bun.serve({ port: 0, fetch: () => new Response(String(++posts)) });
  logged.length = 0;
  const destinations = [fileDestination(file), webhookDestination(String(server.url))];
  await writer({ destinations, head: () => headAt(1) }).stop();
  expect([posts, logged.length]).toEqual([1, 1]);
  expect(logged[0]).toContain('EISDIR');
  await server.stop(true);
});

test('retries a failed head without waiting for the next one, and a destination that hangs delays no other', async () => {
  let attempts = 0;
  const delivered: number[] = [];
  const never = new Promise<void>(() => {});
  const destinations = [
    { name: 'hangs', deliver: () => never },
    {
      name: 'recovers',
      deliver: async ({ n }: LogHead) => {
        if (++attempts < 4) throw new Error('out of order');
        delivered.push(n);
      },
    },
  ];
  logged.length = 0;
  const retrying = writer({ destinations, retryMs: 2, head: () => headAt(5) });
  void retrying.write();
  await eventually('the head is delivered', () => delivered.length > 0);
  expect([delivered, attempts]).toEqual([[5], 4]);
  expect(logged.filter((line) => line.includes('could not deliver a head'))).toHaveLength(1);
  const [hangs, recovers] = retrying.deliveries;
  expect([hangs!.delivered, hangs!.failures, recovers!.delivered, recovers!.failures]).toEqual([0, 0, 1, 3]);
});

describe('a Telegram chat', () => {
  const token = '123456:ABC-DEF1234ghIkl-zyx57W2v1u';
  const chat = '@heads';

  test('gets number, hash and time in a plain message', async () => {
    const got: [string, unknown][] = [];
    const server = Bun.serve({
      port: 0,
      fetch: async (request) => {
        got.push([new URL(request.url).pathname, await request.json()]);
        return Response.json({ ok: true, result: {} });
      },
    });
    const head = headAt(7);
    await telegramDestination({ token, chat }, String(server.url)).deliver(head);
    await server.stop(true);
    const text = `Tickwire signal log log\nrecord 7\nhash ${head.hash}\nat ${head.at}`;
    expect(got).toEqual([[`/bot${token}/sendMessage`, { chat_id: chat, text }]]);
  });

  test('fails without naming the token, and follows no redirect', async () => {
    let redirected = 0;
    const server = Bun.serve({
      port: 0,
      fetch(request) {
        if (new URL(request.url).pathname === '/elsewhere') redirected++;
        return Response.redirect('/elsewhere', 307);
      },
    });
    const messageOf = (base: string): Promise<string> =>
      telegramDestination({ token, chat }, base)
        .deliver(headAt(7))
        .then(String, (error: Error) => error.message);
    expect(await messageOf(String(server.url))).toBe('it responded with status 307');
    await server.stop(true);
    expect(redirected).toBe(0);
    const refused = await messageOf('http://127.0.0.1:9');
    expect([refused.includes(token), refused.length > 0]).toEqual([false, true]);
  });
});
