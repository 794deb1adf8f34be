import { text } from '../core/text.ts'
import { printOpening } from '../core/time.ts'
import { config } from '../session/config.ts'

/** Whether the team is available, or when it will be. */
export function sayPresence(): string {
  const { hours, operators } = config.value!
  if (hours && !hours.is_open)
    return hours.opens_at
      ? text.value.backAt.replace('{time}', printOpening(hours.opens_at))
      : text.value.awayShort
  return hours || operators.length > 0 ? text.value.online : ''
}

export const isAway = (): boolean => config.value?.hours?.is_open === false
