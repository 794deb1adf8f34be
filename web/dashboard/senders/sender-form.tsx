import { Alert, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { isPublicDomain } from './public-domains.ts'
import { type SenderVerdict, setSenderRule } from './queries.ts'
import { senderKeys } from './query-keys.ts'

interface Values extends Record<string, unknown> {
  pattern: string
  verdict: SenderVerdict
}

/** Blocks or allows a sender or a domain. */
export function SenderForm({ onDone }: { onDone(): void }) {
  const { id: projectId } = useProject()
  const client = useQueryClient()
  const { add, pattern, patternAbout, patternNeeded, verdict, verdicts } = pageText.senderRules
  const sending = useSending<Values>({
    initialValues: { pattern: '', verdict: 'blocked' },
    validate: { pattern: value => (value.trim() ? null : patternNeeded) },
    send: values => setSenderRule(projectId, { ...values, pattern: values.pattern.trim() }),
    onDone: () => {
      void client.invalidateQueries({ queryKey: senderKeys.rules(projectId) })
      onDone()
    },
  })
  const { form } = sending
  const values = form.getValues()
  const isRisky = values.verdict === 'blocked' && isPublicDomain(values.pattern)
  return (
    <Form sending={sending} action={add}>
      <NativeSelect
        label={verdict}
        data={Object.entries(verdicts).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('verdict')}
      />
      <TextInput
        label={pattern}
        description={patternAbout}
        dir="ltr"
        maxLength={254}
        data-autofocus
        {...form.getInputProps('pattern')}
      />
      {isRisky && (
        <Alert color="yellow" role="alert">
          {pageText.senderRules.publicDomain(values.pattern.trim().replace(/^@/, ''))}
        </Alert>
      )}
    </Form>
  )
}
