import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { showSaved } from '../core/query.ts'
import { text } from '../core/text.ts'
import { OwnSignature } from '../operators/own-signature.tsx'
import { OwnStatus } from '../operators/own-status-section.tsx'
import { meQuery, useMe } from '../users/me.ts'
import { Picture } from '../users/picture.tsx'

export default function ProfilePage() {
  const { user } = useMe()
  const client = useQueryClient()
  const sending = useSending({
    initialValues: { name: user.name },
    validate: { name: value => (value.trim() ? null : pageText.users.nameNeeded) },
    send: ({ name }) => take(api.PATCH('/me', { body: { name: name.trim() } })),
    onDone: me => {
      void showSaved(client, meQuery.queryKey, me)
      showNotice(text.shell.saved)
    },
  })
  return (
    <Page title={pageText.account.profile} about={pageText.account.profileAbout}>
      <Section>
        <Form sending={sending} action={text.shell.save}>
          <TextInput
            label={pageText.account.name}
            description={pageText.users.nameAbout}
            autoComplete="name"
            maw={360}
            {...sending.form.getInputProps('name')}
          />
          <TextInput
            label={pageText.account.email}
            description={pageText.account.emailAbout}
            value={user.email}
            readOnly
            variant="unstyled"
          />
        </Form>
      </Section>
      <Picture />
      <OwnStatus />
      <OwnSignature />
    </Page>
  )
}
