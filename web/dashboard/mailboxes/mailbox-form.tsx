import { Switch, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { ChangeForm, useChangeForm } from '../channels/change-form.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { DepartmentField } from '../operators/department-field.tsx'
import { departmentsQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { FetchingFields } from './fetching-fields.tsx'
import {
  describeValues,
  type MailboxValues,
  mailboxBodyOf,
  mailboxLabels,
  mailboxValuesOf,
} from './mailbox-values.ts'
import { changeMailbox, type Mailbox, type MailboxVersion } from './queries.ts'

interface Props {
  mailbox: Mailbox
  version: MailboxVersion
}

/** Everything about a mailbox except its server. */
export function MailboxForm({ mailbox, version }: Props) {
  const { id: project_id } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(project_id))
  const sending = useChangeForm<MailboxValues, Mailbox>({
    version,
    initialValues: mailboxValuesOf(mailbox),
    send: values => changeMailbox({ project_id, mailbox_id: mailbox.id }, version, mailboxBodyOf(values)),
  })
  const { form } = sending
  return (
    <Section title={pageText.mailboxes.settings}>
      <ChangeForm
        sending={sending}
        version={version}
        labels={mailboxLabels()}
        read={mailboxValuesOf}
        describe={values => describeValues(values, departments)}
      >
        <IdentityFields form={form} />
        {mailbox.incoming === 'imap' && <FetchingFields form={form} />}
        <TrustFields form={form} />
      </ChangeForm>
    </Section>
  )
}

export interface MailboxFields {
  form: UseFormReturnType<MailboxValues>
}

function IdentityFields({ form }: MailboxFields) {
  const { name, nameAbout, aliases, aliasesAbout } = pageText.mailboxes
  return (
    <>
      <TextInput label={name} description={nameAbout} maw={420} {...form.getInputProps('name')} />
      <DepartmentField form={form} words={pageText.mailboxes} />
      <TagsInput label={aliases} description={aliasesAbout} {...form.getInputProps('aliases')} />
    </>
  )
}

function TrustFields({ form }: MailboxFields) {
  const { authservIds, authservIdsAbout, formSenders, formSendersAbout, trustsSpam, trustsSpamAbout } =
    pageText.mailboxes
  return (
    <>
      <TagsInput label={formSenders} description={formSendersAbout} {...form.getInputProps('form_senders')} />
      <TagsInput label={authservIds} description={authservIdsAbout} {...form.getInputProps('authserv_ids')} />
      <Switch
        label={trustsSpam}
        description={trustsSpamAbout}
        {...form.getInputProps('trusts_spam_headers', { type: 'checkbox' })}
      />
    </>
  )
}
