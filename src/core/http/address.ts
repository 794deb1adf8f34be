import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

export type AddressRule = {
  /** True when PUBLIC_URL names neither this machine nor a private network. */
  isServerPublic: boolean
  /** Whether a webhook or a project's bucket may be at this address, given as the text of an IPv4 or IPv6 address. */
  isAllowed(ip: string): boolean
  /** The current rule in one sentence, for the log at start and for `doctor`. */
  describe(): string
}

/** AWS (also tasks, pods), Google, Azure (also host agent), Oracle, Alibaba, Tencent, Scaleway, Linode, OpenStack. */
const METADATA = parseTable(`
  169.254.169.0/24 169.254.170.0/24 168.63.129.16 192.0.0.192 100.100.100.200 169.254.0.23 169.254.42.42
  fd00:ec2::/32 fd20:ce::254 fd00:c1::a9fe:a9fe fd00:42::42 fd00:a9fe:a9fe::/48
`)

/** Special-purpose addresses of the IANA registries: in IPv6, everything outside 2000::/3 and some parts of it. */
const SPECIAL = parseTable(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  ::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20
`)

/** This machine and private networks. */
const HOME = parseTable(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16
  ::/127 fc00::/7 fe80::/10
`)

/** Where IPv6 forms carry an IPv4 address: the end (mapped, NAT64, ISATAP), 6to4, Teredo, other NAT64 (RFC 6052). */
const EMBEDDED = '12.13.14.15 2.3.4.5 4.5.6.7 5.6.7.9 6.7.9.10 7.9.10.11 9.10.11.12'
  .split(' ')
  .map(places => places.split('.').map(Number))

export function createAddressRule(options: { publicUrl: string; allowedCidrs?: string[] }): AddressRule {
  const listed = parseRanges(options.allowedCidrs ?? [])
  const isServerPublic = !isHomeUrl(options.publicUrl)
  return {
    isServerPublic,
    isAllowed(ip) {
      const address = parseAddress(ip)
      if (!address || isMetadata(address)) return false
      if (!isServerPublic || !isIn(SPECIAL, address)) return true
      return isIn(listed, address) || isIn(listed, unmap(address))
    },
    describe: () => describeRule(isServerPublic, options.allowedCidrs ?? []),
  }
}

/** The address rule that follows from the settings. */
export const addressRuleOf = (config: Pick<Config, 'publicUrl' | 'webhookAllowedCidrs'>): AddressRule =>
  createAddressRule({ publicUrl: config.publicUrl, allowedCidrs: config.webhookAllowedCidrs })

function describeRule(isServerPublic: boolean, allowed: string[]) {
  const metadata = 'cloud metadata addresses are always refused'
  if (!isServerPublic)
    return `Webhooks and buckets of projects may reach any address, because PUBLIC_URL is local; ${metadata}.`
  const except = allowed.length ? `except ${allowed.join(', ')}` : 'unless listed in WEBHOOK_ALLOWED_CIDRS'
  return `Webhooks and buckets of projects may reach public addresses; loopback, private and special ones are refused ${except}; ${metadata}.`
}

/** Whether the host of the URL is this machine or in a private network. */
export function isHomeUrl(publicUrl: string): boolean {
  const host = URL.parse(publicUrl)?.hostname.replace(/\.$/, '')
  if (!host) return false
  const address = parseAddress(host.replace(/^\[|\]$/g, ''))
  if (address) return isIn(HOME, unmap(address))
  return !host.includes('.') || /\.(localhost|local|internal|lan|test|home\.arpa)$/.test(host)
}

function isMetadata(address: Address) {
  return isIn(METADATA, address) || listEmbedded(address).some(inner => isIn(METADATA, inner))
}

/** Every IPv4 address that an IPv6 address may contain. Teredo stores it with inverted bits at the end. */
function listEmbedded(address: Address): Address[] {
  if (address.kind() === 'ipv4') return []
  const bytes = address.toByteArray()
  const inverted = bytes.slice(12).map(byte => byte ^ 0xff)
  return [...EMBEDDED.map(places => places.map(place => bytes[place]!)), inverted].map(
    inner => new ipaddr.IPv4(inner),
  )
}

function unmap(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function isIn(ranges: Range[], address: Address) {
  return ranges.some(([start, bits]) => start.kind() === address.kind() && address.match(start, bits))
}

/** Accepts only the spellings that Node.js connects to: ipaddr.js would read `10` as 0.0.0.10. */
function parseAddress(text: string): Address | null {
  return isIP(text) ? ipaddr.parse(text) : null
}

function parseTable(text: string) {
  return parseRanges(text.trim().split(/\s+/))
}

function parseRanges(texts: string[]): Range[] {
  return texts.map(text => {
    const [ip = '', bits, ...rest] = text.trim().split('/')
    const address = parseAddress(ip)
    const width = address?.kind() === 'ipv4' ? 32 : 128
    const length = bits === undefined ? width : /^\d+$/.test(bits) ? Number(bits) : Number.NaN
    if (!address || rest.length || !(length <= width)) {
      throw new Error(`WEBHOOK_ALLOWED_CIDRS: "${text}" is not an address or a range such as 10.0.0.0/8`)
    }
    return [address, length]
  })
}
