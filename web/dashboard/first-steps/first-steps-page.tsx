import { CheckCircleIcon } from '@heroicons/react/20/solid'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Empty } from '../core/empty.tsx'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { Checklist } from './checklist.tsx'
import { useFirstSteps } from './first-steps.ts'

/** The page with the list of steps. The rail has a link to it. */
export default function FirstStepsPage() {
  const { id } = useProject()
  const steps = useFirstSteps()
  const words = pageText.firstSteps
  return (
    <Page title={words.title}>
      {steps.isShown ? (
        <Checklist steps={steps} order={2} />
      ) : (
        <Empty icon={CheckCircleIcon} title={words.gone} about={words.goneAbout}>
          <Button variant="default" renderRoot={props => <Link to={`/p/${id}/inbox`} {...props} />}>
            {words.toInbox}
          </Button>
        </Empty>
      )}
    </Page>
  )
}
