// RFC 6455 5.1 and 5.2: reserved bits, reserved opcodes, the mask.
import { describe, expect, test } from 'bun:test';
import type { ConformanceService } from './conformance-service.fixture.ts';
import { ANSWER, BINARY, CLOSE, CONTINUATION, closeFrame, frame, PING, PONG, request, TEXT } from './frame.fixture.ts';

export function framing(target: ConformanceService): void {
  const open = frame(TEXT, request().slice(0, 5), { fin: false });

  /** Each case makes the last frame invalid; that frame must have no effect. */
  const KINDS: [string, number, readonly Buffer[]][] = [
    ['text', TEXT, []],
    ['binary', BINARY, []],
    ['continuation', CONTINUATION, [open]],
    ['ping', PING, []],
    ['pong', PONG, []],
    ['close', CLOSE, []],
  ];

  describe.each(KINDS)('a %s frame', (_, opcode, before) => {
    const payload = opcode === CLOSE ? Buffer.from([0x03, 0xe8]) : '';

    test.each([1, 2, 3, 4, 5, 6, 7])('with the reserved bits %i is a protocol error, 1002', async (reserved) => {
      const peer = await target.peer();
      peer.send(...before, frame(opcode, payload, { reserved }));
      expect(await peer.untilClosed()).toMatchObject({ code: 1002, received: [] });
    });

    test('without a mask is a protocol error, 1002, at any length', async () => {
      for (const bytes of opcode < CLOSE ? [payload, 'a'.repeat(126), 'a'.repeat(65_536)] : [payload]) {
        const peer = await target.peer();
        peer.send(...before, frame(opcode, bytes, { masked: false }));
        expect(await peer.untilClosed()).toMatchObject({ code: 1002, received: [] });
      }
    });
  });

  describe.each([0x3, 0x4, 0x5, 0x6, 0x7, 0xb, 0xc, 0xd, 0xe, 0xf])('the reserved opcode %i', (opcode) => {
    test('is a protocol error, 1002, empty or not', async () => {
      for (const payload of ['', request()]) {
        const peer = await target.peer();
        peer.send(frame(opcode, payload));
        expect(await peer.untilClosed()).toMatchObject({ code: 1002, received: [] });
      }
    });

    test('is a protocol error, 1002, after a message and inside a fragmented one', async () => {
      const peer = await target.peer();
      peer.send(frame(TEXT, request()), open, frame(opcode));
      expect(await peer.untilClosed()).toMatchObject({ code: 1002, received: [ANSWER] });
    });
  });

  describe('the mask', () => {
    test('may be zero, and may change with each frame', async () => {
      const peer = await target.peer();
      const zero = Buffer.concat([Buffer.from([0x81, 0x80 | request().length, 0, 0, 0, 0]), Buffer.from(request())]);
      peer.send(zero, frame(TEXT, request()), zero, frame(TEXT, request()));
      expect(await peer.survives()).toEqual(Array(4).fill(ANSWER));
    });

    test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
      'is applied correctly if a payload is split after %i bytes',
      async (bytes) => {
        const peer = await target.peer();
        const whole = frame(TEXT, request(40));
        await peer.socket.drip(whole.subarray(0, 6 + bytes), 6 + bytes);
        await peer.socket.drip(whole.subarray(6 + bytes), 3);
        expect(await peer.survives()).toEqual([ANSWER]);
      },
    );
  });

  test('bytes after a protocol error in the same packet have no effect', async () => {
    const peer = await target.peer();
    peer.send(Buffer.concat([frame(0x3), frame(TEXT, request()), frame(PING, 'x'), closeFrame(1000)]));
    expect(await peer.untilClosed()).toMatchObject({ code: 1002, received: [] });
  });
}
