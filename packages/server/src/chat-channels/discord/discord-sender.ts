// Sends messages of channels to Discord. Discord says how long to wait if a channel gets too many.
import type { ChatSender, OutgoingMessage, SendOutcome } from '../chat-platform.ts';
import { type DiscordApi, isRefused } from './discord-api.ts';
import { createBody } from './discord-messages.ts';

export class DiscordSender implements ChatSender {
  readonly #api: DiscordApi;

  constructor(api: DiscordApi) {
    this.#api = api;
  }

  async send(chat: string, message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> {
    const answer = await this.#api.call('POST', `/channels/${chat}/messages`, createBody(message), signal);
    if (answer.ok) {
      const { id } = answer.result as { id?: unknown };
      return { kind: 'sent', id: typeof id === 'string' ? id : null };
    }
    if (isRefused(answer)) return { kind: 'refused', reason: answer.reason };
    return { kind: 'retry', reason: answer.reason, afterMs: answer.retryAfterMs };
  }
}
