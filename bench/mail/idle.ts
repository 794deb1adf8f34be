import { setTimeout as sleep } from 'node:timers/promises'
import { round } from '../figures.ts'
import { memoryOf } from '../process.ts'
import { openMeter } from '../processor.ts'
import { addImapMailbox, idleUsers, type Stage, tell, untilConnected } from './stage.ts'

/** Milliseconds. Longer than the time between checks of a connection. */
const restMs = 70_000

/** MiB after garbage collection. */
async function measureKept({ server }: Stage): Promise<number> {
  server.child.kill('SIGUSR2')
  await sleep(1_000)
  return memoryOf(server)
}

/** Measures the memory and the processor time of connected mailboxes without email. */
export async function idle(stage: Stage, { mailboxes }: { mailboxes: number }): Promise<boolean> {
  if (mailboxes > idleUsers) throw new Error(`--mailboxes: at most ${idleUsers}`)
  const meter = openMeter(stage.server, stage.dataDir)
  const rest = async () => {
    const before = meter().server
    await sleep(restMs)
    return ((meter().server - before) / restMs) * 100
  }
  const alone = await rest()
  const memory = await measureKept(stage)
  for (let at = 0; at < mailboxes; at++) await untilConnected(stage, await addImapMailbox(stage, `idle${at}`))
  const together = await rest()
  const each = (((await measureKept(stage)) - memory) * 1024) / mailboxes
  const share = together - alone
  const measured = `${mailboxes} mailboxes: ${round(each, 0)} KB each, ${round(share, 1)} % of a core together (${round(alone, 1)} % without them)`
  return tell('M5', measured, each <= 300 && (share * 1_000) / mailboxes <= 2)
}
