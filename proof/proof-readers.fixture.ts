// The readers of the proof, in a process of their own, as the harness sees them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Subprocess } from 'bun';
import type { ClusterProgress, ClusterReadersJob, ClusterReadersResult } from '../bench/load/cluster-readers.ts';

const READERS = fileURLToPath(new URL('../bench/load/cluster-readers.ts', import.meta.url));

export class ProofReaders {
  /** The last they said. */
  progress: ClusterProgress | null = null;
  readonly #process: Subprocess<'ignore', 'pipe', 'inherit'>;
  readonly #result: Promise<ClusterReadersResult>;
  readonly #all: number;

  constructor(folder: string, job: ClusterReadersJob) {
    const file = join(folder, 'readers.json');
    writeFileSync(file, JSON.stringify(job));
    this.#all = job.readers * job.ports.length;
    this.#process = Bun.spawn([process.execPath, READERS, file], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    });
    this.#result = this.#listen(this.#process.stdout);
  }

  /** Whether all of them are connected and have heard something of the market lately, as of after `since` (Date.now()). */
  flowing(since: number, staleMs = 1_500): boolean {
    const { progress } = this;
    if (progress === null || progress.at < since) return false;
    return progress.open.reduce((sum, each) => sum + each, 0) === this.#all && progress.stalest < staleMs;
  }

  /** Back to where they began, as new ones come to a gateway that is there again. */
  goHome(): void {
    this.#process.kill('SIGUSR2');
  }

  /** Ends them; what they found. */
  finish(): Promise<ClusterReadersResult> {
    this.#process.kill('SIGTERM');
    return this.#result;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  async #listen(stream: ReadableStream<Uint8Array>): Promise<ClusterReadersResult> {
    const decoder = new TextDecoder();
    let rest = '';
    let last = '';
    for await (const chunk of stream) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        last = line;
        const said = JSON.parse(line) as { progress?: ClusterProgress };
        if (said.progress) this.progress = said.progress;
      }
    }
    return JSON.parse(last) as ClusterReadersResult;
  }
}
