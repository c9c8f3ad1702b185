// judge.py as a process that answers one scenario per line.
import { join } from 'node:path';
import type { Answer, Scenario } from './scenario.fixture.ts';

export class SecondImplementation {
  readonly #process = Bun.spawn(['python3', '-B', join(import.meta.dir, 'judge.py')], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  readonly #lines = lines(this.#process.stdout);

  /** The answers to many scenarios, in their order. */
  async judge(scenarios: readonly Scenario[]): Promise<(readonly Answer[])[]> {
    this.#process.stdin.write(scenarios.map((scenario) => `${JSON.stringify(scenario)}\n`).join(''));
    const flushed = this.#process.stdin.flush();
    const answers: (readonly Answer[])[] = [];
    while (answers.length < scenarios.length) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error('judge.py ended early');
      answers.push(JSON.parse(value).signals);
    }
    await flushed;
    return answers;
  }

  async end(): Promise<void> {
    this.#process.stdin.end();
    await this.#process.exited;
  }
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of stream) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = parts.pop()!;
    yield* parts;
  }
}
