import { describe, expect, test } from 'bun:test';
import { FakeSmtp } from '../../../testing/delivery/fake-smtp.fixture.ts';
import { ALERT, codeMessage, outgoing } from '../../../testing/delivery/messages.fixture.ts';
import { until } from '../../../testing/delivery/outbox.fixture.ts';
import { createSelfSignedCertificate } from '../../ops/self-signed-certificate.ts';
import type { Channel } from '../channel.ts';
import { emailChannel } from './email.ts';

const from = { name: 'Tickwire', address: 'alerts@example.org' };
const to = { address: 'reader@example.com' };
const { signal } = new AbortController();
const open = (smtp: FakeSmtp, timeouts = {}): Channel => emailChannel({ url: smtp.url, from, timeouts });
/** A header, unfolded. */
const headerOf = (raw: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(raw.split('\r\n\r\n')[0]!.replace(/\r\n[ \t]+/g, ' '))?.[1]?.trim();

describe('a mail', () => {
  test('has text, HTML, a stable id and one-click unsubscription', async () => {
    await using smtp = await FakeSmtp.open();
    const unsubscribe = 'https://tick.example/unsubscribe/dst_1.AAAAAAAAAAAAAAAAAAAAAA';
    const channel = open(smtp);
    expect(await channel.send(to, outgoing(ALERT, { unsubscribe }), signal)).toEqual({ result: 'delivered' });
    const { raw, ...envelope } = smtp.mails[0]!;
    expect(envelope).toEqual({ from: 'alerts@example.org', to: ['reader@example.com'] });
    expect(headerOf(raw, 'From')).toBe('Tickwire <alerts@example.org>');
    expect(headerOf(raw, 'To')).toBe('reader@example.com');
    expect(headerOf(raw, 'Subject')).toBe('EURUSD bid crossed above 1.20000');
    expect(headerOf(raw, 'Message-ID')).toBe('<msg_1b5d7e8f603f9c2a@example.org>');
    expect(headerOf(raw, 'List-Unsubscribe')).toBe(`<${unsubscribe}>`);
    expect(headerOf(raw, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(headerOf(raw, 'Auto-Submitted')).toBe('auto-generated');
    expect(raw).toContain('Content-Type: text/plain');
    expect(raw).toContain('Content-Type: text/html');
  });

  test('with a code has no unsubscription', async () => {
    await using smtp = await FakeSmtp.open();
    expect(await open(smtp).send(to, codeMessage(), signal)).toEqual({ result: 'delivered' });
    expect(headerOf(smtp.mails[0]!.raw, 'Subject')).toBe('Your Tickwire code: 482913');
    expect(headerOf(smtp.mails[0]!.raw, 'List-Unsubscribe')).toBeUndefined();
  });

  test('cannot be given other headers or recipients', async () => {
    await using smtp = await FakeSmtp.open();
    const title = 'EURUSD\r\nBcc: victim@example.com\r\n\r\nbody';
    const message = { ...outgoing(), title, id: 'msg_1>\r\nBcc: victim@example.com' };
    expect(await open(smtp).send(to, message, signal)).toEqual({ result: 'delivered' });
    const { raw, to: recipients } = smtp.mails[0]!;
    expect(recipients).toEqual(['reader@example.com']);
    expect(headerOf(raw, 'Bcc')).toBeUndefined();
    expect(headerOf(raw, 'Subject')).toBe('EURUSD Bcc: victim@example.com body');
    for (const address of [
      'a@b.example, c@d.example',
      'a@b.example\r\nRCPT TO:<c@d.example>',
      'A <a@b.example>',
      'none',
    ])
      expect(await open(smtp).send({ address }, outgoing(), signal)).toEqual({
        result: 'rejected',
        reason: 'it is not an e-mail address',
      });
    expect(smtp.mails).toHaveLength(1);
  });

  test('is tried again after 4xx, silence and lost connections, and not after 5xx', async () => {
    await using smtp = await FakeSmtp.open();
    const impatient = open(smtp, { socketTimeout: 1_000 });
    smtp.misbehave('drop', 'hang', 'lose');
    for (let count = 0; count < 3; count++)
      expect(await impatient.send(to, outgoing(), signal)).toMatchObject({ result: 'retry' });
    const channel = open(smtp);
    const send = () => channel.send(to, outgoing(), signal);
    smtp.misbehave({ at: 'recipient', code: 451 }, { at: 'data', code: 452 });
    expect(await send()).toEqual({ result: 'retry', reason: 'the mail server answered 451', reached: true });
    expect(await send()).toEqual({ result: 'retry', reason: 'the mail server answered 452' });
    // The sender is the operator's.
    smtp.misbehave({ at: 'sender', code: 550 });
    expect(await send()).toEqual({ result: 'retry', reason: 'the mail server answered 550' });
    smtp.misbehave({ at: 'recipient', code: 550 }, { at: 'data', code: 554 });
    expect(await send()).toEqual({ result: 'rejected', reason: 'the mail server answered 550' });
    expect(await send()).toEqual({ result: 'rejected', reason: 'the mail server answered 554' });
    expect(await send()).toEqual({ result: 'delivered' });
  });

  test('to a server that is not there is tried again', async () => {
    const channel = emailChannel({ url: 'smtp://127.0.0.1:1', from });
    expect(await channel.send(to, outgoing(), signal)).toMatchObject({ result: 'retry' });
  });

  test('ends its connection when the worker stops, and is not accepted afterwards', async () => {
    await using smtp = await FakeSmtp.open();
    smtp.misbehave('hang');
    const stopping = new AbortController();
    const sending = emailChannel({ url: smtp.url, from }).send(to, outgoing(), stopping.signal);
    await until('the connection', () => smtp.connections === 1);
    stopping.abort();
    expect(await sending).toEqual({ result: 'retry', reason: 'stopped' });
    await until('the end of the connection', () => smtp.connections === 0);
    expect(smtp.mails).toEqual([]);
  });

  test('that the server accepts slowly is sent once', async () => {
    await using smtp = await FakeSmtp.open();
    smtp.misbehave({ answersAfterMs: 50 });
    const channel = emailChannel({ url: smtp.url, from });
    expect(channel.attemptMs).toBeGreaterThanOrEqual(60_000);
    expect(await channel.send(to, outgoing(), signal)).toEqual({ result: 'delivered' });
    expect(smtp.mails).toHaveLength(1);
  });
});

describe('the mail server', () => {
  test('gets the user name and password; if it refuses them, the mail waits', async () => {
    let password = 'p@ss';
    await using smtp = await FakeSmtp.open({
      authOptional: false,
      onAuth: ({ username, password: given }, _, callback) =>
        username === 'user' && given === password ? callback(null, { user: 1 }) : callback(new Error('wrong')),
      allowInsecureAuth: true,
    });
    const channel = emailChannel({ url: `smtp://user:p%40ss@127.0.0.1:${smtp.port}`, from });
    expect(await channel.send(to, outgoing(), signal)).toEqual({ result: 'delivered' });
    password = 'other';
    expect(await channel.send(to, outgoing(), signal)).toMatchObject({ result: 'retry' });
  });

  test('over TLS needs a trusted certificate for its name', async () => {
    const { cert, key } = createSelfSignedCertificate('localhost');
    await using smtp = await FakeSmtp.open({ secure: true, cert, key });
    const url = `smtps://localhost:${smtp.port}`;
    expect(await emailChannel({ url, from }).send(to, outgoing(), signal)).toMatchObject({ result: 'retry' });
    expect(smtp.mails).toEqual([]);
    expect(await emailChannel({ url, from, ca: cert }).send(to, outgoing(), signal)).toEqual({ result: 'delivered' });
    expect(smtp.secure).toBe(1);
  });

  test('gets no password without TLS, unless it is on this machine', async () => {
    const users: string[] = [];
    await using smtp = await FakeSmtp.open({
      onAuth: ({ username }, _, callback) => {
        users.push(String(username));
        callback(null, { user: 1 });
      },
      allowInsecureAuth: true,
    });
    // Another name for 127.0.0.1, which the service does not recognise as this machine.
    const url = `smtp://user:password@[::ffff:127.0.0.1]:${smtp.port}`;
    expect(await emailChannel({ url, from }).send(to, outgoing(), signal)).toMatchObject({ result: 'retry' });
    expect(users).toEqual([]);
  });

  test('is used with STARTTLS if it offers it', async () => {
    const { cert, key } = createSelfSignedCertificate('localhost');
    await using smtp = await FakeSmtp.open({ cert, key });
    const url = `smtp://localhost:${smtp.port}`;
    expect(await emailChannel({ url, from, ca: cert }).send(to, outgoing(), signal)).toEqual({ result: 'delivered' });
    expect(smtp.secure).toBe(1);
  });
});
