import { ArrowRightIcon } from '@heroicons/react/20/solid'
import { Button, Group, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useAction } from '../core/actions.ts'
import { useNow } from '../core/clock.ts'
import { Keys } from '../core/key-caps.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { duration, moment } from '../core/time.ts'
import { useProject } from '../projects/project.ts'
import { contactNameOf } from '../tickets/names.ts'
import classes from './day.module.css'
import type { Day } from './queries.ts'

const keys = 'g g'

/** The ticket that has waited longest, with a button that opens it. */
export function NextTicket({ next }: Pick<Day, 'next'>) {
  const { id } = useProject()
  const navigate = useNavigate()
  const open = () => next && navigate({ to: `/p/${id}/inbox/${next.view}/${next.ticket.short_id}` })
  useAction(
    next && {
      id: 'open next',
      name: pageText.today.openNext,
      group: text.shell.go,
      keys,
      icon: ArrowRightIcon,
      run: () => void open(),
    },
  )
  return (
    <section className={classes.next}>
      <div className={classes.words}>
        <Title order={3}>{next ? pageText.today.next : pageText.today.allDone}</Title>
        {next ? <Summary ticket={next.ticket} /> : <p>{pageText.today.allDoneAbout}</p>}
      </div>
      {next && <OpenButton onClick={open} />}
    </section>
  )
}

function Summary({ ticket }: { ticket: NonNullable<Day['next']>['ticket'] }) {
  const { contact, subject, short_id, waiting_since } = ticket
  const now = useNow()
  return (
    <>
      <p className={classes.subject} dir="auto">
        {subject || text.inbox.noSubject}
      </p>
      <p>
        <bdi>{contactNameOf(contact)}</bdi> · {text.inbox.number(short_id)}
        {waiting_since && (
          <>
            {' '}
            ·{' '}
            <time dateTime={waiting_since} title={text.inbox.waitsSince(moment(waiting_since))}>
              {text.inbox.waits(duration(waiting_since, now))}
            </time>
          </>
        )}
      </p>
    </>
  )
}

/** Takes the focus if nothing else has it, so that Enter opens the ticket. */
function OpenButton({ onClick }: { onClick(): unknown }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const isFree = document.activeElement === document.body || document.activeElement?.id === 'main'
    if (isFree) button.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Group gap="sm">
      <Keys keys={keys} />
      <Button ref={button} onClick={onClick}>
        {pageText.today.openNext}
      </Button>
    </Group>
  )
}
