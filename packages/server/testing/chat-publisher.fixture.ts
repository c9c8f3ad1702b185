// An account that publishes from a channel of a chat platform, in a market whose prices the test sets.
import type {
  ChatChannel,
  ChatMessageList,
  ChatPlatform,
  CreatedChatChannel,
  SignalEditList,
  SignalList,
} from '@tickwire/contract';
import { FAKE_DISCORD_TOKEN, type FakeDiscord } from './delivery/fake-discord.fixture.ts';
import { FAKE_BOT_TOKEN, type FakeTelegram, type Saying as TelegramSaying } from './delivery/fake-telegram.fixture.ts';
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

export const discordSettings = (discord: FakeDiscord): Settings => ({
  ...{ feeds: 'push', trusted_sources: 'push', public_url: 'https://tick.example' },
  ...{ discord_api_url: discord.url, discord_bot_token: FAKE_DISCORD_TOKEN },
});

/** A fake of a platform. */
export interface FakeChats<Id, Saying> {
  readonly platform: ChatPlatform;
  /** What the bot has sent. */
  readonly sent: readonly SentChatMessage<Id>[];
  /** Somebody writes in a chat. Returns the id of the message. */
  say(chat: Id, text: string, saying?: Saying): Id;
  /** Delivers a message once more. */
  repeat(message: Id): void;
  /** The next message of the bot is refused because there were too many. */
  busy(seconds: number): void;
  /** Waits until everything that happened in a linked chat was taken. */
  settled(chat: Id): Promise<void>;
}

export interface SentChatMessage<Id> {
  readonly chat: Id;
  readonly id: Id;
  readonly text: string;
  /** Id of the message that it answers. */
  readonly replyTo: Id | null;
  /** Data of the buttons under it. */
  readonly buttons: readonly string[];
}

export class TestChatPublisher<Id extends number | string = number, Saying = TelegramSaying> {
  readonly account: TestPublisher;
  readonly chats: FakeChats<Id, Saying>;
  readonly chat: Id;
  readonly #url: string;

  constructor(service: Pick<RunningService, 'url'>, chats: FakeChats<Id, Saying>, chat: Id, account: TestPublisher) {
    this.#url = service.url;
    this.account = account;
    this.chats = chats;
    this.chat = chat;
  }

  static async of<Id extends number | string, Saying>(
    service: RunningService,
    chats: FakeChats<Id, Saying>,
    chat: Id,
  ): Promise<TestChatPublisher<Id, Saying>> {
    return new TestChatPublisher(service, chats, chat, await TestPublisher.of(service));
  }

  call(method: string, path: string, body?: object): Promise<Response> {
    return fetch(this.#url + path, {
      method,
      headers: { 'X-API-Key': this.account.issued.key },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async create(request: object = {}): Promise<CreatedChatChannel> {
    const response = await this.call('POST', '/api/chat-channels', { platform: this.chats.platform, ...request });
    if (response.status !== 201) throw new Error(await response.text());
    return (await response.json()) as CreatedChatChannel;
  }

  async channels(): Promise<ChatChannel[]> {
    return (await this.account.read<{ items: ChatChannel[] }>('/api/chat-channels')).items;
  }

  /** Links the chat; returns the id of the channel. */
  async linked(request: object = {}): Promise<string> {
    const { id, link } = await this.create(request);
    this.chats.say(this.chat, `/link ${link!.code}`);
    await until('the link', async () => (await this.channels()).find((each) => each.id === id)?.linked_at);
    return id;
  }

  say(text: string, saying?: Saying): Id {
    return this.chats.say(this.chat, text, saying);
  }

  /** What the bot sent to the chat as answers to a message. */
  answers(message: Id): SentChatMessage<Id>[] {
    return this.chats.sent.filter((each) => each.replyTo === message && each.chat === this.chat);
  }

  /** The `n`th answer to a message. */
  answer(message: Id, n = 1): Promise<SentChatMessage<Id>> {
    return until(`answer ${n} to message ${message}`, () => this.answers(message)[n - 1]);
  }

  /** Waits until everything that was said is decided. */
  settled(): Promise<void> {
    return this.chats.settled(this.chat);
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
