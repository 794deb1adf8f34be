import { CheckCircleIcon } from '@heroicons/react/20/solid'
import { Tooltip } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useAction } from '../core/actions.ts'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { mayDo } from '../projects/project.ts'
import { useShowFirstSteps } from '../projects/show-first-steps.ts'
import { useOpenProject } from '../users/open-project.ts'
import classes from './first-steps.module.css'
import { type FirstSteps, useFirstSteps } from './first-steps.ts'

/** In the rail: how many steps are done. The command bar leads to the list, or shows it again. */
export default function ProgressItem() {
  const open = useOpenProject()
  const steps = useFirstSteps()
  const navigate = useNavigate()
  const projectId = open?.project.id ?? ''
  const show = useShowFirstSteps(projectId)
  const to = `/p/${projectId}/first-steps`
  const isHidden = open !== undefined && !steps.isShown && mayDo(open.role, 'admin')
  useAction(
    steps.isShown || isHidden
      ? {
          id: 'first steps',
          name: isHidden ? pageText.firstSteps.show : pageText.firstSteps.title,
          group: text.shell.go,
          icon: CheckCircleIcon,
          run: () =>
            void (isHidden ? show.mutateAsync(true) : Promise.resolve()).then(() => navigate({ to })),
        }
      : null,
  )
  return steps.isShown && steps.done < steps.items.length ? <Item to={to} steps={steps} /> : null
}

const radius = 13
const length = 2 * Math.PI * radius

function Item({ to, steps: { done, items } }: { to: string; steps: FirstSteps }) {
  const label = pageText.firstSteps.menu(done, items.length)
  const left = length * (1 - done / items.length)
  return (
    <Tooltip label={label} position="right">
      <Link to={to} className={classes.item} aria-label={label}>
        <svg viewBox="0 0 32 32" aria-hidden>
          <circle cx="16" cy="16" r={radius} />
          <circle cx="16" cy="16" r={radius} strokeDasharray={length} strokeDashoffset={left} />
        </svg>
        {/* The style sheet prints the fraction, because the label of a link must contain its visible text. */}
        <span className={classes.label} data-label={`${done}/${items.length}`} aria-hidden />
      </Link>
    </Tooltip>
  )
}
