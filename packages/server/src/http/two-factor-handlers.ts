// Handlers of two-factor sign-in.
import { TwoFactorCode, type TwoFactorConfirmed, TwoFactorDisabling, TwoFactorSetup } from '@tickwire/contract';
import type { TwoFactorService } from '../access/accounts/two-factor-service.ts';
import type { Guard } from './guard.ts';
import type { HandlerCall } from './handler.ts';
import { readJson } from './json-body.ts';

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

  async setUp({ request, caller }: HandlerCall): Promise<string> {
    const { password } = (await readJson(request, TwoFactorSetup)).value;
    return JSON.stringify(await this.#options.service.setUp(caller!, password));
  }

  async confirm(call: HandlerCall): Promise<string> {
    const { code } = (await readJson(call.request, TwoFactorCode)).value;
    const codes = await this.#options.service.confirm(call.caller!, code, this.#address(call));
    return JSON.stringify({ recovery_codes: codes } satisfies TwoFactorConfirmed);
  }

  async disable(call: HandlerCall): Promise<string> {
    const { password, code } = (await readJson(call.request, TwoFactorDisabling)).value;
    const { service } = this.#options;
    await service.disable(call.caller!, password, code, this.#address(call));
    return JSON.stringify(await service.status(call.caller!));
  }

  #address({ request, peers }: HandlerCall): string {
    return this.#options.guard.address(request, peers);
  }
}
