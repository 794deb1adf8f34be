import { join } from 'node:path'
import { createServer } from 'vite'

/**
 * `bin/dev [address of a running Deskbell]`: serves the dashboard with live reload, in front of that server's
 * API.
 */

const target = process.argv[2] ?? 'http://localhost:3000'
const proxy = Object.fromEntries(
  ['/api', '/docs', '/fonts', '/help', '/readyz'].map(path => [path, { target }]),
)
const server = await createServer({
  configFile: join(import.meta.dirname, 'vite.config.ts'),
  server: { host: '127.0.0.1', proxy },
})
await server.listen()
server.printUrls()
