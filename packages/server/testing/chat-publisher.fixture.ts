// An account that publishes from a Telegram channel, in a market whose prices the test sets.
import type { ChatChannel, ChatMessageList, CreatedChatChannel, SignalEditList, SignalList } from '@tickwire/contract';
import { FAKE_BOT_TOKEN, type FakeTelegram, type Saying, type SentMessage } from './delivery/fake-telegram.fixture.ts';
import { TestPublisher } from './publisher.fixture.ts';
import type { RunningService, Settings } from './service.fixture.ts';

/** Far longer than anything takes. */
const WAIT_MS = 60_000;

export async function until<T>(what: string, read: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const value = await read();
    if (value) return value as NonNullable<T>;
    if (Date.now() > end) throw new Error(`${what} never happened`);
    await Bun.sleep(3);
  }
}

export const chatSettings = (telegram: FakeTelegram): Settings => ({
  ...{ feeds: 'push', trusted_sources: 'push', public_url: 'https://tick.example' },
  ...{ telegram_api_url: telegram.url, telegram_bot_token: FAKE_BOT_TOKEN },
});

export class TestChatPublisher {
  readonly account: TestPublisher;
  readonly telegram: FakeTelegram;
  readonly chat: number;
  readonly #url: string;

  constructor(service: Pick<RunningService, 'url'>, telegram: FakeTelegram, chat: number, account: TestPublisher) {
    this.#url = service.url;
    this.account = account;
    this.telegram = telegram;
    this.chat = chat;
  }

  static async of(service: RunningService, telegram: FakeTelegram, chat: number): Promise<TestChatPublisher> {
    return new TestChatPublisher(service, telegram, chat, await TestPublisher.of(service));
  }

  call(method: string, path: string, body?: object): Promise<Response> {
    return fetch(this.#url + path, {
      method,
      headers: { 'X-API-Key': this.account.issued.key },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async create(request: object = {}): Promise<CreatedChatChannel> {
    const response = await this.call('POST', '/api/chat-channels', { platform: 'telegram', ...request });
    if (response.status !== 201) throw new Error(await response.text());
    return (await response.json()) as CreatedChatChannel;
  }

  async channels(): Promise<ChatChannel[]> {
    return (await this.account.read<{ items: ChatChannel[] }>('/api/chat-channels')).items;
  }

  /** Links the chat; returns the id of the channel. */
  async linked(request: object = {}): Promise<string> {
    const { id, link } = await this.create(request);
    this.telegram.say(this.chat, `/link ${link!.code}`);
    await until('the link', async () => (await this.channels()).find((each) => each.id === id)?.linked_at);
    return id;
  }

  say(text: string, saying?: Saying): number {
    return this.telegram.say(this.chat, text, saying);
  }

  /** What the bot sent to the chat as answers to a message. */
  answers(message: number): SentMessage[] {
    return this.telegram.sent.filter((each) => each.replyTo === message && each.chat === this.chat);
  }

  /** The `n`th answer to a message. */
  answer(message: number, n = 1): Promise<SentMessage> {
    return until(`answer ${n} to message ${message}`, () => this.answers(message)[n - 1]);
  }

  /** Waits until everything that was said is decided. */
  async settled(): Promise<void> {
    const last = this.telegram.lastUpdate;
    await until('the confirmation of all updates', () => this.telegram.confirmed > last);
  }

  async signals(): Promise<SignalList['items']> {
    return (await this.account.read<SignalList>(`/api/signals?status=all&limit=500&user=${this.account.id}`)).items;
  }

  async messages(channel: string): Promise<ChatMessageList['items']> {
    return (await this.account.read<ChatMessageList>(`/api/chat-channels/${channel}/messages`)).items;
  }

  async edits(signal: string): Promise<SignalEditList['items']> {
    return (await this.account.read<SignalEditList>(`/api/signals/${signal}/edits`)).items;
  }
}

/** The signal that an answer links. */
export const signalIn = (text: string): string => /sig_[0-9a-f]{16}/.exec(text)![0];
