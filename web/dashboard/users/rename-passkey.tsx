import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { auth, takeAuth } from './auth.ts'
import { passkeysQuery } from './queries.ts'

export function RenamePasskey({ id, name, onDone }: { id: string; name: string; onDone(): void }) {
  const client = useQueryClient()
  const sending = useSending({
    initialValues: { name },
    validate: { name: value => (value.trim() ? null : pageText.account.passkeyNameNeeded) },
    send: ({ name }) => takeAuth(() => auth.passkey.updatePasskey({ id, name: name.trim() })),
    onDone: () => {
      void client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
      onDone()
    },
  })
  return (
    <Form sending={sending} action={pageText.account.passkeyRename}>
      <TextInput
        label={pageText.account.passkeyName}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        {...sending.form.getInputProps('name')}
      />
    </Form>
  )
}
