import { Alert, Text } from '@mantine/core'
import { type CustomChannel, isLate } from '../channels/custom-channels.ts'
import { pageText } from '../core/page-text.ts'
import { moment } from '../core/time.ts'
import { When } from '../core/when.tsx'

interface Props {
  channel: CustomChannel
}

/** When the program posted its last message. */
export function LastMessage({ channel: { last_received_at } }: Props) {
  const { lastReceived, neverReceived } = pageText.customChannels
  return last_received_at ? (
    <>
      {lastReceived} <When time={last_received_at} />
    </>
  ) : (
    neverReceived
  )
}

/** When the program made its last request. */
export function LastRequest({ channel: { last_request_at } }: Props) {
  const { lastRequest, neverRequested } = pageText.customChannels
  return last_request_at ? (
    <>
      {lastRequest} <When time={last_request_at} />
    </>
  ) : (
    neverRequested
  )
}

/** How many replies wait for the program, and since when. */
export function WaitingReplies({ channel: { waiting, waiting_since } }: Props) {
  if (waiting_since === null) return null
  const { waiting: count, oldest } = pageText.customChannels
  return (
    <Text size="sm">
      {count(waiting)}
      {' · '}
      {oldest} <When time={waiting_since} />
    </Text>
  )
}

/** Why replies are not sent. */
export function ChannelProblem({ channel }: Props) {
  const { state, waiting, waiting_since } = channel
  const { isPaused, isPausedAbout, isLate: title, isLateAbout } = pageText.customChannels
  if (state === 'paused')
    return (
      <Alert color="gray" mb="md" title={isPaused}>
        {isPausedAbout}
      </Alert>
    )
  if (!isLate(channel) || waiting_since === null) return null
  return (
    <Alert color="red" mb="md" title={title}>
      {isLateAbout(waiting, moment(waiting_since))}
    </Alert>
  )
}
