import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that sends the same response to every request. */

process.once('message', ({ body }: { body: string }) => {
  const bytes = Buffer.from(body)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length }
  const server = http.createServer((_request, response) => {
    response.writeHead(200, headers)
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
})
process.on('disconnect', () => process.exit())
