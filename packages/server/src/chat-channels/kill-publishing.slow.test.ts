// A service that publishes from a chat is killed again and again, while messages are written, delivered twice and edited, and the platform
// is busy: each message is answered, and publishes one signal or is refused.
import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { type FakeChats, signalIn, TestChatPublisher, until } from '../../testing/chat-publisher.fixture.ts';
import { FAKE_DISCORD_TOKEN, FakeDiscord } from '../../testing/delivery/fake-discord.fixture.ts';
import { FAKE_BOT_TOKEN, FakeTelegram } from '../../testing/delivery/fake-telegram.fixture.ts';
import { killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { TestPublisher } from '../../testing/publisher.fixture.ts';
import { atScale } from '../../testing/scale.fixture.ts';
import { makeKey, type Settings, temporaryFolder } from '../../testing/service.fixture.ts';

const KILLS = atScale(4, 50);
const MESSAGES = 2;
/** An account may have 50 active signals of each. */
const SYMBOLS = ['EURUSD', 'GBPUSD', 'AUDUSD', 'NZDUSD'];
const TEST_MS = 600_000;

const data = temporaryFolder();
afterAll(async () => {
  await killLeftovers();
  rmSync(data, { recursive: true, force: true });
});

test(
  `${KILLS} kills: each message in Telegram publishes at most once, and is answered`,
  async () => {
    await using telegram = await FakeTelegram.open();
    telegram.chat({ id: 1, type: 'private', title: 'You' });
    const bot = { telegram_api_url: telegram.url, telegram_bot_token: FAKE_BOT_TOKEN };
    await killAgainAndAgain(telegram, 1, bot);
  },
  TEST_MS,
);

test(
  `${KILLS} kills: each message in Discord publishes at most once, and is answered`,
  async () => {
    await using discord = await FakeDiscord.open();
    discord.channel({ id: '1', name: 'You', owner: '7' });
    const bot = { discord_api_url: discord.url, discord_bot_token: FAKE_DISCORD_TOKEN };
    await killAgainAndAgain(discord, '1', bot);
  },
  TEST_MS,
);

async function killAgainAndAgain<Id extends number | string, Saying>(
  chats: FakeChats<Id, Saying>,
  chat: Id,
  bot: Settings,
): Promise<void> {
  const settings = {
    ...{ data: `${data}/${chats.platform}`, news: 'none', calendar: 'none', sim_hours: 'always' },
    ...{ max_active_signals: '1000', ...bot },
  };
  let service = await ServiceProcess.start(settings);
  const issued = await makeKey(settings.data, 'premium', ['read', 'publish']);
  const publisherOf = () => new TestChatPublisher(service, chats, chat, new TestPublisher(service, issued));
  let publisher = publisherOf();
  await until('the key', async () => (await publisher.call('GET', '/api/chat-channels')).ok);
  const { link } = await publisher.create({ mode: 'automatic' });
  publisher.say(link!.code);
  await until('the link', async () => (await publisher.channels())[0]!.linked_at);

  const said: Id[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    chats.busy(0.2);
    for (let count = 0; count < MESSAGES; count++) {
      const symbol = SYMBOLS[said.length % SYMBOLS.length];
      const message = publisher.say(`${symbol} buy now, SL 300 pips, TP 600 pips`);
      said.push(message);
      chats.repeat(message);
    }
    // Anywhere between the receipt of the first message and the last answer.
    await Bun.sleep(Math.random() * 150);
    await service.kill();
    for (const message of said.slice(-MESSAGES)) chats.repeat(message);
    service = await ServiceProcess.start(settings);
    publisher = publisherOf();
    for (const message of said.slice(-MESSAGES)) await publisher.answer(message);
  }
  await publisher.settled();

  const answersOf = (message: Id): string[] =>
    publisher
      .answers(message)
      .map(({ text }) => text)
      .filter((text) => text.startsWith('Published'));
  const refusals = said
    .flatMap((message) => publisher.answers(message).filter(({ text }) => !text.startsWith('Published')))
    .filter(({ text }) => /older than 30 seconds|^Not published/.test(text));
  // The start took too long for the message, or for the last quote.
  for (const { text } of refusals)
    expect(text).toMatch(
      /^The message was older than 30 seconds|^Not published\. (There is no quote for \w+ yet|The last quote for \w+ is stale)/,
    );
  const refused = [...new Set(refusals.map(({ replyTo }) => replyTo!))];
  const published = said.filter((message) => !refused.includes(message));
  expect(published.length).toBeGreaterThanOrEqual(said.length / 2);
  const signals = await publisher.signals();
  // No message published twice, whatever was answered twice.
  expect(signals).toHaveLength(published.length);
  expect(new Set(published.flatMap(answersOf).map(signalIn))).toEqual(new Set(signals.map(({ id }) => id)));
  for (const message of published) expect(new Set(answersOf(message)).size).toBe(1);
  const repeated = published.filter((message) => answersOf(message).length > 1).length;
  console.log(
    `${chats.platform}: ${KILLS} kills, ${said.length} messages, ${refused.length} refused, ${repeated} answered twice`,
  );
  await service.kill();
}
