import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { freePort } from './free-port.ts'
import { makeFolder } from './run/program.ts'
import { until } from './until.ts'

export interface TestRedis {
  url: string
  /** Makes Redis hang: it accepts connections and never responds. */
  pause(): void
  resume(): void
  stop(): Promise<void>
  /** Starts Redis again on the same port after a stop. */
  start(): Promise<void>
}

const ping = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.once('data', data => {
      socket.destroy()
      resolve(data.toString().startsWith('+PONG'))
    })
    socket.once('error', () => resolve(false))
  })

/** Starts a Redis for this test only. */
export async function startRedis(context: { after(run: () => void): void }): Promise<TestRedis> {
  const folder = makeFolder(context)
  const port = await freePort()
  let child: ChildProcess
  const start = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
    child = spawn('redis-server', args, { stdio: 'ignore' })
    await until(() => ping(port))
  }
  await start()
  context.after(() => void child.kill('SIGKILL'))
  return {
    url: `redis://127.0.0.1:${port}/1`,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    start,
  }
}
