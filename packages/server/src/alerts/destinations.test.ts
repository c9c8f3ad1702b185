// Destinations over REST: limits that hold for requests at the same time, and destinations that come back.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { CreatedDestination, Destination } from '@tickwire/contract';
import { AlertUser, crossing, HookReceiver } from '../../testing/alert-user.fixture.ts';
import { FakeSmtp } from '../../testing/delivery/fake-smtp.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { codeOf } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let service: RunningService;
let smtp: FakeSmtp;
beforeAll(async () => {
  smtp = await FakeSmtp.open();
  service = await startService({
    ...{ feeds: 'push', delivery_allow_private: 'true', public_url: 'https://tick.example' },
    ...{ smtp_url: smtp.url, mail_from: 'alerts@tick.example' },
  });
});
afterAll(async () => {
  await service.stop();
  await smtp[Symbol.asyncDispose]();
});

const listed = async (user: AlertUser): Promise<Destination[]> =>
  (await user.must<{ items: Destination[] }>('GET', '/api/destinations')).items;
const eventuallyMail = async (to: string): Promise<string> => {
  const find = () => smtp.mails.find(({ raw }) => raw.includes(`To: ${to}`));
  await eventually('the mail', () => find() !== undefined);
  return find()!.raw;
};
const hook = (path: number | string) => ({ channel: 'webhook', url: `http://127.0.0.1:9/${path}` });

describe('destinations', () => {
  test('requests at the same time do not exceed the limit together', async () => {
    const user = await AlertUser.of(service);
    const answers = await Promise.all(
      Array.from({ length: 55 }, (_, n) => user.send('POST', '/api/destinations', hook(n))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    expect(await listed(user)).toHaveLength(50);
  });

  test('requests at the same time for one address create it once, and one of them gets its secret', async () => {
    const user = await AlertUser.of(service);
    const made = await Promise.all(Array.from({ length: 5 }, () => user.destination(hook('same'))));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made.filter(({ secret }) => secret !== null)).toHaveLength(1);
  });

  test('an alert that is rejected leaves none behind, whichever entry is at fault', async () => {
    const user = await AlertUser.of(service);
    const alert = (deliver: object[]) =>
      user.send('POST', '/api/alerts', { symbol: 'EURUSD', condition: crossing(1.2), deliver });
    expect(await codeOf(await alert([hook('a'), { destination: 'dst_missing' }]))).toEqual([
      404,
      'destination_not_found',
    ]);
    expect(await listed(user)).toEqual([]);
    for (let n = 0; n < 49; n++) await user.destination(hook(n));
    expect(await codeOf(await alert([hook('b'), hook('c')]))).toEqual([409, 'too_many_destinations']);
    expect(await listed(user)).toHaveLength(49);
    // An address that is named twice is one destination.
    expect(
      (
        await user.must<{ created_destinations: CreatedDestination[] }>('POST', '/api/alerts', {
          ...{ symbol: 'EURUSD', condition: crossing(1.2), deliver: [hook('b'), hook('b')] },
        })
      ).created_destinations,
    ).toHaveLength(1);
  });

  test('a deleted one is named by no alert and no subscription any more', async () => {
    const user = await AlertUser.of(service);
    const [kept, deleted] = [await user.destination(hook('kept')), await user.destination(hook('deleted'))];
    const deliver = [{ destination: deleted.id }, { destination: kept.id }];
    const { id } = await user.alert({ condition: crossing(1.2), deliver });
    await user.subscription({ symbol: 'EURUSD', deliver });
    await user.must('DELETE', `/api/destinations/${deleted.id}`);
    // A change of the alert must not store the deleted one again.
    await user.must('PATCH', `/api/alerts/${id}`, { note: 'changed' });
    const stored = (await service.app.store.alerts.alerts()).find((row) => row.id === id)!;
    expect(stored.deliver).toEqual([kept.id]);
  });

  test('a mail address has no control or invisible characters', async () => {
    const user = await AlertUser.of(service);
    for (const text of ['\0', '\x01', '\x1b', '\x7f', '\x85', '\u200b', '\u202e', '\ufeff'])
      for (const address of [`a${text}@mail.example`, `a@mail${text}.example`, `a@mail.example${text}`])
        expect([
          text.codePointAt(0),
          ...(await codeOf(await user.send('POST', '/api/destinations', { channel: 'email', address }))),
        ]).toEqual([text.codePointAt(0), 400, 'invalid_parameter']);
  });

  test('an address whose reader unsubscribes from a code gets no more codes of any account', async () => {
    const [user, other] = [await AlertUser.of(service), await AlertUser.of(service)];
    const address = { channel: 'email', address: 'victim@mail.example' };
    const { id } = await user.destination(address);
    await eventually('the mail', () => smtp.mails.length === 1);
    const [, path] = /List-Unsubscribe:\s+<https:\/\/tick\.example(\/unsubscribe\/[^>]+)>/i.exec(smtp.mails[0]!.raw)!;
    expect((await fetch(service.url + path, { method: 'POST' })).status).toBe(200);
    expect((await listed(user))[0]!.state).toBe('unsubscribed');
    const rejected: [number, string] = [409, 'too_many_destinations'];
    for (const each of [user, other])
      expect(await codeOf(await each.send('POST', '/api/destinations', address))).toEqual(rejected);
    await user.must('DELETE', `/api/destinations/${id}`);
    for (const each of [user, other])
      expect(await codeOf(await each.send('POST', '/api/destinations', address))).toEqual(rejected);
    expect(smtp.mails).toHaveLength(1);
  });

  test('the code in the outbox is encrypted', async () => {
    const user = await AlertUser.of(service);
    const { id } = await user.destination({ channel: 'email', address: 'ann@mail.example' });
    const mail = await eventuallyMail('ann@mail.example');
    const [code] = /\d{6}/.exec(/^Subject: .*$/m.exec(mail)![0])!;
    const [delivery] = await user.deliveries();
    const { body } = (await service.app.store.delivery.message(delivery!.id))!;
    expect(body).not.toContain(code!);
    expect(await user.must('POST', `/api/destinations/${id}/verify`, { code })).toMatchObject({ state: 'active' });
  });

  test('a webhook that answered 410 is active again with a new secret when it is created or named again', async () => {
    let status = 410;
    await using receiver = await HookReceiver.open(() => ({ status }));
    const user = await AlertUser.of(service);
    const address = { channel: 'webhook', url: receiver.url() };
    const first = await user.destination(address);
    const state = async () => (await listed(user))[0]!.state;
    const unsubscribe = async () => {
      status = 410;
      await user.must('POST', `/api/destinations/${first.id}/test`);
      await eventually('unsubscribed', async () => (await state()) === 'unsubscribed');
      status = 204;
    };
    await unsubscribe();
    const second = await user.destination(address);
    expect(second).toMatchObject({ id: first.id, state: 'active' });
    expect(second.secret).not.toBe(first.secret);
    await unsubscribe();
    const { created_destinations } = await user.alert({ condition: crossing(1.2), deliver: [address] });
    expect(created_destinations).toMatchObject([{ id: first.id, state: 'active' }]);
    const before = receiver.received.length;
    await user.must('POST', `/api/destinations/${first.id}/test`);
    receiver.verify(created_destinations[0]!.secret!, (await receiver.wait(before + 1)).at(-1)!);
  });
});
