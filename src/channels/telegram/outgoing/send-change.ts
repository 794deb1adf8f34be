import { updateDelivery } from '../../../messages/messages.ts'
import { BotApiRefusal } from '../bot-api/errors.ts'
import { openToken } from '../bots/secrets.ts'
import { buildParts, type MessagePart } from './build-parts.ts'
import { editPart, type PartTarget } from './call-part.ts'
import { telegramPauses } from './judge-failure.ts'
import type { OpenSend, SendingDeps } from './open-send.ts'
import { lockBotRate } from './rate-queries.ts'
import { postponeSend, recordChange } from './record.ts'
import { listSentFiles, listSentParts, updateSendDone } from './send-queries.ts'
import { type TelegramEmoji, telegramEmojis } from './telegram-emojis.ts'

/** Sends a change to a message that is already in Telegram: its new text or a reaction. It can safely be repeated. */

const isUnchanged = (error: unknown): boolean =>
  error instanceof BotApiRefusal && error.message.includes('message is not modified')

async function edit(target: PartTarget, part: MessagePart, id: number): Promise<void> {
  await editPart(target, part, id).catch(error => {
    if (!isUnchanged(error)) throw error
  })
}

/** If the new text needs more messages than before, the edit is incomplete. If it needs fewer, the surplus messages are deleted. */
async function sendEdit(deps: SendingDeps, open: OpenSend, target: PartTarget): Promise<void> {
  const { db } = deps
  const { claimed, send } = open
  const files = await listSentFiles(db, claimed.project_id, send.id)
  const parts = buildParts(deps, send, [...files])
  const sent = await listSentParts(db, claimed.project_id, send.chat_id, send.id)
  const firstOf = (part: number) => sent.find(one => one.part === part)?.telegram_id
  for (const [at, part] of parts.entries()) {
    const id = firstOf(at)
    if (id !== undefined) await edit({ ...target, isLast: at === parts.length - 1 }, part, id)
  }
  for (const { telegram_id } of sent.filter(({ part }) => part >= parts.length))
    await target.api
      .call('deleteMessage', { chat_id: send.telegram_chat_id, message_id: telegram_id })
      .catch(() => {})
  const isComplete = parts.every((_, at) => firstOf(at) !== undefined)
  await recordChange(db, claimed, async tx => {
    await updateSendDone(tx, tx.projectId, send.id, { isEdited: true })
    if (!isComplete) await updateDelivery(tx, send.id, { status: 'sent', error: 'edit_not_propagated' })
  })
}

/** Telegram's emojis have no variation selector. Null for an emoji that Telegram does not support. */
const toTelegram = (emoji: string): TelegramEmoji | null => {
  const plain = emoji.replaceAll('\ufe0f', '')
  return telegramEmojis.find(one => one === plain) ?? null
}

async function sendReaction({ db }: SendingDeps, { claimed, send }: OpenSend, { api, signal }: PartTarget) {
  const [first] = await listSentParts(db, claimed.project_id, send.chat_id, send.id)
  const emoji = toTelegram(send.reaction ?? '')
  if (first)
    await api.call(
      'setMessageReaction',
      {
        chat_id: send.telegram_chat_id,
        message_id: first.telegram_id,
        reaction: emoji ? [{ type: 'emoji', emoji }] : [],
      },
      { signal },
    )
  await recordChange(db, claimed, tx =>
    updateSendDone(tx, tx.projectId, send.id, { reaction: send.reaction ?? '' }),
  )
}

/** Gives up on a refused change: the message in Telegram stays as it is. */
async function giveUp({ db }: SendingDeps, { claimed, send }: OpenSend): Promise<void> {
  await recordChange(db, claimed, async tx => {
    await updateSendDone(tx, tx.projectId, send.id, {
      isEdited: send.is_edited,
      reaction: send.reaction ?? '',
    })
    if (send.is_edited) await updateDelivery(tx, send.id, { status: 'sent', error: 'edit_not_propagated' })
  })
}

export async function sendChange(deps: SendingDeps, open: OpenSend): Promise<void> {
  const { db, apis, vault, pauses = telegramPauses } = deps
  const { claimed, send, bot, stopping } = open
  const waitMs = await lockBotRate(db, claimed.project_id, send.bot_id)
  if (waitMs > 0) return postponeSend(db, claimed, { waitMs, phase: 'waiting' })
  const api = apis.connect({ token: openToken(vault, bot), apiRoot: bot.api_root })
  const target: PartTarget = { api, send, replyTo: null, isFirst: false, isLast: true, signal: stopping }
  try {
    if (send.is_edited && send.next_part !== null) return await sendEdit(deps, open, target)
    if (send.reaction !== null) return await sendReaction(deps, open, target)
    await recordChange(db, claimed, async () => {})
  } catch (error) {
    if (error instanceof BotApiRefusal && error.retryAfter !== null)
      return postponeSend(db, claimed, { waitMs: error.retryAfter * 1_000 + 50, phase: 'waiting' })
    const pauseMs = pauses[claimed.attempts]
    const isFinal =
      error instanceof BotApiRefusal && !error.isFromProxy && error.code !== 401 && error.code < 500
    if (isFinal || pauseMs === undefined) return giveUp(deps, open)
    await postponeSend(db, claimed, { waitMs: pauseMs, phase: 'waiting', attempts: claimed.attempts + 1 })
  }
}
