// Publishing from Discord: what differs from Telegram. What is decided on a message is the same (telegram-publishing.test.ts).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { discordSettings, signalIn, TestChatPublisher, until } from '../../testing/chat-publisher.fixture.ts';
import { type DiscordSaying, FakeDiscord } from '../../testing/delivery/fake-discord.fixture.ts';
import { json } from '../../testing/delivery/fake-http.fixture.ts';
import { EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { SigningPublisher } from '../../testing/signals/signing.fixture.ts';

/** The market is at 1.08400 / 1.08412. */
const NOW = 'EURUSD sell now SL 1.0860 TP 1.0800';
const TWO_TARGETS = 'EURUSD buy now\nSL 1.0800\nTP1 1.0850\nTP2 1.0900';
const OWNER = '7';
const MANAGER = '8';
const MEMBER = '9';

type Publisher = TestChatPublisher<string, DiscordSaying>;

let discord: FakeDiscord;
let service: RunningService;
let market: TestMarket;
let publisher: Publisher;
let nextChat = 1;
beforeAll(async () => {
  discord = await FakeDiscord.open();
  service = await startService(discordSettings(discord));
  market = await TestMarket.of(service);
  await until('the connection', () => discord.connected);
});
afterAll(async () => {
  await service.stop();
  await discord[Symbol.asyncDispose]();
});
beforeEach(async () => {
  publisher = await TestChatPublisher.of(service, discord, newChannel());
  await market.quote(...EURO);
});

function newChannel(changes: { readonly type?: number; readonly server?: undefined } = {}): string {
  const number = nextChat++;
  const server = `${20_000 + number}`;
  discord.channel({ id: `${number}`, server, name: 'gold', owner: OWNER, managers: [MANAGER], ...changes });
  return `${number}`;
}

const said = (text: string) =>
  until(text, () => discord.sent.find((each) => each.chat === publisher.chat && each.text.startsWith(text)));

describe('linking', () => {
  test('a channel is linked by somebody who manages it, and by nobody else', async () => {
    const { id, link } = await publisher.create({ mode: 'automatic' });
    expect(link!.url).toBe(`${discord.url}/oauth2/authorize?client_id=900&scope=bot&permissions=68608`);
    publisher.say(link!.code, { from: MEMBER });
    await said('Only somebody with the permission Manage Channels');
    publisher.say(link!.code, { from: MANAGER, isBot: true });
    publisher.say(`!link ${link!.code}`, { from: MANAGER });
    await said('This chat is linked. Signals that you write here are published at once.');
    expect(await publisher.channels()).toEqual([
      expect.objectContaining({ id, platform: 'discord', title: '#gold', mode: 'automatic' }),
    ]);
    // Also by the same code, and by others, its author stays.
    publisher.say(link!.code, { from: OWNER });
    await publisher.settled();
    publisher.say(NOW, { from: OWNER });
    await publisher.answer(publisher.say(NOW, { from: MANAGER }));
    expect(await publisher.signals()).toHaveLength(1);
  });

  test('a private chat with the bot is linked by the code alone', async () => {
    const own = await TestChatPublisher.of(service, discord, newChannel({ server: undefined }));
    own.say('Hello');
    await until('the hint', () => discord.sent.find(({ chat, text }) => chat === own.chat && /^Send me/.test(text)));
    const { link } = await own.create();
    own.say(link!.code);
    await until('the link', async () => (await own.channels())[0]!.linked_at);
    expect(await own.channels()).toMatchObject([{ title: `person${OWNER}` }]);
  });

  test('a voice channel cannot be linked, and wrong codes in a channel get no answer', async () => {
    const { link } = await publisher.create();
    const voice = newChannel({ type: 2 });
    discord.say(voice, 'responsibilities');
    discord.say(voice, link!.code);
    await until('the refusal', () => discord.sent.find(({ chat }) => chat === voice));
    expect(discord.sent.filter(({ chat }) => chat === voice).map(({ text }) => text)).toEqual([
      'Only a text or announcement channel can be linked.',
    ]);
    expect(await publisher.channels()).toMatchObject([{ linked_at: null }]);
  });

  test('a chat belongs to one account until it is unlinked', async () => {
    await publisher.linked();
    const other: Publisher = await TestChatPublisher.of(service, discord, publisher.chat);
    const { link } = await other.create();
    other.say(link!.code);
    await said('This chat is linked already. Write !unlink first.');
    publisher.say('!unlink', { from: MEMBER });
    publisher.say('!unlink');
    await said('This chat is no longer linked.');
    other.say(link!.code);
    await until('the link', async () => (await other.channels())[0]!.linked_at);
  });
});

describe('an automatic channel', () => {
  test('publishes, answers with the link, and posts the fill, a partial exit and the closing with R', async () => {
    const id = await publisher.linked({ mode: 'automatic' });
    const message = publisher.say(TWO_TARGETS);
    const { text } = await publisher.answer(message);
    const signal = signalIn(text);
    expect(text).toBe(`Published: https://tick.example/signals/${signal}`);
    await market.repeat('EURUSD');
    expect((await publisher.answer(message, 2)).text).toStartWith('Filled at 1.08412');
    await market.quote('EURUSD', 1.0851, 1.0852);
    expect((await publisher.answer(message, 3)).text).toStartWith('Target 1 reached at 1.08500: 50 % exited');
    await market.quote('EURUSD', 1.0901, 1.0902);
    expect((await publisher.answer(message, 4)).text).toMatch(/^Target hit at 1\.0\d+: \+0\.82 R \(\+\d+\.\d pips\)\n/);
    expect(publisher.answers(message)).toHaveLength(4);
    expect(await publisher.messages(id)).toMatchObject([{ outcome: 'published', signal_id: signal, text: null }]);
  });

  test('reads only the messages of the person who linked it', async () => {
    const id = await publisher.linked({ mode: 'automatic' });
    for (const saying of [{ from: MANAGER }, { from: MEMBER }, { isBot: true }]) publisher.say(NOW, saying);
    await publisher.settled();
    expect(await publisher.messages(id)).toEqual([]);
    expect(await publisher.signals()).toEqual([]);
  });

  test('publishes a message once, however often it is delivered and the connection is lost', async () => {
    await publisher.linked({ mode: 'automatic' });
    discord.hold();
    const message = publisher.say(NOW);
    for (let times = 0; times < 5; times++) discord.repeat(message);
    discord.drop();
    discord.release();
    await publisher.answer(message);
    discord.repeat(message);
    await publisher.settled();
    expect(await publisher.signals()).toHaveLength(1);
    expect(publisher.answers(message)).toHaveLength(1);
    expect(discord.introductions).toContain('resume');
  });

  test('does not publish what was edited or deleted before it was delivered', async () => {
    const id = await publisher.linked({ mode: 'automatic' });
    discord.hold();
    const edited = publisher.say(NOW);
    discord.edit(edited, NOW.replace('1.0860', '1.0870'));
    discord.delete(publisher.say(NOW));
    discord.release('reversed');
    expect((await publisher.answer(edited)).text).toBe('The message was edited before it was read. Send it again.');
    await publisher.settled();
    expect(await publisher.messages(id)).toHaveLength(1);
    expect(await publisher.signals()).toEqual([]);
  });

  test('refuses a message that is older than 30 seconds', async () => {
    await publisher.linked({ mode: 'automatic' });
    const message = publisher.say(NOW, { ageSeconds: 40 });
    expect((await publisher.answer(message)).text).toStartWith('The message was older than 30 seconds');
    expect(await publisher.signals()).toEqual([]);
  });

  test('waits as long as Discord asks, and posts no answer twice', async () => {
    await publisher.linked({ mode: 'automatic' });
    discord.busy(0.05);
    const message = publisher.say(NOW);
    await publisher.answer(message);
    await publisher.settled();
    expect(publisher.answers(message)).toHaveLength(1);
  });

  test('notes why the bot cannot answer', async () => {
    await publisher.linked({ mode: 'automatic' });
    discord.fail(
      'POST',
      new RegExp(`^/channels/${publisher.chat}/messages$`),
      json({ message: 'Missing Permissions', code: 50_013 }, 403),
    );
    publisher.say(NOW);
    await until('the problem', async () => (await publisher.channels())[0]!.problem);
    expect(await publisher.channels()).toMatchObject([{ problem: 'Missing Permissions' }]);
  });

  test('takes replies that move the stop and close the signal', async () => {
    await publisher.linked({ mode: 'automatic' });
    const message = publisher.say(TWO_TARGETS);
    const signal = signalIn((await publisher.answer(message)).text);
    await market.repeat('EURUSD');
    const fill = await publisher.answer(message, 2);
    await market.quote('EURUSD', 1.0846, 1.0847);
    const moved = publisher.say('SL to BE', { replyTo: message });
    expect((await publisher.answer(moved)).text).toBe('The stop is at the entry, 1.08412.');
    const stranger = publisher.say('close', { replyTo: message, from: MEMBER });
    const closed = publisher.say('close', { replyTo: fill.id });
    expect((await publisher.answer(closed)).text).toBe('The next quote closes the signal.');
    expect(publisher.answers(stranger)).toEqual([]);
    expect(await publisher.account.detail(signal)).toMatchObject({ close_requested_at: expect.any(String) });
  });
});

describe('a channel with review', () => {
  async function preview() {
    const id = await publisher.linked();
    const message = publisher.say(NOW);
    return { id, message, answer: await publisher.answer(message) };
  }

  test('shows a preview, and publishes it when the person who linked it presses the button', async () => {
    const { id, message, answer } = await preview();
    expect(answer.text).toStartWith('EURUSD sell at the market, stop 1.086, target 1.08');
    expect(answer.buttons).toEqual([`publish:${message}`, `discard:${message}`]);
    discord.press(answer.id, answer.buttons[0]!, { from: MANAGER });
    await publisher.settled();
    expect(new Set(discord.shown)).toEqual(new Set(['Only the person who linked this channel can do this.']));
    expect(await publisher.signals()).toEqual([]);
    discord.press(answer.id, answer.buttons[0]!, { from: OWNER });
    const { text } = await publisher.answer(message, 2);
    expect(await publisher.signals()).toMatchObject([{ id: signalIn(text) }]);
    await publisher.settled();
    expect(discord.edited.filter((each) => each.id === answer.id)).toEqual([
      { id: answer.id, text: 'Published.', buttons: [] },
    ]);
    discord.press(answer.id, answer.buttons[0]!, { from: OWNER });
    await publisher.settled();
    expect(await publisher.signals()).toHaveLength(1);
    expect(await publisher.messages(id)).toMatchObject([{ outcome: 'published' }]);
  });

  test('publishes nothing that was discarded', async () => {
    const { id, answer } = await preview();
    for (const data of [answer.buttons[1]!, answer.buttons[0]!]) discord.press(answer.id, data, { from: OWNER });
    await publisher.settled();
    expect(await publisher.messages(id)).toMatchObject([{ outcome: 'discarded', signal_id: null }]);
    expect(await publisher.signals()).toEqual([]);
  });

  test('asks for another press if Discord did not take the answer, and shows the levels again', async () => {
    const { message, answer } = await preview();
    discord.press(answer.id, answer.buttons[0]!, { from: OWNER, isOld: true });
    const again = await until('the preview', () => discord.edited.find((each) => each.id === answer.id));
    expect(again.text).toBe(`${answer.text}\n\nThe last press was not completed. Press again.`);
    expect(again.buttons).toEqual(answer.buttons);
    expect(await publisher.signals()).toEqual([]);
    discord.press(answer.id, answer.buttons[0]!, { from: OWNER });
    await publisher.answer(message, 2);
    expect(await publisher.signals()).toHaveLength(1);
  });

  test('tells readers of a channel no limit of the account', async () => {
    const { id, message, answer } = await preview();
    await SigningPublisher.of(service, publisher.account);
    discord.press(answer.id, answer.buttons[0]!, { from: OWNER });
    expect((await publisher.answer(message, 2)).text).toBe('Not published. Its publisher sees the reason in Tickwire.');
    expect((await publisher.messages(id))[0]!.detail).toContain('signing key');
  });
});

describe('a published message', () => {
  async function published(request: object = {}) {
    await publisher.linked({ mode: 'automatic', ...request });
    const message = publisher.say(NOW);
    return { message, signal: signalIn((await publisher.answer(message)).text) };
  }

  test('that is edited and then deleted changes nothing, and both are noted once', async () => {
    const { message, signal } = await published({ keep_text: true });
    discord.embed(message);
    discord.edit(message, 'changed');
    discord.delete(message);
    await publisher.settled();
    const [first, second, ...others] = await publisher.edits(signal);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ platform: 'discord', text: 'changed', new_sha256: expect.any(String) });
    expect(second).toMatchObject({ old_sha256: first!.new_sha256, new_sha256: null, text: null });
    expect(await publisher.account.detail(signal)).toMatchObject({ status: 'active', stop_loss: 1.086 });
  });

  test('that is deleted with others is noted, and nothing follows a deletion', async () => {
    const { message, signal } = await published();
    discord.hold();
    discord.edit(message, 'changed');
    discord.delete(message, publisher.say('talk'));
    discord.release('reversed');
    await publisher.settled();
    expect(await publisher.edits(signal)).toMatchObject([{ new_sha256: null }]);
  });
});

describe('a restart', () => {
  test('publishes what was written meanwhile, and nothing again', async () => {
    const chats = (await FakeDiscord.open()).channel({ id: '1', server: '10', name: 'gold', owner: OWNER });
    const folder = await startService(discordSettings(chats));
    await (await TestMarket.of(folder)).quote(...EURO);
    let own = await TestChatPublisher.of(folder, chats, '1');
    await until('the connection', () => chats.connected);
    await own.linked({ mode: 'automatic' });
    const before = own.say(NOW);
    await own.answer(before);
    await own.settled();
    await folder.app.stop();
    const meanwhile = own.say(NOW);
    own.say(NOW, { from: MEMBER });
    const again = await startService({ ...discordSettings(chats), data: folder.folder });
    try {
      own = new TestChatPublisher(again, chats, '1', new TestPublisher(again, own.account.issued));
      // A quote of the last run is too old to publish against.
      expect((await own.answer(meanwhile)).text).toMatch(/^Published|^Not published\. There is no quote|stale/);
      await own.settled();
      expect(own.answers(before)).toHaveLength(1);
    } finally {
      await again.stop();
      await folder.stop().catch(() => {});
      await chats[Symbol.asyncDispose]();
    }
  });
});
