/** The host of a URL as browsers write it: `shop.example`, `*.shop.example`, `localhost:8080`; null for anything else. */
export function readDomain(sent: string): string | null {
  const text = sent.trim().replace(/^https?:\/\//i, '')
  const star = text.startsWith('*.') ? '*.' : ''
  const url = URL.parse(`http://${text.slice(star.length)}`)
  const host = url?.username === '' ? url.host.replace(/:443$/, '') : ''
  return /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d+)?$/.test(host) ? star + host : null
}
