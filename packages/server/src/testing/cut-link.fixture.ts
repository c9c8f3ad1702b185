// A link to a real Redis that a test cuts: commands then fail, are carried out without an answer, or are never answered.
import { RedisAway, type RedisLink, type Reply, type ScriptLink } from '../cluster/redis-link.ts';
import type { RedisScript } from '../cluster/redis-script.ts';

export type Cut = 'none' | 'away' | 'unanswered' | 'silent';

export class CutLink implements ScriptLink {
  cut: Cut = 'none';
  connections = 1;
  readonly #link: RedisLink;
  readonly #told: (() => void)[] = [];

  constructor(link: RedisLink) {
    this.#link = link;
  }

  get connected(): boolean {
    return this.cut !== 'away';
  }

  onUp(told: () => void): void {
    this.#told.push(told);
  }

  /** As a connection that was made again. */
  heal(): void {
    if (this.cut === 'none') return;
    this.cut = 'none';
    this.connections++;
    for (const told of this.#told) told();
  }

  async run(script: RedisScript, keys: readonly string[], args: readonly (string | Buffer)[]): Promise<Reply> {
    if (this.cut === 'away') throw new RedisAway('cut');
    if (this.cut === 'silent') return new Promise(() => {});
    const reply = await this.#link.run(script, keys, args);
    // Cut before the answer came.
    if ((this.cut as Cut) === 'unanswered') throw new RedisAway('cut');
    return reply;
  }
}
