import { Anchor, Group, Input, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ChannelAvatar } from '../channels/channel-avatar.tsx'
import { type CustomChannel, channelOf, customChannelsQuery } from '../channels/custom-channels.ts'
import { asFailure } from '../core/failure.ts'
import { Form, useSending } from '../core/form.tsx'
import { showRefusal } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { PictureButtons } from '../core/picture-buttons.tsx'
import { DepartmentField } from '../operators/department-field.tsx'
import { useProject } from '../projects/project.ts'
import { ChannelColorField, checkTitle, TitleField } from './channel-fields.tsx'
import { type ChannelValues, channelBodyOf, isChannelName, suggestName } from './channel-values.ts'
import { createCustomChannel, setChannelPicture } from './queries.ts'

interface NewValues extends ChannelValues {
  /** Empty until somebody replaces the suggestion. */
  name: string
}

/** One of the suggested colours. */
const firstColor = '#475569'

interface ChosenPicture {
  file: File
  url: string
}

export default function AddCustomChannelPage() {
  const { add, back: backLabel } = pageText.customChannels
  const back = `/p/${useProject().id}/settings/channels`
  return (
    <Page
      title={add}
      about={<Anchor renderRoot={props => <Link to={back} {...props} />}>{backLabel}</Anchor>}
    >
      <Section>
        <NewChannel />
      </Section>
    </Page>
  )
}

function NewChannel() {
  const { id: project_id } = useProject()
  const { data: channels = [] } = useQuery(customChannelsQuery(project_id))
  const [picture, setPicture] = useState<ChosenPicture | null>(null)
  const taken = channels.map(({ name }) => name)
  const sending = useNewChannel(picture, taken)
  const { form } = sending
  const { title, color } = form.getValues()
  return (
    <Form sending={sending} action={pageText.customChannels.add}>
      <TitleField form={form} />
      <NameField form={form} suggestion={suggestName(title, taken)} />
      <ChannelColorField form={form} />
      <PictureField
        avatar={{ title, color, picture: picture?.url ?? null }}
        onChoose={file => setPicture(file && { file, url: URL.createObjectURL(file) })}
      />
      <DepartmentField form={form} words={pageText.customChannels} />
    </Form>
  )
}

function useNewChannel(picture: ChosenPicture | null, taken: string[]) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useSending<NewValues, CustomChannel>({
    initialValues: { title: '', name: '', color: firstColor, department_id: null },
    validate: {
      title: checkTitle,
      name: name => (!name || isChannelName(name) ? null : pageText.customChannels.nameNeeded),
    },
    send: ({ name, ...values }) =>
      createCustomChannel(project_id, {
        ...channelBodyOf(values),
        name: name || suggestName(values.title, taken),
      }),
    async onDone({ id: channel_id }) {
      if (picture)
        await setChannelPicture({ project_id, channel_id }, picture.file).catch((thrown: Error) =>
          showRefusal(pageText.customChannels.pictureNotSaved(asFailure(thrown).message)),
        )
      void client.invalidateQueries({ queryKey: customChannelsQuery(project_id).queryKey })
      await navigate({ to: `/p/${project_id}/settings/channels/${channel_id}` })
    },
  })
}

interface NameProps {
  form: UseFormReturnType<NewValues>
  suggestion: string
}

function NameField({ form, suggestion }: NameProps) {
  const { name, nameAbout } = pageText.customChannels
  const isSuggested = form.getValues().title.trim() !== ''
  return (
    <TextInput
      label={name}
      description={nameAbout(channelOf(form.getValues().name || suggestion))}
      placeholder={isSuggested ? suggestion : ''}
      maxLength={32}
      maw={420}
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      {...form.getInputProps('name')}
    />
  )
}

interface PictureProps {
  avatar: { title: string; color: string; picture: string | null }
  onChoose(file: File | null): void
}

function PictureField({ avatar, onChoose }: PictureProps) {
  const { picture, pictureAbout, choosePicture, removePicture } = pageText.customChannels
  return (
    <Input.Wrapper label={picture} description={pictureAbout} labelElement="div">
      <Group mt={6}>
        <ChannelAvatar {...avatar} size={48} />
        <PictureButtons
          words={{ choose: choosePicture, remove: removePicture }}
          onChoose={onChoose}
          onRemove={avatar.picture === null ? undefined : () => onChoose(null)}
        />
      </Group>
    </Input.Wrapper>
  )
}
