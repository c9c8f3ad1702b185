// Reads updates of the Telegram Bot API (https://core.telegram.org/bots/api#update). Anything may be missing or of another
// type: the server is not trusted to be well-behaved.
import type { TelegramChat } from './channel.ts';

/** The form of our codes: 12 bytes in base64url. */
const CODE = /^[\w-]{16}$/;
const COMMAND = /^\/(?:start|link)(?:@\w+)?(?:\s+(\S+))?\s*$/;
const MAX_TITLE = 128;

export type ChatUpdate =
  | {
      readonly kind: 'text';
      readonly id: number;
      readonly chat: TelegramChat;
      /** Id of the person; `null` for the chat itself. */
      readonly from: number | null;
      /** Written in the name of the chat: by an anonymous administrator, or in a channel. */
      readonly asChat: boolean;
      readonly code: string | null;
      /** It was written to the bot, so that it deserves an answer. */
      readonly asked: boolean;
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
  const message = fields(update.message ?? update.channel_post);
  const chat = readChat(message.chat);
  if (!chat) return other;
  const to = message.migrate_to_chat_id;
  if (isId(to)) return { kind: 'moved', id, chat: chat.id, to };
  if (typeof message.text !== 'string') return other;
  const text = message.text.trim();
  const command = COMMAND.exec(text);
  const plain = command === null && CODE.test(text) ? text : null;
  const code = command === null ? plain : (command[1] ?? null);
  const sender = fields(message.sender_chat).id;
  const from = fields(message.from).id;
  return {
    kind: 'text',
    id,
    chat,
    from: isId(from) ? from : null,
    asChat: update.channel_post !== undefined || sender === chat.id,
    // People in a group talk to each other: only a command is meant for the bot.
    code: code !== null && CODE.test(code) && (command !== null || chat.kind === 'private') ? code : null,
    asked: command !== null || chat.kind === 'private',
  };
}

function readChat(given: unknown): TelegramChat | null {
  const { id, type, title, first_name, last_name, username } = fields(given);
  if (!isId(id)) return null;
  const name = [first_name, last_name].filter((part) => typeof part === 'string').join(' ');
  const shown = typeof title === 'string' ? title : name || (typeof username === 'string' ? username : String(id));
  return { id, title: shown.slice(0, MAX_TITLE), kind: type === 'private' ? 'private' : 'group' };
}
