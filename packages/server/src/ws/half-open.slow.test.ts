// Connections whose client is gone or never authenticates: detected, closed and not counted any more.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startWatch } from '../../testing/event-loop.fixture.ts';
import { connected, metric } from '../../testing/metric.fixture.ts';
import { clientFrame, rawStream, serverFrames } from '../../testing/raw-socket.fixture.ts';
import { CONTINUATION, frame, PING, TEXT } from '../../testing/rfc6455/frame.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';

const SILENCE_MS = 1_000;
/** For a busy machine; normally a close takes one sweep longer than the silence. */
const GRACE_MS = 1_500;

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({
    sim_rate: '500',
    metrics_port: '0',
    silence_seconds: String(SILENCE_MS / 1_000),
    authentication_seconds: '1',
  });
  key = (await service.key()).key;
});
afterAll(() => service.stop());

const emptied = (): Promise<void> => connected(service, 0);
const SUBSCRIBE = '{"action":"subscribe","symbols":["*"]}';

/** A subscriber that answers no ping. */
async function mute() {
  const socket = await rawStream(service.url, '/ws/market', key);
  socket.write(clientFrame(TEXT, SUBSCRIBE));
  await socket.until(({ received }) => serverFrames(received).frames.length > 0);
  return socket;
}

describe('silence', () => {
  test('of a client that answers no ping closes the connection even if it reads, after three pings', async () => {
    const at = performance.now();
    const passed = startWatch();
    const socket = await mute();
    expect(await socket.until(({ isClosed }) => isClosed)).toBe(true);
    expect(performance.now() - at).toBeGreaterThan(SILENCE_MS - 50);
    expect(passed()).toBeLessThan(SILENCE_MS + GRACE_MS);
    const pings = serverFrames(socket.received).frames.filter(({ opcode }) => opcode === PING);
    expect(pings.length).toBeWithin(2, 4);
    await emptied();
  });

  test('of a client that does not read either frees the connection without waiting', async () => {
    const closed = async (reason: string) =>
      metric(service, `tickwire_ws_closed_total{reason="${reason}"}`).catch(() => 0);
    const before = (await closed('stalled')) + (await closed('silent'));
    const socket = await mute();
    socket.pause();
    await emptied();
    socket.destroy();
    expect((await closed('stalled')) + (await closed('silent'))).toBe(before + 1);
  });

  test('of a stopped process frees its connection, and the process notices when it continues', async () => {
    const program = `
      const socket = new WebSocket('${service.wsUrl}/ws/market', { headers: { 'X-API-Key': '${key}' } });
      socket.onopen = () => socket.send('${SUBSCRIBE}');
      socket.onclose = () => process.exit(7);`;
    const client = Bun.spawn([process.execPath, '-e', program]);
    try {
      await connected(service, 1);
      client.kill('SIGSTOP');
      await emptied();
      client.kill('SIGCONT');
      expect(await client.exited).toBe(7);
    } finally {
      client.kill('SIGKILL');
    }
  });

  test('is not ended by fragments of a message that never completes', async () => {
    const socket = await mute();
    socket.write(frame(TEXT, '', { fin: false }));
    const timer = setInterval(() => socket.write(frame(CONTINUATION, '', { fin: false })), 20);
    expect(await socket.until(({ isClosed }) => isClosed)).toBe(true);
    clearInterval(timer);
    await emptied();
  });

  /** A client that only listens for a while, and is still connected at the end. */
  async function listens(reader: StreamClient, ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (performance.now() < until) await reader.next(isData);
    expect(reader.closing).toBeNull();
    reader.close();
    await emptied();
  }

  test('does not include a client without messages, whose library answers pings', async () => {
    const reader = await StreamClient.open(`${service.wsUrl}/ws/market`, key);
    await reader.ask({ action: 'subscribe', symbols: ['*'] });
    await listens(reader, 2.5 * SILENCE_MS);
  });

  test('during a stall of the service does not count', async () => {
    const reader = await StreamClient.open(`${service.wsUrl}/ws/market`, key);
    await reader.ask({ action: 'subscribe', symbols: ['*'] });
    Bun.sleepSync(1.5 * SILENCE_MS);
    await listens(reader, SILENCE_MS / 2);
  });
});

describe('a connection without a valid key', () => {
  test('is closed with 4408 in time, with or without pings', async () => {
    const at = performance.now();
    const passed = startWatch();
    const [silent, chatty] = await Promise.all([1, 2].map(() => StreamClient.open(`${service.wsUrl}/ws/market`)));
    for (let count = 0; count < 3; count++)
      expect(await chatty!.ask({ action: 'ping' })).toMatchObject({ code: 'missing_key', fatal: false });
    const closings = await Promise.all([silent!.closed, chatty!.closed]);
    expect(closings.map(({ code }) => code)).toEqual([4408, 4408]);
    expect(performance.now() - at).toBeGreaterThan(950);
    expect(passed()).toBeLessThan(1_000 + GRACE_MS);
    expect(silent!.messages).toEqual([
      expect.objectContaining({
        code: 'missing_key',
        fatal: true,
        message: 'No valid API key was sent within 1 seconds.',
      }),
    ]);
    await emptied();
  });
});
