// Rows of chat channels, with defaults for what a test does not care about.
import type { ChatChannelRow, ChatEditRow, ChatMessageRow } from '../../src/store/chat-store.ts';

export const chatChannel = (id: string, changes: Partial<ChatChannelRow> = {}): ChatChannelRow => ({
  id,
  account: 'acc_1',
  platform: 'telegram',
  chat: `-${id}`,
  title: 'Gold signals',
  author: null,
  mode: 'review',
  keepText: 0,
  codeHash: null,
  codeExpiresAt: null,
  createdAt: 1_000,
  linkedAt: 2_000,
  problem: null,
  ...changes,
});

export const chatMessage = (
  channel: string,
  message: string,
  changes: Partial<ChatMessageRow> = {},
): ChatMessageRow => ({
  channel,
  message,
  platform: 'telegram',
  sentAt: 3_000,
  receivedAt: 3_500,
  hash: 'a'.repeat(64),
  text: null,
  outcome: 'refused',
  detail: 'There is no stop loss.',
  signal: null,
  draft: null,
  reply: 'Not published.',
  answer: null,
  posting: 'answer',
  posted: 0,
  ...changes,
});

export const chatEdit = (channel: string, message: string, number: number): ChatEditRow => ({
  channel,
  message,
  number,
  at: 4_000 + number,
  oldHash: 'a'.repeat(64),
  newHash: 'b'.repeat(64),
  text: number === 1 ? 'changed' : null,
});
