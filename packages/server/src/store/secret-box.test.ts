import { afterAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { StoreError } from '../errors/store-error.ts';
import { SecretBox } from './secret-box.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('opens what it sealed, also after a restart, and only in its context', () => {
  const file = join(folder, 'deep', 'a.key');
  const sealed = new SecretBox(file).seal('secret', '1');
  expect(sealed).not.toContain('secret');
  expect(new SecretBox(file).seal('secret', '1')).not.toBe(sealed);
  expect(new SecretBox(file).open(sealed, '1')).toBe('secret');
  expect(() => new SecretBox(file).open(sealed, '2')).toThrow(StoreError);
});

test('rejects another key, a damaged key and a missing key, and says what to do', () => {
  const sealed = new SecretBox(join(folder, 'b.key')).seal('secret', '1');
  const other = join(folder, 'c.key');
  new SecretBox(other).seal('x', '1');
  expect(() => new SecretBox(other).open(sealed, '1')).toThrow('reset-two-factor');
  writeFileSync(join(folder, 'd.key'), 'short');
  expect(() => new SecretBox(join(folder, 'd.key')).open(sealed, '1')).toThrow(StoreError);
  expect(() => new SecretBox(join(folder, 'none.key')).open(sealed, '1')).toThrow(StoreError);
  expect(() => new SecretBox(null).open(sealed, '1')).toThrow('two_factor_key');
});

test('without a key stores the text as it is, and reads it later with one', () => {
  const stored = new SecretBox(null).seal('secret', '1');
  expect(stored).toBe('plain:secret');
  expect(new SecretBox(join(folder, 'e.key')).open(stored, '1')).toBe('secret');
});
