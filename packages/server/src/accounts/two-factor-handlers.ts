// Handlers of two-factor sign-in.
import { Confirmation, TwoFactorCode, type TwoFactorConfirmed } from '@tickwire/contract';
import type { Guard } from '../access/guard.ts';
import type { HandlerCall } from '../http/handler.ts';
import { readJson } from '../http/json-body.ts';
import type { TwoFactorService } from './two-factor-service.ts';

export interface TwoFactorHandlersOptions {
  readonly service: TwoFactorService;
  readonly guard: Guard;
}

export class TwoFactorHandlers {
  readonly #options: TwoFactorHandlersOptions;

  constructor(options: TwoFactorHandlersOptions) {
    this.#options = options;
  }

  async status({ caller }: HandlerCall): Promise<string> {
    return JSON.stringify(await this.#options.service.status(caller!));
  }

  async setUp(call: HandlerCall): Promise<string> {
    const confirmation = (await readJson(call.request, Confirmation)).value;
    return JSON.stringify(await this.#options.service.setUp(call.caller!, confirmation, this.#address(call)));
  }

  async confirm(call: HandlerCall): Promise<string> {
    const { code } = (await readJson(call.request, TwoFactorCode)).value;
    const codes = await this.#options.service.confirm(call.caller!, code, this.#address(call));
    return JSON.stringify({ recovery_codes: codes } satisfies TwoFactorConfirmed);
  }

  async disable(call: HandlerCall): Promise<string> {
    const confirmation = (await readJson(call.request, Confirmation)).value;
    const { service } = this.#options;
    await service.disable(call.caller!, confirmation, this.#address(call));
    return JSON.stringify(await service.status(call.caller!));
  }

  #address({ request, peers }: HandlerCall): string {
    return this.#options.guard.address(request, peers);
  }
}
