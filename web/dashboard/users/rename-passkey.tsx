import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Form, useSending } from '../core/form.tsx'
import { text } from '../core/text.ts'
import { auth, takeAuth } from './auth.ts'
import { passkeysQuery } from './queries.ts'

export function RenamePasskey({ id, name, onDone }: { id: string; name: string; onDone(): void }) {
  const client = useQueryClient()
  const sending = useSending({
    initialValues: { name },
    validate: { name: value => (value.trim() ? null : text.account.passkeyNameNeeded) },
    send: ({ name }) => takeAuth(() => auth.passkey.updatePasskey({ id, name: name.trim() })),
    onDone: () => {
      void client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
      onDone()
    },
  })
  return (
    <Form sending={sending} action={text.account.passkeyRename}>
      <TextInput
        label={text.account.passkeyName}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        {...sending.form.getInputProps('name')}
      />
    </Form>
  )
}
