// Entry of the terminal.
import { Terminal } from './app/terminal.tsx';
import { applyAppearance } from './ui/appearance.ts';

// Before anything is painted.
applyAppearance();
await new Terminal().start();
