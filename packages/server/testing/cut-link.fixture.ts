// A link to a real Redis that a test can cut: commands then fail, run without a reply, or never get a reply.
import { type RedisLink, type RedisReply, RedisUnavailable, type ScriptLink } from '../src/cluster/redis-link.ts';
import type { RedisScript } from '../src/cluster/redis-script.ts';

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

  onReconnect(told: () => void): void {
    this.#told.push(told);
  }

  /** Restores the connection, as after a reconnect. */
  heal(): void {
    if (this.cut === 'none') return;
    this.cut = 'none';
    this.connections++;
    for (const told of this.#told) told();
  }

  async run(script: RedisScript, keys: readonly string[], args: readonly (string | Buffer)[]): Promise<RedisReply> {
    if (this.cut === 'away') throw new RedisUnavailable('cut');
    if (this.cut === 'silent') return new Promise(() => {});
    const reply = await this.#link.run(script, keys, args);
    // Cut before the reply arrived.
    if ((this.cut as Cut) === 'unanswered') throw new RedisUnavailable('cut');
    return reply;
  }
}
