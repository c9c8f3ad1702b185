// The connection to Discord's gateway, version 10 (https://discord.com/developers/docs/events/gateway). A connection that is lost is
// resumed: Discord then delivers what was missed. If it cannot be resumed, a new session begins, and `onSession` is called.
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import type { ProxySettings } from '../../config/proxy.ts';
import { type ClientSocket, openClientSocket } from '../../ops/client-socket.ts';
import type { Log } from '../../ops/log.ts';
import { backOffMs } from '../../work/back-off.ts';
import { RateLimiter } from '../../work/rate-limiter.ts';
import type { DiscordApi } from './discord-api.ts';
import { type Fields, fieldsOf } from './discord-events.ts';

const HELLO_MS = 10_000;
/** For a session that begins or is resumed. */
const READY_MS = 30_000;
/** A connection that lasted this long is no failure. */
const STABLE_MS = MINUTE_MS;
/** Failures in a row after which a session is not resumed any more: its address may be gone. */
const MAX_FAILED_RESUMES = 3;
/** Sessions of a day that are not begun: Discord resets the token of a bot that begins more than it may. */
const RESERVED_SESSIONS = 10;
/** Discord wants a random wait of 1 to 5 seconds before a session that could not be resumed is replaced. */
const FIRST_WAIT_MS = 5 * SECOND_MS;
const JITTER = 0.8;
const MAX_WAIT_MS = 2 * MINUTE_MS;
/** Lost connections that are resumed at once, in a minute. */
const RESUMES_AT_ONCE = 5;

const INTENTS = (1 << 9) | (1 << 12) | (1 << 15); // GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT
const OP = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, reconnect: 7, invalid: 9, hello: 10, acknowledged: 11 };
const NORMAL_CLOSURE = 1_000;
/** Close codes after which a session cannot be resumed. */
const ENDS_SESSION: readonly number[] = [NORMAL_CLOSURE, 1_001, 4_007, 4_009];
const BAD_TOKEN =
  'Discord does not accept the token of the bot: check TICKWIRE_DISCORD_BOT_TOKEN and restart the service';
/** Close codes after which another attempt is of no use. */
const FINAL: Readonly<Record<number, string>> = {
  4004: BAD_TOKEN,
  4010: 'Discord does not accept the shard',
  4011: 'The bot is in too many servers for one connection',
  4012: 'Discord does not support version 10 of its gateway any more',
  4013: 'Discord does not know the intents of the bot',
  4014: 'The bot may not read messages: turn on the Message Content Intent in the Discord Developer Portal, under Bot, and restart the service',
};

export interface DiscordGatewayOptions {
  readonly api: Pick<DiscordApi, 'call'>;
  readonly token: string;
  /** An event, in the order of Discord. */
  readonly onEvent: (name: string, event: unknown) => void;
  /** A new session begins: what happened before it is not delivered. */
  readonly onSession: (ready: Fields) => void;
  readonly log: Log;
  readonly proxies?: ProxySettings | undefined;
  /** Longest wait before the second attempt, which doubles up to two minutes. Default: 5 seconds. */
  readonly waitMs?: number | undefined;
}

interface Session {
  readonly id: string;
  readonly url: string;
}

/** How a connection ended, or why there was none. */
interface End {
  readonly why: string;
  readonly isFinal?: boolean;
  readonly afterMs?: number | null;
}

export class DiscordGateway {
  readonly #options: DiscordGatewayOptions;
  readonly #stop = new AbortController();
  readonly #resumes = new RateLimiter({ limit: RESUMES_AT_ONCE });
  #session: Session | null = null;
  /** Number of the last event. */
  #seq: number | null = null;
  #isReady = false;
  /** Attempts in a row that failed, or whose connection did not last. */
  #failures = 0;
  /** Whether the last attempts found no session. */
  #isFailing = false;
  #end: (end: End) => void = () => {};
  #running: Promise<void> | null = null;

  constructor(options: DiscordGatewayOptions) {
    this.#options = options;
  }

  /** Whether events are delivered now. */
  get isReading(): boolean {
    return this.#isReady;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#end({ why: 'stopped' });
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, waitMs = FIRST_WAIT_MS } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const started = performance.now();
      const { why, isFinal, afterMs } = await this.#connect();
      const wasReady = this.#isReady;
      this.#isReady = false;
      if (signal.aborted) return;
      if (isFinal) return log.error('nothing is published from Discord', { why });
      if (wasReady) {
        log.debug('the connection to Discord ended', { why });
        if (performance.now() - started >= STABLE_MS) this.#failures = 0;
        if (this.#session && this.#resumes.take('', Date.now()) === 0) continue;
      } else {
        if (!this.#isFailing) log.warn('cannot connect to Discord', { why });
        this.#isFailing = true;
        if (this.#failures >= MAX_FAILED_RESUMES) this.#session = null;
      }
      this.#failures++;
      const backOff = backOffMs(this.#failures, { firstMs: waitMs, maxMs: MAX_WAIT_MS, jitter: JITTER });
      await sleep(Math.max(afterMs ?? 0, backOff), undefined, { signal }).catch(() => {});
    }
  }

  /** Resolves when the connection has ended. */
  async #connect(): Promise<End> {
    const address = await this.#address();
    if (typeof address !== 'string') return address;
    if (this.#stop.signal.aborted) return { why: 'stopped' };
    const url = URL.parse(address);
    if (!url || !/^wss?:$/.test(url.protocol)) return { why: 'Discord names no address of its gateway' };
    url.search = '?v=10&encoding=json';
    let socket: ClientSocket;
    try {
      socket = openClientSocket(url, this.#options.proxies ?? {});
    } catch (error) {
      // The proxy has no valid address.
      return { why: (error as Error).message };
    }
    const { promise, resolve } = Promise.withResolvers<End>();
    let timer = setTimeout(() => end({ why: `no Hello within ${HELLO_MS} ms` }), HELLO_MS);
    const ready = setTimeout(() => this.#isReady || end({ why: `no session within ${READY_MS} ms` }), READY_MS);
    let isOver = false;
    let isAcknowledged = true;
    const end = (how: End): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      clearTimeout(ready);
      // A closing handshake ends the session, and would wait for a peer that may be dead.
      if (this.#stop.signal.aborted) socket.close(NORMAL_CLOSURE);
      else socket.terminate();
      resolve(how);
    };
    this.#end = end;
    const send = (op: number, d: unknown): void => socket.send(JSON.stringify({ op, d }));
    const beatAfter = (ms: number, intervalMs: number): void => {
      timer = setTimeout(() => {
        if (!isAcknowledged) return end({ why: 'Discord does not answer' });
        isAcknowledged = false;
        send(OP.heartbeat, this.#seq);
        beatAfter(intervalMs, intervalMs);
      }, ms);
    };
    socket.onclose = ({ code, reason }) => {
      if (ENDS_SESSION.includes(code)) this.#session = null;
      const why = FINAL[code] ?? `closed by Discord (${code}${reason ? ` ${reason}` : ''})`;
      end({ why, isFinal: code in FINAL });
    };
    socket.onerror = (event) => end({ why: (event as { message?: string }).message ?? 'no connection' });
    socket.onmessage = ({ data }) => {
      if (isOver) return;
      const { op, d, s, t } = payloadOf(data);
      switch (op) {
        case OP.hello: {
          const { heartbeat_interval: given } = fieldsOf(d);
          const intervalMs = typeof given === 'number' && given > 0 ? Math.min(given, MINUTE_MS) : MINUTE_MS / 2;
          clearTimeout(timer);
          beatAfter(intervalMs * Math.random(), intervalMs);
          return this.#introduce(send);
        }
        case OP.heartbeat:
          return send(OP.heartbeat, this.#seq);
        case OP.acknowledged:
          isAcknowledged = true;
          return;
        case OP.reconnect:
          return end({ why: 'Discord asks to reconnect' });
        case OP.invalid:
          if (d !== true) this.#session = null;
          return end({ why: 'the session is not valid' });
        case OP.dispatch:
          if (typeof s === 'number') this.#seq = s;
          return this.#dispatch(t, d);
      }
    };
    return promise;
  }

  /** Of the gateway, or why it is not known. */
  async #address(): Promise<string | End> {
    if (this.#session) return this.#session.url;
    this.#seq = null;
    const answer = await this.#options.api.call('GET', '/gateway/bot', null, this.#stop.signal);
    if (!answer.ok)
      return answer.status === 401
        ? { why: BAD_TOKEN, isFinal: true }
        : { why: answer.reason, afterMs: answer.retryAfterMs };
    const { url, session_start_limit } = fieldsOf(answer.result);
    const { remaining, reset_after } = fieldsOf(session_start_limit);
    if (typeof remaining === 'number' && remaining < RESERVED_SESSIONS && typeof reset_after === 'number')
      return { why: 'Discord lets the bot begin no more sessions today', afterMs: reset_after };
    return String(url);
  }

  #introduce(send: (op: number, d: unknown) => void): void {
    const { token } = this.#options;
    if (this.#session) send(OP.resume, { token, session_id: this.#session.id, seq: this.#seq });
    else {
      const properties = { os: process.platform, browser: 'tickwire', device: 'tickwire' };
      send(OP.identify, { token, intents: INTENTS, properties });
    }
  }

  #dispatch(name: unknown, event: unknown): void {
    if (name === 'READY' || name === 'RESUMED') {
      if (this.#isFailing) this.#options.log.info('connected to Discord again');
      this.#isFailing = false;
      this.#isReady = true;
    }
    if (name === 'READY') {
      const ready = fieldsOf(event);
      const { session_id, resume_gateway_url } = ready;
      this.#session =
        typeof session_id === 'string' && typeof resume_gateway_url === 'string'
          ? { id: session_id, url: resume_gateway_url }
          : null;
      this.#options.onSession(ready);
    } else if (typeof name === 'string') this.#options.onEvent(name, event);
  }
}

function payloadOf(data: unknown): Fields {
  try {
    return fieldsOf(JSON.parse(String(data)));
  } catch {
    return {};
  }
}
