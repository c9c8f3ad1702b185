// A server that speaks the Telegram Bot API as far as the service uses it: getMe, getUpdates with long polling, sendMessage,
// editMessageText, answerCallbackQuery, getChatMember and getChatAdministrators, with Telegram's error answers and limits.
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
  readonly id: number;
  /** Id of the message that it answers. */
  readonly replyTo: number | null;
  /** Data of the buttons under it. */
  readonly buttons: readonly string[];
}

/** How somebody writes a message. */
export interface Saying {
  readonly from?: number;
  /** Age in seconds when it is delivered. Default: 0. */
  readonly ageSeconds?: number;
  readonly replyTo?: number;
  /** As the caption of a picture. */
  readonly asCaption?: boolean;
  /** Not delivered. */
  readonly isSilent?: boolean;
}

interface WrittenMessage {
  readonly chat: FakeChat;
  readonly fields: Readonly<Record<string, unknown>>;
}

export class FakeTelegram implements AsyncDisposable {
  readonly platform = 'telegram';
  readonly server: FakeHttp;
  readonly sent: SentMessage[] = [];
  /** Texts that replaced those of sent messages. */
  readonly edited: { readonly id: number; readonly text: string; readonly buttons: readonly string[] }[] = [];
  /** Lines shown to those who pressed a button. */
  readonly shown: string[] = [];
  /** Highest offset that the bot confirmed. */
  confirmed = 0;
  readonly #chats = new Map<number, FakeChat>();
  readonly #blocked = new Set<number>();
  readonly #moved = new Map<number, number>();
  readonly #onSent: (message: SentMessage) => void;
  readonly #messages = new Map<number, WrittenMessage>();
  readonly #failing = new Map<string, FakeReply[]>();
  /** Ids of presses that can be answered. */
  readonly #presses = new Set<string>();
  /** The newest message that is no reply. */
  #lastSaid: number | null = null;
  #held: Readonly<Record<string, unknown>>[] | null = null;
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

  /** Id of the newest update. */
  get lastUpdate(): number {
    return this.#nextUpdate - 1;
  }

  chat(chat: FakeChat): this {
    this.#chats.set(chat.id, chat);
    return this;
  }

  /** Somebody writes in a chat. Returns the id of the message. */
  say(chat: number, text: string, saying: Saying | number = {}): number {
    const {
      from = Math.abs(chat),
      ageSeconds = 0,
      replyTo,
      asCaption = false,
      isSilent = false,
    } = typeof saying === 'number' ? { from: saying } : saying;
    const of = this.#chats.get(chat)!;
    const isPost = of.type === 'channel';
    const replied = replyTo === undefined ? undefined : this.#messages.get(replyTo)?.fields;
    const message = this.#message(of);
    const fields = {
      ...message,
      date: message.date - ageSeconds,
      ...(!isPost && { from: person(from) }),
      ...(replied && { reply_to_message: replied }),
      [asCaption ? 'caption' : 'text']: text,
    };
    this.#messages.set(message.message_id, { chat: of, fields });
    if (replyTo === undefined) this.#lastSaid = message.message_id;
    if (!isSilent) this.update({ [isPost ? 'channel_post' : 'message']: fields });
    return message.message_id;
  }

  /** Delivers a message once more, under another update. */
  repeat(message: number): void {
    const { chat, fields } = this.#messages.get(message)!;
    this.update({ [chat.type === 'channel' ? 'channel_post' : 'message']: fields });
  }

  /** `null` removes the text or caption. */
  edit(message: number, text: string | null): void {
    const { chat, fields } = this.#messages.get(message)!;
    const { text: _, caption: __, ...others } = fields;
    const edited = { ...others, ...(text !== null && { text }), edit_date: Math.floor(Date.now() / 1_000) };
    this.#messages.set(message, { chat, fields: edited });
    this.update({ [chat.type === 'channel' ? 'edited_channel_post' : 'edited_message']: edited });
  }

  /** Somebody presses the button with this data under a message of the bot. `isOld`: so long ago that it cannot be answered. */
  press(message: number, data: string, { from, isOld = false }: { from: number; isOld?: boolean }): void {
    const query = String(this.#nextMessage++);
    if (!isOld) this.#presses.add(query);
    this.update({
      callback_query: { id: query, from: person(from), message: this.#messages.get(message)!.fields, data },
    });
  }

  /** Keeps updates back until `release`, which delivers them in the order that it is given. */
  hold(): void {
    this.#held = [];
  }

  release(order: 'in order' | 'reversed' = 'in order'): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const update of order === 'reversed' ? held.toReversed() : held) this.update(update);
  }

  /** How the next calls of a method fail, one each. */
  fail(method: string, ...replies: readonly FakeReply[]): void {
    this.#failing.set(method, [...(this.#failing.get(method) ?? []), ...replies]);
  }

  /** The next message of the bot is refused because there were too many. */
  busy(seconds: number): void {
    const parameters = { retry_after: seconds };
    const body = { ok: false, error_code: 429, description: 'Too Many Requests', parameters };
    this.fail('sendMessage', json(body, 429));
  }

  /** Waits until all updates so far are confirmed. */
  async settled(): Promise<void> {
    const last = this.lastUpdate;
    while (this.confirmed <= last) await Bun.sleep(3);
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
    if (this.#held) return void this.#held.push(update);
    this.#updates.push({ update_id: this.#nextUpdate++, ...update });
    this.#wake?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#wake?.();
    await this.server[Symbol.asyncDispose]();
  }

  async #handle(request: FakeRequest, closed: AbortSignal): Promise<FakeReply> {
    if (/^\/say(\?reply)?$/.test(request.path)) {
      // Not part of the protocol: for people who try the service with this fake. The first chat says it.
      const replyTo = request.path === '/say' ? null : this.#lastSaid;
      this.say([...this.#chats.keys()][0]!, request.body.toString('utf8'), replyTo === null ? {} : { replyTo });
      return { status: 204 };
    }
    const [, token, method] = /^\/bot([^/]+)\/(\w+)/.exec(request.path) ?? [];
    if (token === undefined) return failure(404, 'Not Found');
    if (token !== FAKE_BOT_TOKEN) return failure(401, 'Unauthorized');
    const given = jsonBody(request) ?? {};
    const failing = this.#failing.get(method ?? '')?.shift();
    if (failing) return failing;
    switch (method) {
      case 'getMe':
        return result({ ...person(Number(token.split(':')[0])), is_bot: true, username: FAKE_BOT_NAME });
      case 'getUpdates':
        return this.#getUpdates(given, closed);
      case 'sendMessage':
        return this.#sendMessage(given, request.at);
      case 'editMessageText':
        this.edited.push({ id: Number(given.message_id), text: String(given.text), buttons: buttonsOf(given) });
        return result(true);
      case 'answerCallbackQuery':
        if (!this.#presses.has(String(given.callback_query_id)))
          return failure(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid');
        this.shown.push(String(given.text));
        return result(true);
      case 'getChatMember': {
        const chat = this.#chats.get(given.chat_id as number);
        const status = chat?.administrators?.includes(given.user_id as number) ? 'administrator' : 'member';
        return chat
          ? result({ status, user: person(given.user_id as number) })
          : failure(400, 'Bad Request: chat not found');
      }
      case 'getChatAdministrators': {
        const chat = this.#chats.get(given.chat_id as number);
        const members = chat?.administrators?.map((id) => ({ status: 'administrator', user: person(id) }));
        return chat ? result(members ?? []) : failure(400, 'Bad Request: chat not found');
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
    const fields = { ...this.#message(chat), text };
    const message = { chat: id, text, at, id: fields.message_id, replyTo: replyOf(given), buttons: buttonsOf(given) };
    this.#messages.set(message.id, { chat, fields });
    this.sent.push(message);
    this.#onSent(message);
    return result(fields);
  }

  #message(chat: FakeChat) {
    return { message_id: this.#nextMessage++, date: Math.floor(Date.now() / 1_000), chat: publicPart(chat) };
  }
}

const replyOf = ({ reply_parameters }: Readonly<Record<string, unknown>>): number | null => {
  const { message_id } = Object(reply_parameters) as { message_id?: number };
  return message_id ?? null;
};

const buttonsOf = ({ reply_markup }: Readonly<Record<string, unknown>>): string[] => {
  const { inline_keyboard = [] } = Object(reply_markup) as { inline_keyboard?: { callback_data: string }[][] };
  return inline_keyboard.flat().map(({ callback_data }) => callback_data);
};

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
