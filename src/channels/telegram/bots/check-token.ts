import { readLimited } from '../../../core/async/read-limited.ts'
import { refuse } from '../../../core/errors.ts'
import { trimEnd } from '../../../core/text/trim.ts'
import type { BotApis } from '../bot-api/bot-apis.ts'
import { type BotAccess, type BotApi, telegramRoot } from '../bot-api/client.ts'
import { type BotFault, describeBotFault, withFaultText } from './bot-fault.ts'
import type { BotIdentity } from './queries.ts'

/** Asks Telegram which bot a token belongs to. */

export interface CheckedBot extends BotIdentity {
  name: string
  can_join_groups: boolean
  /** Whether it sees all group messages, not only commands and replies to it. */
  can_read_groups: boolean
}

const tokenPattern = /^\d{5,16}:[\w-]{30,64}$/

export function readBotToken(sent: string): string {
  const token = sent.trim()
  if (!tokenPattern.test(token)) throw refuse('token', 'not_a_bot_token')
  return token
}

/** The address of a server, without a trailing slash; empty for Telegram's own. */
export function readApiRoot(sent: string | undefined): string {
  const url = sent ? URL.parse(sent) : null
  if (!sent) return ''
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw refuse('api_root', 'not_an_address')
  const root = trimEnd(`${url.origin}${url.pathname}`, /\//)
  return root === telegramRoot ? '' : root
}

/** Pictures are shown small, so the smallest size is enough. */
const maxPictureBytes = 100_000

async function findPicture(api: BotApi, userId: number): Promise<Buffer | null> {
  try {
    const { photos } = await api.call('getUserProfilePhotos', { user_id: userId, limit: 1 })
    const [sizes = []] = photos
    const [size] = sizes.toSorted((one, other) => one.width - other.width)
    if (!size) return null
    const { file_path } = await api.call('getFile', { file_id: size.file_id })
    return file_path ? await readLimited(await api.download(file_path), maxPictureBytes) : null
  } catch {
    return null
  }
}

/** Rejects with the call's error if the token does not work. */
export async function readBotIdentity(apis: BotApis, access: BotAccess): Promise<CheckedBot> {
  const api = apis.connect(access)
  const me = await api.call('getMe', undefined)
  return {
    telegram_id: me.id,
    username: me.username,
    name: [me.first_name, me.last_name].filter(Boolean).join(' '),
    picture: await findPicture(api, me.id),
    can_join_groups: me.can_join_groups,
    can_read_groups: me.can_read_all_group_messages,
  }
}

/** Like `readBotIdentity`, but reports a problem as an error in the field that caused it. */
export async function requireBotIdentity(apis: BotApis, access: BotAccess): Promise<CheckedBot> {
  try {
    return await readBotIdentity(apis, access)
  } catch (error) {
    const { code, values }: BotFault = describeBotFault(error, access.apiRoot)
    if (code === 'token_refused') throw refuse('token', 'bot_token_refused')
    throw refuse('api_root', 'bot_not_reached', withFaultText({ code, values }))
  }
}
