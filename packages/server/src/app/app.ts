// A running node of the service, whichever role it has.
import type { Log } from '../ops/log.ts';
import type { Store } from '../store/store.ts';

export interface App {
  readonly url: string;
  /** `null` if metrics are off. */
  readonly metricsUrl: string | null;
  /** Created on the first start and shown only once; `null` otherwise. */
  readonly demoKey: string | null;
  /** Creates the owner account; `null` once there is one. */
  readonly setupUrl: string | null;
  readonly store: Store;
  /** Ingest node only: resolves when it becomes active. */
  readonly firstStart?: Promise<FirstStartCredentials>;
  /** Ingest node only: resolves if it cannot continue, for example because another ingest node took over. */
  readonly failure?: Promise<Error>;
  /** Resolves with `false` if something could not be stored. */
  stop(): Promise<boolean>;
}

/** Credentials created by the first start, shown only once; `null` if an earlier start created them. */
export interface FirstStartCredentials {
  readonly demoKey: string | null;
  readonly setupToken: string | null;
}

/** Closes what a failed start had opened, last first. */
export async function closeAfterFailure(opened: AsyncDisposableStack, log: Log): Promise<void> {
  await opened
    .disposeAsync()
    .catch((error) => log.error('not everything could be closed after a failed start', { error }));
}
