// Chats from which accounts publish signals, the messages read from them, and later edits of those messages. Times are milliseconds
// since 1970.
import type { ChatMode, ChatOutcome, ChatPlatform } from '@tickwire/contract';

export interface ChatChannelRow {
  readonly id: string;
  /** Public id of the account. */
  readonly account: string;
  readonly platform: ChatPlatform;
  /** The platform's id of the chat; `null` until it is linked. A chat belongs to one account. */
  readonly chat: string | null;
  readonly title: string | null;
  /** The platform's id of the person whose messages count; `null` if all messages of the chat do. */
  readonly author: string | null;
  readonly mode: ChatMode;
  /** 1: the text of messages and edits is kept and shown. */
  readonly keepText: number;
  /** SHA-256 of the one-time code, hex. It stays, so that a repeated message with the code finds its channel. */
  readonly codeHash: string | null;
  readonly codeExpiresAt: number | null;
  readonly createdAt: number;
  readonly linkedAt: number | null;
  /** Why the bot cannot answer in the chat. */
  readonly problem: string | null;
}

/** `answer`: `reply` is to be sent. `watched`: the events of its signal are to be posted. */
export type ChatPosting = 'answer' | 'watched' | 'done';

export interface ChatMessageRow {
  /** Id of the channel. */
  readonly channel: string;
  /** The platform's id of the message in its chat. */
  readonly message: string;
  /** That of its channel, which may be deleted. */
  readonly platform: ChatPlatform;
  readonly sentAt: number;
  readonly receivedAt: number;
  /** SHA-256 of the text, hex. */
  readonly hash: string;
  readonly text: string | null;
  readonly outcome: ChatOutcome;
  /** The outcome as a sentence. */
  readonly detail: string;
  /** The signal that it published, or that it changed. */
  readonly signal: string | null;
  /** The publication that a preview shows: JSON. */
  readonly draft: string | null;
  /** What the bot answers; `null` for nothing. */
  readonly reply: string | null;
  /** The platform's id of the first answer. */
  readonly answer: string | null;
  readonly posting: ChatPosting;
  /** Number of the last record of the signal log that was posted. */
  readonly posted: number;
}

/** Instead of the hash of a text: the message was deleted. */
export const DELETED = '';

/** A later edit of a message, or its deletion. */
export interface ChatEditRow {
  readonly channel: string;
  readonly message: string;
  /** Counts the edits of a message, starting at 1. */
  readonly number: number;
  readonly at: number;
  readonly oldHash: string;
  /** Or `DELETED`. */
  readonly newHash: string;
  readonly text: string | null;
}

export interface SignalEditRow extends ChatEditRow {
  readonly platform: ChatPlatform;
}

/** What a decision changes about a message that was read before. */
export type ChatDecision = Pick<ChatMessageRow, 'outcome' | 'detail' | 'signal' | 'reply' | 'posting'>;

export interface ChatStore {
  channels(): Promise<ChatChannelRow[]>;
  /** Creates or replaces it. */
  putChannel(channel: ChatChannelRow): Promise<void>;
  /** Deletes it with its messages, except those that published a signal: their edits stay visible. */
  deleteChannel(id: string): Promise<void>;
  message(channel: string, message: string): Promise<ChatMessageRow | undefined>;
  /** The message that published a signal; only of this channel if one is named. */
  publishedBy(signal: string, channel?: string): Promise<ChatMessageRow | undefined>;
  /** The message that the bot answered with this one. */
  answeredBy(channel: string, answer: string): Promise<ChatMessageRow | undefined>;
  /** Newest first. */
  messages(channel: string, limit: number): Promise<ChatMessageRow[]>;
  /** A message that is stored already stays as it is. */
  addMessage(message: ChatMessageRow): Promise<void>;
  decide(channel: string, message: string, decision: ChatDecision): Promise<void>;
  /** Channels of a platform with an answer to send. */
  answering(platform: ChatPlatform): Promise<string[]>;
  /** The oldest message of a channel whose answer is to be sent. */
  nextAnswer(channel: string): Promise<ChatMessageRow | undefined>;
  /** The reply was sent, with this id. If another one is to be sent by now, `posting` stays. */
  answered(message: ChatMessageRow, answer: string | null, posting: ChatPosting): Promise<void>;
  /** Ids of signals whose events are to be posted on a platform. */
  watched(platform: ChatPlatform): Promise<string[]>;
  /** The events up to record `n` were posted. */
  setPosted(message: ChatMessageRow, n: number, posting: ChatPosting): Promise<void>;
  addEdit(edit: ChatEditRow): Promise<void>;
  lastEdit(channel: string, message: string): Promise<ChatEditRow | undefined>;
  /** Edits of the message that published a signal, oldest first. */
  edits(signal: string): Promise<SignalEditRow[]>;
  /** Marks previews that were received before this time as expired. Those that were not sent yet are answered with `detail`. */
  expirePreviews(before: number, detail: string): Promise<void>;
  /** Deletes messages that were received before this time and published nothing. */
  pruneMessages(before: number): Promise<void>;
}
