// What can be undone, and redone after that.
import { computed, signal } from '@preact/signals';

export interface Step {
  readonly undo: () => void;
  readonly redo: () => void;
}

const MAX_STEPS = 100;

export class UndoHistory {
  readonly #done = signal<readonly Step[]>([]);
  readonly #undone = signal<readonly Step[]>([]);
  readonly canUndo = computed(() => this.#done.value.length > 0);
  readonly canRedo = computed(() => this.#undone.value.length > 0);

  /** Records a change that has been made. What was undone before can no longer be redone. */
  add(step: Step): void {
    this.#done.value = [...this.#done.peek(), step].slice(-MAX_STEPS);
    this.#undone.value = [];
  }

  /** Makes a change and records it. */
  run(step: Step): void {
    step.redo();
    this.add(step);
  }

  undo(): void {
    const step = this.#done.peek().at(-1);
    if (!step) return;
    this.#done.value = this.#done.peek().slice(0, -1);
    step.undo();
    this.#undone.value = [...this.#undone.peek(), step];
  }

  redo(): void {
    const step = this.#undone.peek().at(-1);
    if (!step) return;
    this.#undone.value = this.#undone.peek().slice(0, -1);
    step.redo();
    this.#done.value = [...this.#done.peek(), step];
  }
}
