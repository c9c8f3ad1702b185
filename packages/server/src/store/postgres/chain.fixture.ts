// Records that really follow each other, for tests of who may append.
import { createHash } from 'node:crypto';
import type { StoredRecord } from '../signal-store.ts';

export const NO_HASH = '0'.repeat(64);

export function chained(body: Readonly<Record<string, unknown>>, n: number, prev: string): StoredRecord {
  const text = JSON.stringify({ ...body, n, prev });
  return { n, hash: createHash('sha256').update(text).digest('hex'), text };
}
