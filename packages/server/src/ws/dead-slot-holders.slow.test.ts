// Slots held by dead connections go to new connections of the same account, and never more than the tier allows.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { metric } from '../../testing/metric.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { type RawSocket, rawStream } from '../../testing/raw-socket.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';

const STREAMS = 3;
const folder = temporaryFolder();
let service: RunningService;
let most = 0;
let watching = true;
let watch: Promise<void>;

const held = (): Promise<number> => metric(service, 'tickwire_ws_clients');
const holding = (count: number): Promise<void> =>
  eventually(`${count} slots are held`, async () => (await held()) === count);

beforeAll(async () => {
  const crew = { requests_per_minute: 60, streams: STREAMS, ai_calls_per_day: 1 };
  writeFileSync(join(folder, 'tickwire.json'), JSON.stringify({ tiers: { crew } }));
  service = await startService({ data: folder, sim_rate: '500', metrics_port: '0', messages_per_second: '40' });
  watch = (async () => {
    for (; watching; await Bun.sleep(20)) most = Math.max(most, await held());
  })();
});
afterAll(async () => {
  watching = false;
  await watch;
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** An account whose slots are held by connections that answer nothing. */
async function accountWithDead(count: number): Promise<{ key: string; dead: RawSocket[] }> {
  const { key } = await service.key('crew');
  const dead = await Promise.all(Array.from({ length: count }, () => rawStream(service.url, '/ws/market', key)));
  await holding(count);
  return { key, dead };
}

const open = (count: number, key: string): Promise<StreamClient[]> =>
  Promise.all(Array.from({ length: count }, () => StreamClient.open(`${service.wsUrl}/ws/market`, key)));

/** The answer to a subscription, or the error that closed the connection. */
async function outcome(stream: StreamClient): Promise<Message> {
  stream.send({ action: 'subscribe', symbols: ['*'] });
  return stream.next((message) => message.event === 'subscribed' || message.event === 'error');
}

async function closeAll(streams: readonly StreamClient[]): Promise<void> {
  for (const stream of streams) stream.close();
  await holding(0);
  expect(most).toBe(STREAMS);
}

test('three new connections take the slots of three dead ones', async () => {
  const { key, dead } = await accountWithDead(STREAMS);
  const streams = await open(STREAMS, key);
  const answers = await Promise.all(streams.map(outcome));
  expect(answers.map(({ event }) => event)).toEqual(Array(STREAMS).fill('subscribed'));
  for (const stream of streams) await stream.take(20, isData);
  for (const socket of dead) expect(await socket.until(({ isClosed }) => isClosed)).toBe(true);
  await closeAll(streams);
});

test('a stall of the service during the ping does not make dead holders look alive', async () => {
  const { key, dead } = await accountWithDead(STREAMS);
  const [stream] = await open(1, key);
  const answer = outcome(stream!);
  await Bun.sleep(200);
  // As on an overloaded machine.
  Bun.sleepSync(2_000);
  expect((await answer).event).toBe('subscribed');
  for (const socket of dead) socket.destroy();
  await closeAll([stream!]);
});

test('of five new connections three get a slot, and two get stream_limit', async () => {
  const { key } = await accountWithDead(STREAMS);
  const streams = await open(STREAMS + 2, key);
  const answers = await Promise.all(streams.map(outcome));
  const refused = answers.filter(isEvent('error'));
  expect(refused.map(({ code, fatal }) => [code, fatal])).toEqual(Array(2).fill(['stream_limit', true]));
  expect(answers.filter(isEvent('subscribed'))).toHaveLength(STREAMS);
  await closeAll(streams);
});

test('a connection that closes while it waits takes no slot', async () => {
  const { key } = await accountWithDead(STREAMS);
  const impatient = await Promise.all(Array.from({ length: STREAMS }, () => rawStream(service.url, '/ws/market', key)));
  for (const socket of impatient) socket.destroy();
  await holding(0);
  const streams = await open(STREAMS, key);
  expect((await Promise.all(streams.map(outcome))).every(isEvent('subscribed'))).toBe(true);
  await closeAll(streams);
});

test('live holders keep their slots, and get one ping, however many connections wait', async () => {
  const { key } = await service.key('crew');
  const holders = await open(STREAMS, key);
  for (const holder of holders) expect(await outcome(holder)).toMatchObject({ event: 'subscribed' });
  const answers = await Promise.all((await open(60, key)).map(outcome));
  expect(answers.map(({ code }) => code)).toEqual(Array(60).fill('stream_limit'));
  for (const holder of holders) {
    await holder.take(20, isData);
    expect(holder.closing).toBeNull();
  }
  await closeAll(holders);
});

test('only the dead holder among live ones loses its slot', async () => {
  const { key, dead } = await accountWithDead(1);
  const living = await open(STREAMS - 1, key);
  for (const stream of living) expect(await outcome(stream)).toMatchObject({ event: 'subscribed' });
  const streams = await open(2, key);
  const answers = await Promise.all(streams.map(outcome));
  expect(answers.map(({ event }) => event).sort()).toEqual(['error', 'subscribed']);
  expect(await dead[0]!.until(({ isClosed }) => isClosed)).toBe(true);
  expect(living.map(({ closing }) => closing)).toEqual(living.map(() => null));
  await closeAll([...living, ...streams]);
});
