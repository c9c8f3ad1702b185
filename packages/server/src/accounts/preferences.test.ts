// The time zone and number format of an account, over REST and in what its chats and mailboxes receive.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Preferences } from '@tickwire/contract';
import { AlertUser, crossing, HookReceiver } from '../../testing/alert-user.fixture.ts';
import { FakeSmtp } from '../../testing/delivery/fake-smtp.fixture.ts';
import { FAKE_BOT_TOKEN, FakeTelegram } from '../../testing/delivery/fake-telegram.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { codeOf, TestMarket } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

const CHAT = 42;
let telegram: FakeTelegram;
let smtp: FakeSmtp;
let service: RunningService;
let market: TestMarket;
beforeAll(async () => {
  telegram = (await FakeTelegram.open()).chat({ id: CHAT, type: 'private', title: 'Ann' });
  smtp = await FakeSmtp.open();
  service = await startService({
    feeds: 'push',
    spike_percent: '1000',
    delivery_allow_private: 'true',
    telegram_api_url: telegram.url,
    telegram_bot_token: FAKE_BOT_TOKEN,
    smtp_url: smtp.url,
    mail_from: 'alerts@example.org',
    public_url: 'https://tick.example.org',
  });
  market = await TestMarket.of(service);
});
afterAll(async () => {
  await service.stop();
  await telegram[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

const PATH = '/api/preferences';
const BERLIN = { time_zone: 'Europe/Berlin', number_format: 'de' };

test('are UTC and English until the account sets them, each on its own', async () => {
  const [user, other] = [await AlertUser.of(service), await AlertUser.of(service)];
  expect(Preferences.parse(await user.must('GET', PATH))).toEqual({ time_zone: 'UTC', number_format: 'en' });
  expect(await user.must('PATCH', PATH, { time_zone: 'Europe/Berlin' })).toEqual({ ...BERLIN, number_format: 'en' });
  expect(await user.must('PATCH', PATH, { number_format: 'de' })).toEqual(BERLIN);
  expect(await user.must('PATCH', PATH, {})).toEqual(BERLIN);
  expect(await user.must('GET', PATH)).toEqual(BERLIN);
  expect(await other.must('GET', PATH)).toEqual({ time_zone: 'UTC', number_format: 'en' });
  expect(await service.app.store.alerts.preferences()).toContainEqual({
    account: expect.any(String),
    timeZone: 'Europe/Berlin',
    numberFormat: 'de',
  });
});

test('must be a zone and a notation that the service knows', async () => {
  const user = await AlertUser.of(service);
  for (const wrong of [
    { time_zone: 'Mars/Olympus' },
    { time_zone: '+01:00' },
    { time_zone: '' },
    { number_format: 'xx' },
    { time_zone: 'UTC', number_format: null },
  ])
    expect(await codeOf(await user.send('PATCH', PATH, wrong))).toEqual([400, 'invalid_parameter']);
  expect(await user.must('GET', PATH)).toEqual({ time_zone: 'UTC', number_format: 'en' });
});

test('decide how a chat and a mail write times and prices, and leave webhooks as they are', async () => {
  await using receiver = await HookReceiver.open();
  const user = await AlertUser.of(service);
  await user.must('PATCH', PATH, BERLIN);
  const chat = await user.destination({ channel: 'telegram' });
  telegram.say(CHAT, chat.link!.code);
  const mail = await user.destination({ channel: 'email', address: 'ann@example.com' });
  await eventually('the code', () => smtp.mails.length > 0);
  const [, code] = /code: (\d+)/i.exec(smtp.mails[0]!.raw)!;
  await user.must('POST', `/api/destinations/${mail.id}/verify`, { code });
  await eventually('the chat', async () => {
    const { items } = await user.must<{ items: { id: string; state: string }[] }>('GET', '/api/destinations');
    return items.every(({ state }) => state === 'active');
  });
  await market.quote('XAUUSD', 4_280, 4_280.5);
  await user.alert({
    symbol: 'XAUUSD',
    condition: crossing(4_282.94),
    deliver: [{ destination: chat.id }, { destination: mail.id }, { channel: 'webhook', url: receiver.url() }],
  });
  await market.quote('XAUUSD', 4_283.5, 4_284);
  const { message } = (await receiver.wait(1))[0]!;
  const time = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'Europe/Berlin', timeZoneName: 'short', hourCycle: 'h23' },
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).format(new Date(message.timestamp));
  const title = 'XAUUSD bid crossed above 4.282,940';
  const facts = ['Price: 4.283,500', `Time: ${time}`];
  expect(time).toMatch(/ CES?T$/);

  const alertsIn = () => telegram.sent.filter(({ text }) => text.includes('XAUUSD'));
  await eventually('the chat and the mail', () => alertsIn().length > 0 && smtp.mails.length > 1);
  expect(alertsIn().map(({ text }) => text)).toEqual([[`<b>${title}</b>`, ...facts].join('\n')]);
  const { raw } = smtp.mails[1]!;
  expect(raw).toContain(`Subject: ${title}\r\n`);
  expect(raw).toContain([title, '', ...facts].join('\r\n'));
  expect(message.data).toMatchObject({ title: 'XAUUSD bid crossed above 4282.940', price: 4_283.5 });
  expect(message.timestamp).toEndWith('Z');
});

test('count for messages that are written later, not for those that wait', async () => {
  const user = await AlertUser.of(service);
  await using receiver = await HookReceiver.open(() => ({ status: 500 }));
  const { id } = await user.destination({ channel: 'webhook', url: receiver.url() });
  await user.must('PATCH', PATH, BERLIN);
  const test = async () =>
    (await user.must<{ deliveries: string[] }>('POST', `/api/destinations/${id}/test`)).deliveries;
  const [first] = await test();
  await user.must('PATCH', PATH, { number_format: 'fr' });
  const [second] = await test();
  const localeOf = async (message: string) =>
    JSON.parse((await service.app.store.delivery.message(message))!.body).locale;
  expect(await localeOf(first!)).toEqual({ timeZone: 'Europe/Berlin', numberFormat: 'de' });
  expect(await localeOf(second!)).toEqual({ timeZone: 'Europe/Berlin', numberFormat: 'fr' });
});
