import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from '../../src/core/config/config.ts'
import { ask } from '../children.ts'
import { median, round } from '../figures.ts'
import type { Load, Order } from '../machine/load.ts'
import { startLoad } from '../machine/machine.ts'
import { tell } from '../mail/stage.ts'
import { startServer } from '../server.ts'
import { content, type makeTickets, printRequest } from '../tickets.ts'

interface Pace {
  seconds: number
  rounds: number
  connections: number
}

/** A server of the version in this folder, with tickets, that gets messages for some seconds. */
async function openVersion(folder: string, load: ReturnType<typeof startLoad>, pace: Pace) {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const server = await startServer({ DATA_DIR: dataDir }, folder)
  const own: { makeTickets: typeof makeTickets } = await import(join(folder, 'bench/tickets.ts'))
  const made = await own.makeTickets(dataDir, server.url, 1, 500)
  const requests = made.tickets.map(({ id, key }) =>
    printRequest('POST', `/tickets/${id}/messages`, key, JSON.stringify({ content })),
  )
  const { seconds, connections } = pace
  return {
    post: () => ask<Load>(load, { port: server.port, connections, seconds, requests } satisfies Order),
    async close() {
      await made.close()
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Posts to both versions alternately, and begins each round with the other one. */
export async function comparePosting(folder: string, pace: Pace): Promise<boolean> {
  const load = startLoad()
  const versions = [
    await openVersion(root, load, pace),
    await openVersion(resolve(folder), load, pace),
  ] as const
  const ratios: number[] = []
  try {
    for (let count = 0; count <= pace.rounds; count++) {
      const speeds = [0, 0]
      for (const place of count % 2 ? [0, 1] : [1, 0])
        speeds[place] = (await versions[place as 0 | 1].post()).perSecond
      console.log(speeds.map(Math.round).join(' / '))
      if (count > 0) ratios.push(speeds[0]! / speeds[1]!)
    }
  } finally {
    load.disconnect()
    for (const version of versions) await version.close()
  }
  const ratio = median(ratios)
  const range = `${round(Math.min(...ratios))} to ${round(Math.max(...ratios))}`
  return tell(
    'L2',
    `${round(ratio)} times as many (${range} in ${ratios.length} alternating rounds)`,
    ratio >= 0.95,
  )
}
