// Swagger UI reads the whole document anew for each operation that is opened, which takes most of the time. It gets the part
// that the operation refers to.

(() => {
  const COMPONENTS = '#/components/';

  /** Fills `kept`, sets of names by kind, with all components that a value refers to, over any number of steps. */
  const collect = (value, components, kept) => {
    if (typeof value === 'string' && value.startsWith(COMPONENTS)) {
      const [kind, name] = value.slice(COMPONENTS.length).split('/');
      if (!components[kind]?.[name] || kept[kind].has(name)) return;
      kept[kind].add(name);
      collect(components[kind][name], components, kept);
    } else if (value && typeof value === 'object') {
      for (const inner of Object.values(value)) collect(inner, components, kept);
    }
  };

  /** The document with one operation, at `['paths', path, method]`, and the components that it refers to. */
  const part = (document, place) => {
    const [section, path, method] = place;
    const operation = document.paths[path]?.[method];
    if (section !== 'paths' || place.length !== 3 || !operation) return document;
    // Names of security schemes are no references: all of them stay.
    const { securitySchemes, ...components } = document.components;
    const kept = Object.fromEntries(Object.keys(components).map((kind) => [kind, new Set()]));
    collect(operation, components, kept);
    const of = (kind) => Object.fromEntries([...kept[kind]].map((name) => [name, components[kind][name]]));
    const left = Object.fromEntries(Object.keys(components).map((kind) => [kind, of(kind)]));
    return { ...document, paths: { [path]: { [method]: operation } }, components: { ...left, securitySchemes } };
  };

  const plugin = ({ fn: { resolveSubtree } }) => ({
    fn: { resolveSubtree: (document, place, options) => resolveSubtree(part(document, place), place, options) },
  });
  const bundle = window.SwaggerUIBundle;
  window.SwaggerUIBundle = Object.assign((config) => bundle({ ...config, plugins: [...config.plugins, plugin] }), bundle);
})();
