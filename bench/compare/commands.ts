// The processes of a comparison: one at a time, each the leader of a process group, so that nothing it started outlives it.
import type { Subprocess } from 'bun';

/** A benchmark that receives a signal to stop gives its servers 6 s. */
const STOP_MS = 15_000;
/** Lines of output that are kept to explain a failure. */
const KEPT_LINES = 12;

interface CommandOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with each line of standard error. */
  readonly onLine?: (line: string) => void;
}

export interface Finished {
  readonly status: number;
  readonly stdout: string;
  /** The last lines of standard error. */
  readonly errors: string;
}

export class Commands {
  #running: Subprocess | null = null;
  #stopped = false;

  async run(command: readonly string[], { cwd, timeoutMs, env, onLine }: CommandOptions): Promise<Finished> {
    if (this.#stopped) return await never();
    const child = Bun.spawn([...command], {
      cwd,
      env: { ...process.env, ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      detached: true,
    });
    this.#running = child;
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      end(child);
    }, timeoutMs);
    const [stdout, lines, status] = await Promise.all([
      new Response(child.stdout).text(),
      lastLines(child.stderr, onLine),
      child.exited,
    ]);
    clearTimeout(late);
    this.#running = null;
    if (this.#stopped) return await never();
    if (isLate) lines.push(`stopped after ${timeoutMs / 1000} s`);
    return { status, stdout, errors: lines.join('\n') };
  }

  /** Ends the running command with everything it started. No other starts afterwards. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#running) await end(this.#running);
  }
}

/** Lets the process end its own children first, then ends whatever is left of its group. */
async function end(child: Subprocess): Promise<void> {
  child.kill('SIGTERM');
  await Promise.race([child.exited, Bun.sleep(STOP_MS)]);
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is empty.
  }
  await child.exited;
}

async function lastLines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onLine?: (line: string) => void,
): Promise<string[]> {
  const kept: string[] = [];
  let rest = '';
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) onLine?.(line);
    kept.push(...lines);
    kept.splice(0, kept.length - KEPT_LINES);
  }
  return rest === '' ? kept : [...kept, rest];
}

const never = (): Promise<never> => new Promise(() => {});
