import { Radio, Stack, Switch } from '@mantine/core'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { type Destination, destinations, useSaveWorkSettings, useWorkSettings } from './work-settings.ts'

/** How the person works through tickets. */
export default function WorkPage() {
  const { after_done, advances } = useWorkSettings()
  const save = useSaveWorkSettings()
  return (
    <Page title={text.pages.work} about={pageText.account.workAbout}>
      <Section>
        <Stack gap="lg">
          <Radio.Group
            label={pageText.account.afterDone}
            value={after_done}
            onChange={value => save.mutate({ after_done: value as Destination })}
          >
            <Stack gap="xs" mt="xs">
              {destinations.map(one => (
                <Radio key={one} value={one} label={pageText.account.destinations[one]} />
              ))}
            </Stack>
          </Radio.Group>
          <Switch
            label={pageText.account.advances}
            description={pageText.account.advancesAbout}
            disabled={after_done === 'stay'}
            checked={advances}
            onChange={event => save.mutate({ advances: event.currentTarget.checked })}
          />
        </Stack>
      </Section>
    </Page>
  )
}
