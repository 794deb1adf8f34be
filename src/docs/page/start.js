// Swagger UI with the document of this server. A key that a person enters is not stored.
const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()

// Accessibility faults of Swagger UI that are fixed here: lists and regions without a name, skipped heading levels,
// code that cannot be scrolled by keyboard, and a link inside the button that opens an operation.
const regions = {
  '.information-container': 'About this API',
  '.schemes-server-container': 'Server',
  '.filter-container': 'Filter',
}
const levels = { 'h3.opblock-tag': 2, '.opblock h4, .models h4': 3, '.opblock h5': 4 }
const mend = () => {
  for (const list of document.querySelectorAll('select:not([aria-label])')) {
    list.setAttribute('aria-label', 'Example')
  }
  for (const [headings, level] of Object.entries(levels)) {
    for (const heading of document.querySelectorAll(`:is(${headings}):not([aria-level])`)) {
      heading.setAttribute('aria-level', level)
    }
  }
  for (const [part, name] of Object.entries(regions)) {
    const found = document.querySelector(part)
    found?.setAttribute('role', 'region')
    found?.setAttribute('aria-label', name)
  }
  for (const code of document.querySelectorAll('pre.microlight:not([tabindex])')) code.tabIndex = 0
  for (const link of document.querySelectorAll('.opblock-summary-control a[href]'))
    link.removeAttribute('href')
}
const place = document.getElementById('reference')
new MutationObserver(mend).observe(place, { childList: true, subtree: true })

// Requests go to the server that sent this page, not to the address in the document.
const answer = await fetch('api/v1/openapi.json')
const spec = { ...(await answer.json()), servers: [{ url: new URL('api/v1', location.href).href }] }

// The resolver of Swagger UI reads the whole document for each operation that is opened, which takes seconds. The
// document refers only to its own components, and no component refers to itself.
const find = (node, path) => path.reduce((part, name) => part?.[name], node)
const parse = reference =>
  reference
    .slice('#/'.length)
    .split('/')
    .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
const resolve = node => {
  if (Array.isArray(node)) return node.map(resolve)
  if (node === null || typeof node !== 'object') return node
  const { $ref, ...rest } = node
  if (typeof $ref === 'string') return resolve({ ...find(spec, parse($ref)), ...rest })
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(value)]))
}

const resolver = {
  fn: { resolveSubtree: async (_, path) => ({ spec: resolve(find(spec, path)), errors: [] }) },
}

globalThis.SwaggerUIBundle({
  spec,
  plugins: [resolver],
  domNode: place,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  syntaxHighlight: { theme: 'agate' },
  validatorUrl: null,
})
