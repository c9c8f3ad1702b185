// The last step of the setup: simulated or real markets.
import type { CoreClient } from '@tickwire/client';
import { changeMarkets, MARKETS, type Markets, VENUES_GUIDE } from '../services/change-markets.tsx';
import { Form } from '../ui/form.tsx';
import { Card } from './card.tsx';

export interface ChooseMarketsProps {
  readonly client: CoreClient;
  /** The markets that run. */
  readonly running: Markets;
  readonly onChosen: () => void;
}

export function ChooseMarkets({ client, running, onChosen }: ChooseMarketsProps) {
  return (
    <Card title="Simulated or real markets?" intro="You can change this later in the settings." foot={VENUES_GUIDE}>
      <Form
        submit="Open the terminal"
        onSubmit={async (values, form) => {
          const chosen = values.text('markets') as Markets;
          if (chosen !== running) {
            form.show('Changing the markets. This takes a few seconds.');
            const failure = await changeMarkets(client, chosen);
            if (failure !== null) return form.show(failure, 'bad');
          }
          onChosen();
        }}
      >
        <fieldset class="scopes">
          {Object.entries(MARKETS).map(([markets, [title, text]]) => (
            <label key={markets} class="check">
              <input type="radio" name="markets" value={markets} defaultChecked={markets === running} />
              <span>
                <b>{title}</b>: {text}
              </span>
            </label>
          ))}
        </fieldset>
      </Form>
    </Card>
  );
}
