// Entry of the public page of a publisher. It has no session and loads nothing of the terminal but shared components.
import { render } from 'preact';
import { applyAppearance } from '../ui/appearance.ts';
import { RecordPage } from './record-page.tsx';

// Before anything is painted.
applyAppearance();
/** The path is `/p/` and the name. */
const name = decodeURIComponent(location.pathname.split('/')[2] ?? '');
const place = document.getElementById('record')!;
place.replaceChildren();
render(<RecordPage name={name} />, place);
