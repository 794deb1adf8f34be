import { Button, Group, NumberInput, Select, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { newId } from '../core/id.ts'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import type { Fields } from './look-fields.tsx'
import { PageRuleFields } from './page-rule-fields.tsx'
import { PartTitle } from './part-title.tsx'
import { type ProactiveRule, sendersQuery } from './queries.ts'

interface Props extends Fields {
  locale: string
}

const maxRules = 20

const newRule = (): ProactiveRule => ({
  id: newId(),
  match: 'contains',
  address: '',
  after_seconds: 20,
  repeat_after_days: 30,
  texts: {},
  operator_id: null,
})

/** The small messages beside the button, in the language chosen above. */
export function ProactiveFields({ form, locale }: Props) {
  const rules = form.getValues().proactive_messages
  return (
    <>
      <PartTitle about={pageText.widget.proactiveAbout}>{pageText.widget.proactive}</PartTitle>
      {rules.map(({ id }, index) => (
        <PageRuleFields
          key={id}
          form={form}
          list="proactive_messages"
          index={index}
          name={pageText.widget.proactiveMessage(index + 1)}
        >
          <MessageFields form={form} locale={locale} index={index} />
        </PageRuleFields>
      ))}
      {rules.length < maxRules && (
        <Button
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => form.insertListItem('proactive_messages', newRule())}
        >
          {pageText.widget.addProactive}
        </Button>
      )}
    </>
  )
}

/** The value of the project in the list of senders, because a choice cannot be null. */
const project = 'project'

function MessageFields({ form, locale, index }: Props & { index: number }) {
  const { id: projectId } = useProject()
  const { data: people = [] } = useQuery(sendersQuery(projectId))
  const at = `proactive_messages.${index}`
  const { texts, operator_id } = form.getValues().proactive_messages[index]!
  const senders = people.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <Textarea
        label={pageText.widget.proactiveText}
        value={texts[locale] ?? ''}
        placeholder={Object.values(texts)[0]}
        maxLength={300}
        autosize
        minRows={2}
        dir="auto"
        lang={locale}
        error={form.errors[`${at}.texts`]}
        onChange={event =>
          form.setFieldValue(`${at}.texts`, { ...texts, [locale]: event.currentTarget.value })
        }
      />
      <Select
        label={pageText.widget.sender}
        data={[{ value: project, label: pageText.widget.senderProject }, ...senders]}
        value={operator_id ?? project}
        allowDeselect={false}
        searchable
        onChange={chosen => form.setFieldValue(`${at}.operator_id`, chosen === project ? null : chosen)}
      />
      <Group grow align="flex-start">
        <NumberInput
          label={pageText.widget.afterSeconds}
          min={0}
          max={3_600}
          {...form.getInputProps(`${at}.after_seconds`)}
        />
        <NumberInput
          label={pageText.widget.repeatAfterDays}
          min={1}
          max={365}
          {...form.getInputProps(`${at}.repeat_after_days`)}
        />
      </Group>
    </>
  )
}
