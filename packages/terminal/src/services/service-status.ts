// What the service reports about itself with every response and every few seconds: quota, statistics, simulated or live.
import { signal } from '@preact/signals';
import type { Allowance, ResponseInfo, SessionStatistics } from '@tickwire/client';

export class ServiceStatus {
  /** REST requests left in the current minute; `null` before the first response. */
  readonly allowance = signal<Allowance | null>(null);
  /** Prices come from a simulation, not from a venue. */
  readonly simulated = signal(false);
  readonly statistics = signal<SessionStatistics | null>(null);

  /** The allowance, without subscribing the caller to its changes. */
  readonly peekAllowance = (): Allowance | null => this.allowance.peek();

  /** The service has changed over between simulated and real markets: nothing that was loaded before is valid. */
  readonly marketsChanged = signal(false);
  #isKnown = false;

  readonly recordResponse = ({ allowance, simulated }: ResponseInfo): void => {
    // Only streams say that the markets have changed: a response may be that of a proxy, or kept by the browser.
    if (simulated && !this.#isKnown) this.recordSource(true);
    if (allowance) this.allowance.value = allowance;
  };
  readonly recordSource = (simulated: boolean): void => {
    if (this.#isKnown && simulated !== this.simulated.peek()) this.marketsChanged.value = true;
    this.#isKnown = true;
    this.simulated.value = simulated;
  };
}
