// Chats from which an account publishes: how they are linked, what was read from them, and edits of their messages.
import { z } from 'zod';
import {
  choice,
  flag,
  integerQuery,
  namedList,
  namedObject,
  nullable,
  Timestamp,
  text,
  timestamp,
} from '../common/values.ts';

export const CHAT_PLATFORMS = ['telegram', 'discord'] as const;
export type ChatPlatform = (typeof CHAT_PLATFORMS)[number];
export const CHAT_MODES = ['review', 'automatic'] as const;
export type ChatMode = (typeof CHAT_MODES)[number];
export const CHAT_OUTCOMES = [
  'published',
  'preview',
  'discarded',
  'expired',
  'refused',
  'late',
  'ignored',
  'amended',
  'closed',
] as const;
export type ChatOutcome = (typeof CHAT_OUTCOMES)[number];

const MODE = '`review`: published when confirmed. `automatic`: published at once';
const KEEP_TEXT = 'Whether texts of messages and edits are kept and shown';

export const ChatChannelRequest = namedObject('ChatChannelRequest', 'A chat to link', () => ({
  platform: choice(CHAT_PLATFORMS, 'Platform'),
  mode: choice(CHAT_MODES, 'Default: `review`').optional(),
  keep_text: flag('Default: false').optional(),
}));
export type ChatChannelRequest = z.infer<typeof ChatChannelRequest>;

export const ChatChannelChange = namedObject('ChatChannelChange', 'Fields to change', () => ({
  mode: choice(CHAT_MODES, 'Mode').optional(),
  keep_text: flag('Whether texts are kept').optional(),
}));
export type ChatChannelChange = z.infer<typeof ChatChannelChange>;

export const ChatChannel = namedObject('ChatChannel', 'A chat from which the account publishes', () => ({
  id: text('Id'),
  platform: z.enum(CHAT_PLATFORMS).meta({ description: 'Platform' }),
  mode: z.enum(CHAT_MODES).meta({ description: MODE }),
  keep_text: z.boolean().meta({ description: KEEP_TEXT }),
  title: nullable(z.string(), 'Title; `null` until linked'),
  created_at: timestamp('Time of creation'),
  linked_at: nullable(Timestamp, 'Time of linking; `null` until then'),
  problem: nullable(z.string(), 'Why the bot cannot answer'),
}));
export type ChatChannel = z.infer<typeof ChatChannel>;

export const CreatedChatChannel = ChatChannel.extend({
  link: nullable(
    z.object({
      code: text('One-time code, valid for 15 minutes'),
      url: nullable(z.string(), 'Address that opens the chat with the bot; Discord: that adds it to a server'),
    }),
    'Post the code in the channel (Telegram: `/link` and the code), or send it to the bot',
  ),
}).meta({ id: 'CreatedChatChannel', description: 'A new channel' });
export type CreatedChatChannel = z.infer<typeof CreatedChatChannel>;

export const ChatChannelList = namedList('ChatChannelList', 'Chats of the account', ChatChannel, 'Oldest first');
export type ChatChannelList = z.infer<typeof ChatChannelList>;

export const ChatMessage = namedObject('ChatMessage', 'A message of a chat', () => ({
  received_at: timestamp('Time of receipt'),
  sent_at: timestamp('Time at the platform'),
  outcome: z.enum(CHAT_OUTCOMES).meta({
    description: '`late`: older than 30 s when received. `ignored`: not a signal. `expired`: nobody confirmed',
  }),
  detail: text('The outcome as a sentence'),
  signal_id: nullable(z.string(), 'Id of its signal'),
  text: nullable(z.string(), 'Text, if the channel keeps it'),
}));
export type ChatMessage = z.infer<typeof ChatMessage>;

export const ChatMessagesQuery = z.object({ limit: integerQuery('Maximum number of items', 1, 200, 50) });
export type ChatMessagesQuery = z.infer<typeof ChatMessagesQuery>;
export const ChatMessageList = namedList('ChatMessageList', 'Messages of a chat', ChatMessage, 'Newest first');
export type ChatMessageList = z.infer<typeof ChatMessageList>;

export const SignalEdit = namedObject('SignalEdit', 'An edit, or the deletion, of the message of a signal', () => ({
  edited_at: timestamp('Time of receipt'),
  platform: z.enum(CHAT_PLATFORMS).meta({ description: 'Platform' }),
  old_sha256: text('SHA-256 of the text before, hex'),
  new_sha256: nullable(z.string(), 'SHA-256 of the text after, hex; `null` if the message was deleted'),
  text: nullable(z.string(), 'New text, if its publisher shows it'),
}));
export type SignalEdit = z.infer<typeof SignalEdit>;
export const SignalEditList = namedList('SignalEditList', 'Edits of a message', SignalEdit, 'Oldest first');
export type SignalEditList = z.infer<typeof SignalEditList>;
