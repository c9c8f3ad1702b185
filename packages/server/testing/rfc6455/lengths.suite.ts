// RFC 6455 5.2: the three length encodings at their limits, in both directions, and wrong lengths.
import { describe, expect, test } from 'bun:test';
import { MAX_MESSAGE_BYTES } from '@tickwire/contract';
import type { ConformanceService } from './conformance-service.fixture.ts';
import { ANSWER, BINARY, CONTINUATION, fragmented, frame, PING, request, TEXT } from './frame.fixture.ts';

export function lengths(target: ConformanceService): void {
  const HARD_LIMIT = 1024 * 1024;

  describe('a message', () => {
    test.each([28, 124, 125, 126, 127, 128, 255, 256, 65_534, 65_535, 65_536])('of %i bytes is read', async (bytes) => {
      const peer = await target.peer();
      const message = frame(TEXT, request(bytes));
      peer.send(message, message);
      // The header and the mask byte by byte: many parsers fail if they are split over packets.
      await peer.socket.drip(message.subarray(0, 15));
      peer.send(message.subarray(15));
      expect(await peer.survives()).toEqual(Array(3).fill(ANSWER));
    });

    test('of no bytes is still a message', async () => {
      const peer = await target.peer();
      peer.send(frame(TEXT));
      expect(await peer.survives()).toEqual([expect.stringContaining('"malformed_json"')]);
    });
  });

  describe('an answer', () => {
    /** An answer of any size: it contains each unknown symbol, and the id fills the rest. */
    const asking = (symbols: number, id: number): string =>
      JSON.stringify({
        action: 'unsubscribe',
        symbols: Array.from({ length: symbols }, (_, at) => `NONE${at}`.padEnd(64, 'X')),
        id: 'i'.repeat(id),
      });

    test.each([
      [125, 7],
      [126, 16],
      [65_535, 16],
      [65_536, 64],
    ])('of %i bytes has its length in %i bits, the fewest there are', async (bytes, bits) => {
      const peer = await target.peer();
      const sizeOf = async (text: string): Promise<number> => {
        const before = peer.frames.length;
        peer.send(frame(TEXT, text));
        await peer.waitFor(before + 1);
        return peer.frames.at(-1)!.payload.length;
      };
      const short = bytes < 200;
      const empty = await sizeOf(short ? '{"action":"ping","id":""}' : asking(1, 0));
      const perSymbol = short ? 1 : (await sizeOf(asking(2, 0))) - empty;
      const symbols = 1 + Math.floor((bytes - empty) / perSymbol);
      const filler = short ? bytes - empty : (bytes - empty) % perSymbol;
      const text = short ? `{"action":"ping","id":"${'i'.repeat(filler)}"}` : asking(symbols, filler);
      peer.socket.consume(peer.socket.received.length);
      expect(await sizeOf(text)).toBe(bytes);
      const [first, second] = peer.socket.received;
      // Final, text, no reserved bits; a server does not mask (5.1).
      expect(first).toBe(0x81);
      expect(second).toBe(bits === 7 ? bytes : bits === 16 ? 126 : 127);
    });
  });

  describe('the size limit', () => {
    test.each([MAX_MESSAGE_BYTES + 1, HARD_LIMIT - 1, HARD_LIMIT])(
      'a text of %i bytes closes with 4413',
      async (bytes) => {
        const peer = await target.peer();
        peer.send(frame(TEXT, request(bytes)));
        const { code, received } = await peer.untilClosed();
        expect(code).toBe(4413);
        expect(received).toEqual([expect.stringContaining('"message_too_large"')]);
      },
    );

    test.each([HARD_LIMIT + 1, 2 ** 31, 2 ** 32 + 28, Number.MAX_SAFE_INTEGER])(
      'a header that claims %i bytes closes with 1009, before any of them arrive',
      async (bytes) => {
        const peer = await target.peer();
        peer.send(frame(TEXT, '', { claims: BigInt(bytes) }));
        expect(await peer.untilClosed()).toMatchObject({ code: 1009, received: [] });
      },
    );

    test('a text of 1 MiB and one byte closes with 1009', async () => {
      const peer = await target.peer();
      peer.send(frame(TEXT, request(HARD_LIMIT + 1)));
      expect(await peer.untilClosed()).toMatchObject({ code: 1009, received: [] });
    });

    test('64 KiB in fragments of one byte are accepted, one byte more closes with 4413', async () => {
      const pieces = (bytes: number): string[] => [...request(bytes)];
      const peer = await target.peer();
      peer.send(Buffer.concat(fragmented(pieces(MAX_MESSAGE_BYTES))));
      expect(await peer.survives()).toEqual([ANSWER]);
      peer.send(Buffer.concat(fragmented(pieces(MAX_MESSAGE_BYTES + 1))));
      expect((await peer.untilClosed()).code).toBe(4413);
    });

    test('fragments of more than 1 MiB in total close with 1009 immediately, not at the end of the message', async () => {
      const peer = await target.peer();
      const piece = Buffer.alloc(1_024, 'a');
      peer.send(frame(TEXT, piece, { fin: false }));
      for (let sent = piece.length; sent < HARD_LIMIT; sent += piece.length)
        peer.send(frame(CONTINUATION, piece, { fin: false }));
      peer.send(frame(PING, 'still here'));
      expect(await peer.waitFor(1)).toEqual(['pong still here']);
      peer.send(frame(CONTINUATION, 'a', { fin: false }));
      expect(await peer.untilClosed()).toMatchObject({ code: 1009 });
    });
  });

  describe('a binary message is not supported and closes with 4400', () => {
    test.each([
      ['empty', [frame(BINARY)]],
      ['with the text of a request', [frame(BINARY, request())]],
      ['in fragments', fragmented([request().slice(0, 9), request().slice(9)], BINARY)],
      ['that is not UTF-8', [frame(BINARY, Buffer.from([0xff, 0xfe]))]],
      ['over 64 KiB', [frame(BINARY, Buffer.alloc(MAX_MESSAGE_BYTES + 1))]],
    ])('%s', async (_, frames) => {
      const peer = await target.peer();
      peer.send(...frames);
      const { code, received } = await peer.untilClosed();
      expect(code).toBe(4400);
      expect(received).toEqual([expect.stringContaining('"bad_messages"')]);
    });
  });

  describe('a wrong length', () => {
    test.each([
      ['in its length', Buffer.from([0x81, 0xfe, 0x01])],
      ['in its mask', frame(TEXT, request()).subarray(0, 4)],
      ['in its payload', frame(TEXT, request(), { claims: 100n })],
      ['in a long payload', frame(TEXT, request(60_000), { claims: 65_536n })],
      ['in a ping', frame(PING, 'abc', { claims: 100n })],
    ])('a connection that breaks off %s is freed, and nothing of the frame has an effect', async (_, bytes) => {
      const peer = await target.peer();
      peer.send(bytes);
      await peer.socket.drip('');
      expect(peer.frames).toEqual([]);
      peer.socket.end();
      await target.allClosed();
      expect(peer.frames.filter(({ opcode }) => opcode !== 8)).toEqual([]);
    });

    test('more payload than claimed is read as the next frame, which is invalid: 1002', async () => {
      const peer = await target.peer();
      const mask = Buffer.from([0x00, 0x00, 0x00, 0x00]);
      peer.send(Buffer.concat([Buffer.from([0x81, 0x80 | request().length]), mask, Buffer.from(`${request()}aaaa`)]));
      expect(await peer.untilClosed()).toMatchObject({ code: 1002, received: [ANSWER] });
    });
  });

  describe('behaviour of Bun that we cannot change', () => {
    test.each<[number, 16 | 64]>([
      [28, 16],
      [125, 16],
      [125, 64],
      [126, 64],
      [65_535, 64],
    ])('Bun reads %i bytes with a length in %i bits; RFC 6455 5.2 asks for the fewest', async (bytes, lengthBits) => {
      const peer = await target.peer();
      peer.send(frame(TEXT, request(bytes), { lengthBits }));
      expect(await peer.survives()).toEqual([ANSWER]);
    });

    test.each([2n ** 63n, 2n ** 63n + 28n, 2n ** 64n - 1n])(
      'Bun answers a length of %i, with its top bit set, with 1009; RFC 6455 5.2 makes it a protocol error, 1002',
      async (claims) => {
        const peer = await target.peer();
        peer.send(frame(TEXT, request(), { claims }));
        expect(await peer.untilClosed()).toMatchObject({ code: 1009, received: [] });
      },
    );
  });
}
