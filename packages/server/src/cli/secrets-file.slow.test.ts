import { afterAll, afterEach, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { draftName } from '../ops/durable-file.ts';
import { writeSecretsFile } from './secrets-file.ts';

const folder = temporaryFolder();
const file = join(folder, 'secrets.txt');
afterEach(() => rmSync(file, { force: true }));
afterAll(async () => {
  await killLeftovers();
  rmSync(folder, { recursive: true, force: true });
});

/** Without comments. */
const lines = (): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line));

test('is written although a crash has left a draft', () => {
  writeFileSync(draftName(file), 'half');
  writeSecretsFile(file, { setupUrl: 'https://x/setup?token=1', demoKey: null });
  expect(lines()).toEqual(['SETUP_URL=https://x/setup?token=1']);
});

test('is readable only by its owner, also if it existed before', () => {
  writeFileSync(file, 'something else', { mode: 0o644 });
  writeSecretsFile(file, { setupUrl: 'http://a/setup?token=1', demoKey: 'tw_1' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(lines()).toEqual(['SETUP_URL=http://a/setup?token=1', 'DEMO_KEY=tw_1']);
  expect(readFileSync(file, 'utf8')).toMatch(/^# The demo key ends after 7 days.*keys create/m);
});

test('a later start replaces the link and keeps the key; with an owner the link disappears', () => {
  writeSecretsFile(file, { setupUrl: 'http://a/setup?token=1', demoKey: 'tw_1' });
  writeSecretsFile(file, { setupUrl: 'http://a/setup?token=2', demoKey: null });
  expect(lines()).toEqual(['SETUP_URL=http://a/setup?token=2', 'DEMO_KEY=tw_1']);
  writeSecretsFile(file, { setupUrl: null, demoKey: null });
  expect(lines()).toEqual(['DEMO_KEY=tw_1']);
});

test('is not created, and is deleted, if there is nothing to write', () => {
  writeSecretsFile(file, { setupUrl: null, demoKey: null });
  expect(existsSync(file)).toBe(false);
  writeSecretsFile(file, { setupUrl: 'http://a/setup?token=1', demoKey: null });
  writeSecretsFile(file, { setupUrl: null, demoKey: null });
  expect(existsSync(file)).toBe(false);
});

test('a service with a secrets file prints neither the link nor the key', async () => {
  const service = await ServiceProcess.start({ data: join(folder, 'data'), news: 'none', secrets_file: file });
  const [link, key] = lines().map((line) => line.slice(line.indexOf('=') + 1)) as [string, string];
  expect(link).toStartWith(`${service.url}/setup?token=`);
  expect((await service.get('/api/session', key)).status).toBe(200);
  await service.stop();
  expect(service.out).toContain(`The secrets of the first start are in ${file}`);
  for (const text of [service.out, service.err])
    expect([text.includes(key), text.includes(link.split('=')[1]!)]).toEqual([false, false]);
});
