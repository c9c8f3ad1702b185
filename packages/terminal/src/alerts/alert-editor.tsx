// One alert on the alerts page: its form, and what it fired. With the address `/alerts/new?symbol=EURUSD&level=1.085` a new one
// starts with these.
import { currentAddress } from '../ui/current-address.ts';
import { AlertForm } from './alert-form.tsx';
import type { AlertServices } from './alert-services.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { FiringLog } from './firing-log.tsx';

export function AlertEditor({ services, id }: { readonly services: AlertServices; readonly id: string | null }) {
  return (
    <>
      <section class="settings-panel" aria-label="Alert">
        <AlertForm
          services={services}
          id={id}
          start={new URLSearchParams(currentAddress.peek().search)}
          symbol={null}
          onEnd={() => services.navigator.go('/alerts')}
        />
      </section>
      {id !== null && (
        <>
          <FiringLog services={services} alert={id} />
          <DeliveryLog services={services} alert={id} />
        </>
      )}
    </>
  );
}
