import { Select, Switch, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { departmentsQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { FetchingFields } from './fetching-fields.tsx'
import { MailboxConflict } from './mailbox-conflict.tsx'
import {
  describeValues,
  type MailboxValues,
  mailboxBodyOf,
  mailboxLabels,
  mailboxValuesOf,
} from './mailbox-values.ts'
import { changeMailbox, type Mailbox, type ShownVersion } from './queries.ts'

interface Props {
  mailbox: Mailbox
  version: ShownVersion
}

/** Everything about a mailbox except its server. */
export function MailboxForm({ mailbox, version }: Props) {
  const { id: project_id } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(project_id))
  const sending = useSending<MailboxValues, Mailbox>({
    initialValues: mailboxValuesOf(mailbox),
    send: values => changeMailbox({ project_id, mailbox_id: mailbox.id }, version, mailboxBodyOf(values)),
    onDone: saved => {
      version.save(saved)
      showNotice(text.shell.saved)
    },
  })
  const { form } = sending
  return (
    <Section title={pageText.mailboxes.settings}>
      <Form sending={sending} action={text.shell.save}>
        <MailboxConflict
          sending={sending}
          version={version}
          labels={mailboxLabels()}
          read={mailboxValuesOf}
          describe={values => describeValues(values, departments)}
        />
        <IdentityFields form={form} />
        {mailbox.incoming === 'imap' && <FetchingFields form={form} />}
        <TrustFields form={form} />
      </Form>
    </Section>
  )
}

export interface MailboxFields {
  form: UseFormReturnType<MailboxValues>
}

function IdentityFields({ form }: MailboxFields) {
  const { data: departments = [] } = useQuery(departmentsQuery(useProject().id))
  const { name, nameAbout, department, anyDepartment, aliases, aliasesAbout } = pageText.mailboxes
  return (
    <>
      <TextInput label={name} description={nameAbout} maw={420} {...form.getInputProps('name')} />
      <Select
        label={department}
        placeholder={anyDepartment}
        clearable
        maw={420}
        data={departments.map(one => ({ value: one.id, label: one.name }))}
        {...form.getInputProps('department_id')}
      />
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
