// Handlers of /api/admin/markets: which markets the service runs, and a change to the others.
import { type Markets, MarketsChange, type MarketsReport } from '@tickwire/contract';
import type { ApiResponse, HandlerCall } from '../http/handler.ts';
import { readJson } from '../http/json-body.ts';
import { type OperatorAuditOptions, operatorAudit } from './operator-audit.ts';

/** The markets of this process. */
export interface MarketControl {
  report(): MarketsReport;
  /**
   * Returns how to change over to these markets: it stores the choice, and the service starts again a moment later. `null` if they
   * run, or are coming. Throws why they cannot run here.
   */
  prepare(markets: Markets): (() => Promise<void>) | null;
}

export interface MarketsHandlersOptions extends OperatorAuditOptions {
  readonly markets: MarketControl;
}

export class MarketsHandlers {
  readonly #options: MarketsHandlersOptions;

  constructor(options: MarketsHandlersOptions) {
    this.#options = options;
  }

  report(): string {
    return JSON.stringify(this.#options.markets.report());
  }

  async change(call: HandlerCall): Promise<ApiResponse> {
    const { markets: control } = this.#options;
    const { markets } = (await readJson(call.request, MarketsChange)).value;
    const change = control.prepare(markets);
    if (change) {
      await operatorAudit(this.#options, call, 'markets changed', `to ${markets}`);
      await change();
    }
    return { body: this.report(), status: control.report().changing_to === null ? 200 : 202 };
  }
}
