// RFC 6455 5.4: fragmented messages.
import { describe, expect, test } from 'bun:test';
import type { ConformanceService } from './conformance-service.fixture.ts';
import { ANSWER, BINARY, CONTINUATION, cut, fragmented, frame, PING, PONG, request, TEXT } from './frame.fixture.ts';

export function fragmentation(target: ConformanceService): void {
  const MESSAGE = request(300);
  const [HEAD, MIDDLE, TAIL] = cut(MESSAGE, 3) as [Buffer, Buffer, Buffer];
  const start = frame(TEXT, HEAD, { fin: false });

  describe('a fragmented message is one message', () => {
    test.each([2, 3, 100, MESSAGE.length])('of %i fragments in separate packets', async (count) => {
      const peer = await target.peer();
      for (const fragment of fragmented(cut(MESSAGE, count))) await peer.socket.drip(fragment, fragment.length);
      expect(await peer.survives()).toEqual([ANSWER]);
    });

    test.each([2, 3, 100, MESSAGE.length])('of %i fragments in one packet', async (count) => {
      const peer = await target.peer();
      peer.send(Buffer.concat(fragmented(cut(MESSAGE, count))));
      expect(await peer.survives()).toEqual([ANSWER]);
    });

    test('split anywhere, including headers and masks', async () => {
      const peer = await target.peer();
      await peer.socket.drip(Buffer.concat(fragmented([HEAD, MIDDLE, TAIL])));
      expect(await peer.survives()).toEqual([ANSWER]);
    });

    test.each([
      ['first', ['', HEAD, MIDDLE, TAIL]],
      ['in the middle', [HEAD, '', '', MIDDLE, TAIL]],
      ['last', [HEAD, MIDDLE, TAIL, '']],
      ['everywhere', ['', HEAD, '', MIDDLE, '', TAIL, '']],
    ])('with empty fragments %s', async (_, pieces) => {
      const peer = await target.peer();
      peer.send(...fragmented(pieces));
      expect(await peer.survives()).toEqual([ANSWER]);
    });

    test('of empty fragments only: an empty text, which is not JSON', async () => {
      const peer = await target.peer();
      peer.send(...fragmented(['', '', '']));
      const [answer, ...more] = await peer.survives();
      expect(answer).toContain('"malformed_json"');
      expect(more).toEqual([]);
    });

    test('and the next message starts over', async () => {
      const peer = await target.peer();
      for (let round = 0; round < 3; round++) peer.send(...fragmented([HEAD, MIDDLE, TAIL]), frame(TEXT, MESSAGE));
      expect(await peer.survives()).toEqual(Array(6).fill(ANSWER));
    });
  });

  describe('control frames between fragments', () => {
    const between = [start, frame(PING, 'one'), frame(PONG, 'unasked'), frame(CONTINUATION, MIDDLE, { fin: false })];
    const all = [...between, frame(PING, ''), frame(PING, 'two'), frame(CONTINUATION, TAIL)];
    test.each([
      ['in separate packets', all],
      ['in one packet', [Buffer.concat(all)]],
    ])('are answered at once and leave the message whole, %s', async (_, writes) => {
      const peer = await target.peer();
      peer.send(...writes);
      expect(await peer.survives()).toEqual(['pong one', 'pong', 'pong two', ANSWER]);
    });

    test('are answered before the message ends', async () => {
      const peer = await target.peer();
      peer.send(start, frame(PING, 'now'));
      expect(await peer.waitFor(1)).toEqual(['pong now']);
      peer.send(...fragmented(['', MIDDLE, TAIL]).slice(1));
      expect(await peer.survives()).toEqual(['pong now', ANSWER]);
    });
  });

  describe('fragments out of order are a protocol error, 1002', () => {
    test.each([
      ['a text inside a fragmented message', [start, frame(TEXT, MESSAGE)], []],
      ['a second start inside a fragmented message', [start, start], []],
      ['a binary inside a fragmented text', [start, frame(BINARY, MESSAGE)], []],
      ['an empty text inside a fragmented message', [start, frame(TEXT)], []],
      ['a continuation without a start', [frame(CONTINUATION, MESSAGE)], []],
      ['an empty continuation without a start', [frame(CONTINUATION)], []],
      ['an unfinished continuation without a start', [frame(CONTINUATION, HEAD, { fin: false })], []],
      ['a continuation without a start after a ping', [frame(PING, 'x'), frame(CONTINUATION, MESSAGE)], ['pong x']],
      ['a continuation of a whole message', [frame(TEXT, MESSAGE), frame(CONTINUATION, TAIL)], [ANSWER]],
      [
        'a continuation of a finished fragmented message',
        [...fragmented([HEAD, MIDDLE, TAIL]), frame(CONTINUATION, TAIL)],
        [ANSWER],
      ],
    ])('%s', async (_, frames, received) => {
      const peer = await target.peer();
      peer.send(...frames);
      expect(await peer.untilClosed()).toMatchObject({ code: 1002, received });
    });
  });

  test('a message that is never finished is dropped with its connection', async () => {
    const peer = await target.peer();
    peer.send(start, frame(CONTINUATION, MIDDLE, { fin: false }));
    expect(await target.connections()).toBe(1);
    peer.socket.destroy();
    await target.allClosed();
  });
}
