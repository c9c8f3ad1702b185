// Presses of the buttons under a preview. Every reader of a channel sees the buttons, so that only a few refusals a minute are shown.
// A press that cannot be handled now is dropped, and its author may press again: it does not hold up the chat.
import type { Log } from '../ops/log.ts';
import type { ChatChannelRow, ChatMessageRow } from '../store/chat-store.ts';
import { RateLimiter } from '../work/rate-limiter.ts';
import { buttonOf } from './chat-buttons.ts';
import type { ChatPublisher } from './chat-publisher.ts';

/** Presses of a person in a chat that are read, in a minute. */
export const PRESSES_PER_MINUTE = 10;
/** Presses of people who may not press that a chat answers, in a minute. */
const REFUSALS_PER_MINUTE = 10;
const PRESS_AGAIN = 'The last press was not completed. Press again.';

/** A press, and what its platform can do about it. */
export interface ChatPress {
  /** The platform's id of the person. */
  readonly from: string;
  /** Whether others read the chat. */
  readonly isPublic: boolean;
  readonly data: string;
  /** Why this person may not press; `null` if they may. */
  refusal(): Promise<string | null>;
  /** Shows a line to the person who pressed the button. */
  show(text: string): Promise<unknown>;
  /** Tells the platform that the press is being handled. False if it is too late for that: it may have waited while the service was stopped. */
  accept(text: string): Promise<boolean>;
  /** Replaces the text of a preview. */
  edit(row: ChatMessageRow, text: string, withButtons: boolean): Promise<unknown>;
}

export interface ChatPressesOptions {
  readonly publisher: Pick<ChatPublisher, 'openPreview' | 'publishPreview' | 'discardPreview'>;
  readonly now: () => number;
  readonly log: Log;
}

export class ChatPresses {
  readonly #options: ChatPressesOptions;
  readonly #perPerson = new RateLimiter({ limit: PRESSES_PER_MINUTE });
  readonly #refusals = new RateLimiter({ limit: REFUSALS_PER_MINUTE });

  constructor(options: ChatPressesOptions) {
    this.#options = options;
  }

  /** Never throws. */
  async take(channel: ChatChannelRow, press: ChatPress): Promise<void> {
    if (this.#perPerson.take(`${channel.id} ${press.from}`, this.#options.now()) > 0) return;
    try {
      await this.#take(channel, press);
    } catch (error) {
      this.#fail(channel, error);
    }
  }

  #fail({ id }: ChatChannelRow, error: unknown): void {
    this.#options.log.warn('a press of a button in a chat was not handled', { channel: id, error });
  }

  async #take(channel: ChatChannelRow, press: ChatPress): Promise<void> {
    const { publisher, now } = this.#options;
    const button = buttonOf(press.data);
    if (!button) return;
    const refusal = await press.refusal();
    if (refusal !== null) {
      // The answer to a stranger holds up nobody.
      if (this.#refusals.take(channel.id, now()) === 0)
        press.show(refusal).catch((error) => this.#fail(channel, error));
      return;
    }
    const row = await publisher.openPreview(channel, button.message);
    if (typeof row === 'string') return void (await press.show(row));
    const askAgain = () => press.edit(row, `${row.reply}\n\n${PRESS_AGAIN}`, true);
    if (!(await press.accept(button.action === 'publish' ? 'Publishing…' : 'Discarding…')))
      return void (await askAgain());
    try {
      const text =
        button.action === 'publish'
          ? await publisher.publishPreview(channel, row, press.isPublic)
          : await publisher.discardPreview(row);
      await press.edit(row, text, false);
    } catch (error) {
      await askAgain();
      throw error;
    }
  }
}
