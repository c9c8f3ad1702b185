// Requests of the command line to the service, which alone writes the signal log: to void a signal, to set a signing key. A
// request without an answer stays until a service has carried it out, also across restarts.

export interface OpenLogRequest {
  readonly id: number;
  /** JSON. */
  readonly request: string;
}

export interface LogRequestStore {
  /** Returns the id of the request. */
  addLogRequest(realm: string, request: string, at: number): Promise<number>;
  /** Oldest first. */
  openLogRequests(realm: string): Promise<OpenLogRequest[]>;
  /** Also deletes requests that were made before `since` and are answered. */
  answerLogRequest(id: number, answer: string, since: number): Promise<void>;
  /** `null` while there is none. */
  logRequestAnswer(id: number): Promise<string | null>;
}
