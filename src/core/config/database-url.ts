/** The parts of a DATABASE_URL. It may name several hosts, as in libpq: `postgres://user@a:5432,b:5433/db`. */
export interface DatabaseUrl {
  /** The URL for the driver: user, password, database and parameters, with a placeholder for the hosts. */
  url: string
  /** Host names, addresses, or the folder of a socket. */
  hosts: string[]
  /** One port for each host. */
  ports: number[]
  /** Which host to use: the driver's `target_session_attrs`, or null for any. */
  sessions: string | null
  /** Hosts and database, for a message. */
  shown: string
}

const sessionKinds = ['any', 'primary', 'read-write', 'read-only', 'standby', 'prefer-standby']

/** Throws an error that says what is expected. */
export function readDatabaseUrl(text: string): DatabaseUrl {
  const [, scheme, login = '', list = '', rest] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(.*)/s.exec(text) ?? []
  const address = `${scheme}${login}localhost${rest}`
  if (!scheme || !URL.canParse(address)) throw new Error(expected)
  const url = new URL(address)
  const take = (name: string): string | null => {
    const value = url.searchParams.get(name)
    url.searchParams.delete(name)
    return value
  }
  url.pathname = `/${url.pathname.split('/')[1] ?? ''}`
  const [named, port, kind] = [take('host'), take('port'), take('target_session_attrs') ?? 'primary']
  if (!sessionKinds.includes(kind))
    throw new Error(`${expected}; target_session_attrs is one of ${sessionKinds}`)
  const places = named === null ? readList(list, port) : zip(named.split(','), port)
  if (places.length > 1 && places.some(({ host }) => !host || host.startsWith('/'))) throw new Error(expected)
  return {
    url: url.href,
    hosts: places.map(({ host }) => host || 'localhost'),
    ports: places.map(one => one.port),
    sessions: kind === 'any' ? null : kind,
    shown: `${named ?? (list || 'localhost')}${url.pathname}`,
  }
}

const expected =
  'an address such as postgres://user:password@host:5432/database; separate several hosts with commas, put an IPv6 address in brackets, and percent-encode characters such as @ / ? # in a password'

interface Place {
  host: string
  port: number
}

/** Each host may have a port of its own, which `?port=` overrides. */
function readList(list: string, port: string | null): Place[] {
  const found = list.split(',').map(part => /^(?:\[([^[\]]+)\]|([^:[\]]*))(?::(\d+))?$/.exec(part))
  if (found.some(one => one === null)) throw new Error(expected)
  const hosts = found.map(one => one![1] ?? decodeURIComponent(one![2]!))
  return zip(hosts, port ?? found.map(one => one![3] ?? '').join())
}

/** A single port applies to all hosts. */
function zip(hosts: string[], port: string | null): Place[] {
  const ports = (port ?? '').split(',').map(one => (one === '' ? 5432 : Number(one)))
  const areRight = ports.every(one => Number.isInteger(one) && one > 0 && one < 65_536)
  if (!areRight || ![1, hosts.length].includes(ports.length)) throw new Error(expected)
  return hosts.map((host, at) => ({ host, port: ports[at] ?? ports[0]! }))
}
