// Runs an example as a user does, in a process of its own, and waits for the lines that it prints.
import { join, resolve } from 'node:path';
import type { Subprocess } from 'bun';
import { clientPython } from '../../packages/server/testing/python.fixture.ts';

export const ROOT = resolve(import.meta.dir, '../..');
export const PYTHON = clientPython ?? 'python3';

export type Environment = Readonly<Record<string, string>>;

const running = new Set<Program>();

export class Program implements AsyncDisposable {
  /** Standard output and standard error. */
  output = '';
  readonly #child: Subprocess<'ignore', 'pipe', 'pipe'>;
  readonly #read: Promise<unknown>;

  private constructor(command: readonly string[], env: Environment) {
    this.#child = Bun.spawn([...command], {
      cwd: ROOT,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    });
    this.#read = Promise.all([this.#collect(this.#child.stdout), this.#collect(this.#child.stderr)]);
    running.add(this);
    this.#child.exited.then(() => running.delete(this));
  }

  /** Starts `examples/NAME`, or a file with a whole path, by Bun or Python. */
  static start(name: string, args: readonly string[], env: Environment): Program {
    const path = resolve(ROOT, 'examples', name);
    if (!name.endsWith('.py')) return new Program([process.execPath, path, ...args], env);
    return new Program([PYTHON, '-B', path, ...args], { PYTHONPATH: join(ROOT, 'python'), ...env });
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) this.output += decoder.decode(bytes, { stream: true });
  }

  /** The first match in the output, within the time. */
  async prints(pattern: RegExp, withinMs = 60_000): Promise<RegExpExecArray> {
    for (const deadline = Date.now() + withinMs; ; ) {
      const found = pattern.exec(this.output);
      if (found) return found;
      if (this.#child.exitCode !== null || Date.now() > deadline)
        throw new Error(`it did not print ${pattern} (exit ${this.#child.exitCode}):\n${this.output}`);
      await Bun.sleep(50);
    }
  }

  /** Waits for the end; returns the exit status. */
  async ended(): Promise<number> {
    const status = await this.#child.exited;
    await this.#read;
    return status;
  }

  /** Ends it as Ctrl-C does. */
  interrupt(): Promise<number> {
    this.#child.kill('SIGINT');
    return this.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended();
  }
}

/** Ends programs that a failed test left running. */
export async function endPrograms(): Promise<void> {
  for (const program of [...running]) await program[Symbol.asyncDispose]();
}
