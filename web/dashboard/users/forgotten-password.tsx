import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { Frame } from './frame.tsx'
import { signInMethodsQuery } from './queries.ts'

/** Requests a link by mail. The response never reveals whether there is such an account. */
export function ForgottenPassword({ onBack }: { onBack(): void }) {
  const { data } = useQuery(signInMethodsQuery)
  return (
    <Frame title={pageText.users.resetTitle}>
      <Stack gap="md">
        {data?.sends_mail === false ? <Text>{pageText.users.resetNoMail}</Text> : <Ask />}
        <Button variant="subtle" color="gray" onClick={onBack}>
          {pageText.users.startOver}
        </Button>
      </Stack>
    </Frame>
  )
}

function Ask() {
  const sending = useSending({
    initialValues: { email: '' },
    validate: { email: value => (value.trim() ? null : pageText.users.emailNeeded) },
    send: async ({ email }) => {
      await take(api.POST('/resets', { body: { email: email.trim() } }))
      return true
    },
  })
  if (sending.answer) {
    return (
      <Alert color="green" role="status">
        {pageText.users.resetSent}
      </Alert>
    )
  }
  return (
    <>
      <Text c="dimmed">{pageText.users.resetAbout}</Text>
      <Form sending={sending} action={pageText.users.resetSend} isWide>
        <TextInput
          label={pageText.users.email}
          type="email"
          autoComplete="username"
          autoFocus
          {...sending.form.getInputProps('email')}
        />
      </Form>
    </>
  )
}
