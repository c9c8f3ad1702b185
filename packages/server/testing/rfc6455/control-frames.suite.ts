// RFC 6455 5.5: ping, pong, and invalid control frames.
import { describe, expect, test } from 'bun:test';
import { metric } from '../metric.fixture.ts';
import type { ConformanceService } from './conformance-service.fixture.ts';
import { ANSWER, CLOSE, frame, PING, PONG, request, TEXT } from './frame.fixture.ts';

export function controlFrames(target: ConformanceService): void {
  const NAMES = [
    ['close', CLOSE],
    ['ping', PING],
    ['pong', PONG],
  ] as const;

  describe('a ping', () => {
    test.each([0, 1, 124, 125])('of %i bytes is answered with the same bytes', async (length) => {
      const peer = await target.peer();
      peer.send(frame(PING, 'x'.repeat(length)));
      expect(await peer.survives()).toEqual([`pong ${'x'.repeat(length)}`.trimEnd()]);
    });

    test('may carry any bytes, not only text', async () => {
      const peer = await target.peer();
      const payload = Buffer.from([0x00, 0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]);
      peer.send(frame(PING, payload));
      await peer.waitFor(1);
      expect(peer.frames[0]).toMatchObject({ opcode: PONG, payload });
      await peer.survives();
    });

    test('is answered in order, even in single-byte packets', async () => {
      const peer = await target.peer();
      const pings = Array.from({ length: 10 }, (_, at) => frame(PING, `ping ${at}`));
      await peer.socket.drip(Buffer.concat([...pings, frame(TEXT, request())]));
      expect(await peer.survives()).toEqual([...pings.map((_, at) => `pong ping ${at}`), ANSWER]);
    });

    test('is answered before authentication', async () => {
      const peer = await target.unauthenticated();
      peer.send(frame(PING, 'who is there'));
      expect(await peer.waitFor(1)).toEqual(['pong who is there']);
    });
  });

  test.each([0, 7, 125])('an unsolicited pong of %i bytes is ignored', async (length) => {
    const peer = await target.peer();
    peer.send(frame(PONG, 'x'.repeat(length)), frame(PONG, 'again'));
    expect(await peer.survives()).toEqual([]);
  });

  describe.each(NAMES)('a %s', (_, opcode) => {
    test.each([126, 127, 65_536])('of %i bytes is a protocol error, 1002', async (length) => {
      const peer = await target.peer();
      peer.send(frame(opcode, 'x'.repeat(length)));
      expect(await peer.untilClosed()).toMatchObject({ code: 1002, received: [] });
    });

    test('with a short length in a long length field is a protocol error, 1002', async () => {
      for (const lengthBits of [16, 64] as const) {
        const peer = await target.peer();
        peer.send(frame(opcode, 'abc', { lengthBits }));
        expect(await peer.untilClosed()).toMatchObject({ code: 1002, received: [] });
      }
    });

    test('in fragments is a protocol error, 1002', async () => {
      const peer = await target.peer();
      peer.send(frame(opcode, 'abc', { fin: false }));
      expect(await peer.untilClosed()).toMatchObject({ code: 1002, received: [] });
    });

    test('in fragments inside a fragmented message is a protocol error, 1002', async () => {
      const peer = await target.peer();
      peer.send(frame(TEXT, 'abc', { fin: false }), frame(opcode, '', { fin: false }));
      expect(await peer.untilClosed()).toMatchObject({ code: 1002, received: [] });
    });
  });

  describe('a flood of pings', () => {
    const COUNT = 20_000;
    test.each([0, 125])(
      'of %i bytes each is answered one by one, and other clients are not affected',
      async (length) => {
        const peer = await target.peer();
        peer.send(Buffer.concat(Array<Buffer>(COUNT).fill(frame(PING, 'x'.repeat(length)))));
        await peer.socket.until(({ received }) => received.length >= COUNT * (2 + length));
        const { frames } = peer;
        expect(frames).toHaveLength(COUNT);
        expect(frames.every(({ opcode, payload }) => opcode === PONG && payload.length === length)).toBe(true);
        await peer.survives();
      },
    );

    test('whose answers are never read ends as too slow: the buffer is bounded', async () => {
      const peer = await target.peer();
      peer.socket.pause();
      const some = Buffer.concat(Array<Buffer>(8_000).fill(frame(PING, 'x'.repeat(125))));
      for (let round = 0; round < 60 && (await target.connections()) > 0; round++) {
        peer.send(some);
        await Bun.sleep(20);
      }
      await target.allClosed();
      expect(await metric(target.service, 'tickwire_ws_closed_total{reason="too_slow"}')).toBe(1);
    });
  });
}
