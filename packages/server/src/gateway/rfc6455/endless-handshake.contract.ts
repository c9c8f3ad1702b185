// Clients that never finish their handshake (slowloris).
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { RawSocket } from '../../testing/raw-socket.fixture.ts';
import { handshake } from './handshake.fixture.ts';
import type { Stage } from './stage.fixture.ts';

/** Bun gives the head of a request 10 s, looks every 4 s, and has no setting for either. */
const HEAD_MS = 10_000 + 4_000;
const GRACE_MS = 2_000;
const DRIP_MS = 200;
const KINDS = ['silent', 'stuck', 'dripping'] as const;

/** Lets them come before all other tests; what it returns, run after those, tells what became of them. */
export function endlessHandshakes(stage: Stage): () => void {
  const clients = new Map<string, RawSocket>();
  let since = 0;
  let timer: ReturnType<typeof setInterval>;
  beforeAll(async () => {
    since = performance.now();
    for (const kind of KINDS) clients.set(kind, await RawSocket.connect(stage.service.url));
    clients.get('stuck')!.write(handshake().slice(0, 60));
    clients.get('dripping')!.write('GET /ws/market HTTP/1.1\r\nX-Drip: ');
    timer = setInterval(() => clients.get('dripping')!.write('a'), DRIP_MS);
  });
  afterAll(() => {
    clearInterval(timer);
    for (const socket of clients.values()) socket.destroy();
  });

  return () => {
    test.each(KINDS)(
      'is cut without an answer, and a byte now and then buys no time: %s',
      async (kind) => {
        const socket = clients.get(kind)!;
        const left = Math.max(since + HEAD_MS - performance.now(), 0) + GRACE_MS;
        expect(await socket.until(({ isClosed }) => isClosed, left)).toBe(true);
        expect(socket.text).toBe('');
      },
      HEAD_MS + 2 * GRACE_MS,
    );
  };
}
