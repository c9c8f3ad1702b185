import { describe, expect, test } from 'bun:test';
import { FAKE_BOT_TOKEN, FakeTelegram } from '../../../testing/delivery/fake-telegram.fixture.ts';
import { codeMessage, HEADLINE, outgoing } from '../../../testing/delivery/messages.fixture.ts';
import type { Channel, TelegramChat } from '../channel.ts';
import { OutgoingHttp } from '../outgoing-http.ts';
import { TelegramApi } from '../telegram-api.ts';
import { telegramChannel } from './telegram.ts';
import { TelegramPace } from './telegram-pace.ts';

const { signal } = new AbortController();
const PERSON: TelegramChat = { id: 42, title: 'Ann', kind: 'private' };
const GROUP: TelegramChat = { id: -100, title: 'Traders', kind: 'group' };

async function openFake(): Promise<FakeTelegram> {
  const telegram = await FakeTelegram.open();
  return telegram.chat({ id: 42, type: 'private', title: 'Ann' }).chat({ id: -100, type: 'group', title: 'Traders' });
}

const channelTo = (telegram: FakeTelegram, now?: () => number, token = FAKE_BOT_TOKEN, limits = {}): Channel => {
  // The address of the API is the operator's: it may be private although those of users may not.
  const http = new OutgoingHttp({ allowPrivate: false, limits });
  return telegramChannel(new TelegramApi(http, { token, url: `${telegram.url}/` }), now);
};

describe('Telegram', () => {
  test('gets messages that it can parse, whatever they contain', async () => {
    await using telegram = await openFake();
    const channel = channelTo(telegram);
    expect(await channel.send(PERSON, outgoing(), signal)).toEqual({ result: 'delivered' });
    expect(await channel.send(PERSON, outgoing(HEADLINE), signal)).toEqual({ result: 'delivered' });
    expect(await channel.send(GROUP, codeMessage(), signal)).toEqual({ result: 'delivered' });
    expect(telegram.sent.map(({ chat }) => chat)).toEqual([42, 42, -100]);
    expect(telegram.sent[1]!.text).toStartWith('<b>Fed holds rates &amp; signals &lt;two&gt; cuts_in *2026*</b>\n');
    expect(JSON.parse(telegram.server.requests[0]!.body.toString())).toMatchObject({
      link_preview_options: { is_disabled: true },
    });
  });

  test('is tried again after its own wait and after failures', async () => {
    await using telegram = await openFake();
    const channel = channelTo(telegram);
    const tooMany = {
      ok: false,
      error_code: 429,
      description: 'Too Many Requests: retry after 7',
      parameters: { retry_after: 7 },
    };
    telegram.server.misbehave(
      { status: 429, body: JSON.stringify(tooMany) },
      { status: 502, body: '<html>Bad Gateway</html>' },
      { status: 200, body: 'garbage' },
      'garbage',
      'drop',
      'hang',
    );
    const send = (by = channel) => by.send(PERSON, outgoing(), signal);
    expect(await send()).toEqual({ result: 'retry', reason: 'Too Many Requests: retry after 7', afterMs: 7_000 });
    for (let count = 0; count < 4; count++) expect(await send()).toMatchObject({ result: 'retry' });
    const impatient = channelTo(telegram, undefined, FAKE_BOT_TOKEN, { totalMs: 1_000 });
    expect(await send(impatient)).toMatchObject({ result: 'retry' });
    expect(telegram.sent).toEqual([]);
    expect(await send()).toEqual({ result: 'delivered' });
  });

  test('gets no more messages for a chat that blocked the bot or does not exist', async () => {
    await using telegram = await openFake();
    telegram.block(42);
    const channel = channelTo(telegram);
    expect(await channel.send(PERSON, outgoing(), signal)).toEqual({
      result: 'rejected',
      reason: 'Forbidden: bot was blocked by the user',
      unsubscribe: true,
    });
    expect(await channel.send({ ...PERSON, id: 1 }, outgoing(), signal)).toMatchObject({ unsubscribe: true });
  });

  test('gets the message in the new chat if a group became a supergroup, and the address changes', async () => {
    await using telegram = await openFake();
    telegram.migrate(-100, -1_009);
    expect(await channelTo(telegram).send(GROUP, outgoing(), signal)).toEqual({
      result: 'delivered',
      movedTo: { id: -1_009, title: 'Traders', kind: 'group' },
    });
    expect(telegram.sent.map(({ chat }) => chat)).toEqual([-1_009]);
  });

  test('with a wrong token keeps messages waiting, and no reason contains the token', async () => {
    await using telegram = await openFake();
    const token = '987654321:another-token-that-is-not-valid-00';
    const send = (limits = {}) => channelTo(telegram, undefined, token, limits).send(PERSON, outgoing(), signal);
    expect(await send()).toEqual({ result: 'retry', reason: 'Telegram does not accept the token of the bot' });
    telegram.server.misbehave('drop', 'hang', { status: 500, body: `{"ok":false,"description":"bot${token} failed"}` });
    for (let count = 0; count < 3; count++) {
      const result = await send({ totalMs: 50 });
      expect(result).toMatchObject({ result: 'retry' });
      expect(JSON.stringify(result)).not.toContain(token);
    }
  });

  test('gets at most 20 messages a minute for a group, and any number for a person', async () => {
    await using telegram = await openFake();
    let now = 1_000_000;
    const channel = channelTo(telegram, () => (now += 100));
    for (let count = 0; count < 20; count++)
      expect(await channel.send(GROUP, outgoing(), signal)).toEqual({ result: 'delivered' });
    const result = await channel.send(GROUP, outgoing(), signal);
    expect(result.result === 'wait' && result.ms).toBeWithin(50_000, 60_000);
    expect(await channel.send(PERSON, outgoing(), signal)).toEqual({ result: 'delivered' });
    now += 60_000;
    // Telegram's own limit holds too.
    expect(await channel.send(GROUP, outgoing(), signal)).toMatchObject({ result: 'retry' });
    expect(telegram.sent).toHaveLength(21);
  });

  test('paces 30 messages a second over all chats', () => {
    const pace = new TelegramPace();
    const slots = Array.from({ length: 65 }, () => pace.nextSlot(5_000));
    expect(slots.filter((wait) => wait === 0)).toHaveLength(30);
    expect(slots.filter((wait) => wait === 1_000)).toHaveLength(30);
    expect(slots.at(-1)).toBe(2_000);
    expect(pace.nextSlot(60_000)).toBe(0);
  });
});
