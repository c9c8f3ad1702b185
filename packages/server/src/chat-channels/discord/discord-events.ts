// Reads events of Discord's gateway and messages of its API (https://discord.com/developers/docs/events/gateway-events). Anything may be
// missing or of another type: the server is not trusted to be well-behaved.

/** The form of our codes: 12 bytes in base64url. */
const CODE = /^(?:[/!]?link\s+)?([\w-]{16})$/i;
const ID = /^\d{1,20}$/;
/** Ordinary messages and replies, not notices such as "pinned a message". */
const MESSAGE_TYPES: readonly unknown[] = [0, 19];
const MAX_NAME = 128;
/** Start of the times in ids: 2015. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;

export interface DiscordMessage {
  readonly id: string;
  readonly author: { readonly id: string; readonly name: string };
  /** Ids of the roles of the author in the server. Empty where Discord leaves them out: in messages of its API. */
  readonly roles: readonly string[];
  readonly text: string;
  readonly isEdited: boolean;
  /** The one-time code that the message consists of. */
  readonly code: string | null;
  readonly repliesTo: { readonly id: string; readonly text: string } | null;
}

interface InChat {
  readonly chat: string;
  /** Id of the server; `null` in a private chat. */
  readonly server: string | null;
}

export type DiscordEvent = InChat &
  (
    | { readonly kind: 'message' | 'edit'; readonly message: DiscordMessage }
    | { readonly kind: 'deletion'; readonly ids: readonly string[] }
    | {
        readonly kind: 'press';
        readonly id: string;
        /** Answers it, for 15 minutes. */
        readonly token: string;
        /** Id of the message that has the button. */
        readonly under: string;
        readonly from: string;
        readonly data: string;
      }
  );

/** Milliseconds since 1970, by the clock of Discord. */
export const timeOfId = (id: string): number => Number(BigInt(id) >> 22n) + DISCORD_EPOCH_MS;

export type Fields = Readonly<Record<string, unknown>>;
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
export const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** `null` for what does not concern publishing, such as messages of bots. */
export function readEvent(name: string, given: unknown): DiscordEvent | null {
  const event = fieldsOf(given);
  const { channel_id: chat, guild_id } = event;
  if (!isId(chat)) return null;
  const inChat = { chat, server: isId(guild_id) ? guild_id : null };
  switch (name) {
    case 'MESSAGE_CREATE':
    case 'MESSAGE_UPDATE': {
      const message = readMessage(event);
      const isNew = name === 'MESSAGE_CREATE';
      // A preview of a link is an update that is no edit.
      if (!message || (isNew ? message.text === '' : !message.isEdited)) return null;
      return { ...inChat, kind: isNew ? 'message' : 'edit', message };
    }
    case 'MESSAGE_DELETE':
      return { ...inChat, kind: 'deletion', ids: [event.id].filter(isId) };
    case 'MESSAGE_DELETE_BULK':
      return { ...inChat, kind: 'deletion', ids: listOf(event.ids).filter(isId) };
    case 'INTERACTION_CREATE': {
      const { id, token } = event;
      const from = fieldsOf(fieldsOf(event.member).user ?? event.user).id;
      const data = fieldsOf(event.data).custom_id;
      const under = fieldsOf(event.message).id;
      if (!isId(id) || !isId(under) || typeof token !== 'string' || !isId(from) || typeof data !== 'string')
        return null;
      return { ...inChat, kind: 'press', id, token, under, from, data };
    }
    default:
      return null;
  }
}

/** `null` if it has no author who is a person, or no text: changes of previews have none. */
export function readMessage(given: unknown): DiscordMessage | null {
  const { id, author, member, type, content, edited_timestamp, webhook_id, referenced_message } = fieldsOf(given);
  const { id: from, username, bot } = fieldsOf(author);
  if (!isId(id) || !isId(from) || bot === true || webhook_id !== undefined || typeof content !== 'string') return null;
  if (type !== undefined && !MESSAGE_TYPES.includes(type)) return null;
  const replied = fieldsOf(referenced_message);
  return {
    id,
    author: { id: from, name: (typeof username === 'string' ? username : from).slice(0, MAX_NAME) },
    roles: listOf(fieldsOf(member).roles).filter(isId),
    text: content,
    isEdited: typeof edited_timestamp === 'string',
    code: CODE.exec(content.trim())?.[1] ?? null,
    repliesTo: isId(replied.id)
      ? { id: replied.id, text: typeof replied.content === 'string' ? replied.content : '' }
      : null,
  };
}
