// Readers with the same subscriptions share one Bun topic. A publish visits every socket of its topic, and the entries of twenty topics
// lie scattered in memory; those of one topic stay in the cache of the processor from message to message. With a thousand readers of
// the same twenty symbols, this saves 5 % of the time of a write.
//
// A group needs many readers, because every message is published once for each group that gets it. A reader joins a group when its
// subscriptions have not changed for a while, and leaves it with the next change.
import type { StreamSocket } from './stream-socket.ts';
import type { Publish } from './topic.ts';

/** This many readers form a group. */
export const GROUP_SIZE = 100;
/** A reader may join a group this long after its last change. */
export const QUIET_MS = 300;
/** Changes of a reader this close together count as one, at the time of the first: a request may name many topics. */
const SAME_CHANGE_MS = 50;
/** At most about this many topics of readers are looked at in one turn, which takes 2 ms. */
export const TOPICS_PER_TURN = 4_000;

interface Group {
  /** Name of its Bun topic. */
  readonly name: string;
  readonly key: number;
  /** Names of the topics that its readers get. */
  readonly topics: readonly string[];
  readonly readers: Set<Reader>;
}

/** It has no list of its topics, which would take 3 KB for 20 of them. */
interface Reader {
  readonly socket: GroupableSocket;
  /** Sum of the hashes of its topics: readers with the same topics have the same key. */
  key: number;
  /** Number of its topics. */
  topics: number;
  /** Whether it counts in `#alike`. */
  isCounted: boolean;
  group: Group | null;
  changedAt: number;
}

/** Server-sent events have no Bun topics, and would gain nothing. */
type GroupableSocket = StreamSocket & {
  readonly subscriptions: readonly string[];
  isSubscribed(topic: string): boolean;
};

export interface ReaderGroupsOptions {
  /** Sends a message to the sockets of a Bun topic. */
  readonly send: Publish;
  /** Sockets that are subscribed to a Bun topic. */
  readonly audienceOf: (name: string) => number;
  readonly now: () => number;
  /** This many readers form a group, which ends when fewer than half as many are left. */
  readonly size: number;
}

export class ReaderGroups {
  readonly #options: ReaderGroupsOptions;
  readonly #readers = new Map<StreamSocket, Reader>();
  /** Readers whose subscriptions have changed, in that order. */
  readonly #changed = new Set<Reader>();
  /** How many readers without a group have the same key. */
  readonly #alike = new Map<number, number>();
  readonly #byKey = new Map<number, Group>();
  readonly #byTopic = new Map<string, Group[]>();
  /** Groups that were ever formed. */
  #formed = 0;

  constructor(options: ReaderGroupsOptions) {
    this.#options = options;
  }

  /** Number of groups. */
  get count(): number {
    return this.#byKey.size;
  }

  readonly publish: Publish = (topic, text) => {
    const { send } = this.#options;
    send(topic, text);
    const groups = this.#byTopic.get(topic);
    if (groups) for (let at = 0; at < groups.length; at++) send(groups[at]!.name, text);
  };

  /** Sockets that a message to a topic reaches. */
  audienceOf(topic: string): number {
    let sum = this.#options.audienceOf(topic);
    for (const { readers } of this.#byTopic.get(topic) ?? []) sum += readers.size;
    return sum;
  }

  join(socket: StreamSocket, topic: string): void {
    const reader = this.#changing(socket);
    socket.subscribe(topic);
    if (!reader) return;
    reader.key = (reader.key + hashOf(topic)) >>> 0;
    reader.topics++;
  }

  leave(socket: StreamSocket, topic: string): void {
    const reader = this.#readers.has(socket) ? this.#changing(socket) : null;
    socket.unsubscribe(topic);
    if (!reader) return;
    reader.key = (reader.key - hashOf(topic)) >>> 0;
    reader.topics--;
  }

  /** The socket is closing. Afterwards it has to leave its topics one by one, unless it is closed. */
  remove(socket: StreamSocket): void {
    const reader = this.#readers.get(socket);
    if (!reader) return;
    this.#readers.delete(socket);
    this.#changed.delete(reader);
    this.#uncount(reader);
    const { group } = reader;
    if (!group) return;
    socket.unsubscribe(group.name);
    this.#reduce(group, reader);
  }

  /** Call it several times per second. What a reader gets stays the same. */
  formGroups(): void {
    const until = this.#options.now() - QUIET_MS;
    let topics = 0;
    for (const reader of this.#changed) {
      if (reader.changedAt > until || topics >= TOPICS_PER_TURN) return;
      topics += reader.topics;
      this.#changed.delete(reader);
      this.#settle(reader);
    }
  }

  /** The subscriptions of a reader are about to change: it gets each topic by itself. */
  #changing(socket: StreamSocket): Reader | null {
    if (!isGroupable(socket)) return null;
    const known = this.#readers.get(socket);
    const reader = known ?? { socket, key: 0, topics: 0, isCounted: false, group: null, changedAt: 0 };
    if (!known) this.#readers.set(socket, reader);
    this.#uncount(reader);
    const { group } = reader;
    if (group) {
      this.#ungroup(reader);
      this.#reduce(group, reader);
    }
    this.#wait(reader);
    return reader;
  }

  /** Looks at the reader again after a while. */
  #wait(reader: Reader): void {
    const now = this.#options.now();
    if (now - reader.changedAt < SAME_CHANGE_MS && this.#changed.has(reader)) return;
    reader.changedAt = now;
    this.#changed.delete(reader);
    this.#changed.add(reader);
  }

  #settle(reader: Reader): void {
    // A group of one topic would be another name for it.
    if (reader.topics < 2) return;
    const { key } = reader;
    const group = this.#byKey.get(key);
    if (group) {
      if (hasSame(reader, group.topics)) this.#enter(reader, group);
      return;
    }
    reader.isCounted = true;
    const alike = (this.#alike.get(key) ?? 0) + 1;
    this.#alike.set(key, alike);
    if (alike >= this.#options.size) this.#form(key, reader.socket.subscriptions);
  }

  #form(key: number, topics: readonly string[]): void {
    const group: Group = { name: `group:${++this.#formed}`, key, topics, readers: new Set() };
    this.#byKey.set(key, group);
    for (const topic of topics) this.#byTopic.set(topic, [...(this.#byTopic.get(topic) ?? []), group]);
    for (const reader of this.#readers.values())
      if (reader.isCounted && reader.key === key && hasSame(reader, topics)) this.#enter(reader, group);
  }

  #enter(reader: Reader, group: Group): void {
    this.#uncount(reader);
    reader.group = group;
    group.readers.add(reader);
    // Subscribe first: a socket without a topic would lose what it has not been sent yet.
    reader.socket.subscribe(group.name);
    for (const topic of group.topics) reader.socket.unsubscribe(topic);
  }

  #ungroup(reader: Reader): void {
    const { name, topics } = reader.group!;
    reader.group = null;
    for (const topic of topics) reader.socket.subscribe(topic);
    reader.socket.unsubscribe(name);
  }

  /** A reader has left the group, which ends if too few are left. */
  #reduce(group: Group, reader: Reader): void {
    group.readers.delete(reader);
    if (group.readers.size > 0 && group.readers.size >= this.#options.size / 2) return;
    this.#byKey.delete(group.key);
    for (const topic of group.topics) {
      const others = this.#byTopic.get(topic)!.filter((each) => each !== group);
      if (others.length > 0) this.#byTopic.set(topic, others);
      else this.#byTopic.delete(topic);
    }
    for (const each of group.readers) {
      this.#ungroup(each);
      this.#wait(each);
    }
  }

  #uncount(reader: Reader): void {
    if (!reader.isCounted) return;
    reader.isCounted = false;
    const left = this.#alike.get(reader.key)! - 1;
    if (left > 0) this.#alike.set(reader.key, left);
    else this.#alike.delete(reader.key);
  }
}

const isGroupable = (socket: StreamSocket): socket is GroupableSocket => 'subscriptions' in socket;

/** Different topics may have the same key. */
const hasSame = ({ socket, topics: count }: Reader, topics: readonly string[]): boolean =>
  count === topics.length && topics.every((topic) => socket.isSubscribed(topic));

/** So that nobody can choose topics with the same key. */
const SEED = crypto.getRandomValues(new Uint32Array(1))[0]!;

const hashOf = (topic: string): number => Bun.hash.murmur32v3(topic, SEED);
