import { afterAll, expect, test } from 'bun:test';
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LogHead } from '@tickwire/contract';
import { createLog } from '../ops/log.ts';
import { eventually } from '../testing/process.fixture.ts';
import { temporaryFolder } from '../testing/service.fixture.ts';
import { signHead } from './head.ts';
import { HeadWriter, type HeadWriterOptions } from './head-writer.ts';
import { openLogKey } from './log-key.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const key = openLogKey(join(folder, 'key.pem'));
const headAt = (n: number, at = Date.now()): LogHead =>
  signHead(key, 'log', { n, hash: n.toString(16).padStart(64, '0') }, at);

const said: string[] = [];
const log = createLog({ level: 'info', plain: false, write: (line) => said.push(line) });
const writer = (options: Partial<HeadWriterOptions>): HeadWriter =>
  new HeadWriter({ head: () => null, file: null, webhook: null, everyMs: 3_600_000, log, ...options });
const numbersIn = (file: string): number[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as LogHead).n);

test('heads are appended to the file, each once, also over a restart, and once more at the stop', async () => {
  const file = join(folder, 'heads.jsonl');
  let n = 1;
  const first = writer({ file, head: () => headAt(n) });
  await first.write();
  await first.write();
  n = 2;
  await first.stop();
  expect(numbersIn(file)).toEqual([1, 2]);
  const second = writer({ file, head: () => headAt(n) });
  await second.write();
  expect(numbersIn(file)).toEqual([1, 2]);
  n = 3;
  await second.stop();
  expect(numbersIn(file)).toEqual([1, 2, 3]);
});

test('a line that a crash cut off stays a line of its own', async () => {
  const file = join(folder, 'cut.jsonl');
  appendFileSync(file, '{"log":"lo');
  await writer({ file, head: () => headAt(4) }).write();
  expect(readFileSync(file, 'utf8')).toMatch(/^\{"log":"lo\n\{.*"n":4.*\}\n$/);
});

test('an empty log has no head to write', async () => {
  const file = join(folder, 'none.jsonl');
  await writer({ file }).stop();
  expect(await Bun.file(file).exists()).toBe(false);
});

test('the schedule posts heads; an address that fails is told once a bout and tried again', async () => {
  const got: LogHead[] = [];
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const head = (await request.json()) as LogHead;
      // By what it is sent, not by the time: a head may be on its way when the address recovers.
      if (head.n === 10) return new Response(null, { status: 500 });
      got.push(head);
      return new Response();
    },
  });
  let n = 10;
  said.length = 0;
  const posting = writer({ webhook: `${server.url}heads`, everyMs: 10, head: () => headAt(n) });
  posting.start();
  await eventually('the failure is told', () => said.length > 0);
  await Bun.sleep(50);
  expect(said.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['error']);
  expect(said[0]).toContain('it answers 500');
  n = 11;
  await eventually('a head arrives', () => got.length > 0);
  await Bun.sleep(50);
  expect(got.map((head) => head.n)).toEqual([11]);
  expect(said.some((line) => line.includes('heads are kept again'))).toBe(true);
  n = 12;
  await posting.stop();
  expect(got.map((head) => head.n)).toEqual([11, 12]);
  await server.stop(true);
});

test('a file that cannot be written does not keep the head from the address', async () => {
  const file = join(folder, 'a-folder');
  mkdirSync(file);
  let posts = 0;
  const server = Bun.serve({ port: 0, fetch: () => new Response(String(++posts)) });
  said.length = 0;
  await writer({ file, webhook: String(server.url), head: () => headAt(1) }).stop();
  expect([posts, said.length]).toEqual([1, 1]);
  expect(said[0]).toContain('EISDIR');
  await server.stop(true);
});
