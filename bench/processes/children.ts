// Every process that the benchmark starts. All of them are ended by their id, whatever happens to the run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';

const READY_MS = 300_000;
const STOP_MS = 6_000;
const SETTLE_MS = 200;
const LOOK_MS = 20;
const SERVING = /https?:\/\/127\.0\.0\.1:(\d+)/;

export interface ServerChild {
  readonly pid: number;
  readonly port: number;
  /** Its output up to that point. */
  readonly greeting: string;
  /** File with its standard error. */
  readonly errors: string;
  /** Lets the server run only during `work`, so that waiting servers take no time from the one being measured. */
  turn<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export class Children {
  readonly #folder: string;
  readonly #running = new Set<Subprocess>();
  #started = 0;

  /** `folder` receives the standard error of the children. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Starts a server and waits until it prints its address. */
  async server(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ServerChild> {
    const errors = join(this.#folder, `stderr-${++this.#started}.txt`);
    const child = this.#spawn(command, env, errors);
    let greeting = '';
    let port = 0;
    const ready = Promise.withResolvers<void>();
    const listen = async (): Promise<void> => {
      for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
        if (port > 0) continue;
        greeting += text;
        port = Number(SERVING.exec(greeting)?.[1] ?? 0);
        if (port > 0) ready.resolve();
      }
    };
    listen().catch(ready.reject);
    await this.#ready(command, child, errors, ready);
    return this.#serverChild(child, port, greeting, errors);
  }

  /** Starts a server that prints no address, and waits until it accepts connections on `port`. */
  async listener(command: readonly string[], port: number): Promise<ServerChild> {
    const errors = join(this.#folder, `stderr-${++this.#started}.txt`);
    const child = this.#spawn(command, {}, errors);
    // An unread pipe would block it.
    child.stdout.pipeTo(new WritableStream()).catch(() => {});
    const ready = Promise.withResolvers<void>();
    const poll = async (): Promise<void> => {
      while (!(await accepts(port))) {
        if (child.exitCode !== null) return;
        await Bun.sleep(LOOK_MS);
      }
      ready.resolve();
    };
    poll().catch(ready.reject);
    await this.#ready(command, child, errors, ready);
    return this.#serverChild(child, port, '', errors);
  }

  /** Runs a job to completion and parses the JSON it prints. */
  async job<T>(command: readonly string[], timeoutMs: number): Promise<T> {
    const errors = join(this.#folder, `stderr-${++this.#started}.txt`);
    const child = this.#spawn(command, {}, errors);
    const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const printed = await new Response(child.stdout).text();
    const status = await child.exited;
    clearTimeout(late);
    this.#running.delete(child);
    if (status !== 0) throw new Error(failure(command, status, errors));
    return JSON.parse(printed) as T;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#running].map((child) => this.#end(child)));
  }

  /** Fails if the server ends or takes too long. */
  async #ready(
    command: readonly string[],
    child: Subprocess,
    errors: string,
    ready: PromiseWithResolvers<void>,
  ): Promise<void> {
    child.exited.then((status) => ready.reject(new Error(failure(command, status, errors))));
    const late = setTimeout(() => ready.reject(new Error(failure(command, null, errors))), READY_MS);
    try {
      await ready.promise;
    } finally {
      clearTimeout(late);
    }
  }

  #serverChild(child: Subprocess, port: number, greeting: string, errors: string): ServerChild {
    return {
      pid: child.pid,
      port,
      greeting,
      errors,
      async turn(work) {
        child.kill('SIGCONT');
        try {
          return await work();
        } finally {
          // Let it notice that its clients have disconnected.
          await Bun.sleep(SETTLE_MS);
          child.kill('SIGSTOP');
        }
      },
      stop: () => this.#end(child),
    };
  }

  #spawn(
    command: readonly string[],
    env: Readonly<Record<string, string>>,
    errors: string,
  ): Subprocess<'ignore', 'pipe', Bun.BunFile> {
    const child = Bun.spawn([...command], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: Bun.file(errors),
      // Do not pass the user's settings to the servers.
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_ENV: 'production', ...env },
    });
    this.#running.add(child);
    return child;
  }

  async #end(child: Subprocess): Promise<void> {
    child.kill('SIGTERM');
    // A stopped process would not receive the signal.
    child.kill('SIGCONT');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await child.exited;
    clearTimeout(late);
    this.#running.delete(child);
  }
}

async function accepts(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } });
    socket.terminate();
    return true;
  } catch {
    return false;
  }
}

function failure(command: readonly string[], status: number | null, errors: string): string {
  let output = '';
  try {
    output = readFileSync(errors, 'utf8').trim().split('\n').slice(-8).join('\n');
  } catch {
    // It printed nothing.
  }
  const name = command.find((word) => /\.(ts|mjs)$/.test(word)) ?? command[0];
  const how = status === null ? `did not get ready in ${READY_MS / 1000} s` : `ended with status ${status}`;
  return `${name} ${how}${output ? `:\n${output}` : ''}`;
}
