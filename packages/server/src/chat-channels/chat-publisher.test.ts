// The limit of messages of a chat, with a service that fails.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { PublishedSignal } from '@tickwire/contract';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { chatChannel } from '../../testing/store/chat-samples.fixture.ts';
import type { AccountState } from '../access/account-state.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SignalTextReading } from '../signals/signal-texts.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { ChatPublisher, type ChatPublisherOptions, LATE_MS, MESSAGES_PER_MINUTE } from './chat-publisher.ts';

const NOW = 1_000_000;
const CHANNEL = chatChannel('a', { mode: 'automatic' });
const TALK: SignalTextReading = { kind: 'unclear', reason: 'no_instrument', detail: 'No instrument.', part: null };

let folder: string;
let store: Store;
/** The message that published before the process was killed. */
let publishedBefore: string;
let failures: number;
let publisher: ChatPublisher;

beforeEach(async () => {
  folder = temporaryFolder();
  store = openSqliteStore({ folder, realm: 'sim', exclusive: false });
  await store.chat.putChannel(CHANNEL);
  publishedBefore = '';
  failures = 0;
  const signal = { id: 'sig_1', symbol: 'EURUSD', direction: 'buy', entry: 1.1, stop_loss: 1, take_profit: 1.2 };
  const service: Partial<ChatPublisherOptions['service']> = {
    publishedWith: async (_, key) =>
      key.endsWith(`\n${publishedBefore}`) ? (signal as unknown as PublishedSignal) : null,
    readText() {
      if (failures-- > 0) throw new ServiceError('store_unavailable', 'The store is down.');
      return TALK;
    },
  };
  publisher = new ChatPublisher({
    store: store.chat,
    service: service as ChatPublisherOptions['service'],
    accountOf: () => ({ disabled: false, deleted: false }) as AccountState,
    linkOf: (id) => id,
    wake: () => {},
    now: () => NOW,
  });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const receive = (id: number | string, sentAt = NOW): Promise<void> =>
  publisher.receive(CHANNEL, { id: String(id), sentAt, text: 'hello', isPublic: true, repliesTo: null });
const outcomeOf = async (id: number | string) => (await store.chat.message(CHANNEL.id, String(id)))?.outcome;

test('a message that published before a crash is answered, however many messages came before it', async () => {
  for (let id = 1; id <= MESSAGES_PER_MINUTE; id++) await receive(id);
  publishedBefore = 'x';
  await receive('x');
  expect(await outcomeOf('x')).toBe('published');
  await receive('y');
  expect(await outcomeOf('y')).toBe('refused');
});

test('late messages do not count for those that follow, and have a limit of their own', async () => {
  for (let id = 1; id <= MESSAGES_PER_MINUTE + 2; id++) await receive(id, NOW - LATE_MS - 1);
  expect(await outcomeOf(MESSAGES_PER_MINUTE)).toBe('ignored');
  expect(await outcomeOf(MESSAGES_PER_MINUTE + 1)).toBe('refused');
  expect(await outcomeOf(MESSAGES_PER_MINUTE + 2)).toBeUndefined();
  await receive('fresh');
  expect(await outcomeOf('fresh')).toBe('ignored');
});

test('a message that is read again after a failure counts once', async () => {
  failures = MESSAGES_PER_MINUTE;
  for (let attempt = 1; attempt <= MESSAGES_PER_MINUTE; attempt++)
    await expect(receive(1)).rejects.toThrow('The store is down.');
  for (let id = 1; id <= MESSAGES_PER_MINUTE; id++) await receive(id);
  expect(await outcomeOf(MESSAGES_PER_MINUTE)).toBe('ignored');
  await receive(MESSAGES_PER_MINUTE + 1);
  expect(await outcomeOf(MESSAGES_PER_MINUTE + 1)).toBe('refused');
});
