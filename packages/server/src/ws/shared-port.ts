// The WebSocket handler of a port whose connections belong to several gateways.
import type { WebSocketHandler } from 'bun';
import type { Connection, Socket } from './connection.ts';

/** `usual`: that of connections without a handler of their own. */
export function handlerOfPort(usual: WebSocketHandler<Connection>): WebSocketHandler<Connection> {
  const of = ({ data }: Socket): WebSocketHandler<Connection> => data.handler ?? usual;
  return {
    ...usual,
    open: (socket) => of(socket).open?.(socket),
    message: (socket, message) => of(socket).message?.(socket, message),
    ping: (socket, data) => of(socket).ping?.(socket, data),
    pong: (socket, data) => of(socket).pong?.(socket, data),
    drain: (socket) => of(socket).drain?.(socket),
    close: (socket, code, reason) => of(socket).close?.(socket, code, reason),
  };
}
