import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { FAKE_BOT_NAME, FAKE_BOT_TOKEN, FakeTelegram } from '../../testing/delivery/fake-telegram.fixture.ts';
import { ServiceError } from '../errors/service-error.ts';
import { silentLog } from '../ops/log.ts';
import type { TelegramChat } from './channel.ts';
import { OutgoingHttp } from './outgoing-http.ts';
import { TelegramApi } from './telegram-api.ts';
import { TelegramBot } from './telegram-bot.ts';
import { TelegramLink } from './telegram-link.ts';
import { type ChatUpdate, readUpdate } from './telegram-updates.ts';

const ANN = 42;
const GROUP = -100;
const ADMINISTRATOR = 7;

let telegram: FakeTelegram;
let codes: Map<string, TelegramChat | null>;
let happened: string[];
const running: TelegramBot[] = [];

beforeEach(async () => {
  telegram = (await FakeTelegram.open())
    .chat({ id: ANN, type: 'private', title: 'Ann' })
    .chat({ id: GROUP, type: 'group', title: 'Traders', administrators: [ADMINISTRATOR] })
    .chat({ id: -200, type: 'channel', title: 'Signals' });
  codes = new Map([['code1234code1234', null]]);
  happened = [];
});
afterEach(async () => {
  for (const link of running.splice(0)) await link.stop();
  await telegram[Symbol.asyncDispose]();
});

interface Starting {
  readonly failing?: number;
  readonly failure?: Error;
  readonly waitMs?: number;
  readonly pollMs?: number;
  readonly totalMs?: number;
  /** Waited for before each update. */
  readonly before?: (update: ChatUpdate) => Promise<void>;
}

function start({
  failing = 0,
  failure = new Error('the store is down'),
  waitMs = 2,
  pollMs = 60_000,
  totalMs = 30_000,
  before = async () => {},
}: Starting = {}): TelegramBot {
  let failures = failing;
  const http = new OutgoingHttp({ allowPrivate: false, limits: { totalMs, bodyMs: 200 } });
  const bot = new TelegramBot({
    api: new TelegramApi(http, { token: FAKE_BOT_TOKEN, url: telegram.url }),
    log: silentLog,
    waitMs,
    pollMs,
  });
  const link = new TelegramLink({
    bot,
    linkers: [
      async (code, chat) => {
        if (failures-- > 0) throw failure;
        if (codes.get(code) !== null) return null;
        codes.set(code, chat);
        return 'This chat is linked.';
      },
    ],
    now: Date.now,
  });
  const note = async (update: ChatUpdate): Promise<boolean> => {
    await before(update);
    if (update.kind === 'moved') happened.push(`moved ${update.chat} ${update.to}`);
    if (update.kind === 'left') happened.push(`left ${update.chat}`);
    return false;
  };
  running.push(bot);
  bot.start([note, link.take]);
  return bot;
}

const until = async (done: () => boolean): Promise<void> => {
  const end = Date.now() + 60_000;
  while (!done() && Date.now() < end) await Bun.sleep(2);
  expect(done()).toBe(true);
};
const answers = (chat: number): string[] => telegram.sent.filter((each) => each.chat === chat).map(({ text }) => text);

describe('linking a Telegram chat', () => {
  test.each(['/start code1234code1234', 'code1234code1234', ` /start@${FAKE_BOT_NAME}  code1234code1234 `])(
    'by %p',
    async (text) => {
      start();
      telegram.say(ANN, text);
      await until(() => answers(ANN).length === 1);
      expect(codes.get('code1234code1234')).toEqual({ id: ANN, title: 'Ann', kind: 'private' });
      expect(answers(ANN)).toEqual(['This chat is linked.']);
    },
  );

  test('a group is linked only by an administrator', async () => {
    start();
    telegram.say(GROUP, '/start code1234code1234', ANN);
    await until(() => answers(GROUP).length === 1);
    expect(answers(GROUP)).toEqual(['Only an administrator of this group can link it.']);
    expect(codes.get('code1234code1234')).toBeNull();
    telegram.say(GROUP, '/start code1234code1234', ADMINISTRATOR);
    await until(() => answers(GROUP).length === 2);
    expect(codes.get('code1234code1234')).toEqual({ id: GROUP, title: 'Traders', kind: 'group' });
  });

  test('a channel is linked by a post, which only administrators can write', async () => {
    start();
    telegram.say(-200, '/start code1234code1234');
    await until(() => codes.get('code1234code1234') !== null);
    expect(codes.get('code1234code1234')).toEqual({ id: -200, title: 'Signals', kind: 'group' });
  });

  test('talk in a group gets no answer', async () => {
    start();
    for (const text of ['hello', 'EURUSD', 'where is code1234code1234?', 'gold2650', 'code1234code1234'])
      telegram.say(GROUP, text, ADMINISTRATOR);
    telegram.say(ANN, '/start');
    await until(() => answers(ANN).length === 1);
    expect(answers(ANN)).toEqual(['Send me the code that Tickwire shows you to link this chat.']);
    expect(answers(GROUP)).toEqual([]);
  });

  test('wrong codes are answered once a minute; after five, also a right one is ignored', async () => {
    start();
    for (let count = 0; count < 8; count++) telegram.say(ANN, `/start wrong-code-${count}-abc`);
    telegram.say(ANN, '/start code1234code1234');
    telegram.say(GROUP, '/start code1234code1234', ADMINISTRATOR);
    await until(() => answers(GROUP).length === 1);
    expect(answers(ANN)).toHaveLength(1);
    expect(codes.get('code1234code1234')).toMatchObject({ id: GROUP });
  });

  test('the name of the bot makes an address that sends the code', async () => {
    const bot = start();
    expect(bot.linkFor('code1234code1234')).toBeNull();
    await until(() => bot.name !== null);
    expect(bot.linkFor('code1234code1234')).toBe(`https://t.me/${FAKE_BOT_NAME}?start=code1234code1234`);
  });

  test('a group that gets another id and a removed bot are reported', async () => {
    start();
    telegram.migrate(GROUP, -1_009);
    telegram.block(ANN);
    await until(() => happened.length === 2);
    expect(happened).toEqual([`moved ${GROUP} -1009`, `left ${ANN}`]);
  });

  test('survives errors, garbage, silence and lost connections', async () => {
    telegram.server.misbehave(
      { status: 502, body: '<html>' },
      { status: 200, body: 'garbage' },
      { status: 200, body: '{"ok":true,"result":"none"}' },
      { status: 200, body: '{"ok":true,"result":[null,1,{"update_id":"x"},{"update_id":-1}]}' },
      { status: 429, body: '{"ok":false,"error_code":429,"parameters":{"retry_after":0.01}}' },
      'garbage',
      'drop',
      'hang',
      'endless',
    );
    start({ pollMs: 200, totalMs: 1_000 });
    telegram.say(ANN, '/start code1234code1234');
    await until(() => codes.get('code1234code1234') !== null);
  });

  test('a code is not lost if the store is down, or the process ends, before it is stored', async () => {
    start({ failing: 2 });
    telegram.say(ANN, '/start code1234code1234');
    await until(() => answers(ANN).length === 1);
    expect(codes.get('code1234code1234')).toMatchObject({ id: ANN });
    await running.pop()!.stop();
    // Stopped: everything that was read is confirmed, so that the next process does not read it again.
    codes.set('code5678code5678', null);
    telegram.say(ANN, '/start code5678code5678');
    start();
    await until(() => answers(ANN).length === 2);
    expect(answers(ANN)[1]).toStartWith('This chat is linked');
  });

  test('a code that always fails does not keep others from being read', async () => {
    start({ failing: 10 });
    telegram.say(ANN, '/start code0000code0000');
    telegram.say(GROUP, '/start code1234code1234', ADMINISTRATOR);
    await until(() => codes.get('code1234code1234') !== null);
  });

  test('an outage of the store loses no update, however long it lasts', async () => {
    start({ failing: 15, waitMs: 0.01, failure: new ServiceError('store_unavailable', 'The store is down.') });
    telegram.say(ANN, '/start code1234code1234');
    await until(() => codes.get('code1234code1234') !== null);
    expect(codes.get('code1234code1234')).toMatchObject({ id: ANN });
  });

  test('a chat that takes long does not keep others from being read', async () => {
    const waiting = Promise.withResolvers<void>();
    start({
      before: async (update) => {
        if (update.kind === 'text' && update.chat.id === GROUP) await waiting.promise;
      },
    });
    telegram.say(GROUP, '/start', ADMINISTRATOR);
    for (const count of [1, 2, 3]) {
      const before = telegram.lastUpdate;
      telegram.say(ANN, `/start wrong-code-${count}-abc`);
      telegram.block(ANN);
      await until(() => happened.length === count);
      // Nothing behind the update that is not taken was confirmed.
      expect(telegram.confirmed).toBeLessThanOrEqual(before);
    }
    waiting.resolve();
    await until(() => telegram.confirmed > telegram.lastUpdate);
    expect(answers(GROUP)).toHaveLength(1);
    expect(happened).toHaveLength(3);
  });

  test('a server that never waits is not asked all the time', async () => {
    telegram.server.misbehave(...Array.from({ length: 50 }, () => ({ status: 200, body: '{"ok":true,"result":[]}' })));
    start({ waitMs: 1_000 });
    await Bun.sleep(100);
    expect(telegram.server.requests.length).toBeLessThan(4);
  });
});

test('updates of any shape are read without an error', () => {
  for (const given of [null, 1, 'x', [], {}, { update_id: 1.5 }]) expect(readUpdate(given)).toBeNull();
  for (const rest of [
    {},
    { message: 1 },
    { message: { chat: {} } },
    { my_chat_member: null },
    { edited_message: { chat: { id: 1 }, text: 5, message_id: 1, date: 1 } },
    { callback_query: { id: 5, from: null } },
    { message: { chat: { id: 1 }, text: 'x' } },
    { message: { chat: { id: 1 }, text: 5, message_id: 1, date: 1 } },
  ])
    expect(readUpdate({ update_id: 9, ...rest })).toEqual({ kind: 'other', id: 9 });
});
