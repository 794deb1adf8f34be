import { useQuery } from '@tanstack/react-query'
import { isolate } from '../core/isolate.tsx'
import { text } from '../core/text.ts'
import { moment } from '../core/time.ts'
import { type TelegramChat, telegramChatQuery } from '../telegram-bots/chat-query.ts'
import type { Composing } from './composing.ts'
import classes from './email-fields.module.css'
import { ReplyWarning } from './reply-warning.tsx'

/** Shows where a reply goes in Telegram, and warns if it cannot be delivered or has to wait. */
export default function TelegramReply({ composing: { projectId, ticket } }: { composing: Composing }) {
  const { data: chat } = useQuery(telegramChatQuery(projectId, ticket.id))
  if (chat === undefined) return null
  if (chat === null)
    return ticket.channel === 'telegram' ? <ReplyWarning words={text.telegram.isGone} /> : null
  if (!chat.takes_replies) return null
  const warning = warn(chat)
  return (
    <>
      {chat.failed_updates > 0 && <ReplyWarning words={text.telegram.hasFailed(chat.failed_updates)} />}
      {warning ? (
        <ReplyWarning words={warning} />
      ) : (
        <p className={classes.fate} dir="auto">
          {nameTarget(chat)}
        </p>
      )}
    </>
  )
}

function nameTarget({ title, is_group, is_topic, bot_username }: TelegramChat): string {
  const { goesTo, goesToGroup, goesToTopic } = text.telegram
  return (is_topic ? goesToTopic : is_group ? goesToGroup : goesTo)(title, bot_username)
}

function warn({ title, is_group, blocked_at, bot_state, bot_username }: TelegramChat): string | null {
  const { isBlocked, isRemoved, isPaused, isBroken } = text.telegram
  if (blocked_at) return (is_group ? isRemoved : isBlocked)(isolate(title), moment(blocked_at))
  if (bot_state === 'paused') return isPaused(bot_username)
  return bot_state === 'broken' ? isBroken(bot_username) : null
}
