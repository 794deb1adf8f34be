import { Alert, Anchor, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { AutomaticTexts } from './automatic-texts.tsx'
import {
  type AutomaticValues,
  automaticBodyOf,
  automaticLabels,
  automaticValuesOf,
  describeAutomatic,
} from './automatic-values.ts'
import { MailboxConflict } from './mailbox-conflict.tsx'
import {
  type AutomaticDefaults,
  automaticTextsQuery,
  changeMailbox,
  type Mailbox,
  type ShownVersion,
} from './queries.ts'

interface Props {
  mailbox: Mailbox
  version: ShownVersion
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
  const sending = useSending<AutomaticValues, Mailbox>({
    initialValues: automaticValuesOf(mailbox),
    send: values => changeMailbox({ project_id, mailbox_id: mailbox.id }, version, automaticBodyOf(values)),
    onDone: saved => {
      version.save(saved)
      showNotice(text.shell.saved)
    },
  })
  const { form } = sending
  const { sends_acknowledgement, sends_away } = form.getValues()
  const { acknowledges, acknowledgesAbout, away, awayAbout } = pageText.mailboxAutomatic
  return (
    <Form sending={sending} action={text.shell.save}>
      <MailboxConflict
        sending={sending}
        version={version}
        labels={automaticLabels()}
        read={automaticValuesOf}
        describe={describeAutomatic}
      />
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
      {sends_away && !defaults.has_hours && <NoHours />}
      {(sends_acknowledgement || sends_away) && <AutomaticTexts form={form} defaults={defaults} />}
    </Form>
  )
}

function NoHours() {
  const { noHours, openHours } = pageText.mailboxAutomatic
  const to = `/p/${useProject().id}/settings/widget`
  return (
    <Text size="sm" role="status">
      {noHours}{' '}
      <Anchor inherit underline="always" renderRoot={props => <Link to={to} {...props} />}>
        {openHours}
      </Anchor>
    </Text>
  )
}
