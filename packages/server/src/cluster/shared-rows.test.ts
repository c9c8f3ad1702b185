import { afterEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
import { CutLink } from '../../testing/cut-link.fixture.ts';
import { redisForTests } from '../../testing/external-services.fixture.ts';
import { RedisSandbox } from '../../testing/redis-sandbox.fixture.ts';
import { RowAllowance } from '../access/row-allowance.ts';
import { SharedRows } from './shared-rows.ts';

const NOON = Date.UTC(2026, 10, 16, 12);

describe('rows of one process', () => {
  test('are taken as a whole, given back, and start again with the day', async () => {
    const allowance = new RowAllowance();
    const first = await allowance.take('a', 100, 70, NOON);
    expect(first).toMatchObject({ granted: true, limit: 100, remaining: 30, resetSeconds: 43_200 });
    expect(await allowance.take('a', 100, 31, NOON)).toMatchObject({ granted: false, remaining: 30 });
    expect(await allowance.take('b', 100, 100, NOON)).toMatchObject({ granted: true, remaining: 0 });
    await first.giveBack(50);
    expect(await allowance.take('a', 100, 80, NOON)).toMatchObject({ granted: true, remaining: 0 });
    expect(await allowance.take('a', 100, 100, NOON + DAY_MS / 2)).toMatchObject({ granted: true, remaining: 0 });
    // A download of the day before ends: it does not count on this one.
    await first.giveBack(20);
    expect(await allowance.take('a', 100, 1, NOON + DAY_MS / 2)).toMatchObject({ granted: false });
  });
});

const url = await redisForTests();

describe.skipIf(!url)('rows across all gateways', () => {
  let sandbox = new RedisSandbox(url!);
  afterEach(async () => {
    await sandbox.end();
    sandbox = new RedisSandbox(url!);
  });

  async function gateway() {
    const link = new CutLink(await sandbox.link());
    return { link, allowance: new RowAllowance(new SharedRows({ link, keys: sandbox.keys, gateways: () => 2 })) };
  }

  test('are counted together, and given back at any of them', async () => {
    const [one, two] = [await gateway(), await gateway()];
    const taken = await one.allowance.take('a', 1_000, 600, NOON);
    expect(taken).toMatchObject({ granted: true, remaining: 400 });
    expect(await two.allowance.take('a', 1_000, 401, NOON)).toMatchObject({ granted: false, remaining: 400 });
    await taken.giveBack(1);
    expect(await two.allowance.take('a', 1_000, 401, NOON)).toMatchObject({ granted: true, remaining: 0 });
    expect(await two.allowance.take('a', 1_000, 1_000, NOON + DAY_MS)).toMatchObject({ granted: true });
  });

  test('are never granted beyond the limit in a race', async () => {
    const both = [await gateway(), await gateway()];
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => both[index % 2]!.allowance.take('a', 1_000, 70, NOON)),
    );
    expect(results.filter(({ granted }) => granted)).toHaveLength(14);
  });

  test('are granted up to the share of each gateway while Redis cannot be reached', async () => {
    const { link, allowance } = await gateway();
    link.cut = 'away';
    expect(await allowance.take('a', 1_000, 501, NOON)).toMatchObject({ granted: false, remaining: 500 });
    expect(await allowance.take('a', 1_000, 500, NOON)).toMatchObject({ granted: true, remaining: 0 });
    expect(await allowance.take('a', 1_000, 1, NOON)).toMatchObject({ granted: false });
  });
});
