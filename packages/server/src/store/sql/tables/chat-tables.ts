// Chats from which accounts publish, in a realm.
import { table } from './table.ts';

export const CHAT_CHANNELS = table(
  'chat_channels',
  ['id'],
  {
    id: 'text',
    account: 'text',
    platform: 'text',
    chat: 'text?',
    title: 'text?',
    author: 'text?',
    mode: 'text',
    keep_text: 'int',
    code_hash: 'text?',
    code_expires_at: 'int?',
    created_at: 'int',
    linked_at: 'int?',
    problem: 'text?',
  },
  { more: ['UNIQUE (platform, chat)'] },
);

export const CHAT_MESSAGES = table(
  'chat_messages',
  ['channel', 'message'],
  {
    channel: 'text',
    message: 'text',
    platform: 'text',
    sent_at: 'int',
    received_at: 'int',
    hash: 'text',
    text: 'text?',
    outcome: 'text',
    detail: 'text',
    signal: 'text?',
    draft: 'text?',
    reply: 'text?',
    answer: 'text?',
    posting: 'text',
    posted: 'int',
  },
  {
    indexes: {
      received: 'channel, received_at',
      answer: { on: 'channel, answer', where: 'answer IS NOT NULL' },
      answering: { on: 'channel, received_at', where: "posting = 'answer'" },
      watched: { on: 'signal', where: "posting = 'watched'" },
      preview: { on: 'received_at', where: "outcome = 'preview'" },
      unpublished: { on: 'received_at', where: "outcome <> 'published'" },
      signal: { on: 'signal', where: 'signal IS NOT NULL' },
    },
  },
);

export const CHAT_EDITS = table('chat_edits', ['channel', 'message', 'number'], {
  channel: 'text',
  message: 'text',
  number: 'int',
  at: 'int',
  old_hash: 'text',
  new_hash: 'text',
  text: 'text?',
});
