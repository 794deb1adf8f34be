import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { pageText } from '../core/page-text.ts'
import type { FirstSteps } from './first-steps.ts'
import type { FirstStep } from './queries.ts'
import { TestTicketButton } from './test-ticket.tsx'

/** The settings page of each step. What is after the hash is opened or focused there. */
const paths: Record<Exclude<FirstStep, 'ticket'>, string> = {
  channel: 'mailboxes/add',
  widget: 'widget#install',
  article: 'knowledge#new',
  colleague: 'people#invite',
  hours: 'widget#hours',
}

interface Props {
  name: FirstStep
  steps: FirstSteps
}

/** The buttons of a step that is not done. */
export function StepActions({ name, steps }: Props) {
  const words = pageText.firstSteps
  if (name === 'ticket') return <TestTicketButton steps={steps} />
  const to = (path: string) => `/p/${steps.projectId}/settings/${path}`
  return (
    <Group gap="xs">
      <StepLink to={to(paths[name])} label={words.actions[name]} />
      {name === 'channel' && (
        <>
          <StepLink to={to('telegram-bots/add')} label={words.telegram} />
          <StepLink to={to('channels/add')} label={words.custom} />
        </>
      )}
    </Group>
  )
}

function StepLink({ to, label }: { to: string; label: string }) {
  const [path = '', hash] = to.split('#')
  return (
    <Button variant="default" size="xs" renderRoot={props => <Link to={path} hash={hash} {...props} />}>
      {label}
    </Button>
  )
}
