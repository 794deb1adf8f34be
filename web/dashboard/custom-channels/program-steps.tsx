import { Stack, Tabs, Text } from '@mantine/core'
import type { CustomChannel } from '../channels/custom-channels.ts'
import { Code } from '../core/code.tsx'
import { CopyField } from '../core/copy-field.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { GuideLink } from './guide-link.tsx'

type Step = keyof typeof pageText.customChannels.steps

const steps: Step[] = ['message', 'outgoing', 'delivery']

/** The requests that the program makes, as commands to try. */
export function ProgramSteps({ channel: { id } }: { channel: CustomChannel }) {
  const { connect, connectAbout, channelId, steps: names, stepAbouts } = pageText.customChannels
  return (
    <Section title={connect} about={connectAbout} actions={<GuideLink />}>
      <Stack>
        <CopyField label={channelId} value={id} />
        <Tabs defaultValue={steps[0]}>
          <Tabs.List mb="md">
            {steps.map(step => (
              <Tabs.Tab key={step} value={step}>
                {names[step]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {steps.map(step => (
            <Tabs.Panel key={step} value={step}>
              <Stack gap="sm">
                <Text>{stepAbouts[step]}</Text>
                <Code name={names[step]} code={commandOf(step, id)} />
              </Stack>
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
    </Section>
  )
}

function commandOf(step: Step, channelId: string): string {
  const at = `${location.origin}/api/v1/channels/${channelId}`
  const commandTo = (path: string, body?: object) =>
    [
      `curl ${at}${path}`,
      `-H "Authorization: Bearer $DESKBELL_API_KEY"`,
      ...(body ? [`--json '${JSON.stringify(body)}'`] : []),
    ].join(' \\\n  ')
  const { name: full_name, content } = pageText.customChannels.sample
  if (step === 'outgoing') return commandTo('/outgoing')
  if (step === 'delivery') return commandTo('/deliveries', { message_id: 'ID', status: 'delivered' })
  return commandTo('/messages', { external_id: 'm-1', contact: { external_id: 'u-1', full_name }, content })
}
