// Streams of all channels on the gateways of a cluster, on real PostgreSQL and Redis: a client of `/ws` or `/sse` that loses its
// gateway resumes at another one, and the streams of an account are counted over all of them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { StreamPosition } from '@tickwire/contract';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { EventClient } from '../../testing/event-client.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { waitForServices } from '../cli/wait-for-services.ts';

const CHANNELS = ['market', 'signals', 'news'] as const;
const SYMBOLS = ['EURUSD', 'XAUUSD'];
/** None is like another, so that each becomes an item. */
const HEADLINES = [
  'Gold climbs as the dollar weakens',
  'Euro slips after minutes of the ECB',
  'Gold imports of India fall to a low of three years',
  'Euro gains as German factory orders beat every forecast',
  'Gold miners warn of rising costs in South Africa',
  'Euro steady while Italian bond yields retreat',
  'Gold demand of jewellers is at a record',
  'Euro weakens as inflation in Spain cools',
  'Gold reserves of the Polish central bank reach 500 tonnes',
  'Euro under pressure from a strike in France',
  'Gold to silver ratio is the widest since spring',
  'Euro falls as Lagarde sees risks to growth',
];

describe.skipIf(!canRunCluster)('the streams of a cluster', () => {
  let cluster: SmallCluster;
  let key: string;
  beforeAll(async () => {
    cluster = await SmallCluster.start({ feeds: 'push', spike_percent: '1000' }, 2);
    key = await newKey('Reader', 'premium', ['read', 'ingest']);
    await push();
    for (const gateway of cluster.gateways)
      await eventually('a quote', async () => (await ask(gateway.url, '/api/market/EURUSD/quote')).ok);
  });
  afterAll(() => cluster.end());

  async function newKey(name: string, tier: string, scopes: string[]): Promise<string> {
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, name, tier, true);
    const issued = await issueKey(by, { name, scopes: scopes as never, expiresAt: null, account });
    await waitForServices(access, 'the key');
    return issued.key;
  }

  const ask = (url: string, path: string): Promise<Response> => fetch(url + path, { headers: { 'X-API-Key': key } });
  const socketOf = (at: number, own = key): Promise<StreamClient> =>
    StreamClient.open(`${cluster.gateways[at]!.url.replace('http', 'ws')}/ws`, own);
  const eventsOf = (at: number, headers: Record<string, string> = {}, own = key): Promise<EventClient> =>
    EventClient.open(`${cluster.gateways[at]!.url}/sse?channels=${CHANNELS}&symbols=${SYMBOLS}`, {
      'X-API-Key': own,
      ...headers,
    });

  let made = 0;
  /** Ten quotes and a headline, through the first gateway. */
  async function push(): Promise<void> {
    const ticks = Array.from({ length: 10 }, (_, at) => {
      const bid = 1 + (++made % 1_000) / 10_000;
      return JSON.stringify({ symbol: SYMBOLS[at % 2], time: Date.now(), bid, ask: bid + 0.001 });
    });
    const title = HEADLINES[(made / 10) % HEADLINES.length];
    const headline = JSON.stringify({ id: `h${made}`, title });
    for (const [path, body] of [
      ['/ingest/ticks', ticks.join('\n')],
      ['/ingest/news', headline],
    ] as const) {
      const headers = { 'X-API-Key': key };
      const response = await fetch(cluster.gateways[0]!.url + path, { method: 'POST', body, headers });
      expect(response.status).toBe(200);
    }
  }
  const seqsOf = (messages: readonly Message[], channel: string): unknown[] =>
    messages.filter((each) => isData(each) && each.channel === channel).map(({ seq }) => seq);

  async function subscribe(stream: StreamClient, from?: ReadonlyMap<string, StreamPosition>) {
    const positions = new Map<string, StreamPosition>();
    for (const channel of CHANNELS) {
      const resume_from = from?.get(channel);
      const request = { action: 'subscribe', channel, symbols: channel === 'news' ? ['*'] : SYMBOLS, seq: true };
      const { epoch, seq } = await stream.ask({ ...request, ...(resume_from && { resume_from }) });
      positions.set(channel, resume_from ?? ({ epoch, seq } as StreamPosition));
    }
    return positions;
  }

  test('/ws resumes at another gateway, channel by channel, without holes or duplicates', async () => {
    const reference = await socketOf(0);
    await subscribe(reference);
    let stream = await socketOf(0);
    let positions = await subscribe(stream);
    const received: Message[] = [];
    for (let round = 1; round <= 4; round++) {
      await push();
      await eventually('some ticks', () => stream.messages.filter(isData).length > 4);
      stream.close();
      await stream.closed;
      received.push(...stream.messages);
      for (const { channel, epoch, seq } of stream.messages.filter(isData))
        if (Number(seq) > positions.get(String(channel))!.seq)
          positions.set(String(channel), { epoch, seq } as StreamPosition);
      await push();
      stream = await socketOf(round % 2);
      positions = await subscribe(stream, positions);
    }
    await push();
    await eventually('the news', () => seqsOf(reference.messages, 'news').length >= 8);
    const all = (): Message[] => [...received, ...stream.messages];
    for (const channel of CHANNELS) {
      await eventually(
        `all of ${channel}`,
        () => seqsOf(all(), channel).length >= seqsOf(reference.messages, channel).length,
      );
      expect([channel, seqsOf(all(), channel)]).toEqual([channel, seqsOf(reference.messages, channel)]);
    }
    expect(seqsOf(all(), 'news').length).toBeGreaterThanOrEqual(8);
    expect(all().filter(isEvent('gap'))).toEqual([]);
    for (const each of [reference, stream]) each.close();
  });

  test('/sse resumes at another gateway, without holes or duplicates', async () => {
    const reference = await eventsOf(1);
    let events = await eventsOf(0);
    await eventually('subscribed', () => [reference, events].every(({ notices }) => notices.length === 3));
    const received: Message[] = [];
    for (let round = 1; round <= 4; round++) {
      await push();
      await events.next(isData);
      events.close();
      await events.closed;
      received.push(...events.events.map(({ data }) => data));
      await push();
      events = await eventsOf(round % 2, { 'Last-Event-ID': events.lastId });
    }
    await push();
    const all = (): Message[] => [...received, ...events.events.map(({ data }) => data)];
    for (const channel of ['market', 'signals']) {
      await eventually(
        `all of ${channel}`,
        () => seqsOf(all(), channel).length >= seqsOf(reference.messages, channel).length,
      );
      expect([channel, seqsOf(all(), channel)]).toEqual([channel, seqsOf(reference.messages, channel)]);
    }
    expect(all().filter(isEvent('gap'))).toEqual([]);
    for (const each of [reference, events]) each.close();
  });

  test('the streams of a tier are counted over all gateways and both transports', async () => {
    const free = await newKey('Free', 'free', ['read']);
    const socket = await socketOf(0, free);
    await socket.ask({ action: 'ping' });
    const events = await eventsOf(1, {}, free);
    await events.next(isEvent('subscribed'));
    await expect(eventsOf(0, {}, free)).rejects.toThrow('stream_limit');
    const third = await socketOf(1, free);
    expect(await third.next(isEvent('error'))).toMatchObject({ code: 'stream_limit' });
    events.close();
    await eventually('a free slot', async () => {
      const next = await eventsOf(0, {}, free).catch(() => null);
      next?.close();
      return next !== null;
    });
    socket.close();
  });
});
