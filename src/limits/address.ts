import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Some proxies append the port to the address. */
const withoutPort = (text: string): string =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? /^\[(.+)\](:\d+)?$/.exec(text)?.[1] ?? text

/**
 * The bucket of a client. A /64 network counts as one IPv6 client, and an IPv4-mapped address as IPv4. Everything that a proxy sends
 * and that is not an address shares one bucket.
 */
export function bucketOf(text: string): string {
  const address = withoutPort(text)
  const version = isIP(address)
  if (version === 4) return address
  if (version === 0) return 'unknown'
  const parsed = ipaddr.process(address)
  if (!('parts' in parsed)) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}
