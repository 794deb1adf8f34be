// Swagger UI on the document of this server. A key that is typed in stays in this page: nothing is stored.
const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()

// Swagger UI leaves its lists of examples without a name for screen readers.
const nameLists = () => {
  for (const list of document.querySelectorAll('select:not([aria-label])')) {
    list.setAttribute('aria-label', 'Example')
  }
}
const place = document.getElementById('reference')
new MutationObserver(nameLists).observe(place, { childList: true, subtree: true })

// Requests go to the server that sent this page, whatever its address in the document.
const answer = await fetch('api/v1/openapi.json')
const spec = { ...(await answer.json()), servers: [{ url: new URL('api/v1', location.href).href }] }

globalThis.SwaggerUIBundle({
  spec,
  domNode: place,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  syntaxHighlight: { theme: 'nord' },
  validatorUrl: null,
})
