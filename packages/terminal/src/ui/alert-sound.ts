// Two short tones, generated: no file to load. Browsers stay silent until the user has clicked somewhere on the page.

const TONES = [880, 1_320] as const;
const TONE_SECONDS = 0.14;
const VOLUME = 0.15;

let context: AudioContext | null = null;

export function playAlertSound(): void {
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  const audio = context;
  void audio.resume();
  for (const [index, frequency] of TONES.entries()) {
    const [tone, gain] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + index * TONE_SECONDS;
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(VOLUME, start);
    // A tone that ends abruptly clicks.
    gain.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
}
