import { Switch, Textarea } from '@mantine/core'
import { pageText } from '../core/page-text.ts'
import type { Fields } from './look-fields.tsx'
import { PartTitle } from './part-title.tsx'
import { domainsOf } from './values.ts'

/** The server reports the first invalid domain by its index in the list. */
function sayWrongDomain({ form }: Fields): string | undefined {
  const name = Object.keys(form.errors).find(key => key.startsWith('allowed_domains'))
  if (!name) return undefined
  const domain = domainsOf(form.getValues().allowed_domains)[Number(name.split('.')[1])]
  return domain ? pageText.widget.wrongDomain(domain) : String(form.errors[name])
}

export function AccessFields({ form }: Fields) {
  const { onChange, ...domains } = form.getInputProps('allowed_domains')
  return (
    <>
      <PartTitle>{pageText.widget.access}</PartTitle>
      <Textarea
        label={pageText.widget.domains}
        description={pageText.widget.domainsAbout}
        autosize
        minRows={2}
        maxRows={10}
        maw={420}
        dir="ltr"
        spellCheck={false}
        {...domains}
        error={sayWrongDomain({ form })}
        onChange={event => {
          for (const name of Object.keys(form.errors))
            if (name.startsWith('allowed_domains')) form.clearFieldError(name)
          onChange(event)
        }}
      />
      <Switch
        label={pageText.widget.requiresSignature}
        description={pageText.widget.requiresSignatureAbout}
        {...form.getInputProps('requires_signature', { type: 'checkbox' })}
      />
      <Switch
        label={pageText.widget.notifies}
        description={pageText.widget.notifiesAbout}
        {...form.getInputProps('notifies_visitors', { type: 'checkbox' })}
      />
    </>
  )
}
