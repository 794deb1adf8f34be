import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { Config } from './core/config/config.ts'
import { printMetrics } from './core/telemetry/metrics.ts'
import './process-metrics.ts'

type Rule = Pick<Config, 'metricsAllowedCidrs' | 'metricsToken' | 'publicUrl'>

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

function listNetworks(ranges: string[]): BlockList {
  const networks = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    networks.addSubnet(address, Number(bits), familyOf(address))
  }
  return networks
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

function holdsToken({ headers }: IncomingMessage, token: string | null): boolean {
  if (!token || !headers.authorization) return false
  return timingSafeEqual(digest(headers.authorization), digest(`Bearer ${token}`))
}

/** Headers that show that a proxy has forwarded a request. */
const isOfProxy = (name: string): boolean =>
  name.startsWith('x-forwarded-') || ['x-real-ip', 'forwarded', 'via'].includes(name)

/**
 * Whether a request came through a proxy. A proxy on this machine connects from a local address for all clients, so the address
 * of the connection says nothing. Deskbell does not speak TLS, so a request to its https address came through a proxy too.
 */
function isPassedOn({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { protocol, host } = new URL(publicUrl)
  return (protocol === 'https:' && headers.host === host) || Object.keys(headers).some(isOfProxy)
}

/** Whether a request may read the metrics. */
export function createMetricsRule({ metricsAllowedCidrs, metricsToken, publicUrl }: Rule) {
  const networks = listNetworks(metricsAllowedCidrs)
  return (request: IncomingMessage): boolean => {
    if (holdsToken(request, metricsToken)) return true
    const address = request.socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? ''
    return !isPassedOn(request, publicUrl) && address !== '' && networks.check(address, familyOf(address))
  }
}

let asked: Promise<string> | null = null

/** Concurrent scrapes share a result. */
export function readMetrics(): Promise<string> {
  asked ??= printMetrics().finally(() => {
    asked = null
  })
  return asked
}
