import ipaddr from 'ipaddr.js'

/** One bucket per client: an IPv6 network of /64 counts as one, an IPv4-mapped address as IPv4. */
export function bucketOf(address: string): string {
  if (!address.includes(':')) return address
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}
