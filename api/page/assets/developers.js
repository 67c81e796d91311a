// <muninn-developers>: a first client, that plays on this very server, and the ways on.

import { LitElement, css, html, nothing } from './vendor/lit.js';
import { shared } from './style.js';
import { trouble } from './trouble.js';
import { page } from './words.js';

/** The server that documents speak of. */
const ADDRESS = 'http://127.0.0.1:8080';

/** The three requests of a first move, for any language. */
const REQUESTS = `curl -s ${ADDRESS}/v1/matches -H 'Content-Type: application/json' \\
  -d '{"game": "voluspa", "seats": [{"name": "Ada"}, {"bot": "greedy"}]}'
# {"match": "ID", "seat_tokens": ["TOKEN", null], ...}
curl -s '${ADDRESS}/v1/matches/ID/legal-commands?include=labels' -H 'Authorization: Bearer TOKEN'
curl -s ${ADDRESS}/v1/matches/ID/commands -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' \\
  -d '{"command": ...}'`;

const PACKAGES = ['@muninn/client', '@muninn/react', 'muninn'];

export class Developers extends LitElement {
  static properties = { server: {}, lines: { state: true }, copied: { state: true }, trouble: { state: true } };

  static styles = [
    shared,
    css`
      .page { max-width: 56rem; margin: 0 auto; padding: 1.2rem 1rem 2rem; display: grid; gap: 1.5rem; }
      section { display: grid; gap: 0.7rem; min-width: 0; }
      h1 { font-size: 2rem; }
      h2 { font-size: 1.35rem; }
      p, ul, dl { margin: 0; }
      pre { margin: 0; padding: 0.8rem 1rem; overflow: auto; font: 0.85rem/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
      .ways { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; }
      .way {
        display: inline-block; padding: 0.45rem 0.95rem; border-radius: 0.4rem; text-decoration: none;
        background: var(--muninn-accent, Highlight); color: var(--muninn-accent-ink, HighlightText);
      }
      dt { font-weight: 600; margin-top: 0.4rem; }
      dd { margin: 0; }
      code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
      li { margin: 0.15rem 0; }
    `,
  ];

  connectedCallback() {
    super.connectedCallback();
    this.address = this.server ?? new URL(import.meta.url).origin;
    this.#read();
  }

  /** The client is the one that the documents begin with. */
  async #read() {
    try {
      const answer = await fetch(new URL('docs/clients.md', import.meta.url));
      const [, lines] = (await answer.text()).match(/```html\n(.*?)```/s);
      this.lines = lines.replaceAll(ADDRESS, this.address);
    } catch (error) {
      this.trouble = trouble(error);
    }
  }

  async #copy() {
    // A browser or a person may forbid it.
    this.copied = await navigator.clipboard.writeText(this.lines).then(() => true, () => false);
    this.trouble = this.copied ? undefined : { text: page.problems.other };
  }

  #save() {
    const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob([this.lines], { type: 'text/html' })), download: 'client.html' });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  render() {
    const words = page.developers;
    const requests = REQUESTS.replaceAll(ADDRESS, this.address);
    return html`
      <div class="page">
        <section aria-labelledby="first">
          <h1 id="first">${words.title}</h1>
          <p>${words.lead}</p>
          ${this.trouble ? html`<p class="bad" role="alert">${this.trouble.text}</p>` : nothing}
          <pre class="card" tabindex="0" aria-label=${words.title} data-lines>${this.lines}</pre>
          <p class="ways">
            <a class="way" href="/developers/example">${words.run}</a>
            <button data-control="save" ?disabled=${!this.lines} @click=${() => this.#save()}>${words.save}</button>
            ${navigator.clipboard ? html`<button data-control="copy" ?disabled=${!this.lines} @click=${() => this.#copy()}>${this.copied ? page.copied : words.copy}</button>` : nothing}
          </p>
          <p>${words.how}</p>
        </section>
        <section aria-labelledby="requests">
          <h2 id="requests">${words.requests}</h2>
          <p>${words.requestsHow}</p>
          <pre class="card" tabindex="0" aria-label=${words.requests}>${requests}</pre>
        </section>
        <section aria-labelledby="packages">
          <h2 id="packages">${words.packages}</h2>
          <dl>${PACKAGES.map((name) => html`<dt><code>${name}</code></dt><dd>${words.package[name]}</dd>`)}</dl>
          <p>${words.packagesHow}</p>
          <pre class="card" tabindex="0" aria-label=${words.packages}>clients/pack.sh target/packages</pre>
        </section>
        <section aria-labelledby="more">
          <h2 id="more">${words.more}</h2>
          <ul>
            <li><a href="/pages/docs/clients.md">${words.clients}</a></li>
            <li><a href="/pages/docs/contract.md">${words.contract}</a></li>
            <li><a href="/docs/">${words.operations}</a></li>
            <li><a href="/openapi.json">OpenAPI</a>, <a href="/asyncapi.json">AsyncAPI</a>: ${words.documents}</li>
            <li><code>muninn kit --out kit</code>: ${words.kit}</li>
          </ul>
        </section>
      </div>
    `;
  }
}

customElements.define('muninn-developers', Developers);
