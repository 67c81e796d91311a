// How large a picture is shown in its frame: as large as fits, or larger, and then the frame scrolls. Fingers pinch and tap twice, a mouse
// drags, a wheel with Ctrl turns; buttons and keys ask for `by`, `fit` and `readable`.

/** Letters are read with ease from this height on, in CSS pixels. */
export const READABLE = 11;
const MOST = 8;
/** Within so many milliseconds, two taps are one wish. */
export const TWICE = 350;
/** A mouse that is moved by more pixels while it is pressed drags, and does not click. */
const STILL = 4;

const between = (least, value, most) => Math.min(Math.max(least, value), most);
const apart = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
const middle = ([a, b]) => ({ x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 });

export class Zoom {
  #frame;
  #svg = null;
  #pinch;
  #drag;
  #tapped = { at: 0 };
  #seen;
  /** Times the size that fits. */
  factor = 1;

  /** `free(event)`: may a tap or a drag here be about the size, since it chooses nothing? `changed` is called when the size is another; `room` says how high the picture may be. */
  constructor(frame, { free, changed, room }) {
    this.#frame = frame;
    this.free = free;
    this.changed = changed;
    this.room = room;
    this.#seen = new ResizeObserver(() => this.#lay());
    this.#seen.observe(frame);
    const on = (name, act) => frame.addEventListener(name, act, { passive: false });
    on('touchstart', this.#touch);
    on('touchmove', this.#move);
    on('touchend', this.#lift);
    on('touchcancel', this.#lift);
    on('wheel', this.#wheel);
    on('pointerdown', this.#press);
    on('dblclick', (event) => this.free(event) && this.toggle({ x: event.clientX, y: event.clientY }));
  }

  /** When a finger tapped last, as events say it. */
  get tapped() {
    return this.#tapped.at;
  }

  close() {
    this.#seen.disconnect();
  }

  /** After it was closed. */
  open() {
    this.#seen.observe(this.#frame);
  }

  /** Another picture; what was looked at stays in sight. */
  show(svg) {
    this.#svg = svg;
    this.#lay();
  }

  /** The width at which the picture fits. */
  get #fitting() {
    const { width, height } = this.#svg.viewBox.baseVal;
    return Math.max(1, Math.min(this.#frame.clientWidth, (this.room() * width) / height));
  }

  #lay() {
    if (!this.#svg) return;
    this.#svg.style.width = `${Math.floor(this.#fitting * this.factor)}px`;
  }

  /** The height of the smallest letters as they are shown. */
  get letters() {
    const sizes = [...this.#svg.querySelectorAll('text')].filter((text) => text.textContent.trim()).map((text) => {
      const { a, b } = text.getScreenCTM();
      return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
    });
    return sizes.length ? Math.min(...sizes) : READABLE;
  }

  /** Sets the size; what is at `point` on the screen stays there. */
  to(factor, point) {
    if (!this.#svg) return;
    const frame = this.#frame.getBoundingClientRect();
    const { x, y } = point ?? { x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 };
    const before = this.#svg.getBoundingClientRect();
    const [across, down] = [(x - before.left) / before.width, (y - before.top) / before.height];
    this.factor = between(1, factor, MOST);
    this.#lay();
    const after = this.#svg.getBoundingClientRect();
    const top = after.top + down * after.height - y;
    const scrolled = this.#frame.scrollTop;
    this.#frame.scrollBy({ left: after.left + across * after.width - x, top, behavior: 'instant' });
    // Where the frame is as high as the picture, the page scrolls.
    if (this.#frame.scrollHeight <= this.#frame.clientHeight) window.scrollBy({ top: top - this.#frame.scrollTop + scrolled, behavior: 'instant' });
    this.changed();
  }

  by(times, point) {
    this.to(this.factor * times, point);
  }

  fit() {
    this.to(1);
  }

  /** The factor from which on all letters can be read. */
  get readable() {
    return between(1, (this.factor * (READABLE + 0.1)) / this.letters, MOST);
  }

  /** Larger, so that all can be read, or as before. */
  toggle(point) {
    this.to(this.factor > 1.02 ? 1 : Math.max(this.readable, 1.6), point);
  }

  #touch = (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    this.#pinch = { apart: apart(event.touches), factor: this.factor };
  };

  #move = (event) => {
    if (!this.#pinch || event.touches.length !== 2) return;
    event.preventDefault();
    this.to((this.#pinch.factor * apart(event.touches)) / this.#pinch.apart, middle(event.touches));
  };

  #lift = (event) => {
    const pinched = this.#pinch;
    if (event.touches.length < 2) this.#pinch = undefined;
    const [touch] = event.changedTouches;
    if (event.type !== 'touchend' || pinched || event.touches.length || !touch) return;
    const { at, x, y } = this.#tapped;
    const near = Math.hypot(touch.clientX - x, touch.clientY - y) < 30;
    this.#tapped = { at: event.timeStamp, x: touch.clientX, y: touch.clientY };
    if (event.timeStamp - at > TWICE || !near || !this.free(event)) return;
    event.preventDefault();
    this.#tapped = { at: 0 };
    this.toggle({ x: touch.clientX, y: touch.clientY });
  };

  #wheel = (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.by(Math.exp(-event.deltaY / 200), { x: event.clientX, y: event.clientY });
  };

  /** A mouse drags what is larger than its frame. */
  #press = (event) => {
    if (event.pointerType !== 'mouse' || event.button !== 0 || !this.free(event)) return;
    const from = this.#drag = { x: event.clientX, y: event.clientY };
    let moved = 0;
    const move = ({ clientX, clientY }) => {
      moved = Math.max(moved, Math.hypot(from.x - clientX, from.y - clientY));
      this.#frame.scrollBy({ left: this.#drag.x - clientX, top: this.#drag.y - clientY, behavior: 'instant' });
      this.#drag = { x: clientX, y: clientY };
    };
    const end = new AbortController();
    window.addEventListener('pointermove', move, { signal: end.signal });
    const stop = () => {
      end.abort();
      if (moved > STILL) this.#swallow();
    };
    for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, stop, { signal: end.signal });
  };

  /** The click that a drag ends with comes at once, or not at all. */
  #swallow() {
    const swallow = (click) => click.stopPropagation();
    this.#frame.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => this.#frame.removeEventListener('click', swallow, { capture: true }));
  }
}
