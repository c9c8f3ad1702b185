// A client whose requests and streams are answered as of the clock of a replay session.
import { type ClientOptions, CoreClient, type Fetch } from '@tickwire/client';

export interface ReplayClientOptions extends Pick<ClientOptions, 'onResponse'> {
  readonly url: string;
  /** Id of the session. */
  readonly id: string;
  /** The clock at a response, in epoch milliseconds. */
  readonly onClock: (time: number) => void;
  /** Replaces that of the browser. */
  readonly fetch?: Fetch;
}

export function replayClient({ url, id, onClock, ...options }: ReplayClientOptions): CoreClient {
  const send = options.fetch ?? ((address, init) => fetch(address, init));
  const reading = async (address: string, init: RequestInit): Promise<Response> => {
    const response = await send(address, init);
    const clock = response.headers.get('Replay-Clock');
    if (clock !== null) onClock(Date.parse(clock));
    return response;
  };
  // What has no answer for the past is refused by the service, so nothing of the present gets into the page.
  const credentials = { apiKey: undefined, headers: { Replay: id }, handshakeHeaders: null, replay: id };
  return new CoreClient({ ...options, url, fetch: reading }, () => credentials);
}
