// Runs the code blocks of a page in order, in a folder of their own that looks like a checkout, against a running service.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Subprocess } from 'bun';
import { freePort } from '../../packages/server/testing/free-port.fixture.ts';
import { type Block, blocksOf, pageNotRun } from './blocks.ts';
import { documentsOf, wrongExample, wrongText } from './example-output.ts';
import { PythonSession } from './python-session.ts';
import { createKeys, waitUntilReady } from './service.ts';
import { UNEXECUTED } from './unexecuted.ts';

const ROOT = resolve(import.meta.dir, '../..');
const BUN = join(ROOT, 'packages/server/bin/bun.mjs');
/** Needs `npm ci --prefix proof/history`. */
const SQL = join(ROOT, 'proof/history/sql.mjs');
const BLOCK_MS = 90_000;
/** A program in the background has started when it printed something, or after this. */
const STARTED_MS = 2_000;
/** How long a message that a page shows may take to arrive. */
const MESSAGE_MS = 15_000;
/** In pages that need PostgreSQL. */
export const USUAL_POSTGRES = 'PGPORT=5432';
/** What pages use of a checkout. */
const CHECKOUT = ['package.json', 'packages', 'python', 'deploy'];

export interface Target {
  /** Without a scheme. */
  readonly host: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Port of a PostgreSQL server, in place of the usual one. */
  readonly postgresPort?: number | undefined;
}

export interface Result {
  readonly line: number;
  readonly outcome: 'ran' | 'checked' | 'not run' | 'failed';
  /** Why it failed or was not run. */
  readonly reason?: string;
  /** Of a block that ran. */
  readonly output?: string;
  readonly seconds?: number;
}

type Process = Subprocess<'ignore', 'pipe', 'pipe'>;
type Outcome = Omit<Result, 'line'>;

const late = (said: string) => ({ ...failed(`it did not end within ${BLOCK_MS / 1000} s:\n${said}`), late: true });
const failed = (reason: string): Outcome => ({ outcome: 'failed', reason });

function notRun(name: string): Outcome {
  const entry = UNEXECUTED[name];
  return entry ? { outcome: 'not run', reason: entry.reason } : failed(`unexecuted.ts has no entry "${name}"`);
}

export class PageRunner {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tickwire-page-'));
  readonly #work = join(this.#folder, 'work');
  /** Shell variables and functions, which carry over to the next block of the page. */
  readonly #state = join(this.#folder, 'state');
  /** Of all blocks: a shell may leave programs running. */
  readonly #processes: Process[] = [];
  readonly #sockets: WebSocket[] = [];
  readonly #page: Target;
  /** The service of the page, or of the section. */
  #target: Target;
  #sectionService: Process | null = null;
  #python: PythonSession | null = null;
  /** Of the block before; a function if more may follow. */
  #output: string | (() => string) | null = null;
  /** Of all programs in the background, so far. */
  #backgroundOutput = '';

  constructor(target: Target) {
    this.#page = this.#target = target;
    mkdirSync(this.#work);
    symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'));
    for (const name of CHECKOUT) symlinkSync(join(ROOT, name), join(this.#work, name));
    writeFileSync(this.#state, '');
  }

  async run(markdown: string, report: (result: Result) => void): Promise<void> {
    try {
      const name = pageNotRun(markdown);
      if (name !== null) return report({ line: 1, ...notRun(name) });
      let before: Block | null = null;
      for (const block of blocksOf(markdown)) {
        if (block.heading !== before?.heading) this.#output = null;
        if (block.section !== before?.section) await this.#endService();
        before = block;
        const started = performance.now();
        const attempt = () => this.#block(block).catch((error) => failed(String(error?.message ?? error)));
        let result: Outcome & { readonly late?: boolean } = await attempt();
        // A price may wander off the level that a bot watches. The next start watches another.
        if (result.late) {
          const { reason } = result;
          result = await attempt();
          if (result.outcome === 'failed') result = failed(`${reason}\nThe second attempt: ${result.reason}`);
        }
        if (result.outcome !== 'checked' && result.outcome !== 'ran') this.#output = null;
        const output = result.outcome === 'ran' && typeof this.#output === 'string' ? { output: this.#output } : {};
        const seconds = (performance.now() - started) / 1000;
        report({ line: block.line, ...result, ...output, seconds });
      }
    } finally {
      for (const socket of this.#sockets) socket.close();
      for (const process of this.#processes) stop(process);
      this.#python?.stop();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  async #block({ language, text: source, directive }: Block): Promise<Outcome> {
    const { host, environment } = this.#target;
    const text = source
      .replaceAll('127.0.0.1:8080', host)
      .replaceAll('tw_…', environment.TICKWIRE_API_KEY ?? '')
      .replaceAll(USUAL_POSTGRES, `PGPORT=${this.#page.postgresPort}`);
    if (language === '') return failed('the block has no language');
    if (directive.kind === 'not run') return notRun(directive.name);
    if (directive.kind === 'file') {
      const path = join(this.#work, directive.name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${text}\n`);
      return { outcome: 'checked' };
    }
    if (directive.kind === 'background output') this.#output = () => this.#backgroundOutput;
    if (directive.kind === 'socket') return this.#socket(directive.path, text);
    if (language === 'json') return this.#example(text, wrongExample);
    if (language === 'text') return this.#example(text, wrongText);
    const lines = directive.kind === 'lines' ? directive.lines : null;
    const fails = directive.kind === 'fails';
    const background = directive.kind === 'background';
    if (language === 'python') return this.#runPython(text, { background, lines, fails });
    const command = this.#command(language, text);
    if (!command) return failed(`blocks in ${language} cannot be run: say what they are`);
    if (directive.kind === 'service') return this.#service(command);
    const process = this.#spawn(command);
    return background ? this.#start(process) : this.#finish(process, lines, fails);
  }

  /** Compares an example with the output before it. */
  async #example(text: string, wrongOf: (example: string, output: string) => string | null): Promise<Outcome> {
    if (this.#output === null) return failed('no block before it has output: say what it is');
    const until = performance.now() + MESSAGE_MS;
    for (;;) {
      const isLive = typeof this.#output === 'function';
      const wrong = wrongOf(text, typeof this.#output === 'function' ? this.#output() : this.#output);
      if (wrong === null) return { outcome: 'checked' };
      if (!isLive || performance.now() > until) return failed(wrong);
      await Bun.sleep(50);
    }
  }

  #spawn(command: string[], environment: Readonly<Record<string, string>> = {}): Process {
    const process = Bun.spawn(command, {
      cwd: this.#work,
      env: { ...this.#target.environment, ...environment },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      detached: true,
    });
    this.#processes.push(process);
    return process;
  }

  #file(name: string, text: string): string {
    const path = join(this.#work, name);
    writeFileSync(path, text);
    return path;
  }

  #command(language: string, text: string): string[] | null {
    const state = this.#state;
    if (language === 'sh') {
      const saved = `{ export -p; declare -f; } > '${state}'`;
      return ['bash', '-c', `set -euo pipefail -a\n. '${state}'\ntrap "${saved}" EXIT\n${text}\n`];
    }
    if (language === 'ts' || language === 'js')
      return ['bash', '-c', `. '${state}'; exec node '${BUN}' '${this.#file(`block.${language}`, text)}'`];
    if (language === 'sql')
      return ['bash', '-c', `. '${state}'; exec node '${SQL}' '${this.#file('block.sql', text)}'`];
    return null;
  }

  async #runPython(
    text: string,
    { background, lines, fails }: { background: boolean; lines: number | null; fails: boolean },
  ): Promise<Outcome> {
    if (!this.#python || this.#python.ended) {
      const { environment } = this.#target;
      this.#python = new PythonSession({ folder: this.#work, state: this.#state, environment });
    }
    const file = this.#file('block.py', text);
    const { outcome, output, errors } = await this.#python.run(file, { background, lines, limitMs: BLOCK_MS });
    this.#output = background ? null : output;
    const said = `${output.slice(-1_500)}\n${errors.slice(-1_500)}`;
    if (outcome === 'stopped') return { outcome: 'ran' };
    if (outcome === 'late') return late(said);
    if (lines !== null) return failed(`it printed fewer than ${lines} lines:\n${said}`);
    if (fails !== (outcome === 'failed')) return failed(said);
    return { outcome: 'ran' };
  }

  /** Starts a service whose address and key replace those of the page until the section ends. */
  async #service(command: string[]): Promise<Outcome> {
    await this.#endService();
    const port = await freePort();
    const host = `127.0.0.1:${port}`;
    const data = mkdtempSync(join(this.#folder, 'data-'));
    const addresses = { TICKWIRE_DATA: data, TICKWIRE_PORT: String(port), TICKWIRE_URL: `http://${host}` };
    this.#assign(addresses);
    const process = this.#spawn(command, addresses);
    const started = await this.#start(process);
    if (started.outcome === 'failed') return started;
    await waitUntilReady(host, () => process.exitCode !== null);
    const environment = { ...this.#target.environment, ...addresses };
    const [created = ''] = await createKeys(environment, 1);
    const key = { TICKWIRE_API_KEY: created };
    this.#assign({ ...addresses, ...key });
    this.#target = { host, environment: { ...environment, ...key } };
    this.#sectionService = process;
    return { outcome: 'ran' };
  }

  async #endService(): Promise<void> {
    if (!this.#sectionService) return;
    stop(this.#sectionService);
    await this.#sectionService.exited;
    this.#sectionService = null;
    this.#target = this.#page;
    const { TICKWIRE_DATA = '', TICKWIRE_PORT = '', TICKWIRE_URL = '', TICKWIRE_API_KEY = '' } = this.#page.environment;
    this.#assign({ TICKWIRE_DATA, TICKWIRE_PORT, TICKWIRE_URL, TICKWIRE_API_KEY });
  }

  #assign(variables: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(variables))
      appendFileSync(this.#state, value === '' ? `unset ${name}\n` : `export ${name}='${value}'\n`);
  }

  /** Sends each line over a WebSocket, with the key in the first, and keeps what arrives as the output. */
  async #socket(path: string, text: string): Promise<Outcome> {
    const { host, environment } = this.#target;
    const messages = documentsOf(text);
    if (typeof messages === 'string') return failed(messages);
    const socket = new WebSocket(`ws://${host}${path}`);
    this.#sockets.push(socket);
    let received = '';
    socket.onmessage = ({ data }) => {
      received += `${data}\n`;
    };
    await new Promise((opened, refused) => {
      socket.onopen = opened;
      socket.onerror = () => refused(new Error(`no connection to ${path}`));
    });
    for (const [at, message] of messages.entries())
      socket.send(
        JSON.stringify(at === 0 ? { api_key: environment.TICKWIRE_API_KEY, ...(message as object) } : message),
      );
    this.#output = () => received;
    const until = performance.now() + MESSAGE_MS;
    while (received === '' && performance.now() < until) await Bun.sleep(10);
    const isRefused = received === '' || /"event":"error"/.test(received.split('\n')[0]!);
    return isRefused ? failed(`the service answered: ${received}`) : { outcome: 'ran' };
  }

  async #start(process: Process): Promise<Outcome> {
    this.#output = null;
    const reader = process.stdout.getReader();
    const first = reader.read();
    const errors = new Response(process.stderr).text();
    await Promise.race([first, process.exited, Bun.sleep(STARTED_MS)]);
    if (process.exitCode !== null) return failed(`it ended:\n${await errors}`);
    // Read on, so that the program never waits for a reader.
    const decoder = new TextDecoder();
    void (async () => {
      for (let chunk = await first; !chunk.done; chunk = await reader.read())
        this.#backgroundOutput += decoder.decode(chunk.value, { stream: true });
    })();
    return { outcome: 'ran' };
  }

  async #finish(process: Process, lines: number | null, fails: boolean): Promise<Outcome> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      stop(process);
    }, BLOCK_MS);
    const errors = new Response(process.stderr).text().then((text) => text.slice(-1_500));
    let output = '';
    let enough = false;
    for await (const chunk of process.stdout.pipeThrough(new TextDecoderStream())) {
      output += chunk;
      if (lines === null || output.split('\n').length <= lines) continue;
      enough = true;
      stop(process);
      break;
    }
    const code = await process.exited;
    clearTimeout(timer);
    this.#output = output;
    const said = (): string => `${output.slice(-1_500)}\n`;
    if (enough) return { outcome: 'ran' };
    if (isLate) return late(said() + (await errors));
    if (lines !== null) return failed(`it printed fewer than ${lines} lines:\n${said()}${await errors}`);
    if (fails !== (code !== 0)) return failed(`exit status ${code}:\n${said()}${await errors}`);
    return { outcome: 'ran' };
  }
}

/** Ends a program and what it started. */
function stop(process: Process): void {
  try {
    globalThis.process.kill(-process.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
