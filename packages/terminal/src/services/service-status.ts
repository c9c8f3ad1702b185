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

  readonly recordResponse = ({ allowance, simulated }: ResponseInfo): void => {
    if (simulated) this.simulated.value = true;
    if (allowance) this.allowance.value = allowance;
  };
}
