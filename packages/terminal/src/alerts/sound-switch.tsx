// Turns the sound of firings on and off, for this browser.

import { playAlertSound } from '../ui/alert-sound.ts';
import { Toggle } from '../ui/button.tsx';
import { preferences } from '../ui/preferences.ts';

export function SoundSwitch() {
  const { alertSound } = preferences.choices;
  return (
    <span class="sound-switch">
      <Toggle
        pressed={alertSound}
        onClick={() => {
          preferences.set({ alertSound: !alertSound });
          // Browsers allow sound only after a click, and the user hears what to expect.
          if (!alertSound) playAlertSound();
        }}
      >
        Sound
      </Toggle>
    </span>
  );
}
