// The entry for Node: the client with a WebSocket of its own, for where Node has none.
import { NodeSocket } from './node-socket.ts';
import { useWhereNoneIsGlobal } from './socket.ts';

useWhereNoneIsGlobal(NodeSocket);

export * from './index.ts';
