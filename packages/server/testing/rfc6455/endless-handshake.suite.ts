// Clients that never finish their handshake (slowloris).
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { RawSocket } from '../raw-socket.fixture.ts';
import type { ConformanceService } from './conformance-service.fixture.ts';
import { handshake } from './handshake.fixture.ts';

/** Bun allows 10 s for the head of a request and checks every 4 s; neither can be configured. */
const HEAD_MS = 10_000 + 4_000;
const GRACE_MS = 60_000;
const DRIP_MS = 200;
const KINDS = ['silent', 'stuck', 'dripping'] as const;

/** Starts these clients before all other tests; the returned function, run after those, checks what happened to them. */
export function endlessHandshakes(target: ConformanceService): () => void {
  const clients = new Map<string, RawSocket>();
  let since = 0;
  let timer: ReturnType<typeof setInterval>;
  beforeAll(async () => {
    since = performance.now();
    for (const kind of KINDS) clients.set(kind, await RawSocket.connect(target.service.url));
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
      'is closed without a response, and single bytes do not extend the time: %s',
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
