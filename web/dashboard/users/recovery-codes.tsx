import { Button, Code, CopyButton, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useHold } from '../core/holding-dialog.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'

/** Shown only once, and held open until they are saved. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone(): void }) {
  useHold()
  const lines = codes.join('\n')
  return (
    <Stack gap="md">
      <div>
        <Title order={3}>{pageText.account.recovery}</Title>
        <Text c="dimmed">{pageText.account.recoveryAbout}</Text>
      </div>
      <SimpleGrid cols={2} spacing="xs" dir="ltr" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {codes.map(code => (
          <li key={code}>
            <Code fz="md">{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton value={lines}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? text.shell.copied : text.shell.copy}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          component="a"
          href={URL.createObjectURL(new Blob([`${lines}\n`], { type: 'text/plain' }))}
          download="deskbell-recovery-codes.txt"
        >
          {pageText.account.download}
        </Button>
      </Group>
      <Button onClick={onDone}>{pageText.account.recoveryKept}</Button>
    </Stack>
  )
}
