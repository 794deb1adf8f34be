import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/until.ts'
import { openCaller } from '../calls.ts'
import { tell } from '../mail/stage.ts'
import type { Accepted } from './sink.ts'
import type { Stage } from './stage.ts'

/** Kills Deskbell while replies are posted and sent, then compares the replies with the emails at the SMTP server. */

/** Posts replies one after the other. Repeats each request until it gets a response. */
async function postAll(stage: Stage, numbers: number[]): Promise<void> {
  const { server, key, mailboxIds, ticketIds } = stage
  const caller = openCaller(server.url, key)
  for (const number of numbers) {
    const path = `/tickets/${ticketIds[number % ticketIds.length]}/messages`
    const email = { mailbox_id: mailboxIds[number % mailboxIds.length] }
    const body = { content: `Answer ${number}`, external_id: `answer ${number}`, email }
    for (let isPosted = false; !isPosted; ) {
      const answer = await caller.call('POST', path, body).catch(() => null)
      isPosted = answer?.status === 201 || answer?.status === 200
      if (!isPosted) await sleep(50)
    }
  }
  caller.close()
}

/**
 * Ends the waiting times of emails: a minute for emails that were being sent at the kill, and 15 minutes after a lost response. Leases of
 * the running server are longer.
 */
async function endPauses({ db }: Stage, killedAt: Date): Promise<void> {
  await db`
    update outgoing_queue set lease_until = null, run_at = now()
    where project_id is not null and (lease_until <= ${killedAt.toISOString()}::timestamptz + interval '1 minute'
      or claim_id is null and phase = 'uncertain' and run_at > now())`
  await db`update due_work set due_at = now() where project_id is not null and kind = 'outgoing'`
}

async function kill(stage: Stage): Promise<Date> {
  const { child } = stage.server
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  const killedAt = new Date()
  stage.server = await stage.start()
  await stage.reopen()
  await endPauses(stage, killedAt)
  return killedAt
}

const isQueueEmpty = async ({ db }: Stage): Promise<boolean> =>
  (await db`select from outgoing_queue where project_id is not null limit 1`).length === 0

interface Answer {
  id: string
  status: string
  error: string | null
}

async function compare({ db }: Stage, total: number, accepted: Accepted[]) {
  const answers = await db<Answer[]>`
    select email->>'message_id' as id, delivery_status as status, delivery_error as error
    from messages where project_id is not null and external_id is not null`
  const counts = new Map<string, number>()
  for (const { id } of accepted) counts.set(id, (counts.get(id) ?? 0) + 1)
  const countOf = ({ id }: Answer): number => counts.get(id) ?? 0
  const count = (isOne: (answer: Answer) => boolean) => answers.filter(isOne).length
  const hasArrived = (answer: Answer): boolean => answer.status === 'sent' && countOf(answer) > 0
  // After a second lost answer an email is not sent again, and its message says that nobody knows whether it has arrived.
  const isUnknown = ({ error }: Answer): boolean => error === 'outcome_unknown'
  const lost = total - count(answer => hasArrived(answer) || isUnknown(answer))
  const twice = count(answer => countOf(answer) === 2)
  const unmarked = count(answer => countOf(answer) > 1 && answer.error === null)
  const more = count(answer => countOf(answer) > 2)
  const marked = count(({ error }) => error === 'maybe_sent_twice')
  const unknown = count(isUnknown)
  const missing = count(answer => isUnknown(answer) && !hasArrived(answer))
  return {
    isKept: answers.length === total && lost === 0 && unmarked === 0 && more === 0,
    told: `${lost} lost, ${twice} sent twice, ${unmarked} of them not marked, ${more} sent more often; ${marked} marked as perhaps sent twice, ${unknown} as unknown, of which ${missing} had not arrived`,
  }
}

const posters = 4

export async function kills(stage: Stage, total: number): Promise<boolean> {
  const begun = performance.now()
  const accepted: Accepted[] = []
  const numbers = Array.from({ length: total }, (_, at) => at)
  let isPosted = false
  const posting = Promise.all(
    Array.from({ length: posters }, (_, at) =>
      postAll(
        stage,
        numbers.filter(number => number % posters === at),
      ),
    ),
  ).then(() => {
    isPosted = true
  })
  let count = 0
  while (!(isPosted && (await isQueueEmpty(stage)))) {
    await sleep(2_000 + Math.random() * 3_000)
    const killedAt = await kill(stage)
    count++
    accepted.push(...(await stage.takeAccepted()))
    // While the last emails are sent, the server is not killed.
    if (isPosted) await until(() => endPauses(stage, killedAt).then(() => isQueueEmpty(stage)), 600)
  }
  await posting
  accepted.push(...(await stage.takeAccepted()))
  const { isKept, told } = await compare(stage, total, accepted)
  const seconds = Math.round((performance.now() - begun) / 1_000)
  return tell('M8', `${total} replies in ${seconds} s with ${count} kills: ${told}`, isKept)
}
