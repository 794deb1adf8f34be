import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dates } from '../core/format.ts'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { Checklist } from '../first-steps/checklist.tsx'
import { useFirstSteps } from '../first-steps/first-steps.ts'
import { useProject } from '../projects/project.ts'
import { Counts } from './counts.tsx'
import classes from './day.module.css'
import { NextTicket } from './next-ticket.tsx'
import { Online } from './online.tsx'
import { dayQuery } from './queries.ts'

/** What there is to do today, beside the list while no ticket is open. */
export default function Day() {
  const { id } = useProject()
  const { data: day } = useQuery(dayQuery(id))
  const steps = useFirstSteps()
  if (!day) return <Loading />
  return (
    <div className={classes.day}>
      <header>
        <Title order={2}>{pageText.today.title}</Title>
        <p className={classes.date}>
          {dates({ weekday: 'long', day: 'numeric', month: 'long' }).format(new Date())}
        </p>
      </header>
      {steps.isShown && <Checklist steps={steps} order={3} />}
      <NextTicket next={day.next} />
      <Counts items={day.items} />
      <Online />
    </div>
  )
}
