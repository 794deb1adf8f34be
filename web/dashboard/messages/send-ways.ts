import { type KeyboardEvent, useState } from 'react'
import { runAction, useAction } from '../core/actions.ts'
import { keyNameOf } from '../core/keys.ts'
import { text } from '../core/text.ts'
import { type SendWay, useWorkSettings } from '../users/work-settings.ts'
import type { Composing } from './composing.ts'

/** The ways to send that have a key. They also work while the person types. */
export const sendKeys: Partial<Record<SendWay, string>> = {
  next: 'mod+shift+enter',
  close: 'mod+alt+enter',
  snooze: 'mod+shift+f',
  later: 'mod+shift+l',
}

const keyed = Object.values(sendKeys)

/** Runs the actions of the keys before the editor can use them. */
export function captureSendKey(event: KeyboardEvent): void {
  const name = keyNameOf(event.nativeEvent)
  if (!keyed.includes(name)) return
  event.preventDefault()
  event.stopPropagation()
  runAction(`send ${name}`)
}

/** These need a time first. */
export type TimedWay = Extract<SendWay, 'snooze' | 'later'>
const isTimed = (way: SendWay): way is TimedWay => way === 'snooze' || way === 'later'

export type SendWays = ReturnType<typeof useSendWays>

/** The ways to send a reply or a note, and the one that asks for a time. */
export function useSendWays({ isInternal, send }: Composing) {
  const [asked, setAsked] = useState<TimedWay | null>(null)
  const { send_way } = useWorkSettings()
  const run = (way: SendWay) => (isTimed(way) ? setAsked(way) : void send({ way }))
  useWay('next', run)
  useWay(isInternal ? null : 'close', run)
  useWay(isInternal ? null : 'snooze', run)
  useWay(isInternal ? null : 'later', run)
  const usual: SendWay = isInternal ? 'send' : (send_way ?? 'send')
  return { usual, isRemembered: send_way !== null, run, runUsual: () => run(usual), asked, setAsked }
}

function useWay(way: SendWay | null, run: (way: SendWay) => void): void {
  const keys = way === null ? undefined : sendKeys[way]
  useAction(
    way && {
      id: `send ${keys}`,
      name: text.composer.ways[way],
      group: text.actions.group,
      keys,
      run: () => run(way),
    },
  )
}
