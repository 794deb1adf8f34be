import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../children.ts'
import { percentile } from '../figures.ts'
import { addProject, measure, type Stage, settle } from './measure.ts'
import type { Flood } from './receiver.ts'

const channel = 'net.client.socket'
const memory = () => process.memoryUsage().rss / 2 ** 20

/** Returns the sockets that this process opens during `act`. */
async function watchSockets(act: () => Promise<void>): Promise<Socket[]> {
  const sockets: Socket[] = []
  const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket)
  subscribe(channel, note)
  await act()
  unsubscribe(channel, note)
  return sockets
}

/** Every response of the target is 1 GB long. */
export async function flood(stage: Stage) {
  const project = await addProject(stage, ['flood'])
  await measure(stage, [project], 10, 2)
  await ask<Flood[]>(stage.receiver, 'floods')
  const before = memory()
  let highest = before
  const timer = setInterval(() => {
    highest = Math.max(highest, memory())
  }, 20)
  const sockets = await watchSockets(async () => void (await measure(stage, [project], 10, 5)))
  await sleep(1_000)
  clearInterval(timer)
  await settle(stage, project)
  const floods = await ask<Flood[]>(stage.receiver, 'floods')
  const read = sockets.filter(({ remotePort, bytesRead }) => remotePort === stage.places.port || bytesRead)
  return {
    answers: floods.length,
    /** Kilobytes read of the longest response, including the head and a complete last chunk. */
    read_kb: Math.ceil(
      percentile(
        read.map(({ bytesRead }) => bytesRead),
        1,
      ) / 1024,
    ),
    rise_mb: Math.round((highest - before) * 10) / 10,
    closed_ms: Math.round(
      percentile(
        floods.map(({ took }) => took),
        1,
      ),
    ),
  }
}
