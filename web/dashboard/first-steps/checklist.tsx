import { CheckCircleIcon } from '@heroicons/react/20/solid'
import { Button, Group, Progress, Title } from '@mantine/core'
import { useId } from 'react'
import { pageText } from '../core/page-text.ts'
import { useShowFirstSteps } from '../projects/show-first-steps.ts'
import classes from './first-steps.module.css'
import type { FirstSteps } from './first-steps.ts'
import { StepActions } from './step-actions.tsx'
import { DeleteTestTicket } from './test-ticket.tsx'

interface Props {
  steps: FirstSteps
  /** The level of the heading. */
  order: 2 | 3
}

/** The steps of setting up a project, with what is done. */
export function Checklist({ steps, order }: Props) {
  const { items, done, isAdmin, projectId } = steps
  const titleId = useId()
  const isFinished = done === items.length
  const words = pageText.firstSteps
  return (
    <section className={classes.list} aria-labelledby={titleId}>
      <Group justify="space-between" gap="xs">
        <Title order={order} size="h3" id={titleId}>
          {isFinished ? words.finished : words.title}
        </Title>
        <span className={classes.quiet} role="status" dir="auto">
          {words.progress(done, items.length)}
        </span>
      </Group>
      <p className={classes.quiet}>{isFinished ? words.finishedAbout : words.about}</p>
      <Progress value={(100 * done) / items.length} aria-label={words.title} my="sm" />
      <ul className={classes.steps}>
        {items.map(item => (
          <Step key={item.name} item={item} steps={steps} />
        ))}
      </ul>
      <Group gap="xs" mt="sm">
        <DeleteTestTicket steps={steps} />
        {isAdmin && <HideButton projectId={projectId} />}
      </Group>
    </section>
  )
}

function Step({ item: { name, is_done }, steps }: { item: FirstSteps['items'][number]; steps: FirstSteps }) {
  const words = pageText.firstSteps
  return (
    <li className={classes.step} data-done={is_done}>
      {is_done ? (
        <CheckCircleIcon className={classes.sign} aria-hidden />
      ) : (
        <span className={classes.ring} aria-hidden />
      )}
      <div className={classes.words}>
        <span className={classes.name}>
          {words.names[name]} <span className="hidden">{is_done ? words.done : words.open}</span>
        </span>
        {!is_done && <p className={classes.quiet}>{words.abouts[name]}</p>}
      </div>
      {!is_done && <StepActions name={name} steps={steps} />}
    </li>
  )
}

function HideButton({ projectId }: { projectId: string }) {
  const show = useShowFirstSteps(projectId)
  return (
    <Button variant="subtle" size="xs" loading={show.isPending} onClick={() => show.mutate(false)}>
      {pageText.firstSteps.hide}
    </Button>
  )
}
