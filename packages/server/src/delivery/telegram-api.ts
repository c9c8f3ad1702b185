// Calls of the Telegram Bot API (https://core.telegram.org/bots/api). The token is part of every address, so that it must not
// get into a reason or the log. Never throws.
import { jsonOf } from './channels/send-results.ts';
import type { OutgoingHttp } from './outgoing-http.ts';

export interface TelegramSettings {
  readonly token: string;
  /** Without the path of the bot. */
  readonly url: string;
}

export type TelegramAnswer =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      /** `null` if there was no valid answer. */
      readonly code: number | null;
      readonly reason: string;
      readonly retryAfterMs: number | null;
      /** The group became a supergroup with this id. */
      readonly movedTo: number | null;
    };

export interface TelegramCall {
  readonly signal: AbortSignal;
  readonly totalMs?: number;
  readonly responseBytes?: number;
}

export class TelegramApi {
  readonly #http: OutgoingHttp;
  readonly #settings: TelegramSettings;

  constructor(http: OutgoingHttp, settings: TelegramSettings) {
    this.#http = http;
    this.#settings = settings;
  }

  async call(
    method: string,
    parameters: Readonly<Record<string, unknown>>,
    call: TelegramCall,
  ): Promise<TelegramAnswer> {
    const { token, url } = this.#settings;
    const answer = await this.#http.post({
      url: `${url.replace(/\/$/, '')}/bot${token}/${method}`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(parameters),
      ownServer: true,
      ...call,
    });
    if (answer.kind !== 'answer') return failure(null, answer.reason.replaceAll(token, '…'));
    const { status, text } = answer;
    const { ok, result, description, parameters: hints } = jsonOf(text);
    if (ok === true && status >= 200 && status < 300) return { ok: true, result };
    if (ok !== false) return failure(status >= 400 ? status : null, `status ${status} without a valid answer`);
    const { retry_after, migrate_to_chat_id } = Object(hints) as Readonly<Record<string, unknown>>;
    const why = typeof description === 'string' ? description.replaceAll(token, '…').slice(0, 200) : `status ${status}`;
    return {
      ...failure(status, why),
      retryAfterMs: typeof retry_after === 'number' ? retry_after * 1_000 : null,
      movedTo: Number.isSafeInteger(migrate_to_chat_id) ? (migrate_to_chat_id as number) : null,
    };
  }
}

const failure = (code: number | null, reason: string): Extract<TelegramAnswer, { ok: false }> => ({
  ok: false,
  code,
  reason,
  retryAfterMs: null,
  movedTo: null,
});
