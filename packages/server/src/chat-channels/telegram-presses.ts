// Presses of buttons in Telegram chats: in a channel only its administrators may press.
import { MINUTE_MS } from '@tickwire/engine';
import type { TelegramBot } from '../delivery/telegram-bot.ts';
import type { ChatUpdate } from '../delivery/telegram-updates.ts';
import type { ChatChannelRow } from '../store/chat-store.ts';
import { LruMap } from '../work/lru-map.ts';
import { RateLimiter } from '../work/rate-limiter.ts';
import { ChatPresses, type ChatPressesOptions } from './chat-presses.ts';
import { firstPoints } from './chat-texts.ts';
import { keyboardFor } from './telegram-sender.ts';

const CALL_MS = 10_000;
/** How long the administrators of a chat are remembered: so long does somebody who is one no more remain one. */
const ADMINISTRATORS_MS = MINUTE_MS;
/** Times in a minute that Telegram is asked for them: more only if it does not answer. */
const LOOKUPS_PER_MINUTE = 6;
const MAX_CHATS = 1_000;
/** Characters that Telegram shows at a button. */
const MAX_SHOWN = 200;

type Press = Extract<ChatUpdate, { kind: 'button' }>;

export interface TelegramPressesOptions extends ChatPressesOptions {
  readonly bot: Pick<TelegramBot, 'api' | 'administrators'>;
}

export class TelegramPresses {
  readonly #options: TelegramPressesOptions;
  readonly #presses: ChatPresses;
  readonly #lookups = new RateLimiter<number>({ limit: LOOKUPS_PER_MINUTE });
  readonly #administrators = new LruMap<number, { readonly ids: ReadonlySet<number>; readonly until: number }>(
    MAX_CHATS,
  );

  constructor(options: TelegramPressesOptions) {
    this.#options = options;
    this.#presses = new ChatPresses(options);
  }

  /** Never throws. */
  take(channel: ChatChannelRow, { chat, from, query, under, data }: Press): Promise<void> {
    const isPublic = chat.kind === 'group';
    const show = async (text: string): Promise<boolean> => {
      const shown = firstPoints(text, MAX_SHOWN);
      return (await this.#call('answerCallbackQuery', { callback_query_id: query, text: shown })).ok;
    };
    return this.#presses.take(channel, {
      ...{ from: String(from), isPublic, data, show },
      refusal: async () =>
        isPublic && !(await this.#administratorsOf(chat.id)).has(from)
          ? 'Only an administrator of this channel can do this.'
          : null,
      // Telegram refuses an answer to a press that is too old.
      accept: show,
      edit: ({ message }, text, withButtons) =>
        this.#call('editMessageText', {
          ...{ chat_id: chat.id, message_id: under, text },
          ...(withButtons && { reply_markup: keyboardFor(message) }),
        }),
    });
  }

  async #administratorsOf(chat: number): Promise<ReadonlySet<number>> {
    const { bot, now } = this.#options;
    const known = this.#administrators.get(chat);
    if (known && now() < known.until) return known.ids;
    if (this.#lookups.take(chat, now()) > 0) throw new Error('Telegram did not say who runs the chat');
    const ids = await bot.administrators(chat);
    this.#administrators.set(chat, { ids, until: now() + ADMINISTRATORS_MS });
    return ids;
  }

  #call(method: string, parameters: Readonly<Record<string, unknown>>) {
    return this.#options.bot.api.call(method, parameters, { signal: AbortSignal.timeout(CALL_MS) });
  }
}
