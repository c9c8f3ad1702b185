import { TickwireClient } from '@tickwire/client';
import { createRoot } from 'react-dom/client';
import { Chart } from './chart';

// Everyone who opens the page can read this key: use one with the scope `read` only.
const client = new TickwireClient({ url: 'http://127.0.0.1:8080', apiKey: 'tw_…' });

createRoot(document.getElementById('root')!).render(<Chart client={client} symbol="EURUSD" timeframe="1m" />);
