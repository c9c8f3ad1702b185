// The receivers in docs/alerts.md, run as they are: they accept what the service sends and refuse everything else.
import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALERT, outgoing } from '../../../testing/delivery/messages.fixture.ts';
import { freePort } from '../../../testing/free-port.fixture.ts';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { reportSkipped } from '../../../testing/skipped.fixture.ts';
import { OutgoingHttp } from '../outgoing-http.ts';
import { webhookChannel } from './webhook.ts';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const docs = readFileSync(new URL('../../../../../docs/alerts.md', import.meta.url), 'utf8');
const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const python = Bun.which('python3');
if (!python) reportSkipped('the receiver in Python', 'python3 is not installed');

const blockOf = (language: string): string =>
  new RegExp(`## Checking a webhook's signature[\\s\\S]*?\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(docs)![1]!;

async function check(command: string[]): Promise<void> {
  const port = await freePort();
  const receiver = Bun.spawn(command, {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: SECRET },
    stdout: 'pipe',
    stderr: 'ignore',
  });
  try {
    const channel = webhookChannel(new OutgoingHttp({ allowPrivate: true }));
    const { signal } = new AbortController();
    const send = (secret: string, title: string) => {
      const message = { ...ALERT, data: { ...ALERT.data, title } };
      return channel.send({ url: `http://127.0.0.1:${port}/`, secret }, outgoing(message), signal);
    };
    const end = Date.now() + 60_000;
    while ((await send(SECRET, 'Ready? €')).result !== 'delivered' && Date.now() < end) await Bun.sleep(50);
    expect(await send(SECRET, 'EURUSD bid crossed above 1.20000')).toEqual({ result: 'delivered' });
    const wrong = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
    expect(await send(wrong, 'Forged')).toEqual({ result: 'retry', reason: 'status 401', reached: true });
  } finally {
    receiver.kill();
  }
  expect(await new Response(receiver.stdout).text()).toBe(
    'msg_1b5d7e8f603f9c2a alert.fired Ready? €\nmsg_1b5d7e8f603f9c2a alert.fired EURUSD bid crossed above 1.20000\n',
  );
}

describe('the receiver in docs/alerts.md', () => {
  test('for Node', async () => {
    const file = join(folder, 'receiver.mjs');
    writeFileSync(
      file,
      blockOf('js').replace("'standardwebhooks'", JSON.stringify(import.meta.resolve('standardwebhooks'))),
    );
    await check([Bun.which('node')!, file]);
  });

  test.skipIf(!python)('for Python', async () => {
    const file = join(folder, 'receiver.py');
    writeFileSync(file, blockOf('python'));
    await check([python!, file]);
  });
});
