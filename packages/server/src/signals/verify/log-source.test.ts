import { expect, test } from 'bun:test';
import type { SignalStore, StoredRecord } from '../../store/signal-store.ts';
import { type LogSource, localLog, remoteLog } from './log-source.ts';
import type { RemoteService } from './remote-service.ts';

/** A log that gets another record with each query. */
function growingLog(length: number) {
  const records: StoredRecord[] = [];
  const grow = (): void => void records.push({ n: records.length, hash: `${records.length}`, text: '{}' });
  while (records.length < length) grow();
  return (after: number, limit: number): StoredRecord[] => {
    grow();
    return records.slice(after + 1, after + 1 + limit);
  };
}
async function lengthOf(source: LogSource): Promise<number> {
  let count = 0;
  for await (const page of source.pages()) {
    count += page.length;
    expect(count).toBeLessThan(3_000);
  }
  return count;
}

test('the log of a store ends although a record is written before every query', async () => {
  const log = growingLog(2_500);
  const store = {
    tail: async () => log(-1, 5_000).at(-1),
    log: async (after: number, limit: number) => log(after, limit),
  };
  expect(await lengthOf(await localLog(store as unknown as SignalStore))).toBe(2_504);
});

test('the log of a service ends although a record is written before every query', async () => {
  const log = growingLog(2_500);
  const head = { log: 'l', n: 2_499, hash: 'a'.repeat(64), at: '2026-03-02T00:00:00.000Z' };
  const service = {
    url: 'a service',
    async json(path: string) {
      if (path === '/api/signals/head') return { ...head, public_key: 'a'.repeat(64), signature: 'a'.repeat(128) };
      const after = /log\?after=(-?\d+)/.exec(path);
      // It returns shorter pages than were asked for.
      return after && { items: log(Number(after[1]), 900).map(({ n, hash }) => ({ hash, record: { n } })) };
    },
  };
  expect(await lengthOf(await remoteLog(service as unknown as RemoteService))).toBe(2_503);
});
