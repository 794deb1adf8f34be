import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The addresses of a name in both families, behind an alias if one is given. */
export interface Entry {
  ips: readonly string[]
  /** In seconds. */
  ttl: number
  alias?: string
  /** The name's text record. */
  text?: string
  /** The domain's mail server. */
  mx?: string
  /** The server of a service. */
  srv?: { port: number; host: string }
}

/** Returns `silent` for a query without a response. */
export type Zone = (name: string) => Entry | 'silent' | undefined

const types = { a: 1, alias: 5, mx: 15, txt: 16, aaaa: 28, srv: 33 }

interface Testing {
  after(act: () => void): void
}

/** Starts a DNS server that calls `zone` for each query, until the test ends. */
export async function startNameServer(t: Testing, zone: Zone) {
  /** The names in the queries for IPv4 addresses. */
  const asked: string[] = []
  const server = createSocket('udp4')
  server.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    if (type === types.a) asked.push(name)
    const entry = zone(name)
    if (entry === 'silent') return
    const records = entry ? writeRecords(entry, type) : []
    const head = Buffer.from([
      query[0]!,
      query[1]!,
      0x81,
      entry ? 0x80 : 0x83,
      0,
      1,
      0,
      records.length,
      0,
      0,
      0,
      0,
    ])
    server.send(Buffer.concat([head, query.subarray(12, end), ...records]), from.port)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  return { servers: [`127.0.0.1:${server.address().port}`], asked }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let place = 12
  while (query[place]) {
    labels.push(query.toString('latin1', place + 1, place + 1 + query[place]!))
    place += query[place]! + 1
  }
  return { name: labels.join('.'), type: query.readUInt16BE(place + 1), end: place + 5 }
}

/** A text is split into strings of at most 255 bytes. */
const writeText = (text: string): Buffer =>
  Buffer.concat(
    text.match(/.{1,255}/g)!.map(part => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])),
  )

function writeRecords({ ips, ttl, alias, text, mx, srv }: Entry, type: number): Buffer[] {
  if (type === types.txt)
    return text ? [writeRecord(Buffer.from([0xc0, 12]), type, ttl, writeText(text))] : []
  if (type === types.mx)
    return mx ? [writeRecord(Buffer.from([0xc0, 12]), type, ttl, [0, 10, ...writeName(mx)])] : []
  if (type === types.srv)
    return srv
      ? [
          writeRecord(Buffer.from([0xc0, 12]), type, ttl, [
            ...[0, 1, 0, 1, srv.port >> 8, srv.port & 255],
            ...writeName(srv.host),
          ]),
        ]
      : []
  const fitting = ips.filter(ip => (isIP(ip) === 4 ? types.a : types.aaaa) === type)
  const toQuestion = Buffer.from([0xc0, 12])
  const owner = alias ? writeName(alias) : toQuestion
  const addresses = fitting.map(ip => writeRecord(owner, type, ttl, ipaddr.parse(ip).toByteArray()))
  return alias ? [writeRecord(toQuestion, types.alias, ttl, writeName(alias)), ...addresses] : addresses
}

const writeName = (name: string): Buffer =>
  Buffer.concat([...name.split('.'), ''].map(label => Buffer.from([label.length, ...Buffer.from(label)])))

function writeRecord(owner: Buffer, type: number, ttl: number, data: Iterable<number>): Buffer {
  const bytes = [...data]
  return Buffer.from([
    ...owner,
    0,
    type,
    0,
    1,
    0,
    0,
    ttl >> 8,
    ttl & 255,
    bytes.length >> 8,
    bytes.length & 255,
    ...bytes,
  ])
}
