// RFC 6455 5.5.1 and 7: the closing handshake from either side, and closes without one.
import { describe, expect, test } from 'bun:test';
import type { ConformanceService } from './conformance-service.fixture.ts';
import { ANSWER, BINARY, CLOSE, CONTINUATION, closeFrame, frame, PING, request, TEXT } from './frame.fixture.ts';

export function closing(target: ConformanceService): void {
  describe('a close frame', () => {
    // 1012 to 1014 were registered after RFC 6455 (11.7); we send 1012 ourselves.
    test.each([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999])(
      'with %i is answered with the same code, and the connection closes',
      async (code) => {
        const peer = await target.peer();
        peer.send(closeFrame(code, 'bye'));
        expect(await peer.untilClosed()).toEqual({ code, reason: 'bye', received: [] });
      },
    );

    test('without a code is answered without one', async () => {
      const peer = await target.peer();
      peer.send(frame(CLOSE));
      expect(await peer.untilClosed()).toEqual({ code: null, reason: '', received: [] });
    });

    test('may have a reason of 123 bytes in any script', async () => {
      const reason = `${'価'.repeat(40)}abc`;
      const peer = await target.peer();
      peer.send(closeFrame(1000, reason));
      expect(await peer.untilClosed()).toEqual({ code: 1000, reason, received: [] });
    });

    test('in single-byte packets is one close frame', async () => {
      const peer = await target.peer();
      await peer.socket.drip(closeFrame(4000, 'bye'));
      expect(await peer.untilClosed()).toEqual({ code: 4000, reason: 'bye', received: [] });
    });

    test.each([0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535])(
      'with %i, which must not be sent, is a protocol error, 1002 (7.4)',
      async (code) => {
        const peer = await target.peer();
        peer.send(closeFrame(code));
        expect(await peer.untilClosed()).toMatchObject({ code: 1002, received: [] });
      },
    );

    test('of one byte is a protocol error, 1002', async () => {
      const peer = await target.peer();
      peer.send(frame(CLOSE, Buffer.from([0x03])));
      expect(await peer.untilClosed()).toMatchObject({ code: 1002, received: [] });
    });

    test.each([[[0xff]], [[0xe2, 0x82]], [[0xc0, 0xaf]], [[0xed, 0xa0, 0x80]]])(
      'with a reason that is not UTF-8, %j, closes with 1007',
      async (bytes) => {
        const peer = await target.peer();
        peer.send(closeFrame(1000, Buffer.from(bytes)));
        expect(await peer.untilClosed()).toMatchObject({ code: 1007, received: [] });
      },
    );
  });

  describe('around a close frame', () => {
    test('messages before it are answered first', async () => {
      const peer = await target.peer();
      peer.send(Buffer.concat([frame(TEXT, request()), frame(PING, 'x'), closeFrame(1000)]));
      expect(await peer.untilClosed()).toMatchObject({ code: 1000, received: [ANSWER, 'pong x'] });
    });

    test.each([
      ['a message', frame(TEXT, request())],
      ['a ping', frame(PING, 'x')],
      ['another close frame', closeFrame(4000)],
      ['a protocol error', frame(0x3)],
      ['bytes that are not UTF-8', frame(TEXT, Buffer.from([0xff]))],
    ])('%s after it is ignored', async (_, after) => {
      for (const apart of [true, false]) {
        const peer = await target.peer(true);
        if (apart) peer.send(closeFrame(1000), after);
        else peer.send(Buffer.concat([closeFrame(1000), after]));
        expect(await peer.untilClosed()).toMatchObject({ code: 1000, received: [] });
      }
    });

    test('an unfinished fragmented message is dropped', async () => {
      const peer = await target.peer();
      const [head, tail] = [request().slice(0, 9), request().slice(9)];
      peer.send(frame(TEXT, head, { fin: false }), closeFrame(1001), frame(CONTINUATION, tail));
      expect(await peer.untilClosed()).toMatchObject({ code: 1001, received: [] });
    });

    test('a subscriber gets no tick after its close frame was answered', async () => {
      const peer = await target.peer(true);
      peer.send(frame(TEXT, '{"action":"subscribe","symbols":["*"]}'));
      await peer.waitFor(20);
      peer.send(closeFrame(1000));
      expect((await peer.untilClosed()).code).toBe(1000);
      await target.allClosed();
    });
  });

  describe('a close by the server', () => {
    test('frees the connection, whether or not the client ever answers', async () => {
      const peer = await target.peer(true);
      peer.send(frame(BINARY));
      expect((await peer.untilClosed()).code).toBe(4400);
      await target.allClosed();
      peer.send(closeFrame(4400));
      await peer.socket.drip(frame(TEXT, request()));
      expect((await peer.untilClosed()).received).toHaveLength(1);
    });
  });

  describe('a close without a close frame', () => {
    test('of one direction (half-closed): requests are answered, then the other direction closes too', async () => {
      const peer = await target.peer(true);
      peer.send(frame(TEXT, request()), frame(PING, 'x'));
      peer.socket.end();
      expect(await peer.socket.until(({ isEnded }) => isEnded)).toBe(true);
      expect(peer.frames.map(({ payload }) => payload.toString())).toEqual(['{"event":"pong"}', 'x']);
      await target.allClosed();
    });

    test('of one direction frees a subscriber, too', async () => {
      const peer = await target.peer(true);
      peer.send(frame(TEXT, '{"action":"subscribe","symbols":["*"]}'));
      await peer.waitFor(20);
      peer.socket.end();
      expect(await peer.socket.until(({ isEnded }) => isEnded)).toBe(true);
      await target.allClosed();
    });

    test('of both directions, in the middle of a message, frees the connection', async () => {
      const peer = await target.peer();
      peer.send(frame(TEXT, request().slice(0, 5), { fin: false }), frame(PING, 'x'));
      await peer.waitFor(1);
      peer.socket.destroy();
      await target.allClosed();
    });
  });
}
