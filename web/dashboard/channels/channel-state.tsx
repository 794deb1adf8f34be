import { Alert, Badge } from '@mantine/core'
import type { ReactNode } from 'react'

interface Fault {
  code: string
  values: Record<string, string>
  /** A sentence in English. */
  text: string
}

/** A mailbox, a bot or a custom channel. A custom channel cannot be broken. */
export interface Channel {
  version: number
  state: 'active' | 'paused' | 'broken'
  last_error?: Fault | null
}

/** The words for the states that a kind of channel can have. */
export type WordsByState<State extends Channel['state']> = { [state in State]?: string }

interface FaultWords {
  faults: Record<string, (values: Record<string, string>) => string>
}

/** A code that this page does not know, such as one of a newer server, has only the server's sentence in English. */
export const wordFault = ({ faults }: FaultWords, { code, values, text }: Fault): string =>
  faults[code]?.(values) ?? text

interface StateProps {
  channel: Channel
  words: { states: WordsByState<Channel['state']>; retrying?: string }
}

/** An active channel whose last attempt failed is retried by the server. */
export function ChannelState({ channel: { state, last_error }, words: { states, retrying } }: StateProps) {
  const isRed = state === 'broken'
  return (
    <Badge variant="default" {...(isRed && { c: 'var(--mantine-color-error)' })}>
      {state === 'active' && last_error ? retrying : states[state]}
    </Badge>
  )
}

interface FaultProps {
  channel: Channel
  words: FaultWords & Record<'isPaused' | 'isPausedAbout' | 'isBroken' | 'willRetry', string>
  /** What to do about the last error. */
  children?: ReactNode
}

/** Why the channel receives nothing. */
export function ChannelFault({ channel: { state, last_error }, words, children }: FaultProps) {
  if (state === 'paused')
    return (
      <Alert color="gray" mb="md" title={words.isPaused}>
        {words.isPausedAbout}
      </Alert>
    )
  if (!last_error) return null
  const isRed = state === 'broken'
  return (
    <Alert color={isRed ? 'red' : 'gray'} mb="md" title={isRed ? words.isBroken : words.willRetry}>
      {wordFault(words, last_error)}
      {children}
    </Alert>
  )
}
