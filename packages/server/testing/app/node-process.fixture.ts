// Starts and stops one node of the service in a separate process, for tests of the composition root. The process never calls
// exit: it ends only if nothing is left open, neither a timer nor a socket nor a thread.
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/config.ts';
import { type OpenFeeds, openFeeds as openConfiguredFeeds } from '../../src/market/feeds/open-feeds.ts';
import { createLog } from '../../src/ops/log.ts';

export interface NodeProcessOptions {
  readonly role: 'all' | 'ingest' | 'gateway';
  /** As flags, such as `sim_rate`. */
  readonly settings: Readonly<Record<string, string>> & { readonly data: string };
  /** Makes the feeds fail at this step of the start. */
  readonly failingFeeds?: 'open' | 'clock' | 'start';
}

export interface NodeProcessResult {
  /** Why the start failed, or an ingest node could not become active; `null` if it did not fail. */
  readonly failure: string | null;
  /** Open files in the data folder at the end. */
  readonly openFiles: readonly string[];
  /** Messages of the log, in order. */
  readonly log: readonly string[];
  /** The process ended by itself. */
  readonly exited: boolean;
}

const EXIT_MS = 60_000;

/** Runs the node until it has failed or was started and stopped again. */
export async function runNodeProcess(options: NodeProcessOptions): Promise<NodeProcessResult> {
  const child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(options)], {
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env.PATH ?? '' },
  });
  const errors = new Response(child.stderr).text();
  let out = '';
  const read = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) out += decoder.decode(chunk, { stream: true });
  })();
  const started = performance.now();
  while (!out.includes('\n') && child.exitCode === null && performance.now() - started < 60_000) await Bun.sleep(10);
  const exited = await Promise.race([child.exited.then(() => true), Bun.sleep(EXIT_MS).then(() => false)]);
  if (!exited) child.kill('SIGKILL');
  await read;
  if (!out.includes('\n')) throw new Error(`the process printed no result: ${await errors}`);
  return { ...(JSON.parse(out) as Omit<NodeProcessResult, 'exited'>), exited };
}

async function run({ role, settings, failingFeeds }: NodeProcessOptions): Promise<void> {
  const config = loadConfig({ flags: { role, ...settings }, env: {}, cwd: settings.data });
  const messages: string[] = [];
  const log = createLog({ level: 'info', plain: false, write: (line) => messages.push(JSON.parse(line).message) });
  const failed = (): never => {
    throw new Error(`the feeds fail at ${failingFeeds}`);
  };
  const openFeeds: OpenFeeds = async (options) => {
    if (failingFeeds === 'open') failed();
    const feeds = await openConfiguredFeeds(options);
    return {
      ...feeds,
      clock: failingFeeds === 'clock' ? failed : feeds.clock,
      start: failingFeeds === 'start' ? failed : feeds.start,
    };
  };
  let failure: string | null = null;
  try {
    if (role === 'all') {
      const { startSingleProcess } = await import('../../src/app/single-process.ts');
      await (await startSingleProcess(config, log, openFeeds)).stop();
    } else if (role === 'ingest') {
      const { startIngest } = await import('../../src/app/ingest-node.ts');
      const app = await startIngest(config, log, openFeeds);
      void app.failure!.then((error) => {
        failure = error.message;
      });
      while (failure === null && !messages.includes('serving gateways')) await Bun.sleep(10);
      await app.stop();
    } else {
      const { startGateway } = await import('../../src/app/gateway-node.ts');
      await (await startGateway(config, log, new AbortController().signal)).stop();
    }
  } catch (error) {
    failure = (error as Error).message;
  }
  const openFiles = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(join('/proc/self/fd', fd));
      return file.startsWith(settings.data) ? [file] : [];
    } catch {
      // The descriptor of this very listing.
      return [];
    }
  });
  console.log(JSON.stringify({ failure, openFiles, log: messages }));
}

if (import.meta.main) await run(JSON.parse(process.argv[2]!) as NodeProcessOptions);
