// Reads updates of the Telegram Bot API (https://core.telegram.org/bots/api#update). Anything may be missing or of another
// type: the server is not trusted to be well-behaved.
import type { TelegramChat } from './channel.ts';

/** The form of our codes: 12 bytes in base64url. */
const CODE = /^[\w-]{16}$/;
const COMMAND = /^\/(?:start|link)(?:@\w+)?(?:\s+(\S+))?\s*$/;
const MAX_TITLE = 128;

export interface ChatMessage {
  readonly id: number;
  /** By the clock of Telegram, in milliseconds since 1970; whole seconds. */
  readonly sentAt: number;
  /** The text, or the caption of a picture. */
  readonly text: string;
  /** Posted in a channel, where only administrators write. */
  readonly inChannel: boolean;
  readonly repliesTo: { readonly id: number; readonly text: string } | null;
}

export type ChatUpdate =
  | {
      readonly kind: 'text';
      readonly id: number;
      readonly chat: TelegramChat;
      readonly message: ChatMessage;
      /** Id of the person; `null` for the chat itself. */
      readonly from: number | null;
      /** Written in the name of the chat: by an anonymous administrator, or in a channel. */
      readonly asChat: boolean;
      readonly code: string | null;
      /** It was written to the bot, so that it deserves an answer. */
      readonly asked: boolean;
    }
  | { readonly kind: 'edit'; readonly id: number; readonly chat: TelegramChat; readonly message: ChatMessage }
  | {
      /** Somebody pressed a button under a message of the bot. */
      readonly kind: 'button';
      readonly id: number;
      readonly chat: TelegramChat;
      readonly query: string;
      /** Id of the message that has the button. */
      readonly under: number;
      readonly from: number;
      readonly data: string;
    }
  | { readonly kind: 'moved'; readonly id: number; readonly chat: number; readonly to: number }
  | { readonly kind: 'left'; readonly id: number; readonly chat: number }
  | { readonly kind: 'other'; readonly id: number };

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const isId = (value: unknown): value is number => Number.isSafeInteger(value);

/** `null` if it has no id. */
export function readUpdate(given: unknown): ChatUpdate | null {
  const update = fields(given);
  const id = update.update_id;
  if (!isId(id) || id < 0) return null;
  const other = { kind: 'other', id } as const;
  if (update.my_chat_member !== undefined) {
    const { chat, new_chat_member } = fields(update.my_chat_member);
    const from = fields(chat).id;
    const { status } = fields(new_chat_member);
    return isId(from) && (status === 'kicked' || status === 'left') ? { kind: 'left', id, chat: from } : other;
  }
  if (update.callback_query !== undefined) return readButton(id, fields(update.callback_query)) ?? other;
  const edited = fields(update.edited_message ?? update.edited_channel_post);
  const changed = readChat(edited.chat);
  // An edit can remove a caption.
  const change = changed && readMessage(edited, '');
  if (change) return { kind: 'edit', id, chat: changed, message: change };
  const written = fields(update.message ?? update.channel_post);
  const chat = readChat(written.chat);
  if (!chat) return other;
  const to = written.migrate_to_chat_id;
  if (isId(to)) return { kind: 'moved', id, chat: chat.id, to };
  const message = readMessage(written);
  if (!message) return other;
  const text = message.text.trim();
  const command = COMMAND.exec(text);
  const plain = command === null && CODE.test(text) ? text : null;
  const code = command === null ? plain : (command[1] ?? null);
  const sender = fields(written.sender_chat).id;
  const from = fields(written.from).id;
  return {
    kind: 'text',
    id,
    chat,
    message,
    from: isId(from) ? from : null,
    asChat: update.channel_post !== undefined || sender === chat.id,
    // People in a group talk to each other: only a command is meant for the bot.
    code: code !== null && CODE.test(code) && (command !== null || chat.kind === 'private') ? code : null,
    asked: command !== null || chat.kind === 'private',
  };
}

/** `null` without a text. */
function readMessage(
  { message_id, date, text, caption, chat, reply_to_message }: Fields,
  missing?: string,
): ChatMessage | null {
  const content = text ?? caption ?? missing;
  if (typeof content !== 'string' || !isId(message_id) || !isId(date)) return null;
  const replied = fields(reply_to_message);
  const repliedText = replied.text ?? replied.caption;
  return {
    id: message_id,
    sentAt: date * 1_000,
    text: content,
    inChannel: fields(chat).type === 'channel',
    repliesTo: isId(replied.message_id)
      ? { id: replied.message_id, text: typeof repliedText === 'string' ? repliedText : '' }
      : null,
  };
}

function readButton(id: number, { id: query, from, data, message }: Fields): ChatUpdate | null {
  const { chat: place, message_id: under } = fields(message);
  const chat = readChat(place);
  const person = fields(from).id;
  if (!chat || typeof query !== 'string' || typeof data !== 'string' || !isId(person) || !isId(under)) return null;
  return { kind: 'button', id, chat, query, under, from: person, data };
}

function readChat(given: unknown): TelegramChat | null {
  const { id, type, title, first_name, last_name, username } = fields(given);
  if (!isId(id)) return null;
  const name = [first_name, last_name].filter((part) => typeof part === 'string').join(' ');
  const shown = typeof title === 'string' ? title : name || (typeof username === 'string' ? username : String(id));
  return { id, title: shown.slice(0, MAX_TITLE), kind: type === 'private' ? 'private' : 'group' };
}
