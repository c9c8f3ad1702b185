// The ports on which a process listens. Connections need file descriptors, and the runtime ends the process if it needs one
// for itself and there is none. It has no hook before it accepts a connection. So all ports are closed while descriptors run out,
// and opened again later. Streams and requests in progress go on.
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Server } from 'bun';
import type { Log } from '../ops/log.ts';
import { openFiles, openFilesLimit } from '../ops/open-files.ts';
import { connectionsTo } from '../ops/tcp-connections.ts';
import { listen, type PortSetting } from './listen.ts';

const CHECK_MS = 20;
/** Descriptors held for the time in which connections have taken all others: files of the store, threads, outgoing requests. */
const RESERVE = 64;
/** Descriptors that must be free beside the reserve; while ports are closed, as many as the reserve. */
const FREE = 4;
const MIN_PAUSE_MS = 1_000;
const LOG_MS = 10_000;

export type PortOptions<Data> = Bun.Serve.Options<Data, string>;

export class Ports {
  /** How often all ports were closed because descriptors ran out. */
  pauses = 0;
  /** Connections without a stream or request in progress, by the last count; `null` where the system does not list them. */
  idle: number | null = null;
  readonly #log: Log;
  readonly #ports = new Set<Port<unknown>>();
  #reserve = openDescriptors(RESERVE);
  readonly #timer = setInterval(() => this.#check(), CHECK_MS);
  #pausedAt: number | null = null;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Log) {
    this.#log = log;
    this.#timer.unref();
  }

  open<Data>(setting: PortSetting, port: number, options: PortOptions<Data>): Port<Data> {
    const opened = new Port(setting, port, options, () => this.#ports.delete(opened as Port<unknown>));
    this.#ports.add(opened as Port<unknown>);
    return opened;
  }

  /** Unfinished handshakes are among them: the runtime counts a connection from its first complete request on. */
  async countIdle(): Promise<void> {
    const all = await connectionsTo(new Set([...this.#ports].map(({ port }) => port)));
    const busy = [...this.#ports].reduce((sum, each) => sum + each.busy, 0);
    this.idle = all === null ? null : Math.max(0, all - busy);
  }

  /** Ends the checks; each port is stopped on its own. */
  stop(): void {
    clearInterval(this.#timer);
    closeAll(this.#reserve);
    this.#reserve = [];
  }

  #check(): void {
    const now = performance.now();
    if (this.#pausedAt !== null) {
      if (now >= this.#pausedAt + MIN_PAUSE_MS) this.#resume(now);
    } else if (!areFree(FREE)) this.#pause(now);
  }

  #pause(now: number): void {
    for (const port of this.#ports) port.pause();
    closeAll(this.#reserve);
    this.#reserve = [];
    this.#pausedAt = now;
    this.pauses++;
    if (now < this.#loggedAt + LOG_MS) return;
    this.#loggedAt = now;
    this.#log.warn('no connections are accepted: too many files are open', {
      open: openFiles(),
      limit: openFilesLimit(),
    });
  }

  #resume(now: number): void {
    const reserve = openDescriptors(RESERVE);
    if (reserve.length < RESERVE || !areFree(RESERVE)) {
      closeAll(reserve);
      return;
    }
    this.#reserve = reserve;
    try {
      for (const port of this.#ports) port.resume();
    } catch (error) {
      this.#log.error('a port could not be opened again', { error });
      this.#pause(now);
      return;
    }
    if (this.#loggedAt >= this.#pausedAt!) this.#log.info('connections are accepted again');
    this.#pausedAt = null;
  }
}

/** A port, served by one server after another. */
export class Port<Data = undefined> {
  readonly url: URL;
  readonly port: number;
  readonly #setting: PortSetting;
  readonly #onStop: () => void;
  #options: PortOptions<Data>;
  /** The server that listens; `null` while none does. */
  #server: Server<Data> | null;
  /** Servers that no longer listen and still have connections. */
  readonly #earlier = new Set<Server<Data>>();

  constructor(setting: PortSetting, port: number, options: PortOptions<Data>, onStop: () => void) {
    this.#setting = setting;
    this.#options = options;
    this.#onStop = onStop;
    this.#server = this.#serve(port);
    this.url = this.#server.url;
    this.port = this.#server.port!;
  }

  /** Requests and streams in progress. */
  get busy(): number {
    const servers = [...this.#earlier, ...(this.#server ? [this.#server] : [])];
    return servers.reduce((sum, each) => sum + each.pendingRequests + each.pendingWebSockets, 0);
  }

  /** New handlers, for new connections. */
  reload(options: PortOptions<Data>): void {
    this.#options = options;
    this.#server?.reload(options);
  }

  publish(topic: string, text: string): void {
    this.#server?.publish(topic, text);
    if (this.#earlier.size > 0) for (const server of this.#earlier) server.publish(topic, text);
  }

  subscriberCount(topic: string): number {
    let count = this.#server?.subscriberCount(topic) ?? 0;
    if (this.#earlier.size > 0) for (const server of this.#earlier) count += server.subscriberCount(topic);
    return count;
  }

  /** Closes the port. Streams and requests in progress go on; the runtime ends idle connections. */
  pause(): void {
    const server = this.#server;
    if (!server) return;
    this.#server = null;
    this.#earlier.add(server);
    void server.stop().finally(() => this.#earlier.delete(server));
  }

  resume(): void {
    this.#server ??= this.#serve(this.port);
  }

  /** Closes the port and all connections. */
  async stop(): Promise<void> {
    this.#onStop();
    const servers = [...this.#earlier, ...(this.#server ? [this.#server] : [])];
    this.#server = null;
    await Promise.all(servers.map((server) => server.stop(true)));
  }

  #serve(port: number): Server<Data> {
    const options = { ...this.#options, port } as PortOptions<Data>;
    return listen(port, options.hostname ?? '', this.#setting, () => Bun.serve(options));
  }
}

/** Up to that many; fewer if the limit is reached. */
function openDescriptors(count: number): number[] {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(devNull, 'r'));
  } catch {
    // The limit is reached.
  }
  return opened;
}

function closeAll(descriptors: readonly number[]): void {
  for (const descriptor of descriptors) closeSync(descriptor);
}

function areFree(count: number): boolean {
  const opened = openDescriptors(count);
  closeAll(opened);
  return opened.length === count;
}
