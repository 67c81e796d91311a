// A short sound when it is one's turn, for those who asked for it: this browser remembers.

const KEY = 'muninn-sound';

function kept() {
  try {
    return localStorage.getItem(KEY) === 'on';
  } catch {
    return false;
  }
}

export class Sound {
  #context;

  /** Is it wished? */
  on = kept();

  toggle() {
    this.on = !this.on;
    try {
      if (this.on) localStorage.setItem(KEY, 'on');
      else localStorage.removeItem(KEY);
    } catch {
      // Where nothing may be kept, it holds for this visit.
    }
    // A browser lets a page sound only after a click: this one.
    this.ring();
  }

  /** Two notes, if they are wished. */
  ring() {
    if (!this.on) return;
    this.#context ??= new AudioContext();
    const context = this.#context;
    context.resume().catch(() => {});
    [[660, 0], [880, 0.14]].forEach(([frequency, after]) => {
      const start = context.currentTime + after;
      const [note, loud] = [context.createOscillator(), context.createGain()];
      note.frequency.value = frequency;
      loud.gain.setValueAtTime(0.0001, start);
      loud.gain.exponentialRampToValueAtTime(0.12, start + 0.02);
      loud.gain.exponentialRampToValueAtTime(0.0001, start + 0.3);
      note.connect(loud).connect(context.destination);
      note.start(start);
      note.stop(start + 0.32);
    });
  }
}
