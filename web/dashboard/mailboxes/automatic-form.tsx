import { Alert, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChangeForm, useChangeForm } from '../channels/change-form.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { MissingHours } from '../widget/text-language.tsx'
import { AutomaticTexts } from './automatic-texts.tsx'
import {
  type AutomaticValues,
  automaticBodyOf,
  automaticLabels,
  automaticValuesOf,
  describeAutomatic,
} from './automatic-values.ts'
import {
  type AutomaticDefaults,
  automaticTextsQuery,
  changeMailbox,
  type Mailbox,
  type MailboxVersion,
} from './queries.ts'

interface Props {
  mailbox: Mailbox
  version: MailboxVersion
}

/** Settings for automatic emails: whether they are sent, and their texts. */
export function AutomaticSection(props: Props) {
  const { data: defaults } = useQuery(automaticTextsQuery(useProject().id))
  const { title, about, needsSending } = pageText.mailboxAutomatic
  return (
    <Section title={title} about={about}>
      {props.mailbox.sending === 'none' && <Alert mb="md">{needsSending}</Alert>}
      {defaults ? <AutomaticForm {...props} defaults={defaults} /> : <Loading />}
    </Section>
  )
}

function AutomaticForm({ mailbox, version, defaults }: Props & { defaults: AutomaticDefaults }) {
  const { id: project_id } = useProject()
  const sending = useChangeForm<AutomaticValues, Mailbox>({
    version,
    initialValues: automaticValuesOf(mailbox),
    send: values => changeMailbox({ project_id, mailbox_id: mailbox.id }, version, automaticBodyOf(values)),
  })
  const { form } = sending
  const { sends_acknowledgement, sends_away } = form.getValues()
  const { acknowledges, acknowledgesAbout, away, awayAbout } = pageText.mailboxAutomatic
  return (
    <ChangeForm
      sending={sending}
      version={version}
      labels={automaticLabels()}
      read={automaticValuesOf}
      describe={describeAutomatic}
    >
      <Switch
        label={acknowledges}
        description={acknowledgesAbout}
        {...form.getInputProps('sends_acknowledgement', { type: 'checkbox' })}
      />
      <Switch
        label={away}
        description={awayAbout}
        {...form.getInputProps('sends_away', { type: 'checkbox' })}
      />
      {sends_away && !defaults.has_hours && <MissingHours />}
      {(sends_acknowledgement || sends_away) && <AutomaticTexts form={form} defaults={defaults} />}
    </ChangeForm>
  )
}
