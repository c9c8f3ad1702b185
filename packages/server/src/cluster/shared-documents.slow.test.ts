import { afterEach, describe, expect, test } from 'bun:test';
import { CutLink } from '../../testing/cut-link.fixture.ts';
import { redisForTests } from '../../testing/external-services.fixture.ts';
import { RedisSandbox } from '../../testing/redis-sandbox.fixture.ts';
import { keptDocumentsContract } from '../../testing/work/kept-documents.suite.ts';
import { StoreError } from '../errors/store-error.ts';
import { SharedDocuments } from './shared-documents.ts';

const url = await redisForTests();

describe.skipIf(!url)('documents of all gateways', () => {
  let sandbox = new RedisSandbox(url!);
  afterEach(async () => {
    await sandbox.end();
    sandbox = new RedisSandbox(url!);
  });

  const gateway = async (keptMs: number) => new SharedDocuments(await sandbox.link(), sandbox.keys, keptMs);
  keptDocumentsContract(async (keptMs) => [await gateway(keptMs), await gateway(keptMs)], Bun.sleep);

  test('are unavailable without Redis', async () => {
    const link = new CutLink(await sandbox.link());
    const documents = new SharedDocuments(link, sandbox.keys, 60_000);
    link.cut = 'away';
    await expect(documents.read('ann', 'a')).rejects.toBeInstanceOf(StoreError);
  });
});
