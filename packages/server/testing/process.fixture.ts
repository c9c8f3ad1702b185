// The service as a user runs it, in separate processes (Node, the launcher, Bun), for tests that stop, kill and starve it.
import { readFileSync } from 'node:fs';
import type { Subprocess } from 'bun';
import { prepareMarket, type Settings, spawnTickwire } from './service.fixture.ts';

type Child = Subprocess<'ignore', 'pipe', 'pipe'>;

/** More than it takes on a machine that is busy with other tests. */
const START_MS = 60_000;
/** Filling the calibration takes half a minute of computing, which most tests do not need. */
const QUICK = { port: '0', metrics_port: 'off', sim_seed: '1', sim_calibration_days: '0' };
const running = new Set<ServiceProcess>();

/** Collects the text of an output stream. */
class OutputText {
  text = '';
  readonly done: Promise<void>;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.done = this.#read(stream);
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.text += decoder.decode(chunk, { stream: true });
  }
}

export interface Stopped {
  readonly status: number;
  readonly ms: number;
}

export class ServiceProcess {
  readonly launcher: Child;
  readonly #out: OutputText;
  readonly #err: OutputText;

  private constructor(launcher: Child) {
    this.launcher = launcher;
    this.#out = new OutputText(launcher.stdout);
    this.#err = new OutputText(launcher.stderr);
    running.add(this);
    launcher.exited.then(() => running.delete(this));
  }

  /** Starts the service without waiting, for tests of the start itself. */
  static launch(settings: Settings, args: string[] = [], before?: string): ServiceProcess {
    return new ServiceProcess(spawnTickwire(['serve', ...args], { ...QUICK, ...settings }, before));
  }

  /** Starts the service and waits until it is ready. */
  static async start(settings: Settings, args: string[] = [], before?: string): Promise<ServiceProcess> {
    if (args.length === 0) await prepareMarket({ ...QUICK, ...settings });
    const service = ServiceProcess.launch(settings, args, before);
    await service.ready();
    return service;
  }

  async ready(): Promise<void> {
    const deadline = Date.now() + START_MS;
    // The curl example is the last line of the banner.
    while (!this.#out.text.includes('curl')) {
      if (this.launcher.exitCode !== null) await Promise.all([this.#out.done, this.#err.done]);
      if (this.launcher.exitCode !== null || Date.now() > deadline)
        throw new Error(`the service is not ready (exit ${this.launcher.exitCode}): ${this.#err.text}`);
      await Bun.sleep(5);
    }
  }

  get out(): string {
    return this.#out.text;
  }

  /** Standard error: the log. */
  get err(): string {
    return this.#err.text;
  }

  get url(): string {
    return /serving at (\S+)/.exec(this.out)![1]!;
  }

  get demoKey(): string | undefined {
    return /^ {4}(tw_\S+)$/m.exec(this.out)?.[1];
  }

  /** The Bun process under the launcher; undefined while there is none. */
  get bunPid(): number | undefined {
    const { pid } = this.launcher;
    try {
      const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
      return child === undefined ? undefined : Number(child);
    } catch {
      return undefined;
    }
  }

  get(path: string, key?: string): Promise<Response> {
    return fetch(this.url + path, { headers: key ? { 'X-API-Key': key } : {} });
  }

  /** Sends SIGKILL to both processes, so that nothing is cleaned up. */
  async kill(): Promise<void> {
    const child = this.bunPid;
    this.launcher.kill('SIGKILL');
    if (child !== undefined) {
      process.kill(child, 'SIGKILL');
      // The lock of the data folder is released only when the process has ended.
      while (isAlive(child)) await Bun.sleep(2);
    }
    await this.launcher.exited;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Stopped> {
    const at = performance.now();
    this.launcher.kill(signal);
    return this.ended(at);
  }

  /** Waits until the process ends on its own. */
  async ended(since = performance.now()): Promise<Stopped> {
    const status = await this.launcher.exited;
    const ms = performance.now() - since;
    await Promise.all([this.#out.done, this.#err.done]);
    return { status, ms };
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    // A dead child of a dead launcher is a zombie until init reaps it.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** Kills services that a failed test left running, by their process ids. */
export async function killLeftovers(): Promise<void> {
  for (const service of [...running]) await service.kill();
}

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command to its end. */
export async function runTickwire(args: string[], settings: Settings = {}): Promise<Ran> {
  const child = spawnTickwire(args, settings);
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { status, out, err };
}

/** Waits until a check succeeds; throws an error with `what` after the timeout. */
export async function eventually(
  what: string,
  check: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await Bun.sleep(10);
  }
}
