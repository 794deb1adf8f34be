import { Button, Fieldset, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { pageText } from '../core/page-text.ts'
import type { Fields } from './look-fields.tsx'

interface Props extends Fields {
  list: 'page_articles' | 'proactive_messages'
  index: number
  name: string
  children: ReactNode
}

/** The pages that a rule applies to, and below them what it shows there. */
export function PageRuleFields({ form, list, index, name, children }: Props) {
  const at = `${list}.${index}`
  return (
    <Fieldset legend={name}>
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <NativeSelect
            label={pageText.widget.match}
            data={(['contains', 'begins_with'] as const).map(value => ({
              value,
              label: pageText.widget.matches[value],
            }))}
            {...form.getInputProps(`${at}.match`)}
          />
          <TextInput
            label={pageText.widget.address}
            placeholder={pageText.widget.addressExample}
            maxLength={500}
            dir="ltr"
            flex="1 1 12rem"
            {...form.getInputProps(`${at}.address`)}
          />
        </Group>
        {children}
        <Button
          variant="subtle"
          color="red"
          size="xs"
          style={{ alignSelf: 'flex-end' }}
          aria-label={`${pageText.widget.removeRule}: ${name}`}
          onClick={() => form.removeListItem(list, index)}
        >
          {pageText.widget.removeRule}
        </Button>
      </Stack>
    </Fieldset>
  )
}
