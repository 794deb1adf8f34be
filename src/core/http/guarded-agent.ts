import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'

/** Whether the server may open a connection to this address for a project. */
export type MayReach = (ip: string) => boolean

export const mayReachAll: MayReach = () => true

const blocked = (host: string): Error =>
  Object.assign(new Error(`${host} is at an address that projects may not reach`), { code: 'EBLOCKED' })

/** Checks exactly the addresses that the socket connects to. An earlier look-up of the same name does not count. */
const lookUpAllowed =
  (mayReach: MayReach, lookup: typeof dns.lookup): LookupFunction =>
  (name, options, callback) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      if (!found.every(({ address }) => mayReach(address))) return callback(blocked(name), [])
      if (options.all) return callback(null, found)
      callback(null, found[0]!.address, found[0]!.family)
    })

/** A socket does not look up a host that is an IP address, so check it here. */
const isForbidden = (mayReach: MayReach, host: string): boolean => isIP(host) !== 0 && !mayReach(host)

export interface Agents {
  httpAgent: http.Agent
  httpsAgent: https.Agent
}

/** Agents that open connections only to addresses that may be reached. Any other connection fails. */
export function createGuardedAgents(
  options: https.AgentOptions,
  mayReach: MayReach,
  lookup: typeof dns.lookup = dns.lookup,
): Agents {
  const guarded = { ...options, lookup: lookUpAllowed(mayReach, lookup) }
  return { httpAgent: guard(new http.Agent(guarded)), httpsAgent: guard(new https.Agent(guarded)) }

  function guard<A extends http.Agent>(agent: A): A {
    const connect = agent.createConnection.bind(agent)
    agent.createConnection = (target, opened) => {
      const host = target.host ?? ''
      if (!isForbidden(mayReach, host)) return connect(target, opened)
      opened?.(blocked(host), null as never)
      return null
    }
    return agent
  }
}

/**
 * The addresses of a host for connections that no agent opens. They are connected to directly, so that the name cannot mean
 * something else a moment later.
 */
export async function lookUpHost(
  host: string,
  mayReach: MayReach,
  lookup: typeof dns.lookup = dns.lookup,
): Promise<string[]> {
  const found = isIP(host) ? [{ address: host }] : await promisify(lookup)(host, { all: true })
  if (!found.every(({ address }) => mayReach(address))) throw blocked(host)
  return found.map(({ address }) => address)
}
