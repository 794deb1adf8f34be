const isLoopback = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')

/**
 * The origins of our pages: PUBLIC_URL. While PUBLIC_URL is a loopback address, which means that it has not been set yet, other
 * loopback names and ports count too. Any other host is only claimed by the request.
 */
export function listOwnOrigins(host: string | null | undefined, publicUrl: string): string[] {
  const own = new URL(publicUrl).origin
  if (!host || !isLoopback(own)) return [own]
  const claimed = [`http://${host}`, `https://${host}`].filter(isLoopback)
  return [own, ...claimed.map(url => new URL(url).origin)]
}

export const isOwnOrigin = (origin: string, host: string | undefined, publicUrl: string): boolean =>
  listOwnOrigins(host, publicUrl).includes(origin)
