import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { formOf, formType } from '../../test/upload.ts'
import { percentile, round } from '../figures.ts'
import { call, type Stage, tell } from './stage.ts'

const form = formOf({ filename: 'a.bin', content: Buffer.alloc(1_000_000, 'x') })
const perSecond = 64 * 1024

/** Uploads at 64 KB a second. Returns the status. */
async function trickle({ server, key }: Stage): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  let status = ''
  socket.on('error', () => {})
  socket.on('data', chunk => {
    status ||= chunk.toString('latin1', 9, 12)
  })
  socket.write(
    `POST /api/v1/media/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: ${formType['content-type']}\r\ncontent-length: ${form.length}\r\n\r\n`,
  )
  for (let at = 0; at < form.length && !status; at += perSecond / 4) {
    socket.write(form.subarray(at, at + perSecond / 4))
    await sleep(250)
  }
  for (let waited = 0; !status && waited < 30_000; waited += 50) await sleep(50)
  socket.destroy()
  return status
}

/** Never finishes the head of its request. Returns the seconds until the server closes, or infinity after 70. */
function drip({ server }: Stage): Promise<number> {
  const begun = performance.now()
  const { promise, resolve } = Promise.withResolvers<number>()
  const socket: Socket = connect(server.port, '127.0.0.1', () =>
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n'),
  )
  const timer = setInterval(() => socket.write('x-a: b\r\n'), 5_000)
  const end = (seconds: number) => {
    clearInterval(timer)
    clearTimeout(last)
    socket.destroy()
    resolve(seconds)
  }
  const last = setTimeout(end, 70_000, Number.POSITIVE_INFINITY)
  socket.on('error', () => {})
  socket.on('close', () => end((performance.now() - begun) / 1_000))
  socket.resume()
  return promise
}

async function timeCalls(stage: Stage, isOver: () => boolean): Promise<number> {
  const took: number[] = []
  for (; !isOver(); await sleep(20)) took.push(await call(stage))
  return percentile(took, 0.99)
}

/** Slow uploads, which are allowed, and idle connections, together with normal calls. */
export async function slow(stage: Stage): Promise<boolean> {
  const quietUntil = performance.now() + 10_000
  const alone = await timeCalls(stage, () => performance.now() > quietUntil)
  let isOver = false
  const beside = timeCalls(stage, () => isOver)
  const dripping = Array.from({ length: 500 }, () => drip(stage))
  const statuses = await Promise.all(Array.from({ length: 100 }, () => trickle(stage)))
  const cut = await Promise.all(dripping)
  isOver = true
  const p99 = await beside
  const done = statuses.filter(status => status === '201').length
  const last = round(percentile(cut, 1), 1)
  const measured = `${done} of 100 uploads at 64 KB/s done, 500 unfinished heads closed within ${last} s, p99 of others ${round(p99, 1)} ms (${round(alone, 1)} ms alone)`
  return tell('F9', measured, done === 100 && last <= 60 && p99 <= 2 * alone)
}
