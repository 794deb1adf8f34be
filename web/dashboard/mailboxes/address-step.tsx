import { TextInput } from '@mantine/core'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import type { DetectedServer } from './queries.ts'

interface Values extends Record<string, unknown> {
  address: string
}

/** Asks for the address only; its mail server is found by the domain. */
export function AddressStep({ onDone }: { onDone(server: DetectedServer): void }) {
  const { id: project_id } = useProject()
  const { address, addressAbout, addressNeeded, next } = pageText.mailboxes
  const sending = useSending<Values, DetectedServer>({
    initialValues: { address: '' },
    validate: { address: value => (value.trim() ? null : addressNeeded) },
    send: values =>
      take(
        api.POST('/projects/{project_id}/mailboxes/detect', {
          params: { path: { project_id } },
          body: { address: values.address.trim() },
        }),
      ),
    onDone,
  })
  return (
    <Form sending={sending} action={next}>
      <TextInput
        label={address}
        description={addressAbout}
        type="email"
        dir="ltr"
        maw={420}
        autoComplete="off"
        autoFocus
        {...sending.form.getInputProps('address')}
      />
    </Form>
  )
}
