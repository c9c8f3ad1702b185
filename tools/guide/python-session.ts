// One Python interpreter for all Python blocks of a page.
import { join } from 'node:path';

const SCRIPT = join(import.meta.dir, 'python-session.py');
/** How long an interrupted block may take to end. */
const INTERRUPTED_MS = 3_000;

export interface Outcome {
  readonly outcome: 'ok' | 'failed' | 'stopped' | 'late';
  readonly output: string;
  readonly errors: string;
}

export interface SessionOptions {
  readonly folder: string;
  /** File of shell variables: the environment of each block. */
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
}

export class PythonSession {
  readonly #options: SessionOptions;
  readonly #token = `end-${crypto.randomUUID()}`;
  readonly #process;
  #output = '';
  #errors = '';

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#process = Bun.spawn(['/usr/bin/python3', '-B', SCRIPT, this.#token], {
      cwd: options.folder,
      env: { ...options.environment, PYTHONUNBUFFERED: '1' },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
      detached: true,
    });
    void collect(this.#process.stdout, (text) => (this.#output += text));
    void collect(this.#process.stderr, (text) => (this.#errors += text));
  }

  get ended(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Stops the block after so many lines of output, if they are given. */
  async run(file: string, how: { background: boolean; lines: number | null; limitMs: number }): Promise<Outcome> {
    this.#output = this.#errors = '';
    const request = { file, state: this.#options.state, background: how.background };
    this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    this.#process.stdin.flush();
    const until = performance.now() + how.limitMs;
    let interrupted: number | null = null;
    for (;;) {
      const [output = '', result] = this.#output.split(`\n${this.#token} `);
      const read = (outcome: Outcome['outcome']): Outcome => ({ outcome, output, errors: this.#errors });
      const isEnough = how.lines !== null && output.split('\n').length > how.lines;
      if (result?.endsWith('\n') && interrupted !== null) return read(isEnough ? 'stopped' : 'late');
      if (result?.endsWith('\n')) return read(isEnough ? 'stopped' : (result.trim() as 'ok' | 'failed'));
      if (this.ended) return read('failed');
      const isLate = performance.now() > until;
      if ((isEnough || isLate) && interrupted === null) {
        interrupted = performance.now();
        this.#process.kill('SIGINT');
      }
      if (interrupted !== null && performance.now() > interrupted + INTERRUPTED_MS) {
        this.stop();
        await this.#process.exited;
        return read(isEnough ? 'stopped' : 'late');
      }
      await Bun.sleep(10);
    }
  }

  stop(): void {
    try {
      process.kill(-this.#process.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
}

async function collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>, take: (text: string) => void): Promise<void> {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) take(text);
}
