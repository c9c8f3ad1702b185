// What the classes with REST methods share.
import type { RestConfig } from './request.ts';

/** Holds what every REST call needs. */
export class ApiBase {
  /** What every REST call needs. Used by subclasses. */
  protected readonly rest: RestConfig;

  /** Created by {@link TickwireClient}. */
  constructor(rest: RestConfig) {
    this.rest = rest;
  }
}
