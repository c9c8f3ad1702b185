// A connection to Redis that reconnects when it is lost or unresponsive.
//
// The client library neither notices a server that stopped responding nor knows whether a pending command was executed. So a
// link has a deadline for every command: when the oldest is overdue, the connection is closed, all pending commands fail, and
// the link reconnects. A failed command may have been executed, so callers must be able to repeat it. Nothing is queued while
// there is no connection: a command then fails immediately, and its sender decides what to keep.
import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import type { Log } from '../ops/log.ts';
import { backOffMs } from '../work/back-off.ts';
import type { RedisScript } from './redis-script.ts';

/** Deadline of a command. */
const DEADLINE_MS = 2_000;
const CONNECT_MS = 2_000;
/** Deadlines are counted in checks, so that a stall of this process does not count against Redis. */
const CHECK_MS = 250;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 500;

/** On a link with `bytes`, strings are buffers. */
export type RedisReply = string | number | Buffer | null | readonly RedisReply[];
export type RedisArgument = string | Buffer;

/** There is no connection, or it was lost during a command, which then may have been executed. */
export class RedisUnavailable extends Error {
  override name = 'RedisUnavailable';
}

export interface RedisLinkOptions {
  /** `redis://[user:password@]host:port[/db]`, or `rediss://` for TLS. */
  readonly url: string;
  /** Shown in `CLIENT LIST`. */
  readonly name: string;
  readonly log: Log;
  /** Loaded with each connection. */
  readonly scripts?: readonly RedisScript[];
  /** Replies are buffers instead of strings. Default `false`. */
  readonly bytes?: boolean;
  readonly deadlineMs?: number;
}

interface PendingCommand {
  /** Checks until the deadline. */
  checks: number;
  readonly resolve: (reply: RedisReply) => void;
  readonly reject: (error: Error) => void;
}

type Client = ReturnType<typeof connectTo>;

export class RedisLink {
  /** Run id of the connected server: changes when it was restarted or replaced. */
  serverId = '';
  /** Number of connections so far. */
  connections = 0;
  /** Connections closed because Redis did not respond. */
  stalls = 0;
  readonly #options: RedisLinkOptions;
  #client: Client | null = null;
  readonly #pending = new Set<PendingCommand>();
  readonly #onReconnect = new Set<() => void>();
  readonly #checkTimer: ReturnType<typeof setInterval>;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #retries = 0;
  #closed = false;

  private constructor(options: RedisLinkOptions) {
    this.#options = options;
    this.#checkTimer = setInterval(() => this.#check(), CHECK_MS);
  }

  /** Resolves once connected; rejects if the first attempt fails, for example with a wrong password. */
  static async open(options: RedisLinkOptions): Promise<RedisLink> {
    const link = new RedisLink(options);
    try {
      await link.#connect();
    } catch (error) {
      link.close();
      throw error;
    }
    return link;
  }

  get connected(): boolean {
    return this.#client !== null;
  }

  onReconnect(listener: () => void): void {
    this.#onReconnect.add(listener);
  }

  /** Blocking commands set their own `deadlineMs`. */
  send(args: readonly RedisArgument[], deadlineMs = this.#options.deadlineMs ?? DEADLINE_MS): Promise<RedisReply> {
    const client = this.#client;
    if (!client) return Promise.reject(new RedisUnavailable('Redis cannot be reached'));
    return this.#sendOn(client, args, deadlineMs);
  }

  run({ source, sha }: RedisScript, keys: readonly string[], args: readonly RedisArgument[]): Promise<RedisReply> {
    const count = String(keys.length);
    return this.send(['EVALSHA', sha, count, ...keys, ...args]).catch((error: Error) => {
      // The scripts of the server were flushed.
      if (!error.message.startsWith('NOSCRIPT')) throw error;
      return this.send(['EVAL', source, count, ...keys, ...args]);
    });
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#checkTimer);
    if (this.#retry) clearTimeout(this.#retry);
    this.#discard(this.#client, new RedisUnavailable('the connection to Redis was closed'));
  }

  #sendOn(client: Client, args: readonly RedisArgument[], deadlineMs: number): Promise<RedisReply> {
    return new Promise((resolve, reject) => {
      // One check more: the first may come immediately.
      const pending: PendingCommand = { checks: Math.ceil(deadlineMs / CHECK_MS) + 1, resolve, reject };
      this.#pending.add(pending);
      const sent = client.sendCommand(args, this.#options.bytes ? BYTES : undefined) as Promise<unknown>;
      sent.then(
        (reply) => {
          this.#pending.delete(pending);
          resolve(reply as RedisReply);
        },
        (error: Error) => {
          this.#pending.delete(pending);
          // Redis replied with an error: the command was not executed.
          reject(
            error instanceof ErrorReply
              ? error
              : new RedisUnavailable(`the connection to Redis was lost: ${error.message}`),
          );
        },
      );
    });
  }

  async #connect(): Promise<void> {
    const { url, name, scripts = [] } = this.#options;
    const client = connectTo(url, name);
    const lost = (error: Error): void => {
      if (client === this.#client) this.#handleLoss(client, error);
    };
    client.on('error', lost);
    client.on('terminated', lost);
    const late = setTimeout(() => client.destroy(), CONNECT_MS);
    try {
      await client.connect();
      const info = String(await client.sendCommand(['INFO', 'server']));
      for (const { source } of scripts) await client.sendCommand(['SCRIPT', 'LOAD', source]);
      this.serverId = /run_id:(\w+)/.exec(info)?.[1] ?? '';
    } catch (error) {
      destroy(client);
      throw error;
    } finally {
      clearTimeout(late);
    }
    if (this.#closed) return destroy(client);
    this.#client = client;
    this.connections++;
    this.#retries = 0;
  }

  #handleLoss(client: Client, error: Error): void {
    const { log, name } = this.#options;
    log.warn('the connection to Redis was lost; reconnecting', { link: name, reason: error.message });
    this.#discard(client, new RedisUnavailable(`the connection to Redis was lost: ${error.message}`));
    this.#scheduleReconnect();
  }

  #discard(client: Client | null, error: RedisUnavailable): void {
    this.#client = null;
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
    if (client) destroy(client);
  }

  #scheduleReconnect(): void {
    if (this.#closed) return;
    const wait = backOffMs(++this.#retries, { firstMs: FIRST_RETRY_MS, maxMs: LAST_RETRY_MS });
    this.#retry = setTimeout(async () => {
      try {
        await this.#connect();
      } catch (error) {
        this.#options.log.debug('Redis still cannot be reached', { link: this.#options.name, error });
        return this.#scheduleReconnect();
      }
      if (!this.#client) return;
      this.#options.log.info('reconnected to Redis', { link: this.#options.name });
      for (const listener of this.#onReconnect) listener();
    }, wait);
  }

  #check(): void {
    // Replies come in the order of commands: the first is the oldest.
    const [oldest] = this.#pending;
    if (!oldest || --oldest.checks > 0 || !this.#client) return;
    this.stalls++;
    this.#handleLoss(this.#client, new Error('Redis does not respond'));
  }
}

/** A wait for a reply is counted in checks, as deadlines are. */
const REPLY_CHECKS = 5;

/** How long a shared count may take. A gateway then decides alone. */
const REPLY_MS = 250;

/** Rejects if the reply takes too long, before the deadline of the link. A stall of this process counts once. */
export function replyInTime<T>(reply: Promise<T>, ms = REPLY_MS): Promise<T> {
  const late = Promise.withResolvers<never>();
  let checks = REPLY_CHECKS;
  const check = (): void => {
    if (--checks === 0) late.reject(new RedisUnavailable(`no reply within ${ms} ms`));
    else timer = setTimeout(check, ms / REPLY_CHECKS);
  };
  let timer = setTimeout(check, ms / REPLY_CHECKS);
  return Promise.race([reply, late.promise]).finally(() => clearTimeout(timer));
}

/** The part of a link that runs scripts. */
export type ScriptLink = Pick<RedisLink, 'run' | 'connected' | 'connections' | 'onReconnect'>;

const BYTES = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } as const;

function connectTo(url: string, name: string) {
  return createClient({
    url,
    // Redis allows no spaces in it.
    name: name.replace(/[^\x21-\x7e]/g, '-'),
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // The link reconnects itself.
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false },
  });
}

/** `destroy` throws if the client has already closed itself. */
function destroy(client: Client): void {
  try {
    client.destroy();
  } catch {}
}
