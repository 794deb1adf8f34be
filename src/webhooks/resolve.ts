import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** All addresses of a name; empty if it has none or the name server does not respond. Never rejects. */
export type Resolve = (name: string) => Promise<string[]>

type Found = { addresses: string[]; ttl: number }
type Sources = { dns: Resolver; hostsFile: string; useSystem: boolean }

const MAX_TTL_SECONDS = 60
const MAX_NAMES = 10_000
const NOTHING: Found = { addresses: [], ttl: 0 }
const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

/**
 * Resolves with c-ares, because dns.lookup shares four threads with the file system: four names whose servers do not respond would
 * block the process. With `useSystem`, it tries dns.lookup after that, for .local names and search domains in local networks.
 */
export function createResolver(
  options: { servers?: string[]; hostsFile?: string; useSystem?: boolean } = {},
) {
  const dns = new Resolver({ timeout: 2_000, tries: 2, maxTimeout: 2_000 })
  if (options.servers) dns.setServers(options.servers)
  const sources = { dns, hostsFile: options.hostsFile ?? HOSTS_FILE, useSystem: options.useSystem ?? false }
  const known = new Map<string, { addresses: Promise<string[]>; until: number }>()

  const resolve: Resolve = given => {
    const name = given.toLowerCase().replace(/\.$/, '')
    const cached = known.get(name)
    if (cached && cached.until > performance.now()) return cached.addresses
    const entry = { addresses: findAddresses(name, sources).then(keep), until: Number.POSITIVE_INFINITY }
    known.delete(name)
    known.set(name, entry)
    if (known.size > MAX_NAMES) known.delete(known.keys().next().value!)
    return entry.addresses

    function keep({ addresses, ttl }: Found) {
      entry.until = performance.now() + Math.min(ttl, MAX_TTL_SECONDS) * 1_000
      return addresses
    }
  }
  return { resolve, cancel: () => dns.cancel() }
}

async function findAddresses(name: string, sources: Sources): Promise<Found> {
  if (/(^|\.)localhost$/.test(name)) return { addresses: ['127.0.0.1', '::1'], ttl: MAX_TTL_SECONDS }
  const fromHosts = await readHosts(name, sources.hostsFile)
  if (fromHosts.length) return { addresses: fromHosts, ttl: MAX_TTL_SECONDS }
  const fromDns = await queryDns(name, sources.dns)
  return fromDns.addresses.length || !sources.useSystem ? fromDns : askSystem(name)
}

async function readHosts(name: string, file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .map(line => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/))
    .filter(([ip, ...names]) => isIP(ip!) && names.includes(name))
    .map(([ip]) => ip!)
}

async function queryDns(name: string, dns: Resolver): Promise<Found> {
  const queries = [dns.resolve4(name, { ttl: true }), dns.resolve6(name, { ttl: true })]
  const answers = await Promise.allSettled(queries)
  const records = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  if (!records.length) return NOTHING
  return {
    addresses: records.map(record => record.address),
    ttl: Math.min(...records.map(record => record.ttl)),
  }
}

async function askSystem(name: string): Promise<Found> {
  const records = await lookup(name, { all: true }).catch(() => [])
  return { addresses: records.map(record => record.address), ttl: records.length ? 5 : 0 }
}

/** The host without brackets and trailing dot. URL has already turned 0x7f.1 and the like into 127.0.0.1. */
export function readHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$|\.$/g, '')
}
