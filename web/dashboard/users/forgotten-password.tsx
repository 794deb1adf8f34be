import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { text } from '../core/text.ts'
import { Frame } from './frame.tsx'
import { signInMethodsQuery } from './queries.ts'

/** Asks for a link by mail. Whether there is such an account is never said. */
export function ForgottenPassword({ onBack }: { onBack(): void }) {
  const { data } = useQuery(signInMethodsQuery)
  return (
    <Frame title={text.users.resetTitle}>
      <Stack gap="md">
        {data?.sends_mail === false ? <Text>{text.users.resetNoMail}</Text> : <Ask />}
        <Button variant="subtle" color="gray" onClick={onBack}>
          {text.users.startOver}
        </Button>
      </Stack>
    </Frame>
  )
}

function Ask() {
  const sending = useSending({
    initialValues: { email: '' },
    validate: { email: value => (value.trim() ? null : text.users.emailNeeded) },
    send: async ({ email }) => {
      await take(api.POST('/resets', { body: { email: email.trim() } }))
      return true
    },
  })
  if (sending.answer) {
    return (
      <Alert color="green" role="status">
        {text.users.resetSent}
      </Alert>
    )
  }
  return (
    <>
      <Text c="dimmed">{text.users.resetAbout}</Text>
      <Form sending={sending} action={text.users.resetSend} isWide>
        <TextInput
          label={text.users.email}
          type="email"
          autoComplete="username"
          autoFocus
          {...sending.form.getInputProps('email')}
        />
      </Form>
    </>
  )
}
