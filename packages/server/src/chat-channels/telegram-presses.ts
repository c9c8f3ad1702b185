// Presses of the buttons under a preview. Every reader of a channel sees the buttons, so that presses of others than its administrators
// cost no calls. A press that cannot be handled now is dropped, and its author may press again: it does not hold up the chat.
import { MINUTE_MS } from '@tickwire/engine';
import type { TelegramBot } from '../delivery/telegram-bot.ts';
import type { ChatUpdate } from '../delivery/telegram-updates.ts';
import type { Log } from '../ops/log.ts';
import type { ChatChannelRow, ChatMessageRow } from '../store/chat-store.ts';
import { LruMap } from '../work/lru-map.ts';
import { RateLimiter } from '../work/rate-limiter.ts';
import type { ChatPublisher } from './chat-publisher.ts';
import { firstPoints } from './chat-texts.ts';
import { buttonOf, buttonsFor } from './telegram-sender.ts';

const CALL_MS = 10_000;
/** Presses of a person in a chat that are read, in a minute. */
export const PRESSES_PER_MINUTE = 10;
/** Presses of others than administrators that a chat answers, in a minute. */
const REFUSALS_PER_MINUTE = 10;
/** How long the administrators of a chat are remembered: so long does somebody who is one no more remain one. */
const ADMINISTRATORS_MS = MINUTE_MS;
/** Times in a minute that Telegram is asked for them: more only if it does not answer. */
const LOOKUPS_PER_MINUTE = 6;
const MAX_CHATS = 1_000;
/** Characters that Telegram shows at a button. */
const MAX_SHOWN = 200;
const PRESS_AGAIN = 'The last press was not completed. Press again.';

type Press = Extract<ChatUpdate, { kind: 'button' }>;

export interface TelegramPressesOptions {
  readonly bot: Pick<TelegramBot, 'api' | 'administrators'>;
  readonly publisher: Pick<ChatPublisher, 'openPreview' | 'publishPreview' | 'discardPreview'>;
  readonly now: () => number;
  readonly log: Log;
}

export class TelegramPresses {
  readonly #options: TelegramPressesOptions;
  readonly #perPerson = new RateLimiter({ limit: PRESSES_PER_MINUTE });
  readonly #lookups = new RateLimiter<number>({ limit: LOOKUPS_PER_MINUTE });
  readonly #refusals = new RateLimiter<number>({ limit: REFUSALS_PER_MINUTE });
  readonly #administrators = new LruMap<number, { readonly ids: ReadonlySet<number>; readonly until: number }>(
    MAX_CHATS,
  );

  constructor(options: TelegramPressesOptions) {
    this.#options = options;
  }

  /** Never throws. */
  async take(channel: ChatChannelRow, press: Press): Promise<void> {
    const { now, log } = this.#options;
    if (this.#perPerson.take(`${press.chat.id} ${press.from}`, now()) > 0) return;
    try {
      await this.#take(channel, press);
    } catch (error) {
      log.warn('a press of a button in a chat was not handled', { channel: channel.id, error });
    }
  }

  async #take(channel: ChatChannelRow, { chat, from, query, data }: Press): Promise<void> {
    const { publisher, now } = this.#options;
    const button = buttonOf(data);
    if (!button) return;
    const isPublic = chat.kind === 'group';
    if (isPublic && !(await this.#administratorsOf(chat.id)).has(from)) {
      if (this.#refusals.take(chat.id, now()) === 0)
        await this.#show(query, 'Only an administrator of this channel can do this.');
      return;
    }
    const row = await publisher.openPreview(channel, button.message);
    if (typeof row === 'string') return void (await this.#show(query, row));
    const edit = (text: string, buttons = false) => this.#edit(chat.id, row, text, buttons);
    const askAgain = () => edit(`${row.reply}\n\n${PRESS_AGAIN}`, true);
    // Telegram refuses an answer to a press that is too old: it may have waited while the service was stopped.
    if (!(await this.#show(query, button.action === 'publish' ? 'Publishing…' : 'Discarding…'))) return askAgain();
    try {
      await edit(
        button.action === 'publish'
          ? await publisher.publishPreview(channel, row, isPublic)
          : await publisher.discardPreview(row),
      );
    } catch (error) {
      await askAgain();
      throw error;
    }
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

  /** Shows a line to the person who pressed the button. False if it cannot be shown. */
  async #show(query: string, text: string): Promise<boolean> {
    const shown = firstPoints(text, MAX_SHOWN);
    return (await this.#call('answerCallbackQuery', { callback_query_id: query, text: shown })).ok;
  }

  /** Replaces the text of a preview. */
  async #edit(chat: number, { message, answer }: ChatMessageRow, text: string, buttons: boolean): Promise<void> {
    if (answer === null) return;
    await this.#call('editMessageText', {
      chat_id: chat,
      message_id: Number(answer),
      text,
      ...(buttons && { reply_markup: buttonsFor(message) }),
    });
  }

  #call(method: string, parameters: Readonly<Record<string, unknown>>) {
    return this.#options.bot.api.call(method, parameters, { signal: AbortSignal.timeout(CALL_MS) });
  }
}
