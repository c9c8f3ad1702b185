// The readers of the proof, which run in a separate process.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Subprocess } from 'bun';
import type { ClusterProgress, ClusterReadersJob, ClusterReadersResult } from './readers/cluster-readers.ts';

const READERS = fileURLToPath(new URL('./readers/cluster-readers.ts', import.meta.url));

export class ProofReaders {
  /** Their latest state. */
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

  /** Whether all are connected and have recently received market data, by a state newer than `since` (Date.now()). */
  isFlowing(since: number, staleMs = 1_500): boolean {
    const { progress } = this;
    if (progress === null || progress.at < since) return false;
    return progress.open.reduce((sum, each) => sum + each, 0) === this.#all && progress.stalest < staleMs;
  }

  /** Reconnects them to their first gateway node, like new clients of a gateway node that is back. */
  returnHome(): void {
    this.#process.kill('SIGUSR2');
  }

  /** Ends them and returns their findings. */
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
