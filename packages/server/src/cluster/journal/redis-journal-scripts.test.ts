import { afterEach, describe, expect, test } from 'bun:test';
import { asEpochMs } from '@tickwire/engine';
import { redisForTests } from '../../../testing/external-services.fixture.ts';
import { RedisSandbox, waitUntil } from '../../../testing/redis-sandbox.fixture.ts';
import { APPEND_JOURNAL } from './redis-journal-scripts.ts';

const url = await redisForTests();

describe.skipIf(!url)('appending to the journal', () => {
  const sandbox = new RedisSandbox(url!);
  afterEach(() => sandbox.end());

  test('records the entries before a rejected one as the end of the journal, so the rest can be appended', async () => {
    const link = await sandbox.link();
    const lease = await sandbox.lease(link);
    const journal = await sandbox.writer(link, lease);
    journal.append([{ kind: 'clock', time: asEpochMs(1) }]);
    await waitUntil(() => journal.publishedSeq === journal.lastSeq);
    const last = journal.lastSeq;
    /** Appends entries of one event, each given as its `seq` and the `seq` before it. */
    const append = (...entries: readonly (readonly [seq: number, before: number])[]): Promise<unknown> =>
      link.run(
        APPEND_JOURNAL,
        [sandbox.keys.journal, sandbox.keys.journalEnd, sandbox.keys.lease],
        [
          ...[String(lease.token), String(lease.token), journal.epoch, link.serverId, '', '0'],
          ...entries.flatMap(([seq, before]) => [String(before), String(seq), '1', '0', 'bytes']),
        ],
      );
    expect(await append([last + 1, last], [last + 3, last + 2])).toEqual(['hole', String(last + 1)]);
    expect(await link.send(['HGET', sandbox.keys.journalEnd, 'last'])).toBe(String(last + 1));
    const all = [last + 1, last + 2, last + 3].map((seq) => [seq, seq - 1] as const);
    expect(await append(...all)).toEqual(['ok', String(last + 3)]);
    expect(await link.send(['XLEN', sandbox.keys.journal])).toBe(4);
  });
});
