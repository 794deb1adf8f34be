import { Button, CopyButton, Group } from '@mantine/core'
import classes from './code.module.css'
import { text } from './text.ts'

/** Lines of code with a copy button. */
export const Code = ({ name, code }: { name: string; code: string }) => (
  <>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <section className={classes.code} tabIndex={0} aria-label={name} dir="ltr">
      <pre>{code}</pre>
    </section>
    <Group>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy} aria-label={`${text.shell.copy}: ${name}`}>
            {copied ? text.shell.copied : text.shell.copy}
          </Button>
        )}
      </CopyButton>
    </Group>
  </>
)
