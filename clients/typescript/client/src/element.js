import { BoardView, STYLE } from './board.js';
import { Muninn } from './muninn.js';

/** @typedef {import('./match.js').Match} Match */

/**
 * `<muninn-board server="..." match="..." token="..." language="de">`: a match to watch, or with a token to play by clicks. A script may set
 * `store` to a `Match`. Each change is an event `statechange`, with the state in `detail`.
 *
 * Colours: `--muninn-choosable`, `--muninn-chosen`, `--muninn-focus`. Parts: `board`, `choices`, `problem`.
 */
export class MuninnBoard extends HTMLElement {
  static observedAttributes = ['server', 'match', 'token', 'language'];

  /** @type {Match | null} */
  #store = null;
  /** @type {Match | null} */
  #own = null;
  /** @type {BoardView | undefined} */
  #view;
  /** @type {() => void} */
  #unsubscribe = () => {};
  #root = this.attachShadow({ mode: 'open' });

  /** The match that is shown. */
  get store() {
    return this.#store ?? this.#own;
  }

  set store(store) {
    this.#store = store;
    this.#restart();
  }

  connectedCallback() {
    this.#restart();
  }

  disconnectedCallback() {
    this.#close();
  }

  attributeChangedCallback() {
    this.#own = null;
    this.#restart();
  }

  #close() {
    this.#unsubscribe();
    this.#view?.close();
    this.#view = undefined;
    this.#root.replaceChildren();
  }

  async #restart() {
    this.#close();
    const id = this.getAttribute('match');
    const [server, token, language] = ['server', 'token', 'language'].map((name) => this.getAttribute(name) ?? undefined);
    if (!this.store && id) this.#own = new Muninn(server ?? location.origin, { token, language }).match(id);
    const { store } = this;
    // No token goes to another server: attributes count together.
    await null;
    if (!store || store !== this.store || this.#view || !this.isConnected) return;
    this.#root.innerHTML = `<style>:host { display: block } [part=choices] { min-height: 2em } ${STYLE}</style><div part="choices"></div><p part="problem" role="alert"></p><div part="board"></div>`;
    const part = (/** @type {string} */ name) => /** @type {any} */ (this.#root.querySelector(`[part="${name}"]`));
    /** @type {any} */
    let shown = {};
    const show = () => {
      const { state } = store;
      const { choice, pending, problem } = state;
      if (choice !== shown.choice || pending !== shown.pending) {
        const buttons = choice.buttons.map((option) => button(option.label, () => store.choose(option)));
        if (choice.narrowed) {
          const reset = button('↺', async () => store.reset());
          reset.ariaLabel = reset.dataset.reset = 'reset';
          buttons.push(reset);
        }
        part('choices').replaceChildren(...(pending ? [] : buttons));
      }
      if (problem?.message !== shown.problem?.message) part('problem').textContent = problem?.message ?? '';
      shown = state;
      this.dispatchEvent(new CustomEvent('statechange', { detail: state }));
    };
    this.#unsubscribe = store.subscribe(show);
    this.#view = new BoardView(part('board'), store);
    show();
  }
}

function button(/** @type {string} */ text, /** @type {() => Promise<unknown>} */ act) {
  const made = document.createElement('button');
  made.textContent = text;
  // The state says what was refused.
  made.onclick = () => { act().catch(() => {}); };
  return made;
}

customElements.define('muninn-board', MuninnBoard);
