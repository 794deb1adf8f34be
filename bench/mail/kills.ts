import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostgres } from '../../src/core/db/postgres.ts'
import { until } from '../../test/until.ts'
import { makeUsualMail } from './mails.ts'
import { countHandled, deliver, type Stage, saveMails, tell } from './stage.ts'

/** Kills and restarts everything while email arrives, then compares what was accepted with the messages. */

const subject = 'Among kills'

/** The number of emails that are delivered in one way before the other. */
const batch = 100

interface Faults {
  deskbell: number
  postgres: number
  dovecot: number
}

/** Half by Dovecot, half by LMTP, each again until it is accepted. */
async function deliverAll(stage: Stage, mails: string[]): Promise<void> {
  const ways = [
    [stage.dovecot.lmtpPort, 'support@example.com'],
    [stage.lmtpPort, 'listen@example.com'],
  ] as const
  for (let at = 0; at * batch < mails.length; at++) {
    const [port, to] = ways[at % 2]!
    const some = saveMails(stage, mails.slice(at * batch, (at + 1) * batch))
    await deliver(stage, port, to, some, { connections: 4, isRepeated: true })
  }
}

/** Otherwise, a mailbox rests for 30 s after a kill, and an email that was being handled for 3 minutes. */
async function endLeases({ db }: Stage): Promise<void> {
  await db`update mailboxes set lease_until = null, backoff_until = null`
  await db`update incoming_mails set due_at = now() where state = 'stored'`
  await db`update due_work set due_at = now() where kind in ('mailboxes', 'mails')`
}

/** Every kill is one of Deskbell. The second and each tenth after it also stop Postgres, the third and each tenth Dovecot. */
async function disturb(stage: Stage, faults: Faults): Promise<void> {
  const number = faults.deskbell++ % 10
  const { child } = stage.server
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  if (number === 1) {
    process.kill(findPostgres(stage.dataDir)!.pid, 'SIGKILL')
    faults.postgres++
  }
  if (number === 2) {
    await stage.dovecot.stop()
    await stage.dovecot.start()
    faults.dovecot++
  }
  await ended
  stage.server = await stage.start()
  await stage.reopen()
  await endLeases(stage)
}

async function compare({ db }: Stage, total: number) {
  const [row] = await db<Record<'sent' | 'tickets' | 'messages' | 'failed' | 'repeated', number>[]>`
    select count(distinct i.header_id)::int as sent,
      count(*) filter (where i.state = 'failed')::int as failed,
      count(*) filter (where i.state = 'duplicate')::int as repeated,
      (select count(*)::int from tickets where subject like ${`${subject}%`}) as tickets,
      (select count(*)::int from messages m join tickets t on t.project_id = m.project_id and t.id = m.ticket_id
        where t.subject like ${`${subject}%`} and m.sender_type = 'contact') as messages
    from incoming_mails i where i.subject like ${`${subject}%`}`
  const { sent, tickets, messages, failed, repeated } = row!
  const lost = total - sent
  const isKept = lost === 0 && tickets === total && messages === total && failed === 0
  return {
    isKept,
    told: `${lost} lost, ${Math.max(messages - total, 0)} duplicated, ${failed} failed; ${messages} messages in ${tickets} tickets, ${repeated} repeated deliveries recognised`,
  }
}

export async function kills(
  stage: Stage,
  { mails, seconds }: { mails: number; seconds: number },
): Promise<boolean> {
  const faults: Faults = { deskbell: 0, postgres: 0, dovecot: 0 }
  const before = await countHandled(stage)
  const begun = performance.now()
  let isDelivered = false
  const all = Array.from({ length: mails }, () => makeUsualMail(subject))
  const delivering = deliverAll(stage, all).then(() => {
    isDelivered = true
  })
  const isOver = async () => {
    if (!isDelivered) return false
    const [row] = await stage.db`select from incoming_mails where state = 'stored' limit 1`
    return !row && (await countHandled(stage)) - before >= mails
  }
  while (performance.now() - begun < seconds * 1_000 && !(await isOver())) {
    await sleep(2_000 + Math.random() * 3_000)
    await disturb(stage, faults)
  }
  await delivering
  await until(isOver, 600)
  const { isKept, told } = await compare(stage, mails)
  const { deskbell, postgres, dovecot } = faults
  const measured = `${mails} emails in ${Math.round((performance.now() - begun) / 1_000)} s, ${deskbell} kills of Deskbell, ${postgres} of Postgres, ${dovecot} restarts of Dovecot: ${told}`
  return tell('M6', measured, isKept)
}
