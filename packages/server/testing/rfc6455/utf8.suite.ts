// RFC 6455 8.1: text must be UTF-8, wherever it was split.
import { describe, expect, test } from 'bun:test';
import type { ConformanceService } from './conformance-service.fixture.ts';
import { ANSWER, CONTINUATION, cut, fragmented, frame, TEXT } from './frame.fixture.ts';

const inside = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from('{"action":"ping","later":"'), bytes, Buffer.from('"}')]);

const VALID: [string, number[]][] = [
  ['the first of two bytes', [0xc2, 0x80]],
  ['the last of two bytes', [0xdf, 0xbf]],
  ['the first of three bytes', [0xe0, 0xa0, 0x80]],
  ['the last before the surrogates', [0xed, 0x9f, 0xbf]],
  ['the first after the surrogates', [0xee, 0x80, 0x80]],
  ['a byte order mark', [0xef, 0xbb, 0xbf]],
  ['a noncharacter of three bytes', [0xef, 0xbf, 0xbf]],
  ['the first of four bytes', [0xf0, 0x90, 0x80, 0x80]],
  ['the last of all, U+10FFFF', [0xf4, 0x8f, 0xbf, 0xbf]],
  ['words in many scripts', [...Buffer.from('κόσμε, 価格, цена, 😀👩‍👩‍👧')]],
];

const INVALID: [string, number[]][] = [
  ['a continuation byte alone', [0x80]],
  ['the last continuation byte alone', [0xbf]],
  ['a slash in two bytes (overlong)', [0xc0, 0xaf]],
  ['a NUL in two bytes (overlong)', [0xc0, 0x80]],
  ['U+007F in two bytes (overlong)', [0xc1, 0xbf]],
  ['a slash in three bytes (overlong)', [0xe0, 0x80, 0xaf]],
  ['U+07FF in three bytes (overlong)', [0xe0, 0x9f, 0xbf]],
  ['a slash in four bytes (overlong)', [0xf0, 0x80, 0x80, 0xaf]],
  ['U+FFFF in four bytes (overlong)', [0xf0, 0x8f, 0xbf, 0xbf]],
  ['the first surrogate, U+D800', [0xed, 0xa0, 0x80]],
  ['the last surrogate, U+DFFF', [0xed, 0xbf, 0xbf]],
  ['a pair of surrogates', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ['U+110000, beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ['a first byte beyond the last', [0xf5, 0x80, 0x80, 0x80]],
  ['a sequence of five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
  ['a sequence of six bytes', [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80]],
  ['the byte FE', [0xfe]],
  ['the byte FF', [0xff]],
  ['two bytes less one', [0xc3]],
  ['three bytes less one', [0xe2, 0x82]],
  ['three bytes less two', [0xe2]],
  ['four bytes less one', [0xf0, 0x9f, 0x98]],
  ['four bytes less three', [0xf0]],
  ['a letter within a sequence', [0xe2, 0x41, 0xac]],
];

export function utf8(target: ConformanceService): void {
  describe('valid text', () => {
    test.each(VALID)('is accepted: %s', async (_, bytes) => {
      const peer = await target.peer();
      const message = inside(Buffer.from(bytes));
      peer.send(frame(TEXT, message), ...fragmented(cut(message, message.length)));
      expect(await peer.survives()).toEqual([ANSWER, ANSWER]);
    });

    test('is returned unchanged, split at every position', async () => {
      const peer = await target.peer();
      const message = Buffer.from('{"action":"ping","id":"κ価😀"}');
      for (let at = 0; at <= message.length; at++)
        peer.send(...fragmented([message.subarray(0, at), message.subarray(at)]));
      expect(await peer.survives()).toEqual(Array(message.length + 1).fill('text {"event":"pong","id":"κ価😀"}'));
    });

    test('may be split over packets within a character', async () => {
      const peer = await target.peer();
      await peer.socket.drip(frame(TEXT, '{"action":"ping","id":"κ価😀"}'));
      expect(await peer.survives()).toEqual(['text {"event":"pong","id":"κ価😀"}']);
    });
  });

  describe.each(INVALID)('%s is not UTF-8 and closes with 1007', (_, bytes) => {
    const bad = Buffer.from(bytes);
    test.each<[string, Buffer[]]>([
      ['alone', [frame(TEXT, bad)]],
      ['inside a message', [frame(TEXT, inside(bad))]],
      ['at the end of a long message', [frame(TEXT, Buffer.concat([Buffer.alloc(1_000, 'a'), bad]))]],
      ['in the last fragment', fragmented(['{"action":', bad])],
      ['in the first fragment', fragmented([bad, '}'])],
      ['across fragments', fragmented(cut(inside(bad), inside(bad).length))],
    ])('%s', async (_, frames) => {
      const peer = await target.peer();
      peer.send(Buffer.concat(frames));
      expect(await peer.untilClosed()).toMatchObject({ code: 1007, received: [] });
    });
  });

  describe('behaviour of Bun that we cannot change', () => {
    test('Bun validates text when its message is complete: invalid bytes close an unfinished message later (8.1)', async () => {
      const peer = await target.peer();
      peer.send(frame(TEXT, Buffer.from([0xff]), { fin: false }), frame(CONTINUATION, '', { fin: false }));
      await Bun.sleep(50);
      expect([peer.frames, peer.socket.isEnded]).toEqual([[], false]);
      peer.send(frame(CONTINUATION));
      expect((await peer.untilClosed()).code).toBe(1007);
    });
  });
}
