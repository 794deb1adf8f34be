import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Section } from '../core/page.tsx'
import { useChange } from '../core/query.ts'
import type { Channel, WordsByState } from './channel-state.tsx'
import type { ShownVersion } from './shown-version.ts'

interface PauseButtonProps<Row extends Channel> {
  channel: Row
  version: ShownVersion<Row>
  words: { pause: string; turnOn: WordsByState<'paused' | 'broken'> }
  pause(): Promise<Row>
  resume(): Promise<Row>
}

interface Props<Row extends Channel, Trial> extends PauseButtonProps<Row> {
  words: PauseButtonProps<Row>['words'] & Record<'status' | 'test' | 'testing', string>
  about: ReactNode
  /** What is wrong, or still in progress. */
  children: ReactNode
  test(): Promise<Trial>
  showTrial(trial: Trial): ReactNode
}

/** Whether a mailbox or a bot works, with buttons that test it, pause it and resume it. */
export function StatusSection<Row extends Channel, Trial>({
  about,
  children,
  test,
  showTrial,
  ...turn
}: Props<Row, Trial>) {
  const trial = useChange({ send: test })
  const { words } = turn
  return (
    <Section title={words.status} about={about}>
      {children}
      <Group>
        <Button variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
          {words.test}
        </Button>
        <PauseButton {...turn} />
      </Group>
      <div aria-live="polite">
        {trial.isPending && (
          <Text size="sm" mt="sm">
            {words.testing}
          </Text>
        )}
        {trial.data && !trial.isPending && showTrial(trial.data)}
      </div>
    </Section>
  )
}

/** A button that pauses the channel or resumes it. */
export function PauseButton<Row extends Channel>({
  channel: { state },
  version,
  words,
  ...calls
}: PauseButtonProps<Row>) {
  const pause = useChange({ send: calls.pause, onDone: version.save })
  const resume = useChange({ send: calls.resume, onDone: version.save })
  if (state !== 'active')
    return (
      <Button loading={resume.isPending} onClick={() => resume.mutate()}>
        {words.turnOn[state]}
      </Button>
    )
  return (
    <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate()}>
      {words.pause}
    </Button>
  )
}
