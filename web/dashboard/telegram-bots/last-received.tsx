import { pageText } from '../core/page-text.ts'
import { When } from '../core/when.tsx'
import type { TelegramBot } from './queries.ts'

interface Props {
  bot: TelegramBot
}

/** When the bot could last receive messages, and in which way. */
export function LastReceived({ bot: { last_ok_at, receives_by } }: Props) {
  const { lastReceived, neverReceived, receivesBy } = pageText.telegramBots
  return (
    <>
      {receivesBy[receives_by]}
      {' · '}
      {last_ok_at ? (
        <>
          {lastReceived} <When time={last_ok_at} />
        </>
      ) : (
        neverReceived
      )}
    </>
  )
}
