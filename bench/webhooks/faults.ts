import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { clock } from '../delivery/measure.ts'
import { round } from '../figures.ts'
import { memoryOf } from '../process.ts'
import { record } from '../results.ts'
import { addProject, call, type Project, register, type Stage } from './stage.ts'

async function listen(answer: (socket: Socket) => void) {
  const server = createServer(socket => {
    socket.on('error', () => {})
    answer(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, server }
}

const repeat = (socket: Socket, ms: number, text: string) => {
  const timer = setInterval(() => socket.write(text), ms)
  socket.once('close', () => clearInterval(timer))
}

const faults: Record<string, (socket: Socket) => void> = {
  hangs: () => {},
  'sends a line of its head every 200 ms': socket => {
    socket.write('HTTP/1.1 200 OK\r\n')
    repeat(socket, 200, 'x-a: b\r\n')
  },
  'sends 102 every second': socket => repeat(socket, 1_000, 'HTTP/1.1 102 Processing\r\n\r\n'),
  'answers 200 after 9.8 s, without end': socket =>
    setTimeout(() => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      repeat(socket, 50, '1\r\nx\r\n')
    }, 9_800),
}

async function test(project: Project, url: string) {
  const id = await register(project, url)
  const begun = clock()
  const result = await call(project.caller, 'POST', `/webhooks/${id}/test`)
  return { ...result, took: clock() - begun }
}

/** Checks that every attempt ends, regardless of the target's behaviour. */
export async function faulty(stage: Stage): Promise<boolean> {
  const project = await addProject(stage)
  const tests = Object.entries(faults).flatMap(([what, answer]) => [
    { what, answer, scheme: 'http' },
    ...(what === 'hangs' ? [{ what: 'never ends its TLS handshake', answer, scheme: 'https' }] : []),
  ])
  const results = await Promise.all(
    tests.map(async ({ what, answer, scheme }) => {
      const { port, server } = await listen(answer)
      const result = await test(await addProject(stage), `${scheme}://127.0.0.1:${port}`)
      server.close()
      return { what, ...result }
    }),
  )
  project.caller.close()
  for (const { what, took, delivered, error } of results)
    console.log(`${what}: ${round(took / 1_000)} s, ${delivered ? 'delivered' : error}`)
  const longest = Math.max(...results.map(({ took }) => took))
  const isRight = results.every(({ what, delivered }) => delivered === what.startsWith('answers 200'))
  const isKept = isRight && longest <= 10_300
  const measured = `${results.length} targets that never finish a response, the longest attempt ${round(longest / 1_000)} s; a 200 at 9.8 s with an endless body counted as success`
  record('W9', { measured, isKept })
  return isKept
}

const block = Buffer.alloc(65_536, 'x')

/** Sends a gigabyte. */
function pour(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n')
  const fill = () => {
    while (socket.writable && socket.write(block));
  }
  socket.on('drain', fill)
  fill()
}

/** A server with short and endless responses, which records how long the endless ones were open. */
async function openTap() {
  const open: number[] = []
  const sent: number[] = []
  const long = await listen(socket =>
    socket.once('data', () => {
      const begun = clock()
      pour(socket)
      socket.once('close', () => {
        open.push(clock() - begun)
        sent.push(socket.bytesWritten - socket.writableLength)
      })
    }),
  )
  const short = await listen(socket =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nok')),
  )
  return { open, sent, long, short }
}

const turns = 30

/** Measures responses of a gigabyte. The short ones come first, because a new server grows with every call. */
export async function endless(stage: Stage): Promise<boolean> {
  const { open, sent, long, short } = await openTap()
  const project = await addProject(stage)
  /** The growth in megabytes after each. */
  const growth = async ({ port }: { port: number }): Promise<number[]> => {
    const memory = [memoryOf(stage.server)]
    for (let turn = 0; turn < turns; turn++) {
      await test(project, `http://127.0.0.1:${port}`)
      memory.push(memoryOf(stage.server))
    }
    return memory.slice(1).map((now, at) => now - memory[at]!)
  }
  for (let turn = 0; turn < 4; turn++) await growth(long)
  const [usual, grown] = [await growth(short), await growth(long)]
  project.caller.close()
  for (const { server } of [long, short]) server.close()
  const [one, longest] = [Math.max(...grown), Math.max(...open)]
  const inAll = (each: number[]) =>
    round(
      each.reduce((sum, more) => sum + more),
      1,
    )
  const isKept = one <= 5 && longest <= 1_000
  const measured = `a response of 1 GB: closed within ${round(longest, 0)} ms, at most ${round(one, 1)} MB more; ${inAll(grown)} MB more after ${turns} consecutive ones (${inAll(usual)} MB with short ones); the kernel received up to ${round(Math.max(...sent) / 1e6, 1)} MB for the socket, of which the process reads 64 KB`
  record('W10', { measured, isKept })
  console.log(measured)
  return isKept
}
