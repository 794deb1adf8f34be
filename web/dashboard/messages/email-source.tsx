import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { copyText } from '../core/copy.ts'
import { text } from '../core/text.ts'
import classes from './email.module.css'
import { sourceQuery } from './email-queries.ts'

/** The source of an email, with buttons to copy and to download it. */
export function EmailSource({ url }: { url: string }) {
  const { data: source } = useQuery(sourceQuery(url))
  if (!source) return null
  return (
    <Stack gap="sm">
      {source.isCut && <Text size="sm">{text.email.rawCut}</Text>}
      <Textarea
        classNames={{ input: classes.source }}
        readOnly
        autosize
        maxRows={20}
        dir="ltr"
        aria-label={text.email.raw}
        value={source.text}
      />
      <Group>
        <Button variant="default" size="xs" onClick={() => copyText(source.text, text.shell.copied)}>
          {text.email.copySource}
        </Button>
        <Button variant="default" size="xs" component="a" href={url} download>
          {text.email.download}
        </Button>
      </Group>
    </Stack>
  )
}
