// Links Telegram chats by the one-time codes that people send to the bot.
import { MINUTE_MS } from '@tickwire/engine';
import { RateLimiter } from '../work/rate-limiter.ts';
import type { TelegramChat } from './channel.ts';
import type { TelegramBot } from './telegram-bot.ts';
import type { ChatUpdate } from './telegram-updates.ts';

const MAX_WRONG_CODES = 5;
const WRONG_CODES_MS = 15 * MINUTE_MS;

type TextUpdate = Extract<ChatUpdate, { kind: 'text' }>;

/** Links the chat to what has the code, and returns the answer. `null` if nothing has it, or the code has expired. */
export type TelegramLinker = (code: string, chat: TelegramChat, update: TextUpdate) => Promise<string | null>;

export interface TelegramLinkOptions {
  readonly bot: Pick<TelegramBot, 'say' | 'isAdministrator'>;
  /** Asked in turn. */
  readonly linkers: readonly TelegramLinker[];
  readonly now: () => number;
}

export class TelegramLink {
  readonly #options: TelegramLinkOptions;
  /** Wrong codes by chat. There is no limit over all chats: codes have 96 bits, and anybody could use it up to keep others out. */
  readonly #wrong = new RateLimiter<number>({ limit: MAX_WRONG_CODES, windowMs: WRONG_CODES_MS });
  /** Refusals that a chat is sent. */
  readonly #refusals = new RateLimiter<number>({ limit: 1 });

  constructor(options: TelegramLinkOptions) {
    this.#options = options;
  }

  readonly take = async (update: ChatUpdate): Promise<boolean> => {
    if (update.kind !== 'text') return false;
    const { chat, code, asked } = update;
    if (code !== null) await this.#takeCode(code, update);
    else if (asked) await this.#refuse(chat, 'Send me the code that Tickwire shows you to link this chat.');
    return true;
  };

  async #takeCode(code: string, update: TextUpdate): Promise<void> {
    const { bot, linkers, now } = this.#options;
    const { chat } = update;
    if (this.#wrong.remaining(chat.id, now()) === 0) return;
    if (chat.kind === 'group' && !(await this.#isAdministrator(update)))
      return this.#refuse(chat, 'Only an administrator of this group can link it.');
    for (const link of linkers) {
      const answer = await link(code, chat, update);
      if (answer === null) continue;
      this.#wrong.forget(chat.id);
      return bot.say(chat.id, answer);
    }
    this.#wrong.take(chat.id, now());
    await this.#refuse(chat, 'This code is not valid, or it has expired. Create a new one in Tickwire.');
  }

  /** A group gets messages only if one of those who run it wants them. */
  async #isAdministrator({ chat, from, asChat }: TextUpdate): Promise<boolean> {
    return asChat || (from !== null && (await this.#options.bot.isAdministrator(chat.id, from)));
  }

  /** At most once a minute for a chat: nobody can make the bot write more. */
  async #refuse(chat: TelegramChat, text: string): Promise<void> {
    if (this.#refusals.take(chat.id, this.#options.now()) === 0) await this.#options.bot.say(chat.id, text);
  }
}
