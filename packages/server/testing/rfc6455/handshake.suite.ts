// RFC 6455 4: which handshakes open a connection, and which do not.
import { describe, expect, test } from 'bun:test';
import { RawSocket, serverFrames } from '../raw-socket.fixture.ts';
import type { ConformanceService } from './conformance-service.fixture.ts';
import { frame, PING } from './frame.fixture.ts';
import {
  ACCEPT,
  type Changes,
  type HandshakeResponse,
  handshake,
  NONCE,
  readResponse,
  tryHandshake,
} from './handshake.fixture.ts';

export function handshakes(target: ConformanceService): void {
  const answerTo = (changes: Changes, requestLine?: string): Promise<HandshakeResponse> =>
    tryHandshake(target.service.url, handshake(changes, requestLine));
  const nonceOf = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64');

  describe('a handshake opens a connection', () => {
    test.each<[string, Changes]>([
      ['as in RFC 6455 1.3', {}],
      ['with spaces around its values', { 'Sec-WebSocket-Key': `  ${NONCE}  `, Upgrade: ' websocket ' }],
      ['with Upgrade in another case', { Upgrade: 'WebSocket' }],
      ['with Upgrade in capitals', { Upgrade: 'WEBSOCKET' }],
      ['with Connection in another case', { Connection: 'uPGRADE' }],
      ['with Connection among other tokens', { Connection: 'keep-alive, Upgrade' }],
      ['with Connection before another token', { Connection: 'upgrade,keep-alive' }],
      [
        'with header names in another case',
        { Upgrade: null, uPGRADE: 'websocket', 'Sec-WebSocket-Key': null, 'SEC-websocket-KEY': NONCE },
      ],
      [
        'with unrelated headers',
        { Origin: 'https://elsewhere.example', Cookie: 'a=b', 'X-Other': 'c', 'User-Agent': '' },
      ],
      ['with an unsupported extension', { 'Sec-WebSocket-Extensions': 'x-shout; volume=11, x-whisper' }],
      ['with malformed extensions', { 'Sec-WebSocket-Extensions': ';;,=' }],
    ])('%s', async (_, changes) => {
      const { status, headers } = await answerTo(changes);
      expect(status).toBe(101);
      expect(headers.get('sec-websocket-accept')).toBe(ACCEPT);
      expect(headers.get('upgrade')?.toLowerCase()).toBe('websocket');
      expect(headers.get('connection')?.toLowerCase()).toBe('upgrade');
      // 4.1: a client must fail if the server accepts an extension that it did not offer.
      expect(headers.get('sec-websocket-extensions')).toBeNull();
    });

    test('with an absolute URL, and with a query', async () => {
      expect((await answerTo({}, 'GET http://localhost/ws/market HTTP/1.1')).status).toBe(101);
      expect((await answerTo({}, 'GET /ws/market?detail=1 HTTP/1.1')).status).toBe(101);
    });

    test('and frames in the same packet are read', async () => {
      const socket = await RawSocket.connect(target.service.url);
      socket.write(Buffer.concat([Buffer.from(handshake()), frame(PING, 'early')]));
      expect((await readResponse(socket)).status).toBe(101);
      await socket.until(({ received }) => serverFrames(received).frames.length > 0);
      expect(serverFrames(socket.received).frames[0]?.payload.toString()).toBe('early');
      socket.destroy();
    });

    test('and a request body is not read as frames', async () => {
      const socket = await RawSocket.connect(target.service.url);
      const hidden = frame(PING, 'smuggled');
      socket.write(Buffer.concat([Buffer.from(handshake({ 'Content-Length': String(hidden.length) })), hidden]));
      expect((await readResponse(socket)).status).toBe(101);
      socket.write(frame(PING, 'received'));
      await socket.until(({ received }) => serverFrames(received).frames.length > 0);
      expect(serverFrames(socket.received).frames.map(({ payload }) => payload.toString())).toEqual(['received']);
      socket.destroy();
    });
  });

  describe('a handshake is rejected', () => {
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
      ['with an Upgrade that only starts like it', { Upgrade: 'websockets' }],
    ])('with 426 and the reason %s', async (_, changes) => {
      const { status, headers, body } = await answerTo(changes);
      expect(status).toBe(426);
      expect(headers.get('upgrade')).toBe('websocket');
      expect(JSON.parse(body)).toMatchObject({ code: 'upgrade_required' });
    });

    test.each([null, '', '0', '8', '12', '14', '013', '13, 8', 'thirteen'])(
      'with 426 and the supported version if it requests version %j (4.2.2, 4.4)',
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
        'a carriage return that would split the response',
        'GET /ws/market HTTP/1.1',
        { 'Sec-WebSocket-Protocol': 'a\rX: b' },
        [400],
      ],
      ['a space before a colon', 'GET /ws/market HTTP/1.1', { 'X-Blank ': 'a' }, [400]],
      ['an invalid API key', 'GET /ws/market HTTP/1.1', { 'X-API-Key': 'tw_bad' }, [401]],
    ])('with %s', async (_, requestLine, changes, statuses) => {
      expect(statuses).toContain((await answerTo(changes, requestLine)).status);
    });
  });

  describe('comma-separated headers', () => {
    for (const connection of [null, '', 'keep-alive', 'close', 'Upgraded'])
      test(`Connection ${JSON.stringify(connection)} without the token Upgrade is refused (4.2.1, 4)`, async () => {
        expect((await answerTo({ Connection: connection })).status).toBe(426);
      });

    for (const upgrade of ['h2c, websocket', 'websocket, h2c'])
      test(`Upgrade "${upgrade}" contains websocket and is taken (4.2.1, 3)`, async () => {
        expect((await answerTo({ Upgrade: upgrade })).status).toBe(101);
      });

    test('the first of the offered subprotocols is accepted, because browsers fail without one', async () => {
      const { headers } = await answerTo({ 'Sec-WebSocket-Protocol': 'chat, superchat' });
      expect(headers.get('sec-websocket-protocol')).toBe('chat');
    });
  });

  describe('behaviour of Bun that we cannot change', () => {
    test('Bun upgrades HTTP/1.0; RFC 6455 4.2.1 (1) requires 1.1 or higher', async () => {
      expect((await answerTo({}, 'GET /ws/market HTTP/1.0')).status).toBe(101);
    });

    test('Bun rejects other versions itself, without the Upgrade header of RFC 9110 15.5.22', async () => {
      const { status, headers } = await answerTo({ 'Sec-WebSocket-Version': '8' });
      expect([status, headers.get('upgrade')]).toEqual([426, null]);
    });
  });
}
