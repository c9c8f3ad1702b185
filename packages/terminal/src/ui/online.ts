// Whether the browser has a network connection. It may say yes without one that reaches the service.
import { signal } from '@preact/signals';

export const online = signal(globalThis.navigator?.onLine ?? true);

if (typeof addEventListener === 'function') {
  addEventListener('online', () => {
    online.value = true;
  });
  addEventListener('offline', () => {
    online.value = false;
  });
}
