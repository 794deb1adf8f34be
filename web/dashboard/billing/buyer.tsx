import { Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { showSaved } from '../core/query.ts'
import { useProject } from '../projects/project.ts'
import { type Billing, billingQuery } from './queries.ts'

/** The buyer's details, as printed on invoices. */
export function BuyerForm({ billing: { buyer } }: { billing: Billing }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const sending = useSending({
    initialValues: buyer,
    send: body =>
      take(api.PUT('/projects/{project_id}/billing/buyer', { params: { path: { project_id } }, body })),
    onDone: answer => {
      void showSaved(client, billingQuery(project_id).queryKey, answer)
      showNotice(pageText.billing.buyerSaved)
    },
  })
  return (
    <Section title={pageText.billing.buyer}>
      <Text size="sm" c="dimmed" mb="sm">
        {pageText.billing.buyerAbout}
      </Text>
      <Form sending={sending} action={pageText.billing.buyerSave}>
        <TextInput
          label={pageText.billing.buyerName}
          maxLength={200}
          {...sending.form.getInputProps('name')}
        />
        <Textarea
          label={pageText.billing.buyerAddress}
          maxLength={1000}
          autosize
          minRows={2}
          {...sending.form.getInputProps('address')}
        />
        <TextInput
          label={pageText.billing.buyerTaxNumber}
          maxLength={100}
          maw={240}
          {...sending.form.getInputProps('tax_number')}
        />
      </Form>
    </Section>
  )
}
