import { Radio, Stack, TextInput } from '@mantine/core'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { TimezoneField } from '../core/timezone-field.tsx'
import { type Digest, digests, useChoice, useChoose } from './choice.ts'

/** An email that lists what waits for the person. */
export function DigestSection() {
  const { digest, digest_at, digest_timezone } = useChoice()
  const choose = useChoose()
  return (
    <Section title={pageText.digest.title} about={pageText.digest.about}>
      <Stack gap="md">
        <Radio.Group
          label={pageText.digest.often}
          value={digest}
          onChange={value => choose.mutate({ digest: value as Digest, digest_timezone })}
        >
          <Stack gap="xs" mt="xs">
            {digests.map(one => (
              <Radio key={one} value={one} label={pageText.digest.choices[one]} />
            ))}
          </Stack>
        </Radio.Group>
        {digest === 'daily' && (
          <>
            <TextInput
              key={digest_at}
              type="time"
              label={pageText.digest.at}
              defaultValue={digest_at}
              maw={160}
              onBlur={({ currentTarget: { value } }) => {
                if (value && value !== digest_at) choose.mutate({ digest_at: value.slice(0, 5) })
              }}
            />
            <TimezoneField
              label={pageText.digest.timezone}
              current={digest_timezone}
              value={digest_timezone}
              onChange={zone => zone && choose.mutate({ digest_timezone: zone })}
            />
          </>
        )}
      </Stack>
    </Section>
  )
}
