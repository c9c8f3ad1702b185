import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { GROUP_SIZE, QUIET_MS, ReaderGroups, TOPICS_PER_TURN } from './reader-groups.ts';
import type { StreamSocket } from './stream-socket.ts';

const TOPICS = ['a', 'b', 'c', 'd'];

class Socket {
  readonly topics = new Set<string>();
  readonly received: string[] = [];
  get subscriptions(): string[] {
    return [...this.topics];
  }
  readonly isSubscribed = (topic: string): boolean => this.topics.has(topic);
  readonly subscribe = (topic: string): void => {
    this.topics.add(topic);
  };
  readonly unsubscribe = (topic: string): void => {
    this.topics.delete(topic);
  };
}

const asSocket = (socket: Socket): StreamSocket => socket as unknown as StreamSocket;

function setUp(size: number) {
  const sockets = new Set<Socket>();
  const clock = { now: 1_000 };
  let sent = 0;
  const groups = new ReaderGroups({
    send: (name, text) => {
      sent++;
      for (const socket of sockets) if (socket.topics.has(name)) socket.received.push(text);
    },
    audienceOf: (name) => [...sockets].filter(({ topics }) => topics.has(name)).length,
    now: () => clock.now,
    size,
  });
  const open = (...topics: readonly string[]): Socket => {
    const socket = new Socket();
    sockets.add(socket);
    for (const topic of topics) groups.join(asSocket(socket), topic);
    return socket;
  };
  const close = (socket: Socket): void => {
    groups.remove(asSocket(socket));
    sockets.delete(socket);
  };
  const settle = (): void => {
    clock.now += QUIET_MS;
    groups.formGroups();
  };
  return { groups, sockets, clock, open, close, settle, sent: () => sent };
}

describe('readers with the same subscriptions', () => {
  test('share a topic when there are enough of them, whatever the order of their subscriptions', () => {
    const { groups, open, settle } = setUp(3);
    const readers = [open('a', 'b', 'c'), open('c', 'a', 'b'), open('b', 'c', 'a')];
    const other = open('a', 'b');
    settle();
    expect(groups.count).toBe(1);
    expect(new Set(readers.flatMap(({ topics }) => [...topics])).size).toBe(1);
    expect(other.topics).toEqual(new Set(['a', 'b']));
    groups.publish('a', 'one');
    groups.publish('c', 'two');
    for (const { received } of readers) expect(received).toEqual(['one', 'two']);
    expect(other.received).toEqual(['one']);
    expect(groups.audienceOf('a')).toBe(4);
    expect(groups.audienceOf('c')).toBe(3);
  });

  test('are joined by later ones', () => {
    const { open, settle } = setUp(2);
    const first = open('a', 'b');
    open('a', 'b');
    settle();
    const later = open('b', 'a');
    settle();
    expect(later.topics).toEqual(first.topics);
  });

  test('get each topic by itself while they are few, or have one topic', () => {
    const { groups, open, settle } = setUp(3);
    for (let count = 0; count < 5; count++) open('a');
    open('a', 'b');
    open('a', 'b');
    settle();
    expect(groups.count).toBe(0);
  });

  test('get each topic by itself if their connection is not a WebSocket', () => {
    const { groups, sockets, settle } = setUp(1);
    const topics = new Set<string>();
    const socket = { topics, subscribe: (topic: string) => topics.add(topic), unsubscribe: () => {} };
    sockets.add(socket as unknown as Socket);
    groups.join(socket as unknown as StreamSocket, 'a');
    groups.join(socket as unknown as StreamSocket, 'b');
    settle();
    expect(topics).toEqual(new Set(['a', 'b']));
    expect(groups.count).toBe(0);
  });

  test('are compared: the same key is not enough', () => {
    const { groups, open, settle } = setUp(2);
    const readers = [open('a', 'b'), open('a', 'b')];
    const other = open('a', 'b');
    other.topics.delete('b');
    other.topics.add('c');
    settle();
    expect(groups.count).toBe(1);
    expect(new Set(readers.flatMap(({ topics }) => [...topics])).size).toBe(1);
    expect(other.topics).toEqual(new Set(['a', 'c']));
  });

  test('share a topic only after a pause in their changes', () => {
    const { groups, clock, open } = setUp(2);
    open('a', 'b');
    open('a', 'b');
    clock.now += QUIET_MS - 1;
    groups.formGroups();
    expect(groups.count).toBe(0);
    clock.now += 1;
    groups.formGroups();
    expect(groups.count).toBe(1);
  });

  test('leave the others with a change, and return when it is undone', () => {
    const { groups, open, settle } = setUp(2);
    const [one, two, changing] = [open('a', 'b'), open('a', 'b'), open('a', 'b')];
    settle();
    groups.leave(asSocket(changing), 'b');
    expect(changing.topics).toEqual(new Set(['a']));
    groups.join(asSocket(changing), 'c');
    expect(changing.topics).toEqual(new Set(['a', 'c']));
    expect(one.topics.size).toBe(1);
    groups.leave(asSocket(changing), 'c');
    groups.join(asSocket(changing), 'b');
    settle();
    expect(changing.topics).toEqual(two.topics);
  });

  test('stop sharing when fewer than half of the needed number are left', () => {
    const { groups, open, close, settle } = setUp(4);
    const readers = Array.from({ length: 4 }, () => open('a', 'b'));
    settle();
    for (const each of readers.slice(0, 2)) close(each);
    expect(groups.count).toBe(1);
    close(readers[2]!);
    expect(groups.count).toBe(0);
    expect(readers[3]!.topics).toEqual(new Set(['a', 'b']));
    // They may share again.
    for (let count = 0; count < 3; count++) open('a', 'b');
    settle();
    expect(groups.count).toBe(1);
  });

  test('that are many are looked at in several turns', () => {
    const { groups, open, settle } = setUp(GROUP_SIZE);
    const names = Array.from({ length: TOPICS_PER_TURN / GROUP_SIZE }, (_, at) => `topic ${at}`);
    const readers = Array.from({ length: GROUP_SIZE * 2 }, () => open(...names));
    const grouped = (): number => readers.filter(({ topics }) => topics.size === 1).length;
    settle();
    expect(grouped()).toBe(GROUP_SIZE);
    settle();
    expect(grouped()).toBe(GROUP_SIZE * 2);
    expect(groups.audienceOf(names[0]!)).toBe(GROUP_SIZE * 2);
  });

  test('cost one publish for all of them', () => {
    const { groups, open, settle, sent } = setUp(2);
    for (let count = 0; count < 10; count++) open('a', 'b');
    settle();
    groups.publish('a', 'text');
    // One for readers that are in no group.
    expect(sent()).toBe(2);
  });
});

describe('whatever readers do', () => {
  type Step = readonly ['join' | 'leave' | 'close' | 'open' | 'publish' | 'pass', number, string];
  const step = fc.tuple(
    fc.constantFrom('join', 'join', 'leave', 'close', 'open', 'publish', 'publish', 'pass', 'pass'),
    fc.nat(5),
    fc.constantFrom(...TOPICS),
  ) as fc.Arbitrary<Step>;

  test('each gets every message of its topics once, and nothing else', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 3), fc.array(step, { maxLength: 150, size: 'max' }), (size, steps) => {
        const { groups, open, close, settle } = setUp(size);
        const readers = Array.from({ length: 6 }, () => ({ socket: open('a', 'b'), topics: new Set(['a', 'b']) }));
        const expected = new Map<Socket, string[]>(readers.map(({ socket }) => [socket, []]));
        let published = 0;
        for (const [what, who, topic] of steps) {
          const reader = readers[who]!;
          const socket = asSocket(reader.socket);
          if (what === 'pass') settle();
          else if (what === 'publish') {
            const text = `${topic} ${++published}`;
            groups.publish(topic, text);
            for (const each of readers) if (each.topics.has(topic)) expected.get(each.socket)!.push(text);
            expect(groups.audienceOf(topic)).toBe(readers.filter(({ topics }) => topics.has(topic)).length);
          } else if (what === 'join' && !reader.topics.has(topic)) {
            groups.join(socket, topic);
            reader.topics.add(topic);
          } else if (what === 'leave' && reader.topics.delete(topic)) groups.leave(socket, topic);
          else if (what === 'close' || what === 'open') {
            close(reader.socket);
            const topics = what === 'open' ? ['b', 'a'] : [];
            readers[who] = { socket: open(...topics), topics: new Set(topics) };
            expected.set(readers[who]!.socket, []);
          }
        }
        for (const [socket, texts] of expected) expect(socket.received).toEqual(texts);
        for (const { socket } of readers) close(socket);
        expect(groups.count).toBe(0);
      }),
    );
  });
});
