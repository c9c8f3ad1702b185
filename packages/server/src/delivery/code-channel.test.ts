import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { outgoing } from '../../testing/delivery/messages.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import type { Channel, OutgoingMessage } from './channel.ts';
import { sealCode, withCodes } from './code-channel.ts';
import { DestinationBox } from './destination-box.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a code is stored encrypted, sent in clear text, and not sent after it has expired', async () => {
  const box = new DestinationBox(join(folder, 'key'));
  const sent: OutgoingMessage[] = [];
  const plain: Channel = {
    name: 'email',
    async send(_, message) {
      sent.push(message);
      return { result: 'delivered' };
    },
  };
  let now = 1_000;
  const channel = withCodes(new Map([['email', plain]]), box, () => now).get('email')!;
  const message = outgoing();
  const body = { sealedCode: sealCode(box, message.id, '482913'), expiresAt: 2_000, locale: message.body.locale };
  expect(JSON.stringify(body)).not.toContain('482913');
  const stored = { ...message, type: 'code', body: body as never };
  const { signal } = new AbortController();
  expect(await channel.send({}, stored, signal)).toEqual({ result: 'delivered' });
  expect(sent[0]!.body).toEqual({ code: '482913', locale: message.body.locale });
  now = 2_000;
  expect(await channel.send({}, stored, signal)).toEqual({ result: 'rejected', reason: 'the code has expired' });
  expect(await channel.send({}, message, signal)).toEqual({ result: 'delivered' });
  expect(sent).toHaveLength(2);
  // It belongs to its message.
  now = 1_000;
  expect(channel.send({}, { ...stored, id: 'msg_another' }, signal)).rejects.toThrow();
});
