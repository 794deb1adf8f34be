import { Button } from '@mantine/core'
import { useState } from 'react'
import { Form, useSending } from '../core/form.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { type BegunSignIn, beginSignInAgain, type Mailbox, type MailboxImap } from './queries.ts'
import { SignInFields } from './sign-in-fields.tsx'
import { appBodyOf, type SignInValues, signInRules, signInValuesOf } from './sign-in-values.ts'

interface Props {
  mailbox: Mailbox
  imap: MailboxImap
}

/** Connects a mailbox by signing in with its provider, or signs in again. The other settings of the mailbox do not change. */
export function SignInSection({ mailbox, imap }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const { signInTitle, signInAbouts, signInSettings } = pageText.mailboxes
  const open = (
    <Button variant="default" onClick={() => setIsOpen(true)}>
      {signInSettings}
    </Button>
  )
  return (
    <Section title={signInTitle} about={signInAbouts[imap.auth]} actions={!isOpen && open}>
      {isOpen && <SignInForm mailbox={mailbox} imap={imap} />}
    </Section>
  )
}

function SignInForm({ mailbox, imap }: Props) {
  const { id: project_id } = useProject()
  const sending = useSending<SignInValues, BegunSignIn>({
    initialValues: signInValuesOf(imap),
    validate: signInRules,
    send: values =>
      beginSignInAgain({ project_id, mailbox_id: mailbox.id }, { imap: { oauth: appBodyOf(values) } }),
    onDone: ({ authorize_url }) => location.assign(authorize_url),
  })
  const { provider } = sending.form.getValues().imap.oauth
  const { signInAt, secretKept } = pageText.mailboxes
  return (
    <Form sending={sending} action={signInAt[provider]}>
      <SignInFields form={sending.form} secretAbout={imap.oauth ? secretKept : undefined} />
    </Form>
  )
}
