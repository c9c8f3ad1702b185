// Generates openapi.json and asyncapi.json and validates them with the tools that our users have: Redocly CLI, Spectral, the
// AsyncAPI parser, and the regular expression engines of Python and RE2. Exits with 1 if a tool reports an error.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncApiDocument, openApiDocument } from '@tickwire/contract';
import { patterns } from '../../packages/contract/testing/document.ts';

const HERE = import.meta.dir;
if (!existsSync(join(HERE, 'node_modules'))) {
  console.error('Install the validators first: npm ci --prefix tools/api-lint --ignore-scripts');
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'tickwire-api-lint-'));
const documents = { 'openapi.json': openApiDocument(), 'asyncapi.json': asyncApiDocument() };
const failed: string[] = [];

/** Runs a command without network access of its own accord: telemetry and update checks are off. */
async function run(name: string, command: readonly string[], input = ''): Promise<void> {
  console.log(`\n== ${name}`);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  const child = Bun.spawn([...command], {
    cwd: HERE,
    env,
    stdin: new Blob([input]),
    stdout: 'inherit',
    stderr: 'inherit',
  });
  if ((await child.exited) !== 0) failed.push(name);
}

const tool = (name: string) => join(HERE, 'node_modules/.bin', name);
const at = (name: keyof typeof documents) => join(folder, name);

try {
  for (const [name, document] of Object.entries(documents)) {
    const text = JSON.stringify(document, null, 2);
    writeFileSync(join(folder, name), text);
    console.log(`${name}: ${(JSON.stringify(document).length / 1000).toFixed(0)} kB`);
  }
  const both = [at('openapi.json'), at('asyncapi.json')];
  await run('Redocly CLI', [tool('redocly'), 'lint', ...both, '--config', 'redocly.yaml', '--format', 'stylish']);
  await run('Spectral', [
    tool('spectral'),
    'lint',
    '--quiet',
    '--fail-severity',
    'warn',
    '--ruleset',
    'spectral.yaml',
    ...both,
  ]);
  await run('AsyncAPI parser', ['node', 'parse-asyncapi.mjs', at('asyncapi.json')]);
  const used = JSON.stringify([...new Set(Object.values(documents).flatMap(patterns))]);
  await run(
    'Patterns in Python',
    ['python3', '-c', 'import json, re, sys\nfor p in json.load(sys.stdin): re.compile(p)'],
    used,
  );
  await run('Patterns in RE2', ['node', 'compile-patterns.mjs'], used);
} finally {
  rmSync(folder, { recursive: true });
}

if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`);
  process.exit(1);
}
console.log('\nThe documents are valid.');
