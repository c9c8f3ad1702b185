import { afterAll, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { StoreError } from '../errors/store-error.ts';
import { signHead, verifyHead } from './head.ts';
import { openLogKey } from './log-key.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TAIL = { n: 7, hash: 'ab'.repeat(32) };

test('creates the key once, readable only by its owner, and reads it again', () => {
  const file = join(folder, 'sim', 'log-key.pem');
  const made = openLogKey(file);
  expect(made.publicKey).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'sim'))).toEqual(['log-key.pem']);
  expect(readFileSync(file, 'utf8')).toStartWith('-----BEGIN PRIVATE KEY-----');
  expect(openLogKey(file).publicKey).toBe(made.publicKey);
  expect(signHead(openLogKey(file), 'a', TAIL, 0).signature).toBe(signHead(made, 'a', TAIL, 0).signature);
});

test('rejects a damaged key or one of another type by name, and leaves the file unchanged', () => {
  const file = join(folder, 'damaged.pem');
  openLogKey(file);
  truncateSync(file, 60);
  const left = readFileSync(file, 'utf8');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const other = join(folder, 'other.pem');
  writeFileSync(other, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  const empty = join(folder, 'empty.pem');
  writeFileSync(empty, '');
  for (const path of [file, other, empty]) {
    expect(() => openLogKey(path)).toThrow(StoreError);
    expect(() => openLogKey(path)).toThrow(`${path} is not the key of a signal log`);
  }
  expect(() => openLogKey(join(empty, 'inside.pem'))).toThrow(StoreError);
  expect(readFileSync(file, 'utf8')).toBe(left);
});

test('verifies a head, and rejects it once any field is changed', () => {
  const head = signHead(openLogKey(join(folder, 'a.pem')), 'log-1', TAIL, Date.UTC(2026, 2, 2));
  expect(head.at).toBe('2026-03-02T00:00:00.000Z');
  expect(verifyHead(head)).toBe(true);
  const other = openLogKey(join(folder, 'b.pem')).publicKey;
  const flipped = head.signature.replace(/^./, (first) => (first === '0' ? '1' : '0'));
  const changes = [
    { log: 'log-2' },
    { n: 8 },
    { hash: 'ac'.repeat(32) },
    { at: '2026-03-02T00:00:00.001Z' },
    { public_key: other },
    { public_key: 'ff'.repeat(32) },
    { public_key: '' },
    { signature: flipped },
    { signature: 'x' },
  ];
  for (const change of changes) expect([change, verifyHead({ ...head, ...change })]).toEqual([change, false]);
});
