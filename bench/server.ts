import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { root } from '../src/core/config.ts'
import { endWithUs, stop } from './children.ts'

/** A real server process, as `npm start` runs one. */
export interface Server {
  /** Up to and without /api/v1. */
  url: string
  port: number
  child: ChildProcess
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>
}

const unlimited = { RATE_LIMIT_PER_KEY: '1000000000', RATE_LIMIT_PER_IP: '1000000000' }

/** Settings of the caller's own shell must not reach what is measured; only what finds programs does. */
const inherited = () => {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE }
}

export async function startServer(settings: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: { ...inherited(), HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...unlimited, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithUs(child)
  const port = await readPort(child)
  return { url: `http://127.0.0.1:${port}`, port, child, stop: () => stop(child) }
}

/** From the line that says that the server is ready; rejects when it ends before that. */
async function readPort(child: ChildProcess): Promise<number> {
  const lines = createInterface({ input: child.stdout! })
  const found = new Promise<number>((resolve, reject) => {
    child.once('exit', status =>
      reject(new Error(`The server ended with status ${status} before it was ready`)),
    )
    lines.on('line', line => {
      const [, port] = /ready at \S+:(\d+)/.exec(line) ?? []
      if (port) resolve(Number(port))
    })
  })
  return found
}

/** A port that nobody has now, for a server that is started again and again. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await once(probe.listen(0, '127.0.0.1'), 'listening')
  const { port } = probe.address() as { port: number }
  await once(probe.close(), 'close')
  return port
}
