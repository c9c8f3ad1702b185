// The line at the foot: are the streams live, how is the service, what is left of the allowance.
import type { Allowance, AnswerInfo, SessionStatistics, StateDetail, StreamState } from '@tickwire/client';
import { element, write } from './elements.ts';
import { duration } from './format.ts';

const NOTICE_MS = 12_000;

export class StatusBar {
  readonly #notice = element('notice', HTMLElement);
  #allowance: Allowance | null = null;
  #clear: ReturnType<typeof setTimeout> | undefined;

  /** As the last answer told it; null before the first. */
  get allowance(): Allowance | null {
    return this.#allowance;
  }

  stream(channel: 'market' | 'orderflow', state: StreamState, detail: StateDetail): void {
    const target = element(`state-${channel}`, HTMLElement);
    target.dataset.state = state;
    // Prices that no longer move are shown as such.
    if (channel === 'market') element('desk', HTMLElement).dataset.live = String(state === 'live');
    const title = channel === 'market' ? 'market' : 'order flow';
    const wait = detail.retryInMs === null ? '' : `, again in ${Math.ceil(detail.retryInMs / 1_000)} s`;
    target.title = detail.end?.reason || state;
    write(target.lastElementChild ?? target, state === 'live' ? title : `${title} ${state}${wait}`);
  }

  session(statistics: SessionStatistics): void {
    const { instruments_active, clients_connected, uptime_seconds } = statistics;
    const clients = clients_connected === 1 ? '1 client' : `${clients_connected} clients`;
    write(
      element('session', HTMLElement),
      `${instruments_active} instruments active · ${clients} · up ${duration(uptime_seconds)}`,
    );
  }

  answer({ allowance, simulated }: AnswerInfo): void {
    if (simulated) this.simulated();
    if (!allowance) return;
    this.#allowance = allowance;
    const target = element('allowance', HTMLElement);
    write(target, `${allowance.remaining} / ${allowance.limit} requests`);
    target.dataset.low = String(allowance.remaining < allowance.limit / 10);
  }

  simulated(): void {
    element('simulated', HTMLElement).hidden = false;
  }

  say(text: string): void {
    write(this.#notice, text);
    clearTimeout(this.#clear);
    this.#clear = setTimeout(() => write(this.#notice, ''), NOTICE_MS);
  }
}
