// The disk is full when the service stops. The ticks that it accepted and cannot store are counted in the log, the exit status is
// not 0, and the next start declares a gap in the signal log.
import { afterAll, expect, test } from 'bun:test';
import { appendFileSync, rmSync, statfsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { LogPage } from '@tickwire/contract';
import { eventually, killLeftovers, ServiceProcess } from '../process.fixture.ts';
import { makeKey, temporaryFolder } from '../service.fixture.ts';
import { reportSkipped } from '../skipped.fixture.ts';

const disk = temporaryFolder();
const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', disk]).success;
if (!mounted) reportSkipped('a stop with a full disk', 'no file system can be mounted here');

afterAll(async () => {
  await killLeftovers();
  if (mounted) Bun.spawnSync(['umount', disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** Fills the file system to the last page. */
function fillUp(): string {
  const ballast = join(disk, 'ballast');
  const { bsize } = statfsSync(disk);
  for (const bytes of [256 * 1024, bsize]) {
    try {
      for (;;) appendFileSync(ballast, Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  return ballast;
}

test.skipIf(!mounted)(
  'ticks that cannot be stored at the stop are counted, and declared by the next start',
  async () => {
    const data = join(disk, 'data');
    const settings = { data, feeds: 'push', news: 'none', calendar: 'none', house: 'none', spike_percent: '1000' };
    const service = await ServiceProcess.start(settings);
    const { key } = await makeKey(data, 'premium', ['read', 'ingest']);
    const push = async (count: number): Promise<void> => {
      const lines = Array.from({ length: count }, (_, at) => {
        const bid = (1.1 + at / 100_000).toFixed(5);
        return JSON.stringify({ symbol: 'EURUSD', time: new Date().toISOString(), bid: Number(bid), ask: 1.2 });
      });
      const headers = { 'X-API-Key': key, 'Content-Type': 'application/x-ndjson' };
      const signal = AbortSignal.timeout(10_000);
      const request = { method: 'POST', body: lines.join('\n'), headers, signal };
      const response = await fetch(`${service.url}/ingest/ticks`, request);
      const body = await response.text();
      expect([response.status, body]).toEqual([200, expect.stringContaining(`"accepted":${count},"rejected":[]`)]);
    };
    const isKnown = async (): Promise<boolean> => (await service.get('/api/symbols', key)).status === 200;
    await eventually('the service has loaded the key', isKnown);
    await push(1);
    await Bun.sleep(1_000);
    const ballast = fillUp();
    // More than fits into the pages that the store has already.
    for (let pushed = 0; pushed < 10; pushed++) await push(2_000);
    const { status } = await service.stop();
    expect(status).toBe(1);
    const [, lost] = /(\d+) ticks could not be stored/.exec(service.err) ?? [];
    expect(Number(lost)).toBeGreaterThan(0);
    unlinkSync(ballast);
    const next = await ServiceProcess.start(settings);
    const log = (await (await next.get('/api/signals/log', key)).json()) as LogPage;
    const gaps = log.items.flatMap(({ record }) => (record.type === 'feed' && record.event === 'gap' ? [record] : []));
    expect(gaps.map(({ symbol }) => symbol)).toContain('EURUSD');
    expect((await next.stop()).status).toBe(0);
    const third = await ServiceProcess.start(settings);
    const after = (await (await third.get('/api/signals/log', key)).json()) as LogPage;
    expect(after.items.filter(({ record }) => record.type === 'feed')).toHaveLength(gaps.length);
    expect((await third.stop()).status).toBe(0);
  },
);
