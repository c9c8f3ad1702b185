// RFC 6455 5.4: a message in pieces.
import { describe, expect, test } from 'bun:test';
import { ANSWER, BINARY, CONTINUATION, cut, fragmented, frame, PING, PONG, request, TEXT } from './frame.fixture.ts';
import type { Stage } from './stage.fixture.ts';

export function fragmentation(stage: Stage): void {
  const MESSAGE = request(300);
  const [HEAD, MIDDLE, TAIL] = cut(MESSAGE, 3) as [Buffer, Buffer, Buffer];
  const start = frame(TEXT, HEAD, { fin: false });

  describe('a fragmented message is one message', () => {
    test.each([2, 3, 100, MESSAGE.length])('of %i fragments, in packets of their own', async (count) => {
      const peer = await stage.peer();
      for (const fragment of fragmented(cut(MESSAGE, count))) await peer.socket.drip(fragment, fragment.length);
      expect(await peer.survives()).toEqual([ANSWER]);
    });

    test.each([2, 3, 100, MESSAGE.length])('of %i fragments, in one packet', async (count) => {
      const peer = await stage.peer();
      peer.send(Buffer.concat(fragmented(cut(MESSAGE, count))));
      expect(await peer.survives()).toEqual([ANSWER]);
    });

    test('cut anywhere, headers and masks too', async () => {
      const peer = await stage.peer();
      await peer.socket.drip(Buffer.concat(fragmented([HEAD, MIDDLE, TAIL])));
      expect(await peer.survives()).toEqual([ANSWER]);
    });

    test.each([
      ['first', ['', HEAD, MIDDLE, TAIL]],
      ['in the middle', [HEAD, '', '', MIDDLE, TAIL]],
      ['last', [HEAD, MIDDLE, TAIL, '']],
      ['everywhere', ['', HEAD, '', MIDDLE, '', TAIL, '']],
    ])('with empty fragments %s', async (_, pieces) => {
      const peer = await stage.peer();
      peer.send(...fragmented(pieces));
      expect(await peer.survives()).toEqual([ANSWER]);
    });

    test('even of nothing but empty fragments: an empty text, which is not JSON', async () => {
      const peer = await stage.peer();
      peer.send(...fragmented(['', '', '']));
      const [answer, ...more] = await peer.survives();
      expect(answer).toContain('"malformed_json"');
      expect(more).toEqual([]);
    });

    test('and the next one starts afresh', async () => {
      const peer = await stage.peer();
      for (let round = 0; round < 3; round++) peer.send(...fragmented([HEAD, MIDDLE, TAIL]), frame(TEXT, MESSAGE));
      expect(await peer.survives()).toEqual(Array(6).fill(ANSWER));
    });
  });

  describe('control frames between fragments', () => {
    const between = [start, frame(PING, 'one'), frame(PONG, 'unasked'), frame(CONTINUATION, MIDDLE, { fin: false })];
    const all = [...between, frame(PING, ''), frame(PING, 'two'), frame(CONTINUATION, TAIL)];
    test.each([
      ['in packets of their own', all],
      ['in one packet', [Buffer.concat(all)]],
    ])('are answered at once and leave the message whole, %s', async (_, writes) => {
      const peer = await stage.peer();
      peer.send(...writes);
      expect(await peer.survives()).toEqual(['pong one', 'pong', 'pong two', ANSWER]);
    });

    test('do not wait for the message to end', async () => {
      const peer = await stage.peer();
      peer.send(start, frame(PING, 'now'));
      expect(await peer.waitFor(1)).toEqual(['pong now']);
      peer.send(...fragmented(['', MIDDLE, TAIL]).slice(1));
      expect(await peer.survives()).toEqual(['pong now', ANSWER]);
    });
  });

  describe('fragments out of place are a protocol error, 1002', () => {
    test.each([
      ['a text inside a fragmented message', [start, frame(TEXT, MESSAGE)], []],
      ['a second beginning inside a fragmented message', [start, start], []],
      ['a binary inside a fragmented text', [start, frame(BINARY, MESSAGE)], []],
      ['an empty text inside a fragmented message', [start, frame(TEXT)], []],
      ['a continuation of nothing', [frame(CONTINUATION, MESSAGE)], []],
      ['an empty continuation of nothing', [frame(CONTINUATION)], []],
      ['an open continuation of nothing', [frame(CONTINUATION, HEAD, { fin: false })], []],
      ['a continuation of nothing after a ping', [frame(PING, 'x'), frame(CONTINUATION, MESSAGE)], ['pong x']],
      ['a continuation of a whole message', [frame(TEXT, MESSAGE), frame(CONTINUATION, TAIL)], [ANSWER]],
      [
        'a continuation of a finished fragmented message',
        [...fragmented([HEAD, MIDDLE, TAIL]), frame(CONTINUATION, TAIL)],
        [ANSWER],
      ],
    ])('%s', async (_, frames, said) => {
      const peer = await stage.peer();
      peer.send(...frames);
      expect(await peer.ends()).toMatchObject({ code: 1002, said });
    });
  });

  test('a message that is never finished is forgotten with its connection', async () => {
    const peer = await stage.peer();
    peer.send(start, frame(CONTINUATION, MIDDLE, { fin: false }));
    expect(await stage.connections()).toBe(1);
    peer.socket.destroy();
    await stage.emptied();
  });
}
