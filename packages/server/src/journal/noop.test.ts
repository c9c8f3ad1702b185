// A noop event takes a seq, and no reader of the journal acts on it.
import { expect, test } from 'bun:test';
import { newsEvent } from '../../testing/news.fixture.ts';
import { startService } from '../../testing/service.fixture.ts';
import { signalEvent } from '../../testing/signals.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';
import { createLog } from '../ops/log.ts';
import { NOOP } from './journal.ts';

test('no reader acts on a noop, and the events around it keep their seq', async () => {
  const errors: string[] = [];
  const log = createLog({ level: 'error', plain: true, write: (line) => errors.push(line) });
  const service = await startService({ feeds: 'push' }, log);
  const { journal } = service.app;
  const { key } = await service.key();
  const subscribe = async (channel: string, request = {}): Promise<StreamClient> => {
    const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, key);
    stream.send({ action: 'subscribe', seq: true, ...request });
    await stream.next();
    return stream;
  };
  const [market, flow, signals, news] = await Promise.all([
    subscribe('market', { symbols: ['EURUSD'] }),
    subscribe('orderflow', { symbols: ['EURUSD'] }),
    subscribe('signals'),
    subscribe('news'),
  ]);

  const before = journal.lastSeq;
  const signal = signalEvent('sig_1');
  journal.append([NOOP, newsEvent('a'), NOOP, signal]);
  expect(journal.lastSeq).toBe(before + 4);
  expect(await news!.next()).toMatchObject({ id: 'a', seq: before + 2 });
  expect(await signals!.next()).toMatchObject({ id: 'sig_1', seq: signal.n });
  for (const stream of [market!, flow!]) expect(stream.messages).toHaveLength(1);
  await service.stop();
  expect(errors).toEqual([]);
});
