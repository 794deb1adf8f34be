import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { refusals } from '../../test/telegram/refusals.ts'
import { until } from '../../test/until.ts'
import { openCaller } from '../calls.ts'
import { tell } from '../mail/stage.ts'
import type { Sizes } from './main.ts'
import { listTelegramTickets, type Stage } from './stage.ts'

/** Kills Deskbell while people write and replies are sent, with rate limits and repeated updates, and compares both sides. */

async function kill(stage: Stage): Promise<void> {
  const { child } = stage.server
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  stage.server = await stage.start()
  await stage.reopen()
  // The leases of the killed process would end by themselves within a minute.
  await stage.db`
    update telegram_chats set lease_until = null where project_id = ${stage.projectId} and lease_until < now() + interval '29 seconds'`
  await stage.db`
    update telegram_bots set lease_until = null where project_id = ${stage.projectId} and lease_until < now() + interval '29 seconds'`
  await stage.db`
    update outgoing_queue set lease_until = null where project_id = ${stage.projectId} and lease_until < now() + interval '59 seconds'`
  await stage.db`
    update due_work set due_at = now() where project_id = ${stage.projectId} and kind in ('telegram_bots', 'telegram_updates', 'outgoing_telegram')`
}

/** Kills until the work is done. Returns how often. */
async function killWhile(stage: Stage, isDone: () => Promise<boolean>): Promise<number> {
  let kills = 0
  while (!(await isDone().catch(() => false))) {
    await sleep(2_000 + Math.random() * 3_000)
    if (await isDone().catch(() => false)) break
    await kill(stage)
    kills++
  }
  return kills
}

const countStored = async ({ db, projectId }: Stage): Promise<number> =>
  (
    await db`select count(*)::int as count from telegram_messages where project_id = ${projectId} and part is null`
  )[0]!.count

/** How many messages are missing or stored twice, and how many chats are out of order. */
async function compareIncoming({ db, projectId, people }: Stage, perChat: number) {
  const rows = await db<{ telegram_id: number; contents: string[] }[]>`
    select c.telegram_id::float8 as telegram_id, array_agg(m.content order by m.created_at, m.id) as contents
    from messages m join tickets t on t.project_id = ${projectId} and t.id = m.ticket_id
      join contacts c on c.project_id = ${projectId} and c.id = t.contact_id
    where m.project_id = ${projectId} and m.sender_type = 'contact' group by 1`
  const lists = rows.map(({ contents }) => contents.map(Number))
  const stored = lists.reduce((sum, list) => sum + list.length, 0)
  const different = lists.reduce((sum, list) => sum + new Set(list).size, 0)
  const disordered = lists.filter(list => list.some((one, at) => at > 0 && one < list[at - 1]!)).length
  return { lost: perChat * people.length - different, twice: stored - different, disordered }
}

async function postReplies(stage: Stage, perChat: number): Promise<void> {
  const tickets = await listTelegramTickets(stage)
  for (let at = 0; at < perChat; at++)
    for (const { id } of tickets) {
      const body = { content: `${id} ${at}`, external_id: `${id} ${at}` }
      for (let isPosted = false; !isPosted; ) {
        const caller = openCaller(stage.server.url, stage.key)
        const answer = await caller.call('POST', `/tickets/${id}/messages`, body).catch(() => null)
        caller.close()
        isPosted = answer?.status === 201 || answer?.status === 200
        if (!isPosted) await sleep(50)
      }
    }
}

interface Reply {
  content: string
  delivery_status: string
  delivery_error: string | null
}

async function compareReplies({ db, projectId, people }: Stage, total: number) {
  const rows = await db<Reply[]>`
    select content, delivery_status, delivery_error from messages where project_id = ${projectId} and external_id is not null`
  const counts = new Map<string, number>()
  const texts = people.map(one => one.received.map(({ text = '' }) => text))
  for (const text of texts.flat()) counts.set(text, (counts.get(text) ?? 0) + 1)
  const lost = rows.filter(one => !counts.has(one.content) && one.delivery_error !== 'outcome_unknown').length
  const unmarked = rows.filter(
    one => (counts.get(one.content) ?? 0) > 1 && one.delivery_error === null,
  ).length
  const more = [...counts.values()].filter(count => count > 2).length
  const marked = rows.filter(one => one.delivery_error !== null).length
  const numberOf = (text: string): number => Number(text.split(' ')[1])
  const disordered = texts.filter(list =>
    list.some((text, at) => at > 0 && numberOf(text) < numberOf(list[at - 1]!)),
  ).length
  const isKept = rows.length === total && lost + unmarked + more + disordered === 0
  return { isKept, lost, unmarked, more, marked, disordered }
}

export async function compareAfterKills(stage: Stage, { updates, chats }: Sizes): Promise<boolean> {
  const { world } = stage.standIn
  const perChat = Math.ceil(updates / chats)
  for (let at = 0; at < perChat; at++) for (const one of stage.people) one.say(`${at}`)
  const total = perChat * chats
  const inKills = await killWhile(stage, async () => (await countStored(stage)) >= total)
  const incoming = await compareIncoming(stage, perChat)
  const isInOrder = incoming.lost + incoming.twice + incoming.disordered === 0
  world.floods = { chatBurst: 1, groupPerMinute: 20, botPerSecond: 20 }
  let calls = 0
  world.findFault = ({ method }) => {
    if (method !== 'sendMessage') return undefined
    calls++
    if (calls % 20 === 10) return refusals.flood(1)
    return calls % 50 === 25 ? 'cut_after' : undefined
  }
  const repliesPerChat = 5
  const posting = postReplies(stage, repliesPerChat)
  let isPosted = false
  void posting.then(() => {
    isPosted = true
  })
  const isSent = async () =>
    isPosted &&
    (
      await stage.db`
      select from messages where project_id = ${stage.projectId} and external_id is not null and delivery_status = 'pending' limit 1`
    ).length === 0
  const outKills = await killWhile(stage, isSent)
  await until(isSent, 60)
  const out = await compareReplies(stage, repliesPerChat * chats)
  const refused = stage.bots.flatMap(bot => bot.calls).filter(({ code }) => code === 429).length
  const told = [
    `${total} messages in ${chats} chats, ${inKills} kills: ${JSON.stringify(incoming)}`,
    `${repliesPerChat * chats} replies, ${outKills} kills, ${refused} times 429: ${JSON.stringify(out)}`,
  ]
  return tell('T2', told.join('; '), isInOrder && out.isKept)
}
