import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/** Bytes that a client may leave unread before it is disconnected. It reconnects and continues where it was. */
const maxUnreadBytes = 1_000_000

/** A response that stays open. */
export class Stream {
  /** The presence that was last sent. */
  shown: string | null = null
  readonly #reply: FastifyReply
  readonly #response: ServerResponse

  constructor(reply: FastifyReply) {
    this.#reply = reply
    this.#response = reply.raw
  }

  open(): void {
    this.#reply.hijack()
    for (const [name, value] of Object.entries(this.#reply.getHeaders()))
      if (value !== undefined) this.#response.setHeader(name, value)
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
  }

  get isOpen(): boolean {
    const { headersSent, destroyed, writableEnded } = this.#response
    return headersSent && !destroyed && !writableEnded
  }

  send(frames: string): void {
    if (!this.isOpen || frames === '') return
    if (this.#response.writableLength > maxUnreadBytes) this.#response.destroy()
    else this.#response.write(frames)
  }

  /** Waits until the client has read what was sent, or has disconnected. */
  async drain(): Promise<void> {
    if (!this.isOpen || !this.#response.writableNeedDrain) return
    const over = new AbortController()
    const { signal } = over
    await Promise.race(['drain', 'close'].map(event => once(this.#response, event, { signal })))
    over.abort()
  }

  end(frames = ''): void {
    if (this.isOpen) this.#response.end(frames)
  }

  onClose(act: () => void): void {
    if (this.#response.destroyed) act()
    else this.#response.once('close', act)
  }
}
