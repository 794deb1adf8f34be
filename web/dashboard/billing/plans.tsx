import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { Row, Rows } from '../core/rows.tsx'
import { useProject } from '../projects/project.ts'
import { ConfirmStep } from './confirm-step.tsx'
import { type Billing, billingQuery, money, type Step } from './queries.ts'

type Plan = Billing['offered'][number]

function useChoice() {
  const { id: project_id } = useProject()
  return useChange({
    send: ({ plan, at, amount }: Step) =>
      take(
        api.POST('/projects/{project_id}/billing/plan', {
          params: { path: { project_id } },
          body: { plan, at, amount },
        }),
      ),
    refresh: [billingQuery(project_id).queryKey],
    onDone: () => showNotice(pageText.billing.chosen),
  })
}

/** The plans that can be chosen next. */
export function Plans({ billing }: { billing: Billing }) {
  const choose = useChoice()
  const [asked, setAsked] = useState<Step | null>(null)
  if (billing.offered.length === 0) return null
  return (
    <Section title={pageText.billing.choose}>
      <Rows label={pageText.billing.choose}>
        {billing.offered.map(plan => (
          <Row
            key={plan.code}
            aside={
              <Group gap={8}>
                {plan.code === billing.plan && <Badge variant="default">{pageText.billing.current}</Badge>}
                {plan.code === billing.next_plan && <Badge variant="default">{pageText.billing.next}</Badge>}
                {plan.choice && (
                  <Button
                    variant="default"
                    size="compact-sm"
                    loading={choose.isPending && choose.variables.plan === plan.code}
                    onClick={() => setAsked(plan.choice)}
                  >
                    {nameOf(billing, plan)}
                  </Button>
                )}
              </Group>
            }
          >
            <Text fw={550}>{plan.name}</Text>
            <Text size="sm" c="dimmed">
              {describe(plan)}
            </Text>
          </Row>
        ))}
      </Rows>
      <ConfirmStep
        billing={billing}
        step={asked}
        title={pageText.billing.chooseTitle}
        action={pageText.billing.chooseOne}
        run={() => asked && choose.mutate(asked)}
        onClose={() => setAsked(null)}
      />
    </Section>
  )
}

/** If another plan was chosen as next, the current one can be kept. */
const nameOf = (billing: Billing, { code, name }: Plan): string =>
  code === billing.plan ? pageText.billing.keepOne(name) : pageText.billing.chooseOne(name)

const describe = ({ price, currency, period, monthly_ticket_limit, operator_seats }: Plan): string =>
  [
    price ? `${money(price, currency)} ${pageText.billing.per[period]}` : pageText.billing.free,
    monthly_ticket_limit !== null && pageText.billing.upTo(monthly_ticket_limit),
    pageText.billing.seats(operator_seats),
  ]
    .filter(Boolean)
    .join(' · ')
