// Failures of the store, and how they are reported to a client.
import { ServiceError } from './service-error.ts';

/** The store does not work: it is locked, full, corrupt or unreachable. The message says which, and what to do. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** The schema of the database does not fit this release. */
export class SchemaError extends StoreError {
  override name = 'SchemaError';
}

/** Another process has taken over writing: a process that gets this error must not write again. */
export class FencedError extends StoreError {
  override name = 'FencedError';
}

/** Runs work that needs the store; a `StoreError` becomes the service error `store_unavailable`. */
export async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError)
      throw new ServiceError('store_unavailable', 'The store is not available right now. Try again in a moment.');
    throw error;
  }
}
