import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Log } from '../telemetry/log.ts'
import { isHomeUrl } from './address.ts'

/** Warns about missing settings that requests reveal. Each warning is logged only once, because any caller can cause it. */

type Settings = Pick<Config, 'publicUrl'>

function findUntrusted({ headers, socket, ips }: FastifyRequest): string | null {
  if (headers['x-forwarded-for'] === undefined || (ips?.length ?? 0) > 1) return null
  return `X-Forwarded-For from ${socket.remoteAddress} is ignored: if that is your reverse proxy, set TRUST_PROXY to its address; until then all its clients count as one`
}

function findOtherHost({ headers: { host } }: FastifyRequest, { publicUrl }: Settings): string | null {
  if (!host || !isHomeUrl(publicUrl) || isHomeUrl(`http://${host}`)) return null
  return `A request named another host than PUBLIC_URL, ${publicUrl}: if people reach this server by a public name, set PUBLIC_URL to it. Otherwise links in mails do not work, sign-in is refused, and webhooks may reach private addresses`
}

export function warnOfProxies(app: FastifyInstance, settings: Settings, log: Log): void {
  const open = new Set([findUntrusted, findOtherHost])
  app.addHook('onRequest', async request => {
    for (const find of open) {
      const sentence = find(request, settings)
      if (!sentence) continue
      open.delete(find)
      log.warn(sentence)
    }
  })
}
