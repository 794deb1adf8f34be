import { Badge, Button, Group, Text } from '@mantine/core'
import { api, take } from '../core/api.ts'
import { tell } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { useChange } from '../core/query.ts'
import { Row, Rows } from '../core/rows.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { type Billing, billingQuery, money } from './queries.ts'

/** What can be chosen as the next plan. */
export function Plans({ billing }: { billing: Billing }) {
  const { id: project_id } = useProject()
  const choose = useChange({
    send: (plan: string) =>
      take(
        api.POST('/projects/{project_id}/billing/plan', { params: { path: { project_id } }, body: { plan } }),
      ),
    refresh: [billingQuery(project_id).queryKey],
    onDone: () => tell(text.billing.chosen),
  })
  if (billing.offered.length === 0) return null
  return (
    <Section title={text.billing.choose}>
      <Rows label={text.billing.choose}>
        {billing.offered.map(
          ({ code, name, price, currency, period, monthly_ticket_limit, operator_seats }) => (
            <Row
              key={code}
              aside={
                <Group gap={8}>
                  {code === billing.plan && <Badge variant="default">{text.billing.current}</Badge>}
                  {code === billing.next_plan && <Badge variant="default">{text.billing.next}</Badge>}
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={text.billing.chooseOne(name)}
                    loading={choose.isPending && choose.variables === code}
                    onClick={() => choose.mutate(code)}
                  >
                    {text.billing.chooseOne(name)}
                  </Button>
                </Group>
              }
            >
              <Text fw={550}>{name}</Text>
              <Text size="sm" c="dimmed">
                {[
                  price ? `${money(price, currency)} ${text.billing.per[period]}` : text.billing.free,
                  monthly_ticket_limit !== null && text.billing.upTo(monthly_ticket_limit),
                  text.billing.seats(operator_seats),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </Row>
          ),
        )}
      </Rows>
    </Section>
  )
}
