import type { Db } from '../../../core/db/db.ts'
import { ApiError } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import type { BotToken } from './bot.ts'
import { describeBotFault, withFaultText } from './bot-fault.ts'
import type { BotDeps } from './bots.ts'
import { readApiRoot, readBotToken, requireBotIdentity } from './check-token.ts'
import { findConnectedBot, hasBotOwner } from './queries.ts'
import { canUseWebhook } from './receiving-mode.ts'
import type { CheckedTelegramBot, TelegramBotTrial } from './schema.ts'
import { openToken } from './secrets.ts'

/** Looks up the bot that a token belongs to. Stores and changes nothing. */
export async function checkNewBot(
  { apis, config, db }: BotDeps,
  input: BotToken,
): Promise<CheckedTelegramBot> {
  const access = { token: readBotToken(input.token), apiRoot: readApiRoot(input.api_root) }
  const found = await requireBotIdentity(apis, access)
  const { telegram_id, picture, ...shown } = found
  return {
    ...shown,
    picture: picture && `data:image/jpeg;base64,${picture.toString('base64')}`,
    receives_by: canUseWebhook(config.publicUrl) ? 'webhook' : 'polling',
    is_taken: await hasBotOwner(db, { telegram_id, api_root: access.apiRoot }),
  }
}

/** Checks whether the token still works, and gets Telegram's information about the webhook. */
export async function tryBot(
  { apis, vault }: Pick<BotDeps, 'apis' | 'vault'>,
  db: Db,
  projectId: string,
  id: string,
): Promise<TelegramBotTrial> {
  const bot = isId(id) ? await findConnectedBot(db, projectId, id) : null
  if (!bot) throw new ApiError('TELEGRAM_BOT_NOT_FOUND')
  const api = apis.connect({ token: openToken(vault, bot), apiRoot: bot.api_root })
  try {
    await api.call('getMe', undefined)
    const { url = '', pending_update_count, last_error_message } = await api.call('getWebhookInfo', undefined)
    // The path is secret.
    const origin = URL.parse(url)?.origin ?? ''
    const webhook = { url: origin, pending: pending_update_count, last_error: last_error_message ?? null }
    return { ok: true, problem: null, webhook: url ? webhook : null }
  } catch (error) {
    const { code, values } = describeBotFault(error, bot.api_root)
    return { ok: false, problem: withFaultText({ code, values }), webhook: null }
  }
}
