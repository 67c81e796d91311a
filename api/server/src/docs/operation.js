// Swagger UI needs seconds to follow the references of an operation that is opened, and to colour large examples. Both are done here. And whatever it has
// followed once it goes through again each time another operation is opened: that of operations that are closed is let go.

(() => {
  /** The component that a reference names. */
  const named = (document, reference) => reference.slice(2).split('/').reduce((found, key) => found?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);

  /** A value with what it refers to in place of the references; one that leads into itself stays. */
  const resolved = (value, document, above) => {
    if (Array.isArray(value)) return value.map((inner) => resolved(inner, document, above));
    if (!value || typeof value !== 'object') return value;
    const { $ref: reference, ...beside } = value;
    if (typeof reference === 'string' && reference.startsWith('#/')) {
      if (above.includes(reference)) return value;
      const found = resolved(named(document, reference), document, [...above, reference]);
      return { ...found, ...resolved(beside, document, above) };
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, document, above)]));
  };

  /** The place of an operation in the document. */
  const place = (paths, id) => {
    for (const [path, operations] of paths.entries()) {
      const method = operations.findKey((operation) => operation.get?.('operationId') === id);
      if (method) return [path, method];
    }
    return null;
  };

  const plugin = ({ React }) => ({
    statePlugins: {
      spec: {
        actions: { letGo: (found) => ({ type: 'let_go', payload: found }) },
        reducers: { let_go: (state, { payload }) => state.deleteIn(['resolvedSubtrees', 'paths', ...payload]) },
      },
      layout: {
        wrapActions: {
          show: (original, { specActions, specSelectors }) => (thing, shown) => {
            const shows = original(thing, shown);
            const closed = !shown && thing[0] === 'operations' && place(specSelectors.specJson().get('paths'), thing[2]);
            if (closed) specActions.letGo(closed);
            return shows;
          },
        },
      },
    },
    fn: { resolveSubtree: async (document, place) => ({ errors: [], spec: resolved(place.reduce((inner, key) => inner?.[key], document), document, []) }) },
    wrapComponents: {
      SyntaxHighlighter: (Original) => (props) => {
        const text = props.children;
        return typeof text === 'string' && text.length > 2_000 ? React.createElement('pre', { className: props.className }, text) : React.createElement(Original, props);
      },
    },
  });
  const bundle = window.SwaggerUIBundle;
  window.SwaggerUIBundle = Object.assign((config) => bundle({ ...config, plugins: [...config.plugins, plugin] }), bundle);
})();
