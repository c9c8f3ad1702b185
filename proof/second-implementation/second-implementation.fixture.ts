// judge.py or ranking.py as a process that answers one question per line.
import { join } from 'node:path';

export class SecondImplementation<Question, Answer> {
  readonly #process;
  readonly #lines;

  constructor(program: 'judge.py' | 'ranking.py') {
    this.#process = Bun.spawn(['python3', '-B', join(import.meta.dir, program)], {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    });
    this.#lines = lines(this.#process.stdout);
  }

  /** The answers to many questions, in their order. */
  async ask(questions: readonly Question[]): Promise<Answer[]> {
    this.#process.stdin.write(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
    const flushed = this.#process.stdin.flush();
    const answers: Answer[] = [];
    while (answers.length < questions.length) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error('the second implementation ended early');
      answers.push(JSON.parse(value));
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
