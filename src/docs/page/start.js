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

globalThis.SwaggerUIBundle({
  spec,
  domNode: place,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  syntaxHighlight: { theme: 'agate' },
  validatorUrl: null,
})
