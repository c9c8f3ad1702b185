// A connection to Redis that is remade when it is lost or silent.
//
// The client library neither notices a server that stopped answering nor says whether a command that was under way was carried
// out. So a link has a deadline for every command: when the oldest is overdue, the connection is thrown away with everything
// that waits on it, and another is made. What then fails may have happened: whoever sends must be able to send it again.
// Nothing is queued while there is no connection: such a command fails at once, and its sender decides what to keep.
import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import type { Log } from '../ops/log.ts';
import type { RedisScript } from './redis-script.ts';

/** A command without an answer for so long means that the link is dead. */
const DEADLINE_MS = 2_000;
const CONNECT_MS = 2_000;
/** Deadlines are counted in looks, so that a process that was itself held up does not blame Redis. */
const LOOK_MS = 250;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 500;

/** What Redis answers; strings are bytes on a link with `bytes`. */
export type Reply = string | number | Buffer | null | readonly Reply[];
export type Argument = string | Buffer;

/** There is no connection, or it was lost while a command was under way: then it may have been carried out. */
export class RedisAway extends Error {
  override name = 'RedisAway';
}

export interface RedisLinkOptions {
  /** `redis://[user:password@]host:port[/db]`, or `rediss://` for TLS. */
  readonly url: string;
  /** Shown in `CLIENT LIST`. */
  readonly name: string;
  readonly log: Log;
  /** Loaded whenever a connection is made. */
  readonly scripts?: readonly RedisScript[];
  /** Answers are bytes instead of strings. */
  readonly bytes?: boolean;
  readonly deadlineMs?: number;
}

interface Waiting {
  looks: number;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

type Client = ReturnType<typeof connectTo>;

export class RedisLink {
  /** Of the server that is connected: another after it was restarted, or another took its place. */
  serverId = '';
  /** Connections made so far, and those that were thrown away because nothing came. */
  connections = 0;
  stalls = 0;
  readonly #options: RedisLinkOptions;
  #client: Client | null = null;
  readonly #waiting = new Set<Waiting>();
  readonly #onUp = new Set<() => void>();
  readonly #look: ReturnType<typeof setInterval>;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #retries = 0;
  #closed = false;

  private constructor(options: RedisLinkOptions) {
    this.#options = options;
    this.#look = setInterval(() => this.#watch(), LOOK_MS);
  }

  /** Resolves once connected; rejects where the first attempt fails, as with a wrong password. */
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

  /** Told whenever a connection was made again. */
  onUp(told: () => void): void {
    this.#onUp.add(told);
  }

  /** `deadlineMs` is for commands that wait at the server. */
  send(args: readonly Argument[], deadlineMs = this.#options.deadlineMs ?? DEADLINE_MS): Promise<Reply> {
    const client = this.#client;
    if (!client) return Promise.reject(new RedisAway('Redis cannot be reached'));
    return this.#sendOn(client, args, deadlineMs);
  }

  run({ source, sha }: RedisScript, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    const count = String(keys.length);
    return this.send(['EVALSHA', sha, count, ...keys, ...args]).catch((error: Error) => {
      // Somebody has flushed the scripts of a running server.
      if (!error.message.startsWith('NOSCRIPT')) throw error;
      return this.send(['EVAL', source, count, ...keys, ...args]);
    });
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#look);
    if (this.#retry) clearTimeout(this.#retry);
    this.#discard(this.#client, new RedisAway('the link to Redis was closed'));
  }

  #sendOn(client: Client, args: readonly Argument[], deadlineMs: number): Promise<Reply> {
    return new Promise((resolve, reject) => {
      // One look more: the first may come right away.
      const waiting: Waiting = { looks: Math.ceil(deadlineMs / LOOK_MS) + 1, resolve, reject };
      this.#waiting.add(waiting);
      const sent = client.sendCommand(args, this.#options.bytes ? BYTES : undefined) as Promise<unknown>;
      sent.then(
        (reply) => {
          this.#waiting.delete(waiting);
          resolve(reply as Reply);
        },
        (error: Error) => {
          this.#waiting.delete(waiting);
          // An answer that is an error: the command was not carried out.
          reject(error instanceof ErrorReply ? error : new RedisAway(`the link to Redis was lost: ${error.message}`));
        },
      );
    });
  }

  async #connect(): Promise<void> {
    const { url, name, scripts = [] } = this.#options;
    const client = connectTo(url, name);
    const lost = (error: Error): void => {
      if (client === this.#client) this.#lose(client, error);
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

  #lose(client: Client, error: Error): void {
    const { log, name } = this.#options;
    log.warn('the link to Redis was lost; it is being made again', { link: name, reason: error.message });
    this.#discard(client, new RedisAway(`the link to Redis was lost: ${error.message}`));
    this.#again();
  }

  #discard(client: Client | null, error: RedisAway): void {
    this.#client = null;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
    if (client) destroy(client);
  }

  #again(): void {
    if (this.#closed) return;
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#retries++);
    this.#retry = setTimeout(async () => {
      try {
        await this.#connect();
      } catch (error) {
        this.#options.log.debug('Redis cannot be reached yet', { link: this.#options.name, error });
        return this.#again();
      }
      if (!this.#client) return;
      this.#options.log.info('the link to Redis stands again', { link: this.#options.name });
      for (const told of this.#onUp) told();
    }, wait);
  }

  #watch(): void {
    // Answers come in the order of commands: the first is the oldest.
    const [oldest] = this.#waiting;
    if (!oldest || --oldest.looks > 0 || !this.#client) return;
    this.stalls++;
    this.#lose(this.#client, new Error('Redis does not answer'));
  }
}

/** All that most need of a link. */
export type ScriptLink = Pick<RedisLink, 'run' | 'connected' | 'connections' | 'onUp'>;

const BYTES = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } as const;

function connectTo(url: string, name: string) {
  return createClient({
    url,
    // Redis takes no spaces in it.
    name: name.replace(/[^\x21-\x7e]/g, '-'),
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // The link itself connects again.
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false },
  });
}

/** It throws where the client has closed itself already. */
function destroy(client: Client): void {
  try {
    client.destroy();
  } catch {}
}
