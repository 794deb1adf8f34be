import { wordBotFault } from '../channels/telegram/bots/bot-fault.ts'
import { SetupError } from '../core/config/setup-error.ts'
import type { Db } from '../core/db/db.ts'
import { listDue } from '../core/due/due-work.ts'
import { type Check, check, listSome } from './check.ts'

/** The checks of Telegram bots. */

interface BotReport {
  username: string
  project: string
  state: string
  error: { code: string; values: Record<string, string> } | null
  /** How long no process has received its messages. */
  idle_seconds: number | null
}

const maxShown = 20
const maxIdleSeconds = 120

/** How long an update may wait to be handled, or a message to be sent, before it is reported. */
const maxWaitMs = 5 * 60_000

const listBotReports = (db: Db) => db<BotReport[]>`
  select b.username, p.name as project, b.state, b.last_error as error,
    case when b.state = 'active'
      then extract(epoch from now() - greatest(b.created_at, b.lease_until, b.backoff_until))::float8 end as idle_seconds
  from telegram_bots b join projects p on p.id = b.project_id and p.deleting_since is null
  where b.project_id = p.id order by b.created_at, b.id`

function requireReceived(bots: BotReport[]): void {
  const idle = bots.filter(({ idle_seconds }) => (idle_seconds ?? 0) > maxIdleSeconds)
  if (idle.length)
    throw new SetupError(
      `no process receives messages of ${listSome(idle.map(({ username }) => `@${username}`))}; start one with the role channels, or add the role to ROLES`,
    )
}

async function describeWaitingWork(db: Db, isServing: boolean): Promise<string> {
  const kinds = ['telegram_updates', 'outgoing_telegram'] as const
  const [oldest] = isServing ? await listDue(db, kinds, -maxWaitMs, 1) : []
  if (!oldest) return 'nothing is overdue'
  throw new SetupError(
    `messages from or to Telegram have waited for ${Math.round(-oldest.wait / 60_000)} min; start a process with the role channels, or more of them`,
  )
}

/** Updates that could not be handled in five attempts. */
async function requireHandled(db: Db): Promise<string> {
  const failed = await db<{ id: string; username: string; count: number }[]>`
    select b.id, b.username, count(*)::int as count from telegram_updates u
      join telegram_bots b on b.project_id = u.project_id and b.id = u.bot_id
    where u.project_id is not null and u.state = 'failed' group by 1, 2 order by count(*) desc, 1`
  const [first] = failed
  if (!first) return 'nothing has failed'
  const bots = listSome(failed.map(({ username, count }) => `@${username} (${count})`))
  throw new SetupError(
    `messages of ${bots} could not be handled; fix the problem that the log shows, then run bin/deskbell telegram retry ${first.id}`,
  )
}

const refuse = async ({ username, project, error }: BotReport): Promise<string> => {
  throw new SetupError(`@${username} (${project}): ${error ? wordBotFault(error) : 'it receives nothing'}`)
}

/** Without bots, there are no checks. */
export async function examineTelegram(db: Db, isServing: boolean): Promise<Check[]> {
  const bots = [...(await listBotReports(db))]
  if (bots.length === 0) return []
  const bad = bots.filter(({ state, error }) => state !== 'paused' && error !== null)
  const paused = bots.filter(({ state }) => state === 'paused')
  return [
    await check('Telegram bots', async () => {
      if (isServing) requireReceived(bots)
      return `${bots.length}, ${bad.length} with a problem, ${paused.length} paused`
    }),
    await check('Telegram messages', () => describeWaitingWork(db, isServing)),
    await check('Telegram handling', () => requireHandled(db)),
    ...(await Promise.all(bad.slice(0, maxShown).map(bot => check('Telegram bot', () => refuse(bot))))),
  ]
}
