// The connection to the gateway: sessions that are resumed or replaced, heartbeats, and ends for good.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { until } from '../../../testing/chat-publisher.fixture.ts';
import { FAKE_DISCORD_TOKEN, FakeDiscord } from '../../../testing/delivery/fake-discord.fixture.ts';
import { json } from '../../../testing/delivery/fake-http.fixture.ts';
import { OutgoingHttp } from '../../delivery/outgoing-http.ts';
import { createLog } from '../../ops/log.ts';
import { DiscordApi } from './discord-api.ts';
import { DiscordBot } from './discord-bot.ts';
import type { DiscordEvent } from './discord-events.ts';

const CHAT = '1';

let discord: FakeDiscord;
let logged: string;
let taken: string[];
let failures: number;
const running: DiscordBot[] = [];

beforeEach(async () => {
  discord = (await FakeDiscord.open()).channel({ id: CHAT, server: '10', name: 'gold', owner: '7' });
  logged = '';
  taken = [];
  failures = 0;
});
afterEach(async () => {
  for (const bot of running.splice(0)) await bot.stop();
  await discord[Symbol.asyncDispose]();
});

/** With `chats`, what a new session missed there is fetched. */
function start({ token = FAKE_DISCORD_TOKEN, chats = [] as readonly string[] } = {}): DiscordBot {
  const write = (line: string): void => {
    logged += line;
  };
  const log = createLog({ level: 'debug', plain: true, write });
  const settings = { url: discord.url, token };
  const api = new DiscordApi({ http: new OutgoingHttp({ allowPrivate: false }), settings, now: Date.now });
  const take = async (event: DiscordEvent): Promise<void> => {
    if (failures-- > 0) throw new Error('the store is down');
    if (event.kind === 'message') taken.push(event.message.text);
  };
  const reader = { concerns: () => true, take, chats: () => chats.map((chat) => ({ chat, since: 0 })) };
  const bot = new DiscordBot({ api, settings, reader, log, waitMs: 4 });
  running.push(bot);
  bot.start();
  return bot;
}

const connected = () => until('the connection', () => discord.connected === 1);
const took = (text: string) => until(text, () => taken.includes(text));
const logs = (text: string) => until(text, () => logged.includes(text));

test('a lost connection is resumed, and delivers what was missed in order and once', async () => {
  start();
  await connected();
  discord.drop();
  for (const text of ['a', 'b']) discord.say(CHAT, text);
  await took('b');
  discord.askToReconnect();
  await until('the next session', () => discord.introductions.length === 3);
  discord.say(CHAT, 'c');
  await took('c');
  expect(taken).toEqual(['a', 'b', 'c']);
  expect(discord.introductions).toEqual(['identify', 'resume', 'resume']);
});

test('a session that cannot be resumed is replaced, and what was missed is fetched', async () => {
  start({ chats: [CHAT] });
  await connected();
  discord.forgetSessions();
  discord.drop();
  discord.say(CHAT, 'missed');
  await took('missed');
  await until('the new session', () => discord.introductions.length === 3);
  expect(discord.introductions).toEqual(['identify', 'resume', 'identify']);
  discord.close(4_009);
  await until('a new session', () => discord.introductions.length === 4);
  expect(discord.introductions.at(-1)).toBe('identify');
});

test('messages of more than a day ago are not fetched', async () => {
  discord.say(CHAT, 'old', { ageSeconds: 25 * 3_600 });
  discord.say(CHAT, 'new', { ageSeconds: 3_600 });
  start({ chats: [CHAT] });
  await took('new');
  expect(taken).toEqual(['new']);
});

test('heartbeats are sent, also on request, and a connection without an answer to them is replaced', async () => {
  discord.heartbeatMs = 5;
  start();
  await until('three heartbeats', () => discord.heartbeats >= 3);
  discord.answersHeartbeats = false;
  await until('the next connection', () => discord.introductions.includes('resume'));
  discord.answersHeartbeats = true;
  discord.heartbeatMs = 45_000;
  discord.drop();
  const before = discord.heartbeats;
  await until('the heartbeat', () => {
    discord.askForHeartbeat();
    return discord.heartbeats > before;
  });
});

test('a wrong token and a missing intent end the attempts, and the log says what to do', async () => {
  discord.allowsContent = false;
  start();
  await logs('turn on the Message Content Intent');
  start({ token: FAKE_DISCORD_TOKEN.replace('FAKE', 'WRNG') });
  await logs('check TICKWIRE_DISCORD_BOT_TOKEN');
  expect(discord.introductions).toEqual(['identify']);
  expect(logged).not.toContain(FAKE_DISCORD_TOKEN);
});

test('an outage is logged once, and so is its end; a session is not begun while none is allowed', async () => {
  const down = json({ message: 'Service Unavailable' }, 503);
  discord.fail('GET', /gateway/, down, down, down);
  start();
  await logs('connected to Discord again');
  expect(logged.match(/cannot connect to Discord/g)).toHaveLength(1);
  discord.sessionsLeft = 0;
  start();
  await logs('no more sessions today');
  expect(discord.introductions).toEqual(['identify']);
});

test('while Discord asks the whole bot to wait, no call is sent', async () => {
  const settings = { url: discord.url, token: FAKE_DISCORD_TOKEN };
  let now = 0;
  const api = new DiscordApi({ http: new OutgoingHttp({ allowPrivate: false }), settings, now: () => now });
  discord.fail('GET', /channels/, json({ message: 'Slow down.', retry_after: 2, global: true }, 429));
  const refusal = (retryAfterMs: number) => ({ ok: false, status: 429, retryAfterMs });
  expect(await api.call('GET', '/channels/1')).toMatchObject(refusal(2_000));
  now = 500;
  expect(await api.call('GET', '/channels/1')).toMatchObject(refusal(1_500));
  now = 2_000;
  expect(await api.call('GET', '/channels/1')).toMatchObject({ ok: true, result: { id: '1' } });
});

test('an event that cannot be taken is taken again, before later ones of its chat', async () => {
  start();
  await connected();
  failures = 3;
  for (const text of ['a', 'b']) discord.say(CHAT, text);
  await took('b');
  expect(taken).toEqual(['a', 'b']);
});

test('what was left out because too many events waited is fetched', async () => {
  start({ chats: [CHAT] });
  await connected();
  failures = 5;
  for (let count = 0; count <= 1_000; count++) discord.say(CHAT, String(count));
  await logs('too many messages of Discord wait');
  // Of those that were left out, the newest are fetched.
  await took('1000');
  expect(new Set(discord.introductions)).toEqual(new Set(['identify']));
});

test('the invitation names the application and what the bot must be allowed', async () => {
  const bot = start();
  expect(bot.inviteLink).toBeNull();
  await until('the link', () => bot.inviteLink);
  expect(bot.inviteLink).toBe(`${discord.url}/oauth2/authorize?client_id=900&scope=bot&permissions=68608`);
});
