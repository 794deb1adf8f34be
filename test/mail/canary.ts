import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'

/** A web server that records every request. It serves an image at each path that ends in .png. */
export async function startCanary() {
  const requests: Pick<IncomingMessage, 'url' | 'headers'>[] = []
  const image = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#0a0' } })
    .png()
    .toBuffer()
  const server = createServer(({ url = '', headers }, response) => {
    requests.push({ url, headers })
    const redirect = /^\/to\?(.*)$/.exec(url)?.[1]
    if (redirect) response.writeHead(302, { location: decodeURIComponent(redirect) }).end()
    else if (url.endsWith('.svg')) response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg/>')
    else if (url.endsWith('.html'))
      response.writeHead(200, { 'content-type': 'image/png' }).end('<script>1</script>')
    else if (url.endsWith('.txt')) response.writeHead(200, { 'content-type': 'text/plain' }).end(image)
    else if (url.endsWith('.big'))
      response
        .writeHead(200, { 'content-type': 'image/png' })
        .end(Buffer.concat([image, Buffer.alloc(11 * 2 ** 20)]))
    else response.writeHead(200, { 'content-type': 'image/png', 'set-cookie': 'seen=1' }).end(image)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export type Canary = Awaited<ReturnType<typeof startCanary>>
