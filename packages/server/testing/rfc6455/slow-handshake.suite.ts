// Handshakes that arrive in pieces, slowly, or too large.
import { describe, expect, test } from 'bun:test';
import { RawSocket } from '../raw-socket.fixture.ts';
import { StreamClient } from '../stream-client.fixture.ts';
import type { ConformanceService } from './conformance-service.fixture.ts';
import { cut } from './frame.fixture.ts';
import { ACCEPT, handshake, readResponse, tryHandshake } from './handshake.fixture.ts';

export function slowHandshakes(target: ConformanceService): void {
  describe('a handshake in pieces opens a connection', () => {
    test.each([1, 2, 7, 64])('of %i bytes', async (bytes) => {
      const socket = await RawSocket.connect(target.service.url);
      await socket.drip(handshake(), bytes);
      const { status, headers } = await readResponse(socket);
      expect([status, headers.get('sec-websocket-accept')]).toEqual([101, ACCEPT]);
      socket.destroy();
    });

    test('split anywhere, with a pause', async () => {
      const whole = handshake();
      const places = Array.from({ length: whole.length - 1 }, (_, at) => at + 1).filter(
        (at) => at % 4 === 0 || at > whole.length - 5,
      );
      const statuses = await Promise.all(
        places.map(async (at) => {
          const socket = await RawSocket.connect(target.service.url);
          socket.write(whole.slice(0, at));
          await Bun.sleep(20);
          socket.write(whole.slice(at));
          const { status } = await readResponse(socket);
          socket.destroy();
          return status;
        }),
      );
      expect(statuses).toEqual(places.map(() => 101));
    });
  });

  describe('a large handshake', () => {
    test('of nearly 16 KiB opens a connection', async () => {
      expect((await tryHandshake(target.service.url, handshake({ 'X-Filler': 'a'.repeat(15_900) }))).status).toBe(101);
    });

    test.each([
      ['in one header', handshake({ 'X-Filler': 'a'.repeat(16_384) })],
      [
        'in many headers',
        handshake(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`X-${at}`, 'a'.repeat(60)]))),
      ],
      ['in too many headers', handshake(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`X-${at}`, 'a'])))],
      ['in a header that never ends', `GET /ws/market HTTP/1.1\r\nX-Endless: ${'a'.repeat(100_000)}`],
      ['in its URL', handshake({}, `GET /ws/market?${'a'.repeat(20_000)} HTTP/1.1`)],
    ])('is refused with 431 where it is too large %s', async (_, bytes) => {
      const socket = await RawSocket.connect(target.service.url);
      socket.write(bytes);
      expect((await readResponse(socket)).status).toBe(431);
      expect(await socket.until(({ isClosed }) => isClosed)).toBe(true);
    });
  });

  describe('slow handshakes', () => {
    test('in large numbers do not block other clients, and can still complete', async () => {
      const slow = await Promise.all(Array.from({ length: 50 }, () => RawSocket.connect(target.service.url)));
      const pieces = cut(handshake(), 25);
      for (const [at, piece] of pieces.entries()) {
        for (const socket of slow) socket.write(piece);
        await Bun.sleep(5);
        if (at !== 10) continue;
        const began = performance.now();
        const quick = await StreamClient.open(`${target.service.wsUrl}/ws/market`, (await target.service.key()).key);
        expect(await quick.ask({ action: 'ping' })).toMatchObject({ event: 'pong' });
        quick.close();
        expect(performance.now() - began).toBeLessThan(1_000);
      }
      const statuses = await Promise.all(slow.map(async (socket) => (await readResponse(socket)).status));
      expect(statuses).toEqual(slow.map(() => 101));
      for (const socket of slow) socket.destroy();
      await target.allClosed();
    });

    test('that are aborted leave nothing behind', async () => {
      for (let at = 10; at < handshake().length; at += 30) {
        const socket = await RawSocket.connect(target.service.url);
        await socket.drip(handshake().slice(0, at), at);
        socket.destroy();
      }
      expect(await target.connections()).toBe(0);
    });
  });
}
