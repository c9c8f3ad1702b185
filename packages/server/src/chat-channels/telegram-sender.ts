// Sends messages of channels to Telegram chats, at the pace that Telegram allows.
import { TelegramPace } from '../delivery/channels/telegram-pace.ts';
import type { TelegramApi } from '../delivery/telegram-api.ts';
import { buttonsFor } from './chat-buttons.ts';
import type { ChatSender, OutgoingMessage, SendOutcome } from './chat-platform.ts';

export class TelegramSender implements ChatSender {
  readonly #api: TelegramApi;
  readonly #now: () => number;
  readonly #pace = new TelegramPace();

  constructor(api: TelegramApi, now: () => number) {
    this.#api = api;
    this.#now = now;
  }

  async send(chat: string, { text, replyTo, asks }: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> {
    const id = Number(chat);
    // Groups and channels have negative ids. Telegram has no such limit for a private chat.
    const waitMs = id < 0 ? this.#pace.groupWait(id, this.#now()) : 0;
    if (waitMs > 0)
      return { kind: 'retry', reason: 'the chat got as many messages as Telegram allows', afterMs: waitMs };
    const answer = await this.#api.call(
      'sendMessage',
      {
        chat_id: id,
        text,
        link_preview_options: { is_disabled: true },
        // Its author may have deleted the message meanwhile.
        reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true },
        ...(asks && { reply_markup: keyboardFor(replyTo) }),
      },
      { signal },
    );
    if (answer.ok) {
      const { message_id } = Object(answer.result) as { message_id?: unknown };
      return { kind: 'sent', id: typeof message_id === 'number' ? String(message_id) : null };
    }
    const { code, reason, retryAfterMs } = answer;
    if (code === 400 || code === 403) return { kind: 'refused', reason };
    return { kind: 'retry', reason, afterMs: retryAfterMs };
  }
}

export const keyboardFor = (message: string) => ({
  inline_keyboard: [buttonsFor(message).map(({ label, data }) => ({ text: label, callback_data: data }))],
});
