// Finds the protocol of a contender by its kind. The address is plain data, so that it can be handed to the process of the load.
import { relayProtocol, tickwireProtocol } from './json-wire.ts';
import { mqttProtocol } from './mqtt-wire.ts';
import { natsProtocol } from './nats-wire.ts';
import { redisProtocol } from './redis-wire.ts';
import type { Protocol } from './wire.ts';

export type ContenderAddress =
  | { readonly kind: 'tickwire'; readonly port: number; readonly key: string }
  | { readonly kind: 'relay' | 'redis' | 'mqtt'; readonly port: number }
  | { readonly kind: 'nats'; readonly port: number; readonly websocketPort: number };

export function protocolOf(address: ContenderAddress): Protocol {
  switch (address.kind) {
    case 'tickwire':
      return tickwireProtocol(address.port, address.key);
    case 'relay':
      return relayProtocol(address.port);
    case 'redis':
      return redisProtocol(address.port);
    case 'mqtt':
      return mqttProtocol(address.port);
    case 'nats':
      return natsProtocol(address.port, address.websocketPort);
  }
}
