// RFC 6455 4: what opens a connection, and what does not.
import { describe, expect, test } from 'bun:test';
import { RawSocket, serverFrames } from '../../testing/raw-socket.fixture.ts';
import { frame, PING } from './frame.fixture.ts';
import { ACCEPT, type Changes, handshake, knock, NONCE, type Reply, reply } from './handshake.fixture.ts';
import type { Stage } from './stage.fixture.ts';

export function handshakes(stage: Stage): void {
  const answerTo = (changes: Changes, requestLine?: string): Promise<Reply> =>
    knock(stage.service.url, handshake(changes, requestLine));
  const nonceOf = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64');

  describe('a handshake opens a connection', () => {
    test.each<[string, Changes]>([
      ['as it stands in RFC 6455 1.3', {}],
      ['with blanks around its values', { 'Sec-WebSocket-Key': `  ${NONCE}  `, Upgrade: ' websocket ' }],
      ['with Upgrade in another case', { Upgrade: 'WebSocket' }],
      ['with Upgrade in capitals', { Upgrade: 'WEBSOCKET' }],
      ['with Connection in another case', { Connection: 'uPGRADE' }],
      ['with Connection among other tokens', { Connection: 'keep-alive, Upgrade' }],
      ['with Connection before another token', { Connection: 'upgrade,keep-alive' }],
      [
        'with names in another case',
        { Upgrade: null, uPGRADE: 'websocket', 'Sec-WebSocket-Key': null, 'SEC-websocket-KEY': NONCE },
      ],
      [
        'with headers nobody asked for',
        { Origin: 'https://elsewhere.example', Cookie: 'a=b', 'X-Other': 'c', 'User-Agent': '' },
      ],
      ['with an extension that is not spoken here', { 'Sec-WebSocket-Extensions': 'x-shout; volume=11, x-whisper' }],
      ['with extensions that make no sense', { 'Sec-WebSocket-Extensions': ';;,=' }],
    ])('%s', async (_, changes) => {
      const { status, headers } = await answerTo(changes);
      expect(status).toBe(101);
      expect(headers.get('sec-websocket-accept')).toBe(ACCEPT);
      expect(headers.get('upgrade')?.toLowerCase()).toBe('websocket');
      expect(headers.get('connection')?.toLowerCase()).toBe('upgrade');
      // 4.1: the client must fail where the server agrees to an extension it did not offer.
      expect(headers.get('sec-websocket-extensions')).toBeNull();
    });

    test('to an address written out, and with a query', async () => {
      expect((await answerTo({}, 'GET http://localhost/ws/market HTTP/1.1')).status).toBe(101);
      expect((await answerTo({}, 'GET /ws/market?detail=1 HTTP/1.1')).status).toBe(101);
    });

    test('and frames that came in the same packet are heard', async () => {
      const socket = await RawSocket.connect(stage.service.url);
      socket.write(Buffer.concat([Buffer.from(handshake()), frame(PING, 'early')]));
      expect((await reply(socket)).status).toBe(101);
      await socket.until(({ received }) => serverFrames(received).frames.length > 0);
      expect(serverFrames(socket.received).frames[0]?.payload.toString()).toBe('early');
      socket.destroy();
    });

    test('and a body is no frame: nothing can be smuggled in as one', async () => {
      const socket = await RawSocket.connect(stage.service.url);
      const hidden = frame(PING, 'smuggled');
      socket.write(Buffer.concat([Buffer.from(handshake({ 'Content-Length': String(hidden.length) })), hidden]));
      expect((await reply(socket)).status).toBe(101);
      socket.write(frame(PING, 'said'));
      await socket.until(({ received }) => serverFrames(received).frames.length > 0);
      expect(serverFrames(socket.received).frames.map(({ payload }) => payload.toString())).toEqual(['said']);
      socket.destroy();
    });
  });

  describe('a handshake is refused', () => {
    test.each<[string, Changes]>([
      ['without Sec-WebSocket-Key', { 'Sec-WebSocket-Key': null }],
      ['with an empty key', { 'Sec-WebSocket-Key': '' }],
      ['with a key of one character', { 'Sec-WebSocket-Key': 'a' }],
      ['with a key of 15 bytes', { 'Sec-WebSocket-Key': nonceOf(15) }],
      ['with a key of 17 bytes', { 'Sec-WebSocket-Key': nonceOf(17) }],
      ['with a key of 24 characters that are 18 bytes', { 'Sec-WebSocket-Key': nonceOf(18) }],
      ['with a key that is not base64', { 'Sec-WebSocket-Key': '!'.repeat(24) }],
      ['with two keys', { 'sec-websocket-key': nonceOf(16) }],
      ['without Upgrade', { Upgrade: null }],
      ['with an empty Upgrade', { Upgrade: '' }],
      ['with Upgrade to something else', { Upgrade: 'h2c' }],
      ['with an Upgrade that only begins like it', { Upgrade: 'websockets' }],
    ])('with 426 and the reason %s', async (_, changes) => {
      const { status, headers, body } = await answerTo(changes);
      expect(status).toBe(426);
      expect(headers.get('upgrade')).toBe('websocket');
      expect(JSON.parse(body)).toMatchObject({ code: 'upgrade_required' });
    });

    test.each([null, '', '0', '8', '12', '14', '013', '13, 8', 'thirteen'])(
      'with 426 and the version that is spoken, where it asks for version %j (4.2.2, 4.4)',
      async (version) => {
        const { status, headers } = await answerTo({ 'Sec-WebSocket-Version': version });
        expect(status).toBe(426);
        expect(headers.get('sec-websocket-version')).toBe('13');
      },
    );

    test.each<[string, string, Changes, readonly number[]]>([
      ['another method', 'POST /ws/market HTTP/1.1', { 'Content-Length': '0' }, [405, 426]],
      ['a channel that does not exist', 'GET /ws/none HTTP/1.1', {}, [404]],
      ['HTTP/1.2', 'GET /ws/market HTTP/1.2', {}, [505]],
      ['no Host', 'GET /ws/market HTTP/1.1', { Host: null }, [400]],
      ['a folded header', 'GET /ws/market HTTP/1.1', { 'X-Folded': 'a\r\n b' }, [400]],
      ['a NUL in a header', 'GET /ws/market HTTP/1.1', { 'X-Nul': 'a\0b' }, [400]],
      [
        'a return that would split the answer',
        'GET /ws/market HTTP/1.1',
        { 'Sec-WebSocket-Protocol': 'a\rX: b' },
        [400],
      ],
      ['a blank before a colon', 'GET /ws/market HTTP/1.1', { 'X-Blank ': 'a' }, [400]],
      ['a bad API key', 'GET /ws/market HTTP/1.1', { 'X-API-Key': 'tw_bad' }, [401]],
    ])('with %s', async (_, requestLine, changes, statuses) => {
      expect(statuses).toContain((await answerTo(changes, requestLine)).status);
    });
  });

  describe('lists in its headers', () => {
    for (const connection of [null, '', 'keep-alive', 'close', 'Upgraded'])
      test(`Connection ${JSON.stringify(connection)} without the token Upgrade is refused (4.2.1, 4)`, async () => {
        expect((await answerTo({ Connection: connection })).status).toBe(426);
      });

    for (const upgrade of ['h2c, websocket', 'websocket, h2c'])
      test(`Upgrade "${upgrade}" contains websocket and is taken (4.2.1, 3)`, async () => {
        expect((await answerTo({ Upgrade: upgrade })).status).toBe(101);
      });

    test('of the subprotocols that are offered the first is agreed to: browsers fail where none is', async () => {
      const { headers } = await answerTo({ 'Sec-WebSocket-Protocol': 'chat, superchat' });
      expect(headers.get('sec-websocket-protocol')).toBe('chat');
    });
  });

  describe("Bun's own, out of our hands", () => {
    test('Bun upgrades HTTP/1.0; RFC 6455 4.2.1 (1) asks for 1.1 or higher', async () => {
      expect((await answerTo({}, 'GET /ws/market HTTP/1.0')).status).toBe(101);
    });

    test('Bun refuses another version before we are asked, without the Upgrade header of RFC 9110 15.5.22', async () => {
      const { status, headers } = await answerTo({ 'Sec-WebSocket-Version': '8' });
      expect([status, headers.get('upgrade')]).toEqual([426, null]);
    });
  });
}
