// A body in chunks has no declared length. The runtime would receive it to its end, however long, after the response was
// sent. So the connection closes after a response to a request whose body was not read to its end.
import type { Handler } from './api.ts';

export function closeAfterUnreadBody(handle: Handler): Handler {
  return (request, peers) => {
    if (!request.headers.has('transfer-encoding')) return handle(request, peers);
    const response = handle(request, peers);
    return response instanceof Promise ? response.then((given) => closing(request, given)) : closing(request, response);
  };
}

function closing(request: Request, response: Response): Response {
  if (!request.bodyUsed || response.status >= 400) response.headers.set('Connection', 'close');
  return response;
}
