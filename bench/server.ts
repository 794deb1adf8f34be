import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { root } from '../src/core/config/config.ts'
import { endWithUs, stop } from './children.ts'

/** A server process, started like `npm start`. */
export interface Server {
  /** The address without /api/v1. */
  url: string
  port: number
  child: ChildProcess
  /** Sends SIGTERM and waits for the server to exit. */
  stop(): Promise<void>
}

const unlimited = { RATE_LIMIT_PER_KEY: '1000000000', RATE_LIMIT_PER_IP: '1000000000' }

/** The caller's settings must not affect the measured server, so only variables for finding programs are passed. */
const inherited = () => {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE }
}

/** `folder`: another copy of Deskbell, to compare with. */
export async function startServer(settings: Record<string, string>, folder = root): Promise<Server> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: folder,
    env: { ...inherited(), HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...unlimited, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithUs(child)
  const port = await readPort(child)
  return { url: `http://127.0.0.1:${port}`, port, child, stop: () => stop(child) }
}

/** Reads the port from the line that says that the server is ready. Rejects if the server ends first. */
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
