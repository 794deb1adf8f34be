import { Kbd } from '@mantine/core'
import { Fragment } from 'react'
import classes from './key-caps.module.css'
import { showKeys } from './keys.ts'
import { text } from './text.ts'

export function Keys({ keys }: { keys: string }) {
  return (
    <span className={classes.keys}>
      {showKeys(keys).map((press, at) => (
        <Fragment key={at}>
          {at > 0 && <span>{text.shell.next}</span>}
          {press.map(key => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}
        </Fragment>
      ))}
    </span>
  )
}
