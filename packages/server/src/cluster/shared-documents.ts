// Small texts that all gateways of a cluster can read, kept in Redis as long as they are used. Without Redis there are none.
import { StoreError } from '../errors/store-error.ts';
import type { KeptDocuments } from '../work/kept-documents.ts';
import type { RedisKeys } from './redis-keys.ts';
import { type RedisReply, replyInTime, type ScriptLink } from './redis-link.ts';
import { type RedisScript, script } from './redis-script.ts';

/** KEYS: ids of an owner. ARGV: beginning of the names of its documents. Sets `ids` to those that still exist. */
const EXISTING = `
local ids = {}
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if redis.call('EXISTS', ARGV[1] .. id) == 1 then table.insert(ids, id)
  else redis.call('SREM', KEYS[1], id) end
end
`;

/** Further ARGV: id, text, limit, time to live in ms. */
const ADD = script(`${EXISTING}
if redis.call('EXISTS', ARGV[1] .. ARGV[2]) == 1 then return 0 end
if #ids >= tonumber(ARGV[4]) then return 0 end
redis.call('SET', ARGV[1] .. ARGV[2], ARGV[3], 'PX', ARGV[5])
redis.call('SADD', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
`);

/** Further ARGV: id, time to live in ms. */
const READ = script(`
local text = redis.call('GET', ARGV[1] .. ARGV[2])
if not text then return false end
redis.call('PEXPIRE', ARGV[1] .. ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return text
`);

/** Further ARGV: id, time to live in ms. */
const TOUCH = script(`
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return redis.call('PEXPIRE', ARGV[1] .. ARGV[2], ARGV[3])
`);

/** Further ARGV: id, text before, text after, time to live in ms. */
const REPLACE = script(`
if redis.call('GET', ARGV[1] .. ARGV[2]) ~= ARGV[3] then return 0 end
redis.call('SET', ARGV[1] .. ARGV[2], ARGV[4], 'PX', ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
`);

/** Further ARGV: id. */
const REMOVE = script(`
redis.call('SREM', KEYS[1], ARGV[2])
return redis.call('DEL', ARGV[1] .. ARGV[2])
`);

const LIST = script(`${EXISTING}
local texts = {}
for _, id in ipairs(ids) do table.insert(texts, redis.call('GET', ARGV[1] .. id)) end
return texts
`);

export const DOCUMENT_SCRIPTS = [ADD, READ, TOUCH, REPLACE, REMOVE, LIST] as const;

export class SharedDocuments implements KeptDocuments {
  readonly #link: ScriptLink;
  readonly #keys: Pick<RedisKeys, 'replays'>;
  readonly #keptMs: string;

  constructor(link: ScriptLink, keys: Pick<RedisKeys, 'replays'>, keptMs: number) {
    this.#link = link;
    this.#keys = keys;
    this.#keptMs = String(keptMs);
  }

  async add(owner: string, id: string, text: string, limit: number): Promise<boolean> {
    return (await this.#run(ADD, owner, [id, text, String(limit), this.#keptMs])) === 1;
  }

  async read(owner: string, id: string): Promise<string | null> {
    return (await this.#run(READ, owner, [id, this.#keptMs])) as string | null;
  }

  async touch(owner: string, id: string): Promise<void> {
    await this.#run(TOUCH, owner, [id, this.#keptMs]);
  }

  async replace(owner: string, id: string, before: string, after: string): Promise<boolean> {
    return (await this.#run(REPLACE, owner, [id, before, after, this.#keptMs])) === 1;
  }

  async remove(owner: string, id: string): Promise<void> {
    await this.#run(REMOVE, owner, [id]);
  }

  async list(owner: string): Promise<readonly string[]> {
    return (await this.#run(LIST, owner, [])) as string[];
  }

  async #run(command: RedisScript, owner: string, args: readonly string[]): Promise<RedisReply> {
    const ids = this.#keys.replays(owner);
    try {
      return await replyInTime(this.#link.run(command, [ids], [`${ids}:`, ...args]));
    } catch (error) {
      throw new StoreError('Redis cannot be reached', { cause: error });
    }
  }
}
