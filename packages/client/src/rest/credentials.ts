// What authenticates the requests and streams of a client.

/** An API key, or the session of a program. */
export interface Credentials {
  /** `undefined` if a session authenticates: one that `headers` has, or that the browser keeps. */
  readonly apiKey: string | undefined;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers for the handshake of streams, which has no key: a message brings it; `null` if there are none to add. */
  readonly handshakeHeaders: Readonly<Record<string, string>> | null;
  /** Takes note of the session that a response starts or ends. */
  readonly keep?: (response: Response) => void;
  /** Id of the replay session that requests and streams are about. Default: the present. */
  readonly replay?: string;
}

/** The same key or session in a replay session. Its streams need the key in their handshake. */
export const inReplay = (credentials: Credentials, replay: string): Credentials => ({
  replay,
  get apiKey() {
    return credentials.apiKey;
  },
  get headers() {
    return { ...credentials.headers, Replay: replay };
  },
  get handshakeHeaders() {
    return credentials.apiKey === undefined ? credentials.handshakeHeaders : credentials.headers;
  },
  keep: (response) => credentials.keep?.(response),
});

/** A key, or the session that the browser keeps. */
export const keyOnly = (apiKey: string | undefined): Credentials => ({
  apiKey,
  headers: apiKey === undefined ? {} : { 'X-API-Key': apiKey },
  handshakeHeaders: null,
});
