import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { Config } from '../core/config/config.ts'
import { SetupError } from '../core/config/setup-error.ts'
import { propertyOf } from '../core/objects.ts'
import { reasonOf } from './check.ts'

/** Checks that PUBLIC_URL leads to this installation. */

/** Milliseconds. */
const maxAnswer = 8_000

async function findAddress(host: string): Promise<string> {
  try {
    return (await lookup(host)).address
  } catch (error) {
    throw new SetupError(
      `PUBLIC_URL: the name ${host} cannot be found (${reasonOf(error)}), so links do not work; correct it, or create its DNS record`,
    )
  }
}

const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback'

const isOfTls = (reason: string): boolean => /CERT|TLS|SSL|ALTNAME|SELF_SIGNED|EPROTO/.test(reason)

async function isDeskbell(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => null)
  return response.ok && propertyOf(body, 'status') === 'ok'
}

/** In many networks a machine cannot reach its own public address, so that alone is not a fault. */
export async function describeAddress({ publicUrl }: Config, isServing: boolean): Promise<string> {
  const { hostname, host } = new URL(publicUrl)
  const address = await findAddress(hostname.replace(/^\[|\]$/g, ''))
  if (!isServing) return `PUBLIC_URL is ${publicUrl}; not tested, because no server is running here`
  try {
    const signal = AbortSignal.timeout(maxAnswer)
    const response = await fetch(`${publicUrl}/healthz`, { redirect: 'manual', signal })
    if (await isDeskbell(response)) return `Deskbell responds at PUBLIC_URL, ${publicUrl}`
    throw new SetupError(
      `PUBLIC_URL: at ${publicUrl} another server answers (${response.status} to /healthz); correct it, or let the proxy there pass requests on to Deskbell`,
    )
  } catch (error) {
    if (error instanceof SetupError) throw error
    const reason = reasonOf(error)
    if (isOfTls(reason))
      throw new SetupError(
        `PUBLIC_URL: the certificate of ${host} is not valid (${reason}); renew it, or correct the address`,
      )
    if (isLoopback(address))
      throw new SetupError(
        `PUBLIC_URL: nothing responds at ${publicUrl} (${reason}); set it to the address at which people reach this server`,
      )
    return `PUBLIC_URL is ${publicUrl}; this machine cannot reach it (${reason}), which may be normal in your network`
  }
}

/** Days before a certificate expires: programs that renew certificates do so earlier. */
const minDays = 10

/** When the certificate at that address expires; null without one. */
async function findEnd(url: URL): Promise<Date | null> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const options = { host, port: Number(url.port || 443), servername: isIP(host) ? '' : host }
  const signal = AbortSignal.timeout(maxAnswer)
  // Other certificate problems are reported by the check of the address.
  const socket = connect({ ...options, rejectUnauthorized: false }).on('error', () => {})
  try {
    await once(socket, 'secureConnect', { signal })
    return new Date(socket.getPeerCertificate().valid_to)
  } catch {
    return null
  } finally {
    socket.destroy()
  }
}

export async function describeCertificate(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  now = Date.now(),
): Promise<string> {
  const url = new URL(publicUrl)
  if (url.protocol === 'http:') return 'none, because PUBLIC_URL is not https'
  const end = await findEnd(url)
  if (!end) return `none is shown at ${url.host}`
  const days = Math.floor((end.getTime() - now) / 86_400_000)
  const day = end.toISOString().slice(0, 10)
  if (days >= minDays) return `that of ${url.host} is good until ${day}`
  throw new SetupError(
    `PUBLIC_URL: the certificate of ${url.host} expires on ${day}; renew it, and check why it was not renewed automatically`,
  )
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** Requests the metrics through the public address, because requests that a local proxy forwards seem to come from this machine. */
export async function describeMetrics({ publicUrl, port }: Config, isServing: boolean): Promise<string> {
  if (!isServing || portOf(new URL(publicUrl)) === port) return 'no proxy exposes them'
  const text = await fetch(`${publicUrl}/metrics`, { signal: AbortSignal.timeout(maxAnswer) }).then(
    response => response.text(),
    () => '',
  )
  if (!text.startsWith('# HELP ')) return `not shown at ${publicUrl}/metrics`
  throw new SetupError(
    `${publicUrl}/metrics can be read by everybody: let the proxy answer 404 there, and send X-Forwarded-For with all other requests`,
  )
}
