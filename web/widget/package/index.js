/** @typedef {import('./index.d.ts').Deskbell} Deskbell */

/** Calls made before the script has loaded are queued, as with the snippet. */
function findDeskbell() {
  if (!window.Deskbell) {
    const stub = (...call) => stub.q.push(call)
    stub.q = []
    window.Deskbell = stub
  }
  return window.Deskbell
}

function load(host) {
  const src = `${host}/widget.js`
  if ([...document.scripts].some(script => script.src === src)) return
  const script = document.createElement('script')
  script.src = src
  script.async = true
  document.head.append(script)
}

/** The same as `Deskbell(verb, …)` in the snippet. On a server, it does nothing. */
export function deskbell(...call) {
  if (typeof window !== 'undefined') findDeskbell()(...call)
}

/** Puts the chat on the page. A repeated call with the same options changes nothing. */
export function boot({ host, ...options }) {
  if (typeof window === 'undefined') return
  const origin = new URL(host).origin
  deskbell('boot', { ...options, host: origin })
  load(origin)
}
export const identify = identity => deskbell('identify', identity)
export const logout = () => deskbell('logout')
export const open = ticketId => deskbell('open', ticketId)
export const close = () => deskbell('close')
export const toggle = () => deskbell('toggle')
export const destroy = () => deskbell('destroy')

/** Returns a function that stops listening. */
export function on(name, listener) {
  deskbell('on', name, listener)
  return () => deskbell('off', name, listener)
}
