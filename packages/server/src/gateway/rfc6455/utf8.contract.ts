// RFC 6455 8.1: text is UTF-8, all of it, wherever it was cut.
import { describe, expect, test } from 'bun:test';
import { ANSWER, CONTINUATION, cut, fragmented, frame, TEXT } from './frame.fixture.ts';
import type { Stage } from './stage.fixture.ts';

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
  ['words of many scripts', [...Buffer.from('κόσμε, 価格, цена, 😀👩‍👩‍👧')]],
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

export function utf8(stage: Stage): void {
  describe('valid text', () => {
    test.each(VALID)('is taken: %s', async (_, bytes) => {
      const peer = await stage.peer();
      const message = inside(Buffer.from(bytes));
      peer.send(frame(TEXT, message), ...fragmented(cut(message, message.length)));
      expect(await peer.survives()).toEqual([ANSWER, ANSWER]);
    });

    test('comes back as it was, cut at every place there is', async () => {
      const peer = await stage.peer();
      const message = Buffer.from('{"action":"ping","id":"κ価😀"}');
      for (let at = 0; at <= message.length; at++)
        peer.send(...fragmented([message.subarray(0, at), message.subarray(at)]));
      expect(await peer.survives()).toEqual(Array(message.length + 1).fill('text {"event":"pong","id":"κ価😀"}'));
    });

    test('may begin in one packet and end in another, within a character', async () => {
      const peer = await stage.peer();
      await peer.socket.drip(frame(TEXT, '{"action":"ping","id":"κ価😀"}'));
      expect(await peer.survives()).toEqual(['text {"event":"pong","id":"κ価😀"}']);
    });
  });

  describe.each(INVALID)('%s is no UTF-8, and the connection ends with 1007', (_, bytes) => {
    const bad = Buffer.from(bytes);
    test.each<[string, Buffer[]]>([
      ['alone', [frame(TEXT, bad)]],
      ['inside a message', [frame(TEXT, inside(bad))]],
      ['at the end of a long one', [frame(TEXT, Buffer.concat([Buffer.alloc(1_000, 'a'), bad]))]],
      ['in the last fragment', fragmented(['{"action":', bad])],
      ['in the first fragment', fragmented([bad, '}'])],
      ['across fragments', fragmented(cut(inside(bad), inside(bad).length))],
    ])('%s', async (_, frames) => {
      const peer = await stage.peer();
      peer.send(Buffer.concat(frames));
      expect(await peer.ends()).toMatchObject({ code: 1007, said: [] });
    });
  });

  describe("Bun's own, out of our hands", () => {
    test('Bun reads text when its message is whole: bad bytes in an open one end it later, not at once (8.1)', async () => {
      const peer = await stage.peer();
      peer.send(frame(TEXT, Buffer.from([0xff]), { fin: false }), frame(CONTINUATION, '', { fin: false }));
      await Bun.sleep(50);
      expect([peer.frames, peer.socket.isEnded]).toEqual([[], false]);
      peer.send(frame(CONTINUATION));
      expect((await peer.ends()).code).toBe(1007);
    });
  });
}
