import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServer } from '../server.ts'

/** A Deskbell process with a supervisor that restarts it whenever it ends. */
export class Member {
  readonly name: string
  readonly url: string
  kills = 0
  /** Milliseconds from each kill until the process was ready again. */
  readonly comebacks: number[] = []
  /** How often it ended without being killed. */
  collapses = 0
  /** Starts that ended before it was ready. */
  failedStarts = 0
  readonly #settings: Record<string, string>
  #server: Server | null = null
  #isStopped = false

  constructor(name: string, settings: Record<string, string>) {
    this.name = name
    this.url = `http://127.0.0.1:${settings.PORT}`
    this.#settings = settings
  }

  get answers(): boolean {
    return this.#settings.ROLES!.includes('http')
  }

  get isUp(): boolean {
    return this.#server !== null
  }

  async start(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const server = await startServer(this.#settings)
        if (this.#isStopped) return await server.stop()
        this.#server = server
        server.child.once('exit', () => this.#hasEnded())
        return
      } catch {
        this.failedStarts++
        await sleep(100)
      }
    }
  }

  /** Sends SIGKILL. The supervisor restarts the process. */
  async kill(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (!server?.child.kill('SIGKILL')) return
    this.kills++
    const begun = performance.now()
    await once(server.child, 'exit')
    void this.start().then(() => this.comebacks.push(Math.round(performance.now() - begun)))
  }

  /** Sends SIGTERM, as at an update of Deskbell. */
  async restart(): Promise<void> {
    const server = this.#server
    this.#server = null
    await server?.stop()
    if (server) void this.start()
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#server?.child.kill(name)
  }

  async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(3_000) }).catch(() => null)
    await answer?.arrayBuffer().catch(() => {})
    return answer?.status === 200
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const server = this.#server
    this.#server = null
    await server?.stop()
  }

  #hasEnded(): void {
    if (!this.#server || this.#isStopped) return
    this.collapses++
    this.#server = null
    void this.start()
  }
}
