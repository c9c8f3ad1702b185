// A server that speaks Discord's gateway and HTTP API, version 10, as far as the service uses them: sessions that are resumed, heartbeats,
// messages, buttons, channels and roles, with Discord's error answers.
import type { Server, ServerWebSocket } from 'bun';
import { type FakeReply, json } from './fake-http.fixture.ts';

export const FAKE_DISCORD_TOKEN = 'FAKE-token-for-local-use-only.fake00.0123456789-0123456789-0123456789';
const BOT = '900';
const DISCORD_EPOCH_MS = 1_420_070_400_000;
const MESSAGE_CONTENT = 1 << 15;
const MANAGE_CHANNELS = '16';

export interface FakeDiscordChannel {
  readonly id: string;
  /** Left out: a private chat with the bot. */
  readonly server?: string | undefined;
  readonly name: string;
  /** The owner of the server, or the person of the private chat. */
  readonly owner: string;
  /** People with a role that manages channels. */
  readonly managers?: readonly string[];
  /** Default: a text channel. */
  readonly type?: number;
}

export interface SentDiscordMessage {
  readonly chat: string;
  readonly text: string;
  readonly id: string;
  readonly replyTo: string | null;
  readonly buttons: readonly string[];
}

export interface DiscordSaying {
  /** Default: the owner. */
  readonly from?: string;
  /** Age in seconds when it is delivered. Default: 0. */
  readonly ageSeconds?: number;
  readonly replyTo?: string;
  readonly isBot?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

interface Session {
  readonly id: string;
  readonly events: { readonly t: string; readonly s: number; readonly d: unknown }[];
  readonly canRead: boolean;
}

interface Connection {
  session: Session | null;
}

export class FakeDiscord implements AsyncDisposable {
  readonly platform = 'discord';
  readonly sent: SentDiscordMessage[] = [];
  readonly edited: { readonly id: string; readonly text: string; readonly buttons: readonly string[] }[] = [];
  /** Lines shown to a presser alone. */
  readonly shown: string[] = [];
  /** What bots introduced themselves with. */
  readonly introductions: ('identify' | 'resume')[] = [];
  heartbeats = 0;
  heartbeatMs = 45_000;
  /** Whether heartbeats are answered. */
  answersHeartbeats = true;
  /** Whether the bot may read messages. */
  allowsContent = true;
  sessionsLeft = 1_000;
  readonly #server: Server<Connection>;
  readonly #channels = new Map<string, FakeDiscordChannel>();
  readonly #messages = new Map<string, Fields>();
  readonly #failing: { readonly method: string; readonly path: RegExp; readonly reply: FakeReply }[] = [];
  readonly #sockets = new Set<ServerWebSocket<Connection>>();
  readonly #presses = new Set<string>();
  readonly #nonces = new Map<string, string>();
  #sessions = new Map<string, Session>();
  #held: (readonly [string, Fields])[] | null = null;
  #count = 0;

  private constructor(port: number) {
    this.#server = Bun.serve<Connection>({
      ...{ hostname: '127.0.0.1', port },
      fetch: async (request, server) => {
        if (server.upgrade(request, { data: { session: null } })) return undefined;
        const { status, headers, body } = await this.#handle(request);
        return new Response(body || null, { status, ...(headers && { headers }) });
      },
      websocket: {
        open: (socket) => {
          this.#sockets.add(socket);
          sendTo(socket, { op: 10, d: { heartbeat_interval: this.heartbeatMs } });
        },
        message: (socket, text) => this.#hear(socket, JSON.parse(String(text)) as { op: number; d: Fields }),
        close: (socket, code) => {
          this.#sockets.delete(socket);
          // A bot that closes normally ends its session.
          if (code === 1_000) this.#sessions.delete(socket.data.session?.id ?? '');
        },
      },
    });
  }

  static async open(port = 0): Promise<FakeDiscord> {
    return new FakeDiscord(port);
  }

  get url(): string {
    return this.#server.url.href.replace(/\/$/, '');
  }

  /** Bots that are connected and introduced. */
  get connected(): number {
    return [...this.#sockets].filter(({ data }) => data.session).length;
  }

  channel(channel: FakeDiscordChannel): this {
    this.#channels.set(channel.id, channel);
    return this;
  }

  /** Somebody writes in a channel. Returns the id of the message. */
  say(chat: string, text: string, saying: DiscordSaying = {}): string {
    const channel = this.#channels.get(chat)!;
    const { from = channel.owner, ageSeconds = 0, replyTo, isBot = false } = saying;
    const message = this.#message(chat, { content: text, author: person(from, isBot) }, ageSeconds);
    const fields = replyTo === undefined ? message : { ...message, type: 19, ...this.#reference(replyTo) };
    this.#messages.set(message.id, fields);
    this.#event('MESSAGE_CREATE', fields);
    return message.id;
  }

  /** Delivers a message once more. */
  repeat(message: string): void {
    this.#event('MESSAGE_CREATE', this.#messages.get(message)!);
  }

  edit(message: string, text: string): void {
    const edited = {
      ...this.#messages.get(message)!,
      content: text,
      edited_timestamp: new Date().toISOString(),
    };
    this.#messages.set(message, edited);
    this.#event('MESSAGE_UPDATE', edited);
  }

  /** Discord adds a preview of a link. */
  embed(message: string): void {
    this.#event('MESSAGE_UPDATE', this.#messages.get(message)!);
  }

  delete(...messages: readonly string[]): void {
    const { channel_id, guild_id } = this.#messages.get(messages[0]!)!;
    for (const message of messages) this.#messages.delete(message);
    const place = { channel_id, guild_id };
    if (messages.length === 1) this.#event('MESSAGE_DELETE', { ...place, id: messages[0] });
    else this.#event('MESSAGE_DELETE_BULK', { ...place, ids: messages });
  }

  /** Somebody presses the button with this data under a message. `isOld`: so long ago that it cannot be answered. */
  press(message: string, data: string, { from, isOld = false }: { from: string; isOld?: boolean }): void {
    const under = this.#messages.get(message)!;
    const { channel_id, guild_id } = under;
    const id = this.#id();
    if (!isOld) this.#presses.add(id);
    const who = guild_id === undefined ? { user: person(from) } : { guild_id, member: { user: person(from) } };
    const press = { id, token: `token-${id}`, type: 3, channel_id, data: { custom_id: data }, message: under };
    this.#event('INTERACTION_CREATE', { ...press, ...who });
  }

  /** Keeps events back until `release`, which delivers them in the order that it is given. */
  hold(): void {
    this.#held = [];
  }

  release(order: 'in order' | 'reversed' = 'in order'): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const [name, fields] of order === 'reversed' ? held.toReversed() : held) this.#event(name, fields);
  }

  /** How the next calls fail, one each. */
  fail(method: string, path: RegExp, ...replies: readonly FakeReply[]): void {
    this.#failing.push(...replies.map((reply) => ({ method, path, reply })));
  }

  /** The next message of the bot is refused because there were too many. */
  busy(seconds: number): void {
    const body = { message: 'You are being rate limited.', retry_after: seconds, global: false };
    this.fail('POST', /\/messages$/, json(body, 429));
  }

  /** Cuts all connections. */
  drop(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  /** Ends all connections with a close code. */
  close(code: number): void {
    for (const socket of this.#sockets) socket.close(code);
  }

  askToReconnect(): void {
    for (const socket of this.#sockets) sendTo(socket, { op: 7, d: null });
  }

  askForHeartbeat(): void {
    for (const socket of this.#sockets) sendTo(socket, { op: 1, d: null });
  }

  /** Sessions cannot be resumed any more. */
  forgetSessions(): void {
    this.#sessions = new Map();
  }

  /** Waits until everything that happened in a linked chat was taken: a press of somebody else is refused only then. */
  async settled(chat: string): Promise<void> {
    while (this.connected === 0) await Bun.sleep(3);
    const stranger = this.#id();
    const message = [...this.#messages.values()].find(({ channel_id }) => channel_id === chat)!;
    const shown = this.shown.length;
    this.press(message.id as string, 'publish:0', { from: stranger });
    while (this.shown.length === shown) await Bun.sleep(3);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  #hear(socket: ServerWebSocket<Connection>, { op, d }: { op: number; d: Fields }): void {
    switch (op) {
      case 1:
        this.heartbeats++;
        if (this.answersHeartbeats) sendTo(socket, { op: 11 });
        return;
      case 2: {
        this.introductions.push('identify');
        const intents = Number(d.intents);
        if (d.token !== FAKE_DISCORD_TOKEN) return void socket.close(4_004, 'Authentication failed.');
        if (!this.allowsContent && intents & MESSAGE_CONTENT) return void socket.close(4_014, 'Disallowed intent(s).');
        const session: Session = {
          id: `session-${this.#id()}`,
          events: [],
          canRead: (intents & MESSAGE_CONTENT) !== 0,
        };
        this.#sessions.set(session.id, session);
        socket.data.session = session;
        const ready = { v: 10, user: person(BOT, true), session_id: session.id, application: { id: BOT, flags: 0 } };
        return void this.#deliver(session, 'READY', { ...ready, resume_gateway_url: this.url.replace('http', 'ws') });
      }
      case 6: {
        this.introductions.push('resume');
        const session = this.#sessions.get(String(d.session_id));
        if (!session) return void sendTo(socket, { op: 9, d: false });
        socket.data.session = session;
        for (const event of session.events) if (event.s > Number(d.seq)) sendTo(socket, { op: 0, ...event });
        return void this.#deliver(session, 'RESUMED', {});
      }
    }
  }

  #event(name: string, fields: Fields): void {
    if (this.#held) return void this.#held.push([name, fields]);
    for (const session of this.#sessions.values())
      this.#deliver(session, name, session.canRead || !('content' in fields) ? fields : { ...fields, content: '' });
  }

  #deliver(session: Session, t: string, d: unknown): void {
    const event = { t, s: session.events.length + 1, d };
    session.events.push(event);
    for (const socket of this.#sockets) if (socket.data.session === session) sendTo(socket, { op: 0, ...event });
  }

  async #handle(request: Request): Promise<FakeReply> {
    const { pathname } = new URL(request.url);
    const path = pathname.replace(/^\/api\/v10/, '');
    const { method } = request;
    const [, interaction, token] = /^\/interactions\/(\d+)\/([^/]+)\/callback$/.exec(path) ?? [];
    if (interaction === undefined && request.headers.get('authorization') !== `Bot ${FAKE_DISCORD_TOKEN}`)
      return failure(401, '401: Unauthorized');
    const failing = this.#failing.findIndex((each) => each.method === method && each.path.test(path));
    if (failing >= 0) return this.#failing.splice(failing, 1)[0]!.reply;
    const given = method === 'GET' ? {} : ((await request.json()) as Fields);
    if (interaction !== undefined) return this.#answerPress(interaction, token!, given);
    if (path === '/gateway/bot') {
      const limit = { total: 1_000, remaining: this.sessionsLeft, reset_after: 60_000, max_concurrency: 1 };
      return json({ url: this.url.replace('http', 'ws'), shards: 1, session_start_limit: limit });
    }
    const [, server] = /^\/guilds\/(\d+)$/.exec(path) ?? [];
    if (server !== undefined) return this.#describeServer(server);
    const [, chat, messages, message] = /^\/channels\/(\d+)(\/messages)?(?:\/(\d+))?$/.exec(path) ?? [];
    const channel = this.#channels.get(chat ?? '');
    if (!channel) return failure(404, 'Unknown Channel');
    if (messages === undefined) return this.#describeChannel(channel);
    if (method === 'POST') return this.#post(channel, given);
    const all = [...this.#messages.values()].filter(({ channel_id }) => channel_id === chat);
    // Messages of the API have no server and no roles.
    if (method === 'GET')
      return json(
        all
          .slice(-100)
          .toReversed()
          .map(({ guild_id, member, ...fields }) => fields),
      );
    this.edited.push({ id: message!, text: String(given.content), buttons: buttonsOf(given) });
    return json(this.#messages.get(message!)!);
  }

  #describeServer(id: string): FakeReply {
    const channel = [...this.#channels.values()].find(({ server }) => server === id)!;
    const roles = [
      { id, permissions: '1024' },
      { id: `${id}1`, permissions: MANAGE_CHANNELS },
    ];
    return json({ id, owner_id: channel.owner, roles });
  }

  #describeChannel({ id, server, name, type = server === undefined ? 1 : 0 }: FakeDiscordChannel): FakeReply {
    const last = [...this.#messages.values()].findLast(({ channel_id }) => channel_id === id);
    return json({ id, guild_id: server, name, type, permission_overwrites: [], last_message_id: last?.id ?? null });
  }

  #post({ id: chat }: FakeDiscordChannel, given: Fields): FakeReply {
    const text = given.content;
    if (typeof text !== 'string' || text === '' || text.length > 2_000) return failure(400, 'Invalid Form Body');
    const before = given.enforce_nonce ? this.#nonces.get(String(given.nonce)) : undefined;
    if (before !== undefined) return json(this.#messages.get(before)!);
    const message = this.#message(chat, { content: text, author: person(BOT, true) });
    const { message_id: replyTo = null } = (given.message_reference ?? {}) as { message_id?: string };
    this.#messages.set(message.id, message);
    this.#nonces.set(String(given.nonce), message.id);
    this.sent.push({ chat, text, id: message.id, replyTo, buttons: buttonsOf(given) });
    this.#event('MESSAGE_CREATE', message);
    return json(message);
  }

  #answerPress(id: string, token: string, { type, data }: Fields): FakeReply {
    if (!this.#presses.delete(id) || token !== `token-${id}`) return failure(404, 'Unknown interaction');
    const { content, flags } = (data ?? {}) as { content?: string; flags?: number };
    if (type === 4 && flags === 64) this.shown.push(String(content));
    return { status: 204 };
  }

  #message(chat: string, fields: { readonly content: string; readonly author: Fields }, ageSeconds = 0) {
    const { server, managers = [] } = this.#channels.get(chat)!;
    const roles = managers.includes(String(fields.author.id)) ? [`${server}1`] : [];
    return {
      ...{ id: this.#id(ageSeconds), channel_id: chat, type: 0, edited_timestamp: null as string | null, ...fields },
      ...(server !== undefined && { guild_id: server, member: { roles } }),
    };
  }

  #reference(id: string): Fields {
    return { message_reference: { message_id: id }, referenced_message: this.#messages.get(id) ?? null };
  }

  /** Ids contain their time. */
  #id(ageSeconds = 0): string {
    const ms = BigInt(Math.floor(Date.now() - ageSeconds * 1_000 - DISCORD_EPOCH_MS));
    return String((ms << 22n) | BigInt(++this.#count % 4_000_000));
  }
}

const sendTo = (socket: ServerWebSocket<Connection>, payload: object): void =>
  void socket.send(JSON.stringify(payload));

const buttonsOf = ({ components }: Fields): string[] => {
  const [row] = (components ?? []) as { components: { custom_id: string }[] }[];
  return row?.components.map(({ custom_id }) => custom_id) ?? [];
};

const person = (id: string, bot = false) => ({ id, username: `person${id}`, ...(bot && { bot }) });
const failure = (status: number, message: string): FakeReply => json({ message, code: 0 }, status);
