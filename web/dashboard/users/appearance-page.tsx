import { Input, SegmentedControl, Stack, Switch, useMantineColorScheme } from '@mantine/core'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { type Preferences, preference, usePreferences } from '../core/preferences.ts'

const options = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

export default function AppearancePage() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { dir, singleKeys, plainMarkdown } = usePreferences()
  return (
    <Page title={pageText.account.appearance} about={pageText.account.appearanceAbout}>
      <Section>
        <Stack gap="lg">
          <Choice
            label={pageText.account.scheme}
            names={pageText.account.schemes}
            value={colorScheme}
            onChange={value => setColorScheme(value as typeof colorScheme)}
          />
          <Choice
            label={pageText.account.direction}
            names={pageText.account.directions}
            value={dir}
            onChange={value => preference.set('dir', value as Preferences['dir'])}
          />
          <Switch
            label={pageText.account.singleKeys}
            description={pageText.account.singleKeysAbout}
            checked={singleKeys}
            onChange={event => preference.set('singleKeys', event.currentTarget.checked)}
          />
          <Switch
            label={pageText.account.plainMarkdown}
            description={pageText.account.plainMarkdownAbout}
            checked={plainMarkdown}
            onChange={event => preference.set('plainMarkdown', event.currentTarget.checked)}
          />
        </Stack>
      </Section>
    </Page>
  )
}

interface ChoiceProps {
  label: string
  names: Record<string, string>
  value: string
  onChange(value: string): void
}

function Choice({ label, names, value, onChange }: ChoiceProps) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div>
        <SegmentedControl aria-label={label} data={options(names)} value={value} onChange={onChange} />
      </div>
    </Input.Wrapper>
  )
}
