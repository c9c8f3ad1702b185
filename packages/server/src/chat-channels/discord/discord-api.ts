// Calls of Discord's HTTP API, version 10 (https://discord.com/developers/docs/reference). While Discord asks the whole bot
// to wait, no call is sent: an address from which too many refused calls come is blocked.
import manifest from '../../../package.json' with { type: 'json' };
import { jsonOf } from '../../delivery/channels/send-results.ts';
import type { OutgoingHttp } from '../../delivery/outgoing-http.ts';
import { fieldsOf } from './discord-events.ts';

/** Larger than a hundred of the longest messages, or a server with all its roles. */
const RESPONSE_BYTES = 8 * 1024 * 1024;
const CALL_MS = 10_000;
/** Discord requires this form. */
const USER_AGENT = `DiscordBot (self-hosted Tickwire, ${manifest.version})`;

export interface DiscordSettings {
  readonly token: string;
  /** Without `/api`. */
  readonly url: string;
}

export type DiscordAnswer =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      /** `null` if there was no answer. */
      readonly status: number | null;
      readonly reason: string;
      readonly retryAfterMs: number | null;
    };

export interface DiscordApiOptions {
  readonly http: OutgoingHttp;
  readonly settings: DiscordSettings;
  readonly now: () => number;
}

export class DiscordApi {
  readonly #options: DiscordApiOptions;
  readonly #stop = new AbortController();
  #waitUntil = 0;

  constructor(options: DiscordApiOptions) {
    this.#options = options;
  }

  /** Ends all calls: what was not answered is sent again after the next start. */
  stop(): void {
    this.#stop.abort();
  }

  async call(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body: object | null = null,
    signal: AbortSignal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(CALL_MS)]),
  ): Promise<DiscordAnswer> {
    const { http, settings, now } = this.#options;
    const waitMs = this.#waitUntil - now();
    if (waitMs > 0) return { ok: false, status: 429, reason: 'Discord asks the bot to wait', retryAfterMs: waitMs };
    const answer = await http.request({
      method,
      url: `${settings.url.replace(/\/$/, '')}/api/v10${path}`,
      headers: {
        Authorization: `Bot ${settings.token}`,
        'User-Agent': USER_AGENT,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ownServer: true,
      responseBytes: RESPONSE_BYTES,
      signal,
    });
    if (answer.kind !== 'answer') return { ok: false, status: null, reason: answer.reason, retryAfterMs: null };
    const { status } = answer;
    const result = jsonOf(answer.text);
    if (status >= 200 && status < 300) return { ok: true, result };
    const { message, retry_after, global } = result;
    const retryAfterMs = typeof retry_after === 'number' ? retry_after * 1_000 : null;
    if (global === true) this.#waitUntil = now() + (retryAfterMs ?? 0);
    const reason = typeof message === 'string' ? message.slice(0, 200) : `status ${status}`;
    return { ok: false, status, reason, retryAfterMs };
  }

  /** `null` if the bot may not read it. Throws if Discord cannot say it now. */
  async read(path: string, signal?: AbortSignal): Promise<unknown> {
    const answer = await this.call('GET', path, null, signal);
    // The body of an answer that ended early is empty. No answer to what is read is.
    if (answer.ok && (Array.isArray(answer.result) || Object.keys(fieldsOf(answer.result)).length > 0))
      return answer.result;
    if (answer.ok) throw new Error('the answer of Discord is not complete');
    if (isRefused(answer)) return null;
    throw new Error(answer.reason);
  }
}

/** Whether another attempt is of no use: the bot may not do it, or there is no such chat. */
export const isRefused = ({ status }: Extract<DiscordAnswer, { ok: false }>): boolean =>
  status === 400 || status === 403 || status === 404;
