import { Alert, Badge, Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Row, Rows } from '../core/rows.tsx'
import { day } from '../core/time.ts'
import { When } from '../core/when.tsx'
import { useProject } from '../projects/project.ts'
import { type Billing, billingQuery, money } from './queries.ts'

type Order = AnswerOf<'/projects/{project_id}/billing/top-ups', 'post'>

function Transfer({ order: { order_id, amount, currency, expires_at, transfer_to } }: { order: Order }) {
  return (
    <>
      <Text>{pageText.billing.transfer(money(amount, currency), day(expires_at!), order_id)}</Text>
      {transfer_to && <Text mt={6}>{pageText.billing.transferTo(transfer_to)}</Text>}
    </>
  )
}

/** Orders a top-up, and shows how to pay it. */
export function TopUp({ billing }: { billing: Billing }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const { gateways, payments } = billing
  const sending = useSending({
    initialValues: { amount: '', gateway: gateways[0] ?? 'offline' },
    validate: { amount: value => (value.trim() ? null : pageText.billing.amountNeeded) },
    send: ({ amount, gateway }) =>
      take(
        api.POST('/projects/{project_id}/billing/top-ups', {
          params: { path: { project_id } },
          body: { amount: amount.trim().replace(',', '.'), gateway },
        }),
      ),
    onDone: () => client.invalidateQueries({ queryKey: billingQuery(project_id).queryKey }),
  })
  return (
    <Section title={pageText.billing.topUp}>
      <Form sending={sending} action={pageText.billing.order}>
        <TextInput
          label={pageText.billing.amount}
          inputMode="decimal"
          placeholder="29.00"
          maw={240}
          {...sending.form.getInputProps('amount')}
        />
        {gateways.length > 1 && (
          <NativeSelect
            label={pageText.billing.way}
            maw={240}
            data={gateways.map(value => ({ value, label: pageText.billing.ways[value] ?? value }))}
            {...sending.form.getInputProps('gateway')}
          />
        )}
      </Form>
      {sending.answer && (
        <Alert mt="md" color="gray" role="status">
          {sending.answer.gateway === 'offline' && <Transfer order={sending.answer} />}
          {sending.answer.url && (
            <Button component="a" href={sending.answer.url} rel="noreferrer">
              {pageText.billing.pay}
            </Button>
          )}
        </Alert>
      )}
      {payments.length > 0 && <Payments payments={payments} />}
    </Section>
  )
}

function Payments({ payments }: Pick<Billing, 'payments'>) {
  return (
    <>
      <Text fw={550} mt="md" mb={6}>
        {pageText.billing.payments}
      </Text>
      <Rows label={pageText.billing.payments}>
        {payments.map(({ order_id, amount, currency, status, is_disputed, created_at, expires_at }) => (
          <Row
            key={order_id}
            aside={
              <Badge variant="default">
                {pageText.billing.paymentStatuses[is_disputed ? 'disputed' : status]}
              </Badge>
            }
          >
            <Text>{money(amount, currency)}</Text>
            <Text size="sm" c="dimmed" component="div">
              {order_id} · <When time={created_at} />
              {expires_at && !is_disputed && ` · ${pageText.billing.waitsUntil(day(expires_at))}`}
            </Text>
            {is_disputed && <Text size="sm">{pageText.billing.disputedAbout}</Text>}
          </Row>
        ))}
      </Rows>
    </>
  )
}
