// Publishing from Telegram: linking, both modes, late, repeated, reordered and edited messages, replies, and what the bot posts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { TIERS } from '@tickwire/contract';
import { chatSettings, signalIn, TestChatPublisher, until } from '../../testing/chat-publisher.fixture.ts';
import { FakeTelegram } from '../../testing/delivery/fake-telegram.fixture.ts';
import { codeOf, EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { SigningPublisher } from '../../testing/signals/signing.fixture.ts';

/** The market is at 1.08400 / 1.08412. */
const NOW = 'EURUSD sell now SL 1.0860 TP 1.0800';
const TWO_TARGETS = 'EURUSD buy now\nSL 1.0800\nTP1 1.0850\nTP2 1.0900';
const ADMINISTRATOR = 7;

let telegram: FakeTelegram;
let service: RunningService;
let market: TestMarket;
let publisher: TestChatPublisher;
let nextChat = 1;
beforeAll(async () => {
  telegram = await FakeTelegram.open();
  service = await startService(chatSettings(telegram));
  market = await TestMarket.of(service);
});
afterAll(async () => {
  await service.stop();
  await telegram[Symbol.asyncDispose]();
});
beforeEach(async () => {
  publisher = await TestChatPublisher.of(service, telegram, newChannel());
  await market.quote(...EURO);
});

function newChannel(): number {
  const id = -1_000 - nextChat++;
  telegram.chat({ id, type: 'channel', title: 'Gold signals', administrators: [ADMINISTRATOR] });
  return id;
}

describe('linking', () => {
  test('a channel is linked by a post, and once more by the same post', async () => {
    const { id, link } = await publisher.create({ mode: 'automatic' });
    expect(link!.code).toMatch(/^[\w-]{16}$/);
    for (const times of [1, 2]) {
      publisher.say(`/link ${link!.code}`);
      await until('the answer', () => telegram.sent.filter(({ chat }) => chat === publisher.chat)[times - 1]);
    }
    expect(telegram.sent.findLast(({ chat }) => chat === publisher.chat)!.text).toBe(
      'This chat is linked. Signals that you write here are published at once.',
    );
    expect(await publisher.channels()).toEqual([
      expect.objectContaining({ id, title: 'Gold signals', mode: 'automatic', linked_at: expect.any(String) }),
    ]);
  });

  test('a private chat with the bot is linked by the code alone', async () => {
    telegram.chat({ id: 501, type: 'private', title: 'Ann' });
    const own = await TestChatPublisher.of(service, telegram, 501);
    const { link } = await own.create();
    telegram.say(501, link!.code);
    await until('the link', async () => (await own.channels())[0]!.linked_at);
  });

  test('a chat belongs to one account until it is unlinked', async () => {
    await publisher.linked();
    const other = await TestChatPublisher.of(service, telegram, publisher.chat);
    const { link } = await other.create();
    other.say(`/link ${link!.code}`);
    await until('the refusal', () =>
      telegram.sent.find(({ chat, text }) => chat === publisher.chat && text.startsWith('This chat is linked already')),
    );
    publisher.say('/unlink');
    await until('the removal', async () => (await publisher.channels()).length === 0);
    other.say(`/link ${link!.code}`);
    await until('the link', async () => (await other.channels())[0]!.linked_at);
  });

  test('the audit log names who created, linked and removed a channel', async () => {
    const id = await publisher.linked();
    await publisher.call('DELETE', `/api/chat-channels/${id}`);
    const recorded = await service.app.store.access.auditLog({ limit: 3 });
    const own = recorded[0]!.actor;
    expect(own).not.toBe('telegram');
    expect(recorded.map(({ action, actor, subject }) => [action, actor, subject])).toEqual([
      ['chat channel removed', own, `${id} on telegram: Gold signals`],
      ['chat channel linked', 'telegram', `${id} on telegram: Gold signals`],
      ['chat channel created', own, `${id} on telegram`],
    ]);
  });

  test('a group cannot publish', async () => {
    telegram.chat({ id: -77, type: 'supergroup', title: 'Traders', administrators: [ADMINISTRATOR] });
    const { link } = await publisher.create();
    telegram.say(-77, `/link ${link!.code}`, ADMINISTRATOR);
    await until('the refusal', () => telegram.sent.find(({ chat }) => chat === -77));
    expect(telegram.sent.find(({ chat }) => chat === -77)!.text).toStartWith('A group cannot publish.');
    expect(await publisher.channels()).toMatchObject([{ linked_at: null }]);
  });

  test('other accounts neither see nor change a channel', async () => {
    const id = await publisher.linked();
    const other = await TestChatPublisher.of(service, telegram, publisher.chat);
    expect(await other.channels()).toEqual([]);
    for (const [method, path, body] of [
      ['PATCH', `/api/chat-channels/${id}`, { mode: 'automatic' }],
      ['DELETE', `/api/chat-channels/${id}`],
      ['GET', `/api/chat-channels/${id}/messages`],
    ] as const)
      expect(await codeOf(await other.call(method, path, body))).toEqual([404, 'chat_channel_not_found']);
  });

  test('an account has as many channels as its tier allows, and a repeated request creates one', async () => {
    const headers = { 'X-API-Key': publisher.account.issued.key, 'Idempotency-Key': 'once' };
    const create = () =>
      fetch(`${service.url}/api/chat-channels`, { method: 'POST', headers, body: '{"platform":"telegram"}' });
    const [first, second] = [await (await create()).json(), await (await create()).json()];
    expect(second).toEqual(first);
    for (let count = 1; count < TIERS.premium.chat_channels; count++) await publisher.create();
    const response = await publisher.call('POST', '/api/chat-channels', { platform: 'telegram' });
    expect(await codeOf(response)).toEqual([409, 'too_many_chat_channels']);
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

  test('answers what is unclear with the part, and ignores talk', async () => {
    const id = await publisher.linked({ mode: 'automatic' });
    publisher.say('Good morning, everybody!');
    const unclear = publisher.say('EURUSD buy 1.0830-1.0820 SL 1.0800 TP 1.0900');
    expect((await publisher.answer(unclear)).text).toBe(
      'Not published. The entry is a range. Write one price.\n\n“1.0820”',
    );
    expect(await publisher.messages(id)).toMatchObject([{ outcome: 'refused' }, { outcome: 'ignored' }]);
    expect(telegram.sent.filter(({ chat }) => chat === publisher.chat)).toHaveLength(2);
    expect(await publisher.signals()).toEqual([]);
  });

  test('reads captions of pictures, and keeps texts only if the publisher wants it', async () => {
    const id = await publisher.linked({ mode: 'automatic', keep_text: true });
    await publisher.answer(publisher.say(NOW, { asCaption: true }));
    expect(await publisher.messages(id)).toMatchObject([{ outcome: 'published', text: NOW }]);
  });

  test('refuses a message that is older than 30 seconds, and publishes nothing later', async () => {
    const id = await publisher.linked({ mode: 'automatic' });
    const message = publisher.say(NOW, { ageSeconds: 40 });
    expect((await publisher.answer(message)).text).toStartWith('The message was older than 30 seconds');
    telegram.repeat(message);
    await publisher.settled();
    expect(await publisher.messages(id)).toMatchObject([{ outcome: 'late', signal_id: null }]);
    expect(await publisher.signals()).toEqual([]);
  });

  test('publishes a message once, however often it is delivered', async () => {
    await publisher.linked({ mode: 'automatic' });
    telegram.hold();
    const message = publisher.say(NOW);
    for (let times = 0; times < 5; times++) telegram.repeat(message);
    telegram.release();
    await publisher.answer(message);
    telegram.repeat(message);
    await publisher.settled();
    expect(await publisher.signals()).toHaveLength(1);
    expect(publisher.answers(message)).toHaveLength(1);
  });

  test('takes reordered updates: an edit that comes before its message keeps it from being published', async () => {
    await publisher.linked({ mode: 'automatic' });
    telegram.hold();
    const message = publisher.say(NOW);
    telegram.edit(message, NOW.replace('1.0860', '1.0870'));
    telegram.release('reversed');
    expect((await publisher.answer(message)).text).toBe('The message was edited before it was read. Send it again.');
    await publisher.settled();
    expect(await publisher.signals()).toEqual([]);
  });

  test('a removed channel publishes nothing more', async () => {
    const id = await publisher.linked({ mode: 'automatic' });
    expect((await publisher.call('DELETE', `/api/chat-channels/${id}`)).status).toBe(200);
    publisher.say(NOW);
    await publisher.settled();
    expect(await publisher.signals()).toEqual([]);
  });

  test('more than 30 messages in a minute are answered once, and not read', async () => {
    await publisher.linked({ mode: 'automatic' });
    const messages = Array.from({ length: 35 }, () => publisher.say('Good morning'));
    await until('the notice', () =>
      telegram.sent.find(({ chat, text }) => chat === publisher.chat && text.startsWith('More than 30 messages')),
    );
    await publisher.settled();
    expect(messages.flatMap((message) => publisher.answers(message))).toHaveLength(1);
  });

  test('an account with a signing key is told so only in Tickwire', async () => {
    const account = await TestPublisher.of(service);
    await SigningPublisher.of(service, account);
    const own = new TestChatPublisher(service, telegram, publisher.chat, account);
    const id = await own.linked({ mode: 'automatic' });
    const message = own.say(NOW);
    expect((await own.answer(message)).text).toBe('Not published. Its publisher sees the reason in Tickwire.');
    expect((await own.messages(id))[0]!.detail).toContain('signing key');
  });

  test('waits as long as Telegram asks, and loses no answer', async () => {
    await publisher.linked({ mode: 'automatic' });
    telegram.busy(0.05);
    telegram.fail('sendMessage', { status: 502, body: '<html>' });
    const message = publisher.say(NOW);
    await publisher.answer(message);
    expect(publisher.answers(message)).toHaveLength(1);
  });

  test('notes that the bot was removed', async () => {
    await publisher.linked({ mode: 'automatic' });
    telegram.block(publisher.chat);
    await until('the problem', async () => (await publisher.channels())[0]!.problem);
    expect((await publisher.channels())[0]!.problem).toBe('The bot was removed from the chat, or blocked.');
  });
});

describe('a channel with review', () => {
  async function preview(text = NOW) {
    const id = await publisher.linked();
    const message = publisher.say(text);
    return { id, message, answer: await publisher.answer(message) };
  }

  test('shows a preview, and publishes it when an administrator presses the button', async () => {
    const { id, message, answer } = await preview();
    expect(answer.text).toStartWith('EURUSD sell at the market, stop 1.086, target 1.08');
    expect(answer.buttons).toEqual([`publish:${message}`, `discard:${message}`]);
    expect(await publisher.signals()).toEqual([]);
    telegram.press(answer.id, answer.buttons[0]!, { from: 99 });
    await publisher.settled();
    expect(telegram.shown.at(-1)).toBe('Only an administrator of this channel can do this.');
    expect(await publisher.signals()).toEqual([]);
    telegram.press(answer.id, answer.buttons[0]!, { from: ADMINISTRATOR });
    const { text } = await publisher.answer(message, 2);
    expect(await publisher.signals()).toMatchObject([{ id: signalIn(text) }]);
    await publisher.settled();
    expect(telegram.edited.filter((each) => each.id === answer.id)).toEqual([
      { id: answer.id, text: 'Published.', buttons: [] },
    ]);
    telegram.press(answer.id, answer.buttons[0]!, { from: ADMINISTRATOR });
    await publisher.settled();
    expect(await publisher.signals()).toHaveLength(1);
    expect(await publisher.messages(id)).toMatchObject([{ outcome: 'published' }]);
  });

  test('publishes nothing that was discarded', async () => {
    const { id, answer } = await preview();
    for (const data of [answer.buttons[1]!, answer.buttons[0]!])
      telegram.press(answer.id, data, { from: ADMINISTRATOR });
    await publisher.settled();
    expect(await publisher.messages(id)).toMatchObject([{ outcome: 'discarded', signal_id: null }]);
    expect(await publisher.signals()).toEqual([]);
  });

  test('asks Telegram once who may press, and answers few of those who may not', async () => {
    const { message, answer } = await preview();
    const [seen, shown] = [telegram.server.requests.length, telegram.shown.length];
    for (let reader = 100; reader < 150; reader++) telegram.press(answer.id, answer.buttons[0]!, { from: reader });
    for (let times = 0; times < 20; times++) telegram.press(answer.id, 'anything', { from: 100 });
    telegram.press(answer.id, answer.buttons[0]!, { from: ADMINISTRATOR });
    await publisher.answer(message, 2);
    await publisher.settled();
    const asked = telegram.server.requests.slice(seen).filter(({ path }) => /getChat/.test(path));
    expect(asked.map(({ path }) => path.split('/').at(-1))).toEqual(['getChatAdministrators']);
    await until('all answers', () => telegram.shown.length >= shown + 11);
    // Answers to strangers hold up nobody: they may come after the one to the administrator.
    expect(telegram.shown.slice(shown).toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => 'Only an administrator of this channel can do this.'),
      'Publishing…',
    ]);
  });

  test('asks for another press if Telegram did not take the answer, and shows the levels again', async () => {
    const { message, answer } = await preview();
    telegram.fail('answerCallbackQuery', { status: 502, body: '<html>' });
    telegram.press(answer.id, answer.buttons[0]!, { from: ADMINISTRATOR });
    const again = await until('the preview', () => telegram.edited.find((each) => each.id === answer.id));
    expect(again.text).toBe(`${answer.text}\n\nThe last press was not completed. Press again.`);
    expect(again.buttons).toEqual(answer.buttons);
    expect(await publisher.signals()).toEqual([]);
    telegram.press(answer.id, answer.buttons[0]!, { from: ADMINISTRATOR });
    await publisher.answer(message, 2);
    expect(await publisher.signals()).toHaveLength(1);
  });

  test('tells readers of a channel no limit of the account, also when a button is pressed again', async () => {
    const { id, message, answer } = await preview();
    await SigningPublisher.of(service, publisher.account);
    telegram.press(answer.id, answer.buttons[0]!, { from: ADMINISTRATOR });
    await publisher.answer(message, 2);
    telegram.press(answer.id, answer.buttons[0]!, { from: ADMINISTRATOR });
    await publisher.settled();
    expect(telegram.shown.at(-1)).toBe('Not published. Its publisher sees the reason in Tickwire.');
    expect((await publisher.messages(id))[0]!.detail).toContain('signing key');
  });

  test('ignores a press that Telegram calls too old, and data of other buttons', async () => {
    const { id, message, answer } = await preview();
    telegram.press(answer.id, answer.buttons[0]!, { from: ADMINISTRATOR, isOld: true });
    telegram.press(answer.id, `publish:${message + 1_000}`, { from: ADMINISTRATOR });
    telegram.press(answer.id, 'anything', { from: ADMINISTRATOR });
    await publisher.settled();
    expect(await publisher.messages(id)).toMatchObject([{ outcome: 'preview' }]);
    expect(await publisher.signals()).toEqual([]);
  });

  test('refuses a preview whose levels the market has passed', async () => {
    const { message, answer } = await preview();
    await market.quote('EURUSD', 1.0701, 1.0702);
    telegram.press(answer.id, answer.buttons[0]!, { from: ADMINISTRATOR });
    expect((await publisher.answer(message, 2)).text).toStartWith('Not published.');
    expect(await publisher.signals()).toEqual([]);
  });
});

describe('a reply to a published message', () => {
  async function published(text = TWO_TARGETS): Promise<{ message: number; signal: string; answer: number }> {
    await publisher.linked({ mode: 'automatic' });
    const message = publisher.say(text);
    const answer = await publisher.answer(message);
    return { message, signal: signalIn(answer.text), answer: answer.id };
  }

  test('moves the stop to the entry', async () => {
    const { message, signal } = await published();
    await market.repeat('EURUSD');
    await publisher.answer(message, 2);
    await market.quote('EURUSD', 1.0846, 1.0847);
    const reply = publisher.say('SL to BE', { replyTo: message });
    expect((await publisher.answer(reply)).text).toBe('The stop is at the entry, 1.08412.');
    expect(await publisher.account.detail(signal)).toMatchObject({ current_stop_loss: 1.08412 });
  });

  test('closes the signal, also as a reply to a message of the bot', async () => {
    const { message, signal } = await published();
    await market.repeat('EURUSD');
    const fill = await publisher.answer(message, 2);
    publisher.say('close', { replyTo: fill.id });
    await until('the closing', async () => {
      await market.repeat('EURUSD');
      return publisher.answers(message)[2];
    });
    expect(publisher.answers(message)[2]!.text).toStartWith('Closed by the publisher at');
    expect(await publisher.account.detail(signal)).toMatchObject({ status: 'closed', close_reason: 'manual' });
  });

  test('is answered before the next quote closes the signal', async () => {
    const { message, signal } = await published();
    await market.repeat('EURUSD');
    await publisher.answer(message, 2);
    const reply = publisher.say('close', { replyTo: message });
    expect((await publisher.answer(reply)).text).toBe('The next quote closes the signal.');
    expect(await publisher.account.detail(signal)).toMatchObject({ close_requested_at: expect.any(String) });
    await market.repeat('EURUSD');
    expect((await publisher.answer(message, 3)).text).toStartWith('Closed by the publisher at');
  });

  test('changes nothing if it is a question, or names another instrument', async () => {
    const { message, signal } = await published();
    const answerTo = async (text: string) => (await publisher.answer(publisher.say(text, { replyTo: message }))).text;
    expect(await answerTo('Close?')).toBe(
      'Not published. This is a question. Write it without the question mark if you mean it.',
    );
    for (const text of ['Close gold', 'SL to BE GBPUSD'])
      expect(await answerTo(text)).toBe(
        'Nothing was changed. The signal is one of EURUSD, and the reply names another instrument.',
      );
    expect(await publisher.account.detail(signal)).toMatchObject({ close_requested_at: null, current_stop_loss: 1.08 });
    expect(await answerTo('Close EURUSD')).toBe('The next quote closes the signal.');
  });

  test('acts on the signal also as a reply to what the bot wrote about an earlier reply', async () => {
    const { message, signal } = await published();
    await market.repeat('EURUSD');
    await publisher.answer(message, 2);
    await market.quote('EURUSD', 1.0846, 1.0847);
    const moved = await publisher.answer(publisher.say('SL to BE', { replyTo: message }));
    await publisher.answer(publisher.say('close', { replyTo: moved.id }));
    expect(await publisher.account.detail(signal)).toMatchObject({ close_requested_at: expect.any(String) });
  });

  test('withdraws a pending signal, but not an open one', async () => {
    const { message, signal, answer } = await published('EURUSD buy limit 1.0820 SL 1.0800 TP 1.0900');
    publisher.say('cancel', { replyTo: answer });
    await until('the withdrawal', async () => {
      await market.repeat('EURUSD');
      return publisher.answers(message)[1];
    });
    expect(publisher.answers(message)[1]!.text).toBe(`Not filled\n${signal}`);
    const open = publisher.say(NOW);
    await publisher.answer(open);
    await market.repeat('EURUSD');
    await publisher.answer(open, 2);
    const reply = publisher.say('cancel', { replyTo: open });
    expect((await publisher.answer(reply)).text).toBe(
      'Nothing was changed. The signal is open and cannot be withdrawn. Reply “close” to close it.',
    );
  });

  test('is refused if it closes a part, names no signal, or came late', async () => {
    const { message, signal } = await published();
    const answerTo = async (text: string, saying?: object) =>
      (await publisher.answer(publisher.say(text, saying))).text;
    expect(await answerTo('close half', { replyTo: message })).toContain('Parts exit at its targets.');
    expect(await answerTo('close')).toContain('Reply to the message of the signal');
    expect(await answerTo('close', { replyTo: message, ageSeconds: 60 })).toContain('older than 30 seconds');
    expect(await publisher.account.detail(signal)).toMatchObject({ status: 'active', close_requested_at: null });
  });

  test('changes no signal of another channel', async () => {
    const { signal } = await published();
    const other = await TestChatPublisher.of(service, telegram, newChannel());
    await other.linked({ mode: 'automatic' });
    const quoted = other.say(`I like ${signal}`);
    const reply = other.say('close', { replyTo: quoted });
    expect((await other.answer(reply)).text).toContain('Reply to the message of the signal');
    expect(await publisher.account.detail(signal)).toMatchObject({ close_requested_at: null });
  });
});

describe('an edit', () => {
  test('changes nothing and is noted at the signal, once per text', async () => {
    await publisher.linked({ mode: 'automatic', keep_text: true });
    const message = publisher.say(NOW);
    const signal = signalIn((await publisher.answer(message)).text);
    expect(await publisher.edits(signal)).toEqual([]);
    for (const text of [NOW, 'EURUSD sell now SL 1.0890 TP 1.0700', 'EURUSD sell now SL 1.0890 TP 1.0700', 'deleted'])
      telegram.edit(message, text);
    await publisher.settled();
    const [first, second, ...others] = await publisher.edits(signal);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ platform: 'telegram', text: 'EURUSD sell now SL 1.0890 TP 1.0700' });
    expect(second).toMatchObject({ old_sha256: first!.new_sha256, text: 'deleted' });
    expect(await publisher.account.detail(signal)).toMatchObject({ stop_loss: 1.086, take_profit: 1.08 });
    expect(await publisher.signals()).toHaveLength(1);
  });

  test('hides texts by default, stays visible when the channel is removed, and is not found at an unknown signal', async () => {
    const id = await publisher.linked({ mode: 'automatic' });
    const message = publisher.say(NOW);
    const signal = signalIn((await publisher.answer(message)).text);
    telegram.edit(message, 'changed');
    await publisher.settled();
    await publisher.call('DELETE', `/api/chat-channels/${id}`);
    expect(await publisher.edits(signal)).toMatchObject([{ text: null }]);
    expect(await codeOf(await publisher.account.get('/api/signals/sig_none/edits'))).toEqual([404, 'signal_not_found']);
  });

  test('that removes a caption is noted, and one of a picture without a caption is ignored', async () => {
    const id = await publisher.linked({ mode: 'automatic', keep_text: true });
    const message = publisher.say(NOW, { asCaption: true });
    const signal = signalIn((await publisher.answer(message)).text);
    telegram.edit(message, null);
    const picture = publisher.say('', { asCaption: true, isSilent: true });
    telegram.edit(picture, null);
    await publisher.settled();
    expect(await publisher.edits(signal)).toMatchObject([{ text: '' }]);
    expect(await publisher.messages(id)).toHaveLength(1);
  });

  test('is noted in any number: the hundredth place has the newest', async () => {
    await publisher.linked({ mode: 'automatic', keep_text: true });
    const message = publisher.say(NOW);
    const signal = signalIn((await publisher.answer(message)).text);
    for (let count = 1; count <= 102; count++) telegram.edit(message, `text ${count}`);
    await publisher.settled();
    const edits = await publisher.edits(signal);
    expect(edits).toHaveLength(100);
    expect(edits.slice(-2).map(({ text }) => text)).toEqual(['text 99', 'text 102']);
    expect(edits[99]!.old_sha256).toBe(edits[98]!.new_sha256!);
  });

  test('of messages that published nothing count as messages of the minute', async () => {
    const id = await publisher.linked({ mode: 'automatic' });
    telegram.hold();
    const messages = Array.from({ length: 40 }, () => publisher.say('EURUSD sell now TP 1.0800'));
    for (const message of messages) telegram.edit(message, NOW);
    telegram.release('reversed');
    await publisher.settled();
    expect((await publisher.messages(id)).length).toBeLessThanOrEqual(31);
    expect(await publisher.signals()).toEqual([]);
  });

  test('of a refused message asks for a new one', async () => {
    await publisher.linked({ mode: 'automatic' });
    const message = publisher.say('EURUSD sell now TP 1.0800');
    await publisher.answer(message);
    telegram.edit(message, NOW);
    expect((await publisher.answer(message, 2)).text).toBe(
      'Edits change nothing: send the corrected message as a new one.',
    );
    await publisher.settled();
    expect(await publisher.signals()).toEqual([]);
  });
});

describe('a restart', () => {
  test('publishes nothing again, and posts what happened meanwhile', async () => {
    const chats = await FakeTelegram.open();
    chats.chat({ id: -1, type: 'channel', title: 'Signals', administrators: [ADMINISTRATOR] });
    const folder = await startService(chatSettings(chats));
    const first = await TestMarket.of(folder);
    await first.quote(...EURO);
    let own = await TestChatPublisher.of(folder, chats, -1);
    await own.linked({ mode: 'automatic' });
    const message = own.say(NOW);
    const signal = signalIn((await own.answer(message)).text);
    await own.settled();
    await folder.app.stop();
    chats.repeat(message);
    const again = await startService({ ...chatSettings(chats), data: folder.folder });
    try {
      own = new TestChatPublisher(again, chats, -1, new TestPublisher(again, own.account.issued));
      await (await TestMarket.of(again)).quote(...EURO);
      expect((await own.answer(message, 2)).text).toStartWith('Filled at');
      await own.settled();
      expect(await own.signals()).toMatchObject([{ id: signal }]);
      expect(own.answers(message)).toHaveLength(2);
    } finally {
      await again.stop();
      await folder.stop().catch(() => {});
      await chats[Symbol.asyncDispose]();
    }
  });
});
