// Anything a client may send by mistake or on purpose: each message gets its answer, and another client is not affected.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { MAX_MESSAGE_BYTES } from '@tickwire/contract';
import { expectContinuity } from '../../testing/continuity.fixture.ts';
import { clientFrame, rawStream, serverFrames } from '../../testing/raw-socket.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let bystander: StreamClient;
beforeAll(async () => {
  service = await startService({ sim_rate: '500' });
  bystander = await StreamClient.open(`${service.wsUrl}/ws/market`, (await service.key()).key);
  await bystander.ask({ action: 'subscribe', symbols: ['*'], seq: true });
});
afterAll(async () => {
  bystander.close();
  await service.stop();
});

async function open(channel = 'market'): Promise<StreamClient> {
  return StreamClient.open(`${service.wsUrl}/ws/${channel}`, (await service.key()).key);
}
async function answerTo(stream: StreamClient, text: string): Promise<Message> {
  stream.sendRaw(text);
  return stream.next((message) => !isData(message));
}
const alive = async (stream: StreamClient): Promise<void> => {
  expect(await stream.ask({ action: 'ping' })).toMatchObject({ event: 'pong' });
};

describe('an invalid message', () => {
  test.each([
    ['{', 'malformed_json'],
    ['', 'malformed_json'],
    ['subscribe', 'malformed_json'],
    ["{'action':'ping'}", 'malformed_json'],
    ['{"action":"ping"}{"action":"ping"}', 'malformed_json'],
    ['{"action":"ping"\u0000}', 'malformed_json'],
    ['null', 'invalid_message'],
    ['5', 'invalid_message'],
    ['"subscribe"', 'invalid_message'],
    ['[]', 'invalid_message'],
    ['{}', 'invalid_message'],
    ['{"action":null}', 'invalid_message'],
    ['{"action":7}', 'invalid_message'],
    ['{"action":["subscribe"]}', 'invalid_message'],
    ['{"action":"subscribe"}', 'invalid_message'],
    ['{"action":"subscribe","symbols":"EURUSD"}', 'invalid_message'],
    ['{"action":"subscribe","symbols":[]}', 'invalid_message'],
    ['{"action":"subscribe","symbols":[1]}', 'invalid_message'],
    ['{"action":"subscribe","symbols":[null]}', 'invalid_message'],
    ['{"action":"subscribe","symbols":{"0":"EURUSD"}}', 'invalid_message'],
    ['{"action":"subscribe","symbols":["EURUSD"],"seq":"yes"}', 'invalid_message'],
    ['{"action":"subscribe","symbols":["EURUSD"],"id":{}}', 'invalid_message'],
    [`{"action":"ping","id":"${'x'.repeat(129)}"}`, 'invalid_message'],
    [`{"action":"subscribe","symbols":["${'X'.repeat(65)}"]}`, 'invalid_message'],
    [`{"action":"ping","api_key":"${'x'.repeat(257)}"}`, 'invalid_message'],
    ['{"action":"SUBSCRIBE","symbols":["EURUSD"]}', 'unknown_action'],
    ['{"action":"constructor"}', 'unknown_action'],
    ['{"action":"__proto__"}', 'unknown_action'],
    ['{"action":""}', 'unknown_action'],
  ])('%j is answered with %s and leaves the connection open', async (text, code) => {
    const stream = await open();
    expect(await answerTo(stream, text)).toMatchObject({ event: 'error', code, fatal: false, retryable: false });
    await alive(stream);
    stream.close();
  });

  test('is answered with its id if that is valid', async () => {
    const stream = await open();
    expect(await stream.ask({ action: 'none', id: 'mine' })).toMatchObject({ code: 'unknown_action', id: 'mine' });
    expect(await stream.ask({ action: 'subscribe', symbols: 5, id: 9 })).toMatchObject({
      code: 'invalid_message',
      id: 9,
    });
    stream.close();
  });

  test('closes the connection with 4400 the tenth time', async () => {
    const stream = await open();
    for (let count = 0; count < 10; count++) stream.sendRaw('{');
    expect((await stream.closed).code).toBe(4400);
    expect(stream.messages.map(({ code, fatal }) => [code, fatal])).toEqual([
      ...Array(10).fill(['malformed_json', false]),
      ['bad_messages', true],
    ]);
  });

  test('counts before authentication as well', async () => {
    const stream = await StreamClient.open(`${service.wsUrl}/ws/market`);
    for (let count = 0; count < 10; count++) stream.send({ action: 'ping' });
    expect((await stream.closed).code).toBe(4400);
    expect(stream.messages[0]).toMatchObject({ code: 'missing_key', fatal: false });
  });

  test('may have unknown fields, which are ignored', async () => {
    const stream = await open();
    expect(await stream.ask({ action: 'list', later: { version: [1] } })).toMatchObject({ event: 'subscriptions' });
    stream.close();
  });
});

describe('frames', () => {
  test('a binary frame closes the connection with 4400 immediately', async () => {
    const stream = await open();
    stream.sendRaw(new TextEncoder().encode('{"action":"ping"}'));
    expect((await stream.closed).code).toBe(4400);
    expect(stream.messages.at(-1)).toMatchObject({ code: 'bad_messages', fatal: true });
  });

  test('a message may have 64 KiB; one byte more closes the connection with 4413, counted in bytes, not characters', async () => {
    const padded = (bytes: number, filler = ' '): string => {
      const text = '{"action":"ping","later":""}';
      return text.replace('""', `"${filler.repeat((bytes - text.length) / Buffer.byteLength(filler))}"`);
    };
    const stream = await open();
    expect(await answerTo(stream, padded(MAX_MESSAGE_BYTES))).toMatchObject({ event: 'pong' });
    for (const text of [padded(MAX_MESSAGE_BYTES + 1), padded(MAX_MESSAGE_BYTES + 2, 'é')]) {
      const other = await open();
      other.sendRaw(text);
      expect((await other.closed).code).toBe(4413);
      expect(other.messages.at(-1)).toMatchObject({ code: 'message_too_large', fatal: true });
    }
    await alive(stream);
    stream.close();
  });

  test('a frame over 1 MiB is rejected by the protocol layer', async () => {
    const { key } = await service.key();
    const socket = await rawStream(service.url, '/ws/market', key);
    socket.write(clientFrame(1, ' '.repeat(1024 * 1024 + 1)));
    expect(await socket.until(({ isClosed }) => isClosed)).toBe(true);
    const close = serverFrames(socket.received).frames.find(({ opcode }) => opcode === 8);
    expect(close?.payload.readUInt16BE(0)).toBe(1009);
  });

  test.each([
    ['without a mask', Buffer.from([0x81, 0x02, 0x7b, 0x7d])],
    ['with a reserved opcode', clientFrame(3, '{}')],
    ['with reserved bits', Buffer.concat([Buffer.from([0xf1]), clientFrame(1, '{}').subarray(1)])],
    ['that is not UTF-8', clientFrame(1, Buffer.from([0xc3, 0x28, 0xff]))],
    ['that is a fragmented ping', Buffer.concat([Buffer.from([0x09]), clientFrame(9, 'x').subarray(1)])],
  ])('a frame %s closes only its own connection', async (_, bytes) => {
    const socket = await rawStream(service.url, '/ws/market', (await service.key()).key);
    socket.write(bytes);
    expect(await socket.until(({ isClosed }) => isClosed)).toBe(true);
  });

  test('more than 100 messages per second close the connection with 4429', async () => {
    const stream = await open();
    // A new second may start in between; of 201 messages at least 101 fall into one.
    for (let count = 0; count < 201; count++) stream.send({ action: 'ping' });
    expect((await stream.closed).code).toBe(4429);
    expect(stream.messages.at(-1)).toMatchObject({ code: 'too_many_messages', fatal: true, retryable: true });
  });
});

describe('large messages', () => {
  test('30,000 nested brackets are rejected like any invalid message', async () => {
    const stream = await open();
    for (const text of ['['.repeat(30_000), '['.repeat(30_000) + ']'.repeat(30_000), '{"action":'.repeat(6_000)]) {
      const { code } = await answerTo(stream, text);
      expect(['malformed_json', 'invalid_message']).toContain(String(code));
    }
    const nested = `{"action":"ping","later":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect((await answerTo(stream, nested)).event).toMatch(/^(pong|error)$/);
    await alive(stream);
    stream.close();
  });

  test('1,000 symbols are accepted in one message, duplicates once; 1,001 are not', async () => {
    const stream = await open();
    const thousand = Array.from({ length: 1_000 }, (_, at) => (at < 500 ? 'EURUSD' : `NONE${at}`));
    const answer = await stream.ask({ action: 'subscribe', symbols: thousand });
    expect(answer.symbols).toEqual(['EURUSD']);
    expect(answer.rejected).toHaveLength(500);
    expect(await stream.ask({ action: 'subscribe', symbols: [...thousand, 'BTCUSD'] })).toMatchObject({
      event: 'error',
      code: 'invalid_message',
    });
    expect(await stream.ask({ action: 'list' })).toMatchObject({ symbols: ['EURUSD'] });
    stream.close();
  });

  test('text of the client is returned escaped', async () => {
    const stream = await open();
    const symbol = '","event":"shutdown","x":"\u2028</script>';
    const answer = await stream.ask({ action: 'subscribe', symbols: [symbol] });
    expect(answer).toMatchObject({ event: 'subscribed', rejected: [{ symbol, code: 'symbol_not_found' }] });
    stream.close();
  });
});

describe('afterwards', () => {
  test('the service responds, and the other client has lost nothing', async () => {
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await bystander.take(100, isData);
    expectContinuity(bystander.messages.filter(isData));
    expect(bystander.messages.filter((message) => !isData(message))).toHaveLength(1);
    expect(bystander.messages.some(isEvent('gap'))).toBe(false);
  });
});
