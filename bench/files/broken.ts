import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formOf, formType } from '../../test/upload.ts'
import { countOpen } from '../process.ts'
import { type Stage, tell } from './stage.ts'

const form = formOf({ filename: 'a.bin', content: Buffer.alloc(1_000_000, 'x') })

/** Sends the beginning of a form and resets the connection. */
async function send({ server, key }: Stage, bytes: number): Promise<void> {
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `POST /api/v1/media/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: ${formType['content-type']}\r\ncontent-length: ${form.length}\r\n\r\n`,
  )
  await new Promise(done => socket.write(form.subarray(0, bytes), done))
  socket.resetAndDestroy()
  await once(socket, 'close')
}

async function count({ server, dataDir, db }: Stage) {
  const [row] = await db<{ rows: number; strays: number }[]>`
    select (select count(*)::int from media) as rows, (select count(*)::int from stray_objects) as strays`
  const entries = readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
  return {
    ...row!,
    files: entries.filter(entry => entry.isFile()).length,
    descriptors: countOpen(server),
  }
}

const sameAs = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b)

/** Aborts a thousand uploads at random points, and checks that nothing remains. */
export async function breakOff(stage: Stage): Promise<boolean> {
  const random = () => Math.floor(Math.random() * (form.length - 1))
  const some = () => Promise.all(Array.from({ length: 10 }, () => send(stage, random())))
  await some()
  await sleep(2_000)
  const before = await count(stage)
  for (let sent = 0; sent < 1_000; sent += 10) await some()
  const begun = performance.now()
  while (performance.now() - begun < 60_000 && !sameAs(await count(stage), before)) await sleep(500)
  const after = await count(stage)
  const names = Object.keys(before) as (keyof typeof before)[]
  const left = names.map(name => `${after[name] - before[name]} ${name}`).join(', ')
  const seconds = Math.ceil((performance.now() - begun) / 1_000)
  return tell('F3', `1,000 aborted uploads: ${left} left after ${seconds} s`, sameAs(after, before))
}
