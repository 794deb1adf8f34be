import { Input, SegmentedControl, Stack, Switch, useMantineColorScheme } from '@mantine/core'
import { Page, Section } from '../core/page.tsx'
import { type Preferences, preference, usePreferences } from '../core/preferences.ts'
import { text } from '../core/text.ts'

const options = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

export default function AppearancePage() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { dir, singleKeys } = usePreferences()
  return (
    <Page title={text.account.appearance} about={text.account.appearanceAbout}>
      <Section>
        <Stack gap="lg">
          <Choice
            label={text.account.scheme}
            names={text.account.schemes}
            value={colorScheme}
            onChange={value => setColorScheme(value as typeof colorScheme)}
          />
          <Choice
            label={text.account.direction}
            names={text.account.directions}
            value={dir}
            onChange={value => preference.set('dir', value as Preferences['dir'])}
          />
          <Switch
            label={text.account.singleKeys}
            description={text.account.singleKeysAbout}
            checked={singleKeys}
            onChange={event => preference.set('singleKeys', event.currentTarget.checked)}
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
