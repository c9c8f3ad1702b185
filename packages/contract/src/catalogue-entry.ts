// What the catalogue says about one error.

export interface CatalogueEntry {
  readonly title: string;
  /** HTTP status, where the error can answer a REST request or an upgrade. */
  readonly status?: number;
  /** WebSocket close code, where the error ends a connection. */
  readonly close?: number;
  /** Whether the same request, or a new connection, may succeed later without a change by the caller. */
  readonly retryable: boolean;
  readonly when: string;
}

export const entry = (e: CatalogueEntry): CatalogueEntry => e;
