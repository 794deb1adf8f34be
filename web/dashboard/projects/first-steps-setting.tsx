import { Switch } from '@mantine/core'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from './project.ts'
import type { Settings } from './settings.ts'
import { useShowFirstSteps } from './show-first-steps.ts'

/** Shows or hides the list of steps. */
export function FirstStepsSetting({ settings }: { settings: Settings }) {
  const { id } = useProject()
  const show = useShowFirstSteps(id)
  return (
    <Section title={pageText.firstSteps.setting}>
      <Switch
        label={pageText.firstSteps.settingAbout}
        checked={settings.has_first_steps}
        disabled={show.isPending}
        onChange={event => show.mutate(event.currentTarget.checked)}
      />
    </Section>
  )
}
