import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An OpenTelemetry collector that keeps everything it receives as JSON over HTTP. */

export interface Span {
  name: string
  /** 1 internal, 2 server, 3 client. */
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code?: number }
  attributes: Record<string, string | number>
  service: string
}

type Sent = { key: string; value: { stringValue?: string; intValue?: number } }[]

const read = (sent: Sent) =>
  Object.fromEntries(sent.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))

// biome-ignore lint/suspicious/noExplicitAny: the shape is the protocol's.
const spansOf = (body: any): Span[] =>
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the protocol's.
  body.resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: the shape is the protocol's.
    scopeSpans.flatMap(({ spans }: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: the shape is the protocol's.
      spans.map((span: any) => ({
        ...span,
        attributes: read(span.attributes),
        service: read(resource.attributes)['service.name'],
      })),
    ),
  )

export async function startCollector(answer = (response: ServerResponse): void => void response.end('{}')) {
  const collector = {
    spans: [] as Span[],
    /** The request bodies as received. */
    text: '',
    requests: [] as { path: string; authorization: string | undefined }[],
    url: '',
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer(async (request, response) => {
    collector.requests.push({ path: request.url!, authorization: request.headers.authorization })
    const body = (await request.toArray()).join('')
    collector.text += body
    collector.spans.push(...spansOf(JSON.parse(body)))
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return collector
}
