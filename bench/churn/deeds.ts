import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../calls.ts'

/** Typical requests of clients. */

/** The k-th request for a ticket. */
const deeds = [
  (id: string) => ['POST', `/tickets/${id}/messages`, { content: 'What about my order?' }],
  (id: string, k: number) => ['PATCH', `/tickets/${id}`, { priority: k % 2 ? 'high' : 'low' }],
  (id: string) => ['GET', `/tickets/${id}`, undefined],
  () => ['GET', '/tickets?status=open&page_size=20', undefined],
  (id: string) => ['POST', `/tickets/${id}/close`, {}],
  (id: string) => ['GET', `/tickets/${id}/messages?page_size=20`, undefined],
  (id: string) => ['POST', `/tickets/${id}/reopen`, {}],
  () => ['GET', '/tickets?q=order&page_size=10', undefined],
] as const

/** Sends requests one after another at a fixed rate. Returns their number. */
export async function work(caller: Caller, ids: string[], rate: number, until: number): Promise<number> {
  const begun = performance.now()
  let done = 0
  for (; performance.now() < until; done++) {
    const early = begun + (done * 1000) / rate - performance.now()
    if (early > 0) await sleep(early)
    const turn = Math.floor(done / ids.length)
    const [method, path, body] = deeds[turn % deeds.length]!(ids[done % ids.length]!, turn)
    const { status, text } = await caller.call(method as string, path as string, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
  }
  return done
}

/** Follows the log by long polling. */
export async function listen(caller: Caller, until: number): Promise<void> {
  let { last_seq: after } = await caller.read('/updates?timeout=0')
  while (performance.now() < until) {
    const { items } = await caller.read(`/updates?after=${after}&timeout=2`)
    after = items.at(-1)?.seq ?? after
  }
}

/** Uploads and downloads a file each second. */
export async function send(url: string, key: string, until: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  while (performance.now() < until) {
    const body = new FormData()
    body.append('file', new Blob(['x'.repeat(100_000)]), 'report.txt')
    const up = await fetch(`${url}/api/v1/media/upload`, { method: 'POST', headers, body })
    if (up.status !== 201) throw new Error(`Upload: ${up.status} ${await up.text()}`)
    const { id } = (await up.json()) as { id: string }
    const down = await fetch(`${url}/api/v1/media/${id}`, { headers })
    await down.arrayBuffer()
    if (down.status !== 200) throw new Error(`Download: ${down.status}`)
    await sleep(1_000)
  }
}
