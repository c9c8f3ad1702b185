// The compiler accepts every example in TypeScript, with the types of the client.
import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENDPOINTS, type EndpointName } from '@tickwire/contract';
import { LIVE_METHODS } from '@tickwire/contract/client-calls.ts';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { callSample, languagesOf, streamSample } from './client-samples.ts';

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));
const ORIGIN = { http: 'http://localhost:8080', ws: 'ws://localhost:8080', cookie: 'tickwire' };
const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS = {
  target: 'ES2024',
  lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  module: 'Preserve',
  moduleResolution: 'bundler',
  moduleDetection: 'force',
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: ['bun'],
};

/** Errors of the compiler, without those of other files. */
async function errorsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, include: ['*.ts'] }));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const child = Bun.spawn(['node', compiler, '-p', folder], { cwd: folder, stdout: 'pipe' });
  const text = await new Response(child.stdout).text();
  await child.exited;
  return text.split('\n').filter((line) => /^[\w-]+\.ts\(/.test(line));
}

test('every example in TypeScript compiles, and a wrong method does not', async () => {
  mkdirSync(join(folder, 'node_modules/@tickwire'), { recursive: true });
  for (const name of ['@tickwire/client', '@tickwire/contract', '@types', 'zod', 'bun-types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  const names = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => languagesOf(name).length > 1);
  const files = {
    ...Object.fromEntries(names.map((name) => [`${name}.ts`, callSample('typescript', name, ORIGIN)])),
    ...Object.fromEntries(
      Object.keys(LIVE_METHODS).map((channel) => [`stream-${channel}.ts`, streamSample('typescript', channel, ORIGIN)]),
    ),
    'wrong.ts': callSample('typescript', 'quote', ORIGIN).replace('client.quote(', 'client.quotation('),
  };
  expect(await errorsOf(files)).toEqual([expect.stringMatching(/^wrong\.ts\(.*'quotation' does not exist/)]);
});
