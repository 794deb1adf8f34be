import { useQuery } from '@tanstack/react-query'
import { ChangeForm, useChangeForm } from '../channels/change-form.tsx'
import type { CustomChannel } from '../channels/custom-channels.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { DepartmentField } from '../operators/department-field.tsx'
import { departmentsQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { ChannelColorField, checkTitle, TitleField } from './channel-fields.tsx'
import {
  type ChannelValues,
  channelBodyOf,
  channelLabels,
  channelValuesOf,
  describeChannel,
} from './channel-values.ts'
import { type ChannelVersion, changeCustomChannel } from './queries.ts'

interface Props {
  channel: CustomChannel
  version: ChannelVersion
}

/** How a channel looks in the inbox, and where its tickets go. */
export function ChannelForm({ channel, version }: Props) {
  const { id: project_id } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(project_id))
  const sending = useChangeForm<ChannelValues, CustomChannel>({
    version,
    initialValues: channelValuesOf(channel),
    validate: { title: checkTitle },
    send: values =>
      changeCustomChannel({ project_id, channel_id: channel.id }, version, channelBodyOf(values)),
  })
  const { form } = sending
  return (
    <Section title={pageText.customChannels.settings}>
      <ChangeForm
        sending={sending}
        version={version}
        labels={channelLabels()}
        read={channelValuesOf}
        describe={values => describeChannel(values, departments)}
      >
        <TitleField form={form} />
        <ChannelColorField form={form} />
        <DepartmentField form={form} words={pageText.customChannels} />
      </ChangeForm>
    </Section>
  )
}
