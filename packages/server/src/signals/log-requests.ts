// Carries out what the command line asks for: only the service writes the signal log. Requests are rows of the store, so they
// also reach a service on another machine, and one that starts later.
import { SigningKeyRequest, VoidRequest } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';
import type { AccessStore } from '../store/store.ts';
import type { SignalService } from './signal-service.ts';

export const LogRequest = z.discriminatedUnion('kind', [
  VoidRequest.extend({ kind: z.literal('void'), signal: z.string() }),
  SigningKeyRequest.extend({ kind: z.literal('signing key'), publisher: z.string() }),
]);
export type LogRequest = z.infer<typeof LogRequest>;

/** `error`: why nothing was written. */
export type LogRequestAnswer = { readonly done: true } | { readonly error: string };

export interface LogRequestsOptions {
  readonly store: AccessStore;
  readonly realm: string;
  readonly service: Pick<SignalService, 'void' | 'setSigningKey'>;
  readonly now: () => number;
}

export class LogRequests {
  readonly #options: LogRequestsOptions;

  constructor(options: LogRequestsOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { store, realm, now } = this.#options;
    for (const { id, request } of await store.openLogRequests(realm)) {
      const answer = await this.#answer(request);
      // Not stored: it stays open and is tried again.
      if (answer) await store.answerLogRequest(id, JSON.stringify(answer), now() - DAY_MS);
    }
  }

  async #answer(text: string): Promise<LogRequestAnswer | null> {
    const parsed = LogRequest.safeParse(JSON.parse(text));
    if (!parsed.success) return { error: 'the service does not understand the request: it may be an older release' };
    try {
      await this.#carryOut(parsed.data);
      return { done: true };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return error.code === 'store_unavailable' ? null : { error: error.message };
    }
  }

  async #carryOut(request: LogRequest): Promise<void> {
    const { store, service, now } = this.#options;
    const entry = { at: Math.floor(now()), actor: 'command line' };
    if (request.kind === 'void') {
      const { publisher } = await service.void(request.signal, request.reason);
      const subject = `${request.signal}: ${request.reason}`;
      await store.audit({ ...entry, action: 'signal voided', subject, account: publisher });
      return;
    }
    const { publisher, public_key } = request;
    await service.setSigningKey(publisher, public_key);
    const action = public_key === null ? 'signing key removed' : 'signing key set';
    await store.audit({ ...entry, action, subject: public_key ?? publisher, account: publisher });
  }
}
