import { SegmentedControl, Stack, Tabs, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Code } from '../core/code.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { packageAddress, pageCode, reactCode } from './code.ts'
import type { Widget } from './queries.ts'
import { serverCode } from './server-code.ts'

type Step = keyof typeof pageText.widget.steps

export function Snippets({ widget }: { widget: Widget }) {
  const { id } = useProject()
  const abouts = pageText.widget.stepAbouts
  return (
    <Section id="install" title={pageText.widget.install} about={pageText.widget.installAbout}>
      <Tabs defaultValue="page">
        <Tabs.List mb="md">
          {Object.entries(pageText.widget.steps).map(([step, name]) => (
            <Tabs.Tab key={step} value={step}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <StepPanel step="page" about={abouts.page}>
          <Code name={pageText.widget.steps.page} code={pageCode(id, widget)} />
        </StepPanel>
        <StepPanel step="react" about={abouts.react(packageAddress(widget))}>
          <Code name={pageText.widget.steps.react} code={reactCode(id, widget)} />
        </StepPanel>
        <StepPanel step="server" about={abouts.server}>
          <ServerCode />
        </StepPanel>
      </Tabs>
    </Section>
  )
}

const StepPanel = ({ step, about, children }: { step: Step; about: string; children: ReactNode }) => (
  <Tabs.Panel value={step}>
    <Stack gap="sm">
      <Text>{about}</Text>
      {children}
    </Stack>
  </Tabs.Panel>
)

function ServerCode() {
  const languages = Object.keys(serverCode)
  const [language, setLanguage] = useState(languages[0]!)
  return (
    <>
      <div>
        <SegmentedControl
          aria-label={pageText.widget.serverLanguage}
          value={language}
          onChange={setLanguage}
          data={languages}
        />
      </div>
      <Code name={language} code={serverCode[language]!} />
    </>
  )
}
