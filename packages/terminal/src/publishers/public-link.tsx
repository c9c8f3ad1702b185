// The link to the public record. It exists only if the operator has turned on public records, which the service tells when asked.
import { useSignal } from '@preact/signals';
import { type CoreClient, TickwireError } from '@tickwire/client';
import { pathOf } from '../ui/address.ts';
import { explain } from '../ui/failure.ts';

export function PublicRecordLink({ client, name }: { readonly client: CoreClient; readonly name: string }) {
  const note = useSignal('');
  const address = pathOf('p', name);
  const open = async (): Promise<void> => {
    try {
      await client.publicPublisher(name);
      location.assign(address);
    } catch (error) {
      note.value =
        error instanceof TickwireError && error.status === 404
          ? 'The operator of this service has not made track records public.'
          : explain(error).general;
    }
  };
  return (
    <span class="public-record">
      <a
        class="inline-link"
        href={address}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          void open();
        }}
      >
        Public record
      </a>
      <span class="hint" role="status">
        {note.value}
      </span>
    </span>
  );
}
