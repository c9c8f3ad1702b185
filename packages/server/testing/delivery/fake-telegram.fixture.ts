// A server that speaks the Telegram Bot API as far as the service uses it: getMe, getUpdates with long polling, sendMessage
// and getChatMember, with Telegram's error answers and limits.
import { FakeHttp, type FakeReply, type FakeRequest, json, jsonBody } from './fake-http.fixture.ts';

export const FAKE_BOT_TOKEN = '123456789:FAKE-token-for-local-use-only-0000';
export const FAKE_BOT_NAME = 'tickwire_test_bot';
const PER_GROUP_MINUTE = 20;

export interface FakeChat {
  readonly id: number;
  readonly type: 'private' | 'group' | 'supergroup' | 'channel';
  readonly title: string;
  /** Ids of the administrators of a group. */
  readonly administrators?: readonly number[];
}

export interface SentMessage {
  readonly chat: number;
  /** As sent, with markup. */
  readonly text: string;
  readonly at: number;
}

export class FakeTelegram implements AsyncDisposable {
  readonly server: FakeHttp;
  readonly sent: SentMessage[] = [];
  /** Highest offset that the bot confirmed. */
  confirmed = 0;
  readonly #chats = new Map<number, FakeChat>();
  readonly #blocked = new Set<number>();
  readonly #moved = new Map<number, number>();
  readonly #onSent: (message: SentMessage) => void;
  #updates: { update_id: number; [key: string]: unknown }[] = [];
  #nextUpdate = 700_000_001;
  #nextMessage = 1;
  #wake: (() => void) | null = null;
  #polls = 0;

  private constructor(onSent: (message: SentMessage) => void) {
    this.#onSent = onSent;
    this.server = new FakeHttp((request, closed) => this.#handle(request, closed));
  }

  static async open(port = 0, onSent: (message: SentMessage) => void = () => {}): Promise<FakeTelegram> {
    const telegram = new FakeTelegram(onSent);
    await telegram.server.listen(port);
    return telegram;
  }

  get url(): string {
    return this.server.url('');
  }

  chat(chat: FakeChat): this {
    this.#chats.set(chat.id, chat);
    return this;
  }

  /** Somebody writes in a chat. */
  say(chat: number, text: string, from: number = Math.abs(chat)): void {
    const of = this.#chats.get(chat)!;
    const kind = of.type === 'channel' ? 'channel_post' : 'message';
    this.update({ [kind]: { ...this.#message(of), ...(kind === 'message' && { from: person(from) }), text } });
  }

  block(chat: number): void {
    this.#blocked.add(chat);
    const user = { id: Number(FAKE_BOT_TOKEN.split(':')[0]), is_bot: true, first_name: 'Tickwire' };
    const member = { user, status: 'kicked', until_date: 0 };
    this.update({ my_chat_member: { chat: publicPart(this.#chats.get(chat)!), new_chat_member: member } });
  }

  /** A group becomes a supergroup, which has another id. */
  migrate(from: number, to: number): void {
    const chat = this.#chats.get(from)!;
    this.#chats.set(to, { ...chat, id: to, type: 'supergroup' });
    this.#moved.set(from, to);
    this.update({ message: { ...this.#message(chat), migrate_to_chat_id: to } });
  }

  update(update: Readonly<Record<string, unknown>>): void {
    this.#updates.push({ update_id: this.#nextUpdate++, ...update });
    this.#wake?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#wake?.();
    await this.server[Symbol.asyncDispose]();
  }

  async #handle(request: FakeRequest, closed: AbortSignal): Promise<FakeReply> {
    if (request.path === '/say') {
      // Not part of the protocol: for people who try the service with this fake. The first chat says it.
      this.say([...this.#chats.keys()][0]!, request.body.toString('utf8'));
      return { status: 204 };
    }
    const [, token, method] = /^\/bot([^/]+)\/(\w+)/.exec(request.path) ?? [];
    if (token === undefined) return failure(404, 'Not Found');
    if (token !== FAKE_BOT_TOKEN) return failure(401, 'Unauthorized');
    const given = jsonBody(request) ?? {};
    switch (method) {
      case 'getMe':
        return result({ ...person(Number(token.split(':')[0])), is_bot: true, username: FAKE_BOT_NAME });
      case 'getUpdates':
        return this.#getUpdates(given, closed);
      case 'sendMessage':
        return this.#sendMessage(given, request.at);
      case 'getChatMember': {
        const chat = this.#chats.get(given.chat_id as number);
        const status = chat?.administrators?.includes(given.user_id as number) ? 'administrator' : 'member';
        return chat
          ? result({ status, user: person(given.user_id as number) })
          : failure(400, 'Bad Request: chat not found');
      }
      default:
        return failure(404, 'Not Found');
    }
  }

  async #getUpdates(given: Readonly<Record<string, unknown>>, closed: AbortSignal): Promise<FakeReply> {
    const { offset = 0, timeout = 0, limit = 100 } = given as { offset?: number; timeout?: number; limit?: number };
    this.#updates = this.#updates.filter(({ update_id }) => update_id >= offset);
    this.confirmed = Math.max(this.confirmed, offset);
    const poll = ++this.#polls;
    this.#wake?.();
    const until = Date.now() + timeout * 1_000;
    while (this.#updates.length === 0 && Date.now() < until && !closed.aborted) {
      const waiting = Promise.withResolvers<void>();
      this.#wake = waiting.resolve;
      await Promise.race([waiting.promise, Bun.sleep(Math.min(until - Date.now(), 1_000))]);
      if (poll !== this.#polls) return failure(409, 'Conflict: terminated by other getUpdates request');
    }
    return result(this.#updates.slice(0, limit));
  }

  #sendMessage(given: Readonly<Record<string, unknown>>, at: number): FakeReply {
    const id = Number(given.chat_id);
    const chat = this.#chats.get(id);
    const text = given.text;
    if (!chat) return failure(400, 'Bad Request: chat not found');
    if (typeof text !== 'string' || text.trim() === '') return failure(400, 'Bad Request: message text is empty');
    const to = this.#moved.get(id);
    if (to !== undefined)
      return failure(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: to });
    if (this.#blocked.has(id)) return failure(403, 'Forbidden: bot was blocked by the user');
    if (given.parse_mode === 'HTML' && !isTelegramHtml(text)) return failure(400, "Bad Request: can't parse entities");
    if (text.length > 4_096) return failure(400, 'Bad Request: message is too long');
    const recent = this.sent.filter((each) => each.chat === id && each.at > at - 60_000);
    if (chat.type !== 'private' && recent.length >= PER_GROUP_MINUTE) {
      const seconds = Math.ceil((recent[0]!.at + 60_000 - at) / 1_000);
      return failure(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
    }
    const message = { chat: id, text, at };
    this.sent.push(message);
    this.#onSent(message);
    return result({ ...this.#message(chat), text });
  }

  #message(chat: FakeChat): Record<string, unknown> {
    return { message_id: this.#nextMessage++, date: Math.floor(Date.now() / 1_000), chat: publicPart(chat) };
  }
}

const publicPart = ({ id, type, title }: FakeChat) =>
  type === 'private' ? { id, type, first_name: title } : { id, type, title };
const person = (id: number) => ({ id, is_bot: false, first_name: `Person ${id}` });
const result = (value: unknown): FakeReply => json({ ok: true, result: value });
const failure = (code: number, description: string, parameters?: Readonly<Record<string, number>>): FakeReply =>
  json({ ok: false, error_code: code, description, ...(parameters && { parameters }) }, code);

/** Only the tags that Telegram knows, closed in order, and no loose `<`, `>` or `&`. */
function isTelegramHtml(text: string): boolean {
  const open: string[] = [];
  const rest = text.replace(/<(\/?)(b|i|u|s|code|pre|a)(?: href="[^"]*")?>/g, (_, slash: string, tag: string) => {
    if (slash === '') open.push(tag);
    else if (open.pop() !== tag) open.push('unbalanced');
    return '';
  });
  return open.length === 0 && !/[<>]/.test(rest) && !/&(?!(amp|lt|gt|quot);)/.test(rest);
}
